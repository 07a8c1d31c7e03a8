// Runs in a window.
/** The code editor: the file that is open in it, what it reports to the page, and what the page asks of it. */
import { cleanup, render } from '@testing-library/react';
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import CodeEditor, {
  type CodeEditorHandle,
  type CodeEditorProps,
} from '../../../src/dashboard/editor/code-editor.tsx';
import { editorOptions } from '../../../src/dashboard/editor/editor-options.ts';
import type { Problem } from '../../../src/dashboard/editor/stan-protocol.ts';
import { registerStanProviders } from '../../../src/dashboard/editor/stan-providers.ts';
import type { StanService } from '../../../src/dashboard/editor/stan-service.ts';
import {
  FakeRange,
  monaco as fake,
  fixedEditors,
  openers,
  registered,
} from '../../support/fake-monaco.ts';
import { editors, loaded, models, record } from './recorded-monaco.ts';

beforeEach(() => {
  cleanup();
  vi.restoreAllMocks();
  record();
});
afterEach(() => {
  vi.useRealTimers();
});

const serviceOf = () => ({ ask: async () => null }) as unknown as StanService;
const files = [
  { id: 1, path: 'main.stan', text: 'real x;' },
  { id: 2, path: 'read.md', text: 'Read me' },
];

function makeProps(more: Partial<Pick<CodeEditorProps, 'handle'>> = {}) {
  const calls = {
    flush: vi.fn(),
    onEdit: vi.fn(),
    onOpen: vi.fn(),
    onCursor: vi.fn(),
    onSave: vi.fn(),
  };
  return {
    files,
    activeId: 1,
    problems: [],
    service: serviceOf(),
    scheme: 'light',
    isWrapped: false,
    handle: null,
    ...calls,
    ...more,
  } as const;
}

async function show(props: CodeEditorProps) {
  const page = render(<CodeEditor {...props} />);
  await loaded();
  return page;
}

const busy = (container: Element) => container.firstElementChild?.getAttribute('aria-busy');
const namesOf = (at = 0) => editors[at].calls.map(([name]) => name);

describe('the code editor', () => {
  it('shows the open file once it has been loaded', async () => {
    const { container } = render(<CodeEditor {...makeProps()} />);
    expect([busy(container), editors]).toEqual(['true', []]);
    await loaded();
    expect(busy(container)).toBe('false');
    const [editor] = editors;
    expect(editor.host).toBe(container.firstElementChild);
    expect(editor.given).toEqual({ ...editorOptions, model: null, theme: 'ergodic-light' });
    expect(models.map((model) => model.getValue())).toEqual(['real x;']);
    expect(editor.calls).toEqual([
      ['setModel', models[0]],
      ['restoreViewState', null],
    ]);
  });

  it('is not created if the page is gone before it has loaded', async () => {
    render(<CodeEditor {...makeProps()} />).unmount();
    await loaded();
    expect(editors).toEqual([]);
  });

  it('is not created for a language service that was replaced before it had loaded', async () => {
    const props = makeProps();
    const { rerender } = render(<CodeEditor {...props} />);
    rerender(<CodeEditor {...props} service={serviceOf()} />);
    await loaded();
    expect(editors).toHaveLength(1);
  });

  it('follows the colour scheme and the line wrapping of the page', async () => {
    const props = makeProps();
    const { rerender } = await show(props);
    rerender(<CodeEditor {...props} scheme="dark" />);
    rerender(<CodeEditor {...props} scheme="dark" isWrapped />);
    expect(editors[0].updates).toEqual([
      { theme: 'ergodic-light', wordWrap: 'off' },
      { theme: 'ergodic-dark', wordWrap: 'off' },
      { theme: 'ergodic-dark', wordWrap: 'on' },
    ]);
    rerender(<CodeEditor {...props} scheme="dark" isWrapped service={serviceOf()} />);
    await loaded();
    expect(editors.map(({ isDisposed }) => isDisposed)).toEqual([true, false]);
    expect(editors[1].given.theme).toBe('ergodic-dark');
  });

  it('is disposed with the page, and so are its models', async () => {
    const { unmount } = await show(makeProps());
    unmount();
    expect([editors[0].isDisposed, models[0].isDisposed]).toEqual([true, true]);
  });

  it('follows the files and problems of the page', async () => {
    const props = makeProps();
    const { rerender } = await show(props);
    rerender(<CodeEditor {...props} files={[{ ...files[0], text: 'int y;' }]} />);
    expect(models[0].getValue()).toBe('int y;');
    const problem: Problem = {
      path: 'main.stan',
      start: 0,
      end: 3,
      code: 'stan/x',
      severity: 'error',
      message: 'wrong',
      line: 1,
      column: 1,
      related: [],
    };
    rerender(<CodeEditor {...props} problems={[problem]} />);
    expect(models[0].markers).toMatchObject([{ message: 'wrong' }]);
  });

  it('restores each file as it was left', async () => {
    const props = makeProps();
    const { rerender } = await show(props);
    rerender(<CodeEditor {...props} activeId={2} />);
    rerender(<CodeEditor {...props} />);
    expect(editors[0].calls).toEqual([
      ['setModel', models[0]],
      ['restoreViewState', null],
      ['setModel', models[1]],
      ['restoreViewState', null],
      ['setModel', models[0]],
      ['restoreViewState', 'view of 0'],
    ]);
  });
});

describe('the page is notified', () => {
  it('of edits, the cursor and saving, through its latest callbacks', async () => {
    const [first, last] = [makeProps(), makeProps()];
    const { rerender } = await show(first);
    rerender(<CodeEditor {...last} service={first.service} />);
    const [editor] = editors;
    models[0].pushEditOperations(null, [{ range: new FakeRange(1, 1, 1, 1), text: 'a ' }]);
    editor.emit('cursor', { position: { lineNumber: 3, column: 4 } });
    editor.commands.find(({ key }) => key === (2048 | 49))?.run();
    expect(last.onEdit.mock.calls).toEqual([[1, 'a real x;']]);
    expect(last.onCursor.mock.calls).toEqual([[{ line: 3, column: 4 }]]);
    expect(last.onSave).toHaveBeenCalledTimes(1);
    for (const call of [first.onEdit, first.onCursor, first.onSave])
      expect(call).not.toHaveBeenCalled();
  });

  it('of another file to open', async () => {
    const props = makeProps();
    await show(props);
    const uri = models[0].uri;
    for (const open of openers) void open(null, uri, { lineNumber: 2, column: 5 });
    expect(props.onOpen.mock.calls).toEqual([[1, { line: 2, column: 5 }]]);
  });

  it('to bring the language service up to date before it is queried', async () => {
    registerStanProviders(fake as unknown as typeof Monaco);
    const props = makeProps();
    await show(props);
    const { given } = registered.get('hover') ?? { given: [] };
    const [{ provideHover }] = given as [
      { provideHover: (model: unknown, place: object) => unknown },
    ];
    await provideHover(models[0], { lineNumber: 1, column: 1 });
    expect(props.flush).toHaveBeenCalledTimes(1);
  });
});

it('the line that is being edited stays in view when the layout of the editor changes', async () => {
  await show(makeProps());
  const [editor] = editors;
  const place = { lineNumber: 7, column: 1 };
  editor.emit('layout');
  editor.hasFocus = true;
  editor.emit('layout');
  editor.position = place;
  editor.hasFocus = false;
  editor.emit('layout');
  expect(namesOf()).not.toContain('revealPosition');
  editor.hasFocus = true;
  editor.emit('layout');
  expect(editor.calls.at(-1)).toEqual(['revealPosition', place]);
});

it('removed syntax is fixed from the context menu, in Stan that can be edited', async () => {
  fixedEditors.length = 0;
  await show(makeProps());
  const [editor] = editors;
  const [{ run, ...action }] = editor.actions;
  expect(action).toEqual({
    id: 'ergodic.fix-removed-syntax',
    label: 'Fix all removed syntax',
    precondition: "editorLangId == 'stan' && !editorReadonly",
    contextMenuGroupId: '1_modification',
  });
  run();
  expect(fixedEditors).toEqual([editor]);
});

describe('the page asks', () => {
  const shown = (line: number, column: number) => [
    ['setPosition', { lineNumber: line, column }],
    ['revealLine', line],
    ['focus'],
  ];

  it('for formatting, and for the outline, which needs the focus', async () => {
    const handle = createRef<CodeEditorHandle>();
    render(<CodeEditor {...makeProps({ handle })} />);
    handle.current?.format();
    handle.current?.showOutline();
    await loaded();
    handle.current?.format();
    handle.current?.showOutline();
    expect(editors[0].calls.slice(2)).toEqual([
      ['run', 'editor.action.formatDocument'],
      ['focus'],
      ['run', 'editor.action.quickOutline'],
    ]);
  });

  it('for actions that the editor does not have, to no effect', async () => {
    const handle = createRef<CodeEditorHandle>();
    await show(makeProps({ handle }));
    editors[0].hasActions = false;
    handle.current?.format();
    handle.current?.showOutline();
    expect(editors[0].calls.slice(2)).toEqual([['focus']]);
  });

  it('for a position; of several at once, the last is shown', async () => {
    const handle = createRef<CodeEditorHandle>();
    await show(makeProps({ handle }));
    vi.useFakeTimers();
    handle.current?.goTo({ line: 2, column: 1 });
    handle.current?.goTo({ line: 5, column: 3 });
    expect(namesOf()).not.toContain('setPosition');
    vi.runAllTimers();
    expect(editors[0].calls.slice(2)).toEqual(shown(5, 3));
  });

  it('for a position in a file that is just being opened', async () => {
    const handle = createRef<CodeEditorHandle>();
    const props = makeProps({ handle });
    const { rerender } = await show(props);
    vi.useFakeTimers();
    handle.current?.goTo({ line: 2, column: 4 });
    rerender(<CodeEditor {...props} activeId={2} />);
    vi.runAllTimers();
    rerender(<CodeEditor {...props} />);
    expect(editors[0].calls.slice(2)).toEqual([
      ['setModel', models[1]],
      ['restoreViewState', null],
      ...shown(2, 4),
      ['setModel', models[0]],
      ['restoreViewState', 'view of 0'],
    ]);
  });

  it('for a position once, which the next file does not take over', async () => {
    const handle = createRef<CodeEditorHandle>();
    const props = makeProps({ handle });
    const { rerender } = await show(props);
    vi.useFakeTimers();
    handle.current?.goTo({ line: 2, column: 4 });
    vi.runAllTimers();
    rerender(<CodeEditor {...props} activeId={2} />);
    expect(namesOf().filter((name) => name === 'setPosition')).toHaveLength(1);
  });

  it('for a position before the editor is loaded', async () => {
    const handle = createRef<CodeEditorHandle>();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    render(<CodeEditor {...makeProps({ handle })} />);
    handle.current?.goTo({ line: 9, column: 1 });
    vi.runAllTimers();
    vi.useRealTimers();
    await loaded();
    expect(editors[0].calls.slice(2)).toEqual(shown(9, 1));
  });
});
