// Runs in a window.
/** The text of a file to read. */
import { cleanup, render } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { editorOptions, textOptions } from '../../../src/dashboard/editor/editor-options.ts';
import ReadView from '../../../src/dashboard/editor/read-view.tsx';
import { editors, loaded, models, record, themes } from './recorded-monaco.ts';

beforeEach(() => {
  cleanup();
  vi.restoreAllMocks();
  record();
});

it('a text to read is shown in the language of the file, and is read-only', async () => {
  const { container } = render(<ReadView path="a/main.stan" text="model {}" scheme="dark" />);
  await loaded();
  const [model] = models;
  expect([model.getValue(), model.language, model.options]).toEqual([
    'model {}',
    'stan',
    textOptions,
  ]);
  expect(editors).toHaveLength(1);
  expect(editors[0].host).toBe(container.firstElementChild);
  expect(editors[0].given).toEqual({
    ...editorOptions,
    model,
    theme: 'ergodic-dark',
    readOnly: true,
    domReadOnly: true,
    ariaLabel: 'a/main.stan, read-only',
  });
});

it('a text to read is replaced when it changes, and is disposed with the page', async () => {
  const { rerender, unmount } = render(<ReadView path="a.stan" text="a" scheme="light" />);
  await loaded();
  rerender(<ReadView path="a.stan" text="b" scheme="light" />);
  await loaded();
  rerender(<ReadView path="b.R" text="b" scheme="light" />);
  await loaded();
  expect(models.map((model) => [model.getValue(), model.language])).toEqual([
    ['a', 'stan'],
    ['b', 'stan'],
    ['b', 'r'],
  ]);
  const gone = () => [models, editors].map((list) => list.map(({ isDisposed }) => isDisposed));
  expect(gone()).toEqual([
    [true, true, false],
    [true, true, false],
  ]);
  unmount();
  expect(gone()).toEqual([
    [true, true, true],
    [true, true, true],
  ]);
});

it('a text to read follows the colour scheme of the page, also when it is replaced later', async () => {
  const { rerender } = render(<ReadView path="a.stan" text="a" scheme="light" />);
  await loaded();
  expect(themes).toEqual(['ergodic-light']);
  rerender(<ReadView path="a.stan" text="a" scheme="dark" />);
  await loaded();
  expect(themes).toEqual(['ergodic-light', 'ergodic-dark']);
  expect(editors).toHaveLength(1);
  rerender(<ReadView path="a.stan" text="b" scheme="dark" />);
  await loaded();
  expect(editors[1].given.theme).toBe('ergodic-dark');
});

it('a text to read is not created if it was replaced before the editor loaded', async () => {
  const { rerender } = render(<ReadView path="a.stan" text="a" scheme="light" />);
  rerender(<ReadView path="a.stan" text="b" scheme="light" />);
  await loaded();
  expect(models.map((model) => model.getValue())).toEqual(['b']);
});

it('a text to read is not created if the page is gone before the editor has loaded', async () => {
  const { unmount } = render(<ReadView path="a.stan" text="a" scheme="light" />);
  unmount();
  await loaded();
  expect([editors, models]).toEqual([[], []]);
});
