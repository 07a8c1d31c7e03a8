// @vitest-environment happy-dom
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

it('is shown in the language of the file, and cannot be written', async () => {
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

it('is replaced when it is another one, and is gone with the page', async () => {
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

it('takes on the colours of the page, also when another text is shown later', async () => {
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

it('is not made for a text that gave way to another before the editor came', async () => {
  const { rerender } = render(<ReadView path="a.stan" text="a" scheme="light" />);
  rerender(<ReadView path="a.stan" text="b" scheme="light" />);
  await loaded();
  expect(models.map((model) => model.getValue())).toEqual(['b']);
});

it('is not made for a page that has gone before the editor came', async () => {
  const { unmount } = render(<ReadView path="a.stan" text="a" scheme="light" />);
  unmount();
  await loaded();
  expect([editors, models]).toEqual([[], []]);
});
