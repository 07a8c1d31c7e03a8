// Runs in a window.
/** Two texts side by side: what is compared, what can be written, and what is reported to the page. */
import { cleanup, render } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import DiffView, { type DiffPlaces } from '../../../src/dashboard/editor/diff-view.tsx';
import { editorOptions, textOptions } from '../../../src/dashboard/editor/editor-options.ts';
import { FakeRange } from '../../support/fake-monaco.ts';
import { editors, loaded, modelOptions, models, record, themes } from './recorded-monaco.ts';

beforeEach(() => {
  cleanup();
  vi.restoreAllMocks();
  record();
});

const texts = { path: 'a.stan', theirs: 'old', mine: 'new', scheme: 'light' } as const;

/** Inserts `text` at the start of the model. */
const write = (model: (typeof models)[number], text: string) =>
  model.pushEditOperations(null, [{ range: new FakeRange(1, 1, 1, 1), text }]);

const names = () =>
  ['original', 'modified'].map((side) => editors.at(-1)?.sides.get(side)?.options.ariaLabel);

describe('two texts side by side', () => {
  it('are in the language of the file, and fill the space they are given', async () => {
    const { container } = render(<DiffView {...texts} />);
    await loaded();
    const [original, modified] = models;
    expect(models.map((model) => [model.getValue(), model.language])).toEqual([
      ['old', 'stan'],
      ['new', 'stan'],
    ]);
    const [editor] = editors;
    expect(editor.host).toBe(container.firstElementChild);
    expect(editor.given).toEqual({
      ...editorOptions,
      theme: 'ergodic-light',
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      hideUnchangedRegions: { enabled: true },
      renderMarginRevertIcon: true,
      renderOverviewRuler: false,
    });
    expect(editor.calls).toEqual([['setModel', { original, modified }]]);
    const { bracketColorizationOptions } = textOptions;
    expect(modelOptions).toEqual([
      [original, textOptions],
      [modified, textOptions],
      [original, { bracketColorizationOptions }],
      [modified, { bracketColorizationOptions }],
    ]);
  });

  it('are read-only when nothing handles edits', async () => {
    render(<DiffView {...texts} />);
    await loaded();
    expect(editors[0].updates).toEqual([{ readOnly: true }]);
    expect(names()).toEqual(['a.stan, before', 'a.stan, after']);
    // nothing listens
    write(models[1], 'x');
    editors[0].emit('diff');
  });

  it('can be edited on the right, and keep the byte order mark of the text', async () => {
    const [first, second] = [vi.fn(), vi.fn()];
    const { rerender } = render(<DiffView {...texts} mine={'\uFEFFnew'} onEdit={first} />);
    await loaded();
    expect(editors[0].updates).toEqual([{ readOnly: false }]);
    expect(names()).toEqual(['a.stan, theirs', 'a.stan, mine']);
    write(models[1], 'a ');
    expect(first.mock.calls).toEqual([['\uFEFFa new']]);
    rerender(<DiffView {...texts} mine="other" onEdit={second} />);
    await loaded();
    expect(models).toHaveLength(2);
    write(models[1], 'the ');
    write(models[0], 'not reported');
    expect([first.mock.calls.length, second.mock.calls]).toEqual([1, [['\uFEFFthe a new']]]);
  });

  it('become editable when a handler is added', async () => {
    const { rerender } = render(<DiffView {...texts} />);
    await loaded();
    rerender(<DiffView {...texts} onEdit={() => undefined} />);
    rerender(<DiffView {...texts} scheme="dark" onEdit={() => undefined} />);
    expect(editors[0].updates).toEqual([{ readOnly: true }, { readOnly: false }]);
  });

  it('report how many places differ, and move from one to the next', async () => {
    const places: DiffPlaces[] = [];
    render(<DiffView {...texts} onPlaces={(now) => places.push(now)} />);
    await loaded();
    const [editor] = editors;
    editor.emit('diff');
    editor.changes = [{}, {}, {}];
    editor.emit('diff');
    expect(places.map(({ count }) => count)).toEqual([0, 3]);
    places[1].go('next');
    places[1].go('previous');
    expect(editor.calls.slice(1)).toEqual([
      ['goToDiff', 'next'],
      ['goToDiff', 'previous'],
    ]);
  });

  it('keep the labels of their sides when the editor drops them', async () => {
    render(<DiffView {...texts} />);
    await loaded();
    const side = editors[0].sides.get('modified');
    side?.emit('configuration');
    expect(side?.updates).toHaveLength(1);
    side?.updateOptions({ ariaLabel: '' });
    side?.emit('configuration');
    expect(names()).toEqual(['a.stan, before', 'a.stan, after']);
  });

  it('are replaced for another file or another text of theirs, and disposed with the page', async () => {
    const { rerender, unmount } = render(<DiffView {...texts} />);
    await loaded();
    rerender(<DiffView {...texts} theirs="older" />);
    await loaded();
    rerender(<DiffView {...texts} theirs="older" path="b.R" />);
    await loaded();
    expect(models.map((model) => [model.getValue(), model.language])).toEqual([
      ['old', 'stan'],
      ['new', 'stan'],
      ['older', 'stan'],
      ['new', 'stan'],
      ['older', 'r'],
      ['new', 'r'],
    ]);
    const gone = (list: readonly { isDisposed: boolean }[]) => list.map((one) => one.isDisposed);
    expect(gone(editors)).toEqual([true, true, false]);
    expect(gone(models)).toEqual([true, true, true, true, false, false]);
    unmount();
    expect(gone(editors)).toEqual([true, true, true]);
    expect(gone(models)).toEqual([true, true, true, true, true, true]);
  });

  it('are not created for a text that was replaced before the editor loaded', async () => {
    const { rerender } = render(<DiffView {...texts} />);
    rerender(<DiffView {...texts} theirs="older" />);
    await loaded();
    expect(models.map((model) => model.getValue())).toEqual(['older', 'new']);
  });

  it('are not created if the page is gone before the editor has loaded', async () => {
    const { unmount } = render(<DiffView {...texts} />);
    unmount();
    await loaded();
    expect([editors, models]).toEqual([[], []]);
  });

  it('follow the colour scheme of the page, also when they are replaced later', async () => {
    const { rerender } = render(<DiffView {...texts} />);
    await loaded();
    expect(themes).toEqual(['ergodic-light']);
    rerender(<DiffView {...texts} scheme="dark" />);
    await loaded();
    expect(themes).toEqual(['ergodic-light', 'ergodic-dark']);
    rerender(<DiffView {...texts} scheme="dark" theirs="older" />);
    await loaded();
    expect(editors.map(({ given }) => given.theme)).toEqual(['ergodic-light', 'ergodic-dark']);
  });
});
