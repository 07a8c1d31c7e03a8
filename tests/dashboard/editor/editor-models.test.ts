/** One model per file: what the page sets, what is typed, and what is kept while another file is open. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditorFile, EditorModels } from '../../../src/dashboard/editor/editor-models.ts';
import type { Problem } from '../../../src/dashboard/editor/stan-protocol.ts';
import { registerStanProviders } from '../../../src/dashboard/editor/stan-providers.ts';
import type { StanService } from '../../../src/dashboard/editor/stan-service.ts';
import { type FakeModel, monaco as fake, openers, registered } from '../../support/fake-monaco.ts';

/** The arguments with which the function of this name was registered. */
const givenTo = (name: string): readonly unknown[] => registered.get(name)?.given ?? [];

const monaco = fake as unknown as typeof Monaco;
let edits: [number, string][];
let opened: unknown[];
let flushes: number;
let models: EditorModels;
let asked: unknown[];
/** What the language service answers. */
let answer: unknown;
beforeEach(() => {
  [edits, opened, asked, flushes, answer] = [[], [], [], 0, undefined];
});
/** The page shows files for the first time. */
function show(files: readonly EditorFile[]): void {
  models = new EditorModels({
    monaco,
    service: {
      ask: async (...ask: unknown[]) => {
        asked.push(ask);
        return answer;
      },
    } as unknown as StanService,
    flush: () => flushes++,
    onEdit: (id, text) => edits.push([id, text]),
    onOpen: (id, place) => opened.push([id, place]),
  });
  models.setFiles(files);
}
afterEach(() => models.dispose());

const file = (id: number, path: string, text: string) => ({ id, path, text });
const [main, readme] = [file(1, 'main.stan', 'real x;\n'), file(2, 'README.md', 'Read me')];
const get = (id: number) => models.get(id) as unknown as FakeModel;
/** Like typing in the editor. */
const type = (model: FakeModel, text: string) =>
  model.pushEditOperations([], [{ range: model.getFullModelRange(), text }]);
const problem = (path: string, more: Partial<Problem> = {}): Problem => ({
  path,
  start: 0,
  end: 4,
  code: 'stan/x',
  severity: 'error',
  message: `wrong in ${path}`,
  line: 1,
  column: 1,
  related: [],
  ...more,
});
const messages = (model: FakeModel) =>
  (model.markers as Monaco.editor.IMarker[]).map(({ owner, message }) => [owner, message]);

describe('the model of a file', () => {
  it('is created once, in the language of the file, and only for an existing file', () => {
    show([main, readme]);
    expect(get(1)).toMatchObject({ language: 'stan', options: { tabSize: 2, insertSpaces: true } });
    expect(get(2).language).toBe('markdown');
    expect(get(1)).toBe(get(1));
    expect(get(1).getValue()).toBe('real x;\n');
    expect(models.get(3)).toBeNull();
    expect(String(get(1).uri)).toMatch(/^inmemory:\/\/model\/\d+\/1\/main\.stan$/);
    const others = new EditorModels({
      monaco,
      service: {} as StanService,
      flush: () => undefined,
      onEdit: () => undefined,
      onOpen: () => undefined,
    });
    others.setFiles([main]);
    expect(String(others.get(1)?.uri)).not.toBe(String(get(1).uri));
    others.dispose();
  });

  it('reports what is typed, with the byte order mark, and not what the page sets', () => {
    show([file(1, 'main.stan', '\uFEFFreal x;')]);
    type(get(1), 'real y;');
    expect(edits).toEqual([[1, '\uFEFFreal y;']]);
    models.setFiles([file(1, 'main.stan', 'real z;')]);
    expect([get(1).getValue(), edits.length]).toEqual(['real z;', 1]);
    type(get(1), 'int k;');
    expect(edits).toHaveLength(2);
  });

  it('is set in one undo step, and not at all if the text is the same', () => {
    show([file(1, 'a.stan', 'a\r\nb\nc')]);
    const model = get(1);
    for (const text of ['a\r\nb\nc', 'a\nb\nc', 'a\rb\rc', 'a\r\nb\r\nc'])
      models.setFiles([file(1, 'a.stan', text)]);
    expect(model.steps).toBe(0);
    for (const text of ['b', 'c']) models.setFiles([file(1, 'a.stan', text)]);
    expect([model.steps, get(1)]).toEqual([2, model]);
    expect(model.getValue()).toBe('c');
  });

  it('gets the language of its new name, and is disposed with its file', () => {
    show([main, readme]);
    const [one, two] = [get(1), get(2)];
    models.setFiles([file(1, 'main.txt', main.text)]);
    expect([one.language, one.isDisposed, two.isDisposed]).toEqual(['plaintext', false, true]);
    models.setFiles([file(1, 'main.txt', main.text), readme]);
    expect(get(2)).not.toBe(two);
    const before = one.language;
    one.language = 'set by hand';
    models.setFiles([file(1, 'main.txt', main.text), readme]);
    expect([before, one.language]).toEqual(['plaintext', 'set by hand']);
  });

  it('keeps its view state until it is disposed', () => {
    show([main]);
    const state = { cursorState: [] } as unknown as Monaco.editor.ICodeEditorViewState;
    models.keepViewState(1, state);
    expect(models.viewState(1)).toBeNull();
    get(1);
    expect(models.viewState(1)).toBeNull();
    models.keepViewState(1, state);
    expect(models.viewState(1)).toBe(state);
    models.setFiles([]);
    expect(models.viewState(1)).toBeNull();
  });

  it('has markers for its own problems, from the start and as they change', () => {
    show([main, readme]);
    models.setProblems([problem('main.stan'), problem('README.md')]);
    expect(messages(get(1))).toEqual([['stan', 'wrong in main.stan']]);
    models.setProblems([problem('README.md')]);
    expect(messages(get(1))).toEqual([]);
    expect(messages(get(2))).toEqual([['stan', 'wrong in README.md']]);
  });

  it('is disposed with the page', () => {
    show([main]);
    const model = get(1);
    expect(openers.size).toBe(1);
    models.dispose();
    expect([model.isDisposed, openers.size]).toEqual([true, 0]);
  });
});

describe('a file that the editor refers to', () => {
  const open = (resource: { toString(): string }, at?: object) => {
    const [opener] = openers;
    return opener(null, resource, at);
  };

  it('is opened at the given position, or at the beginning', () => {
    show([main, readme]);
    get(1);
    const { uri } = get(2);
    expect(open({ toString: () => String(uri) })).toBe(true);
    expect(open(uri, { lineNumber: 2, column: 3 })).toBe(true);
    expect(open(uri, { startLineNumber: 4, startColumn: 5 })).toBe(true);
    expect(opened).toEqual([
      [2, { line: 1, column: 1 }],
      [2, { line: 2, column: 3 }],
      [2, { line: 4, column: 5 }],
    ]);
    expect(open({ toString: () => 'elsewhere' })).toBe(false);
    expect(opened).toHaveLength(3);
  });

  it('gets a model when it is needed', async () => {
    registerStanProviders(monaco);
    const [provider] = givenTo('definition') as [Monaco.languages.DefinitionProvider];
    show([main, readme]);
    const define = (path: string) => {
      answer = { path, start: 0, end: 4 };
      const at = { lineNumber: 1, column: 1 };
      return provider.provideDefinition(models.get(1) as never, at as never, {} as never);
    };
    expect(await define('README.md')).toEqual({
      uri: get(2).uri,
      range: { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 5 },
    });
    expect(await define('gone.stan')).toBeNull();
  });

  it('gets fixes for its own problems', async () => {
    registerStanProviders(monaco);
    const [provider] = givenTo('codeAction') as [Monaco.languages.CodeActionProvider];
    show([main, readme]);
    models.setProblems([
      problem('README.md', { message: 'm' }),
      problem('main.stan', { message: 'm' }),
    ]);
    answer = [
      { title: 't', problem: problem('', { message: 'm' }), isRemovedSyntax: false, edits: [] },
    ];
    const range = get(1).getFullModelRange();
    const found = async () => {
      const list = await provider.provideCodeActions(
        models.get(1) as never,
        range as never,
        {} as never,
        {} as never,
      );
      return list?.actions.map(({ diagnostics }) => diagnostics?.map(({ message }) => message));
    };
    expect(await found()).toEqual([['m']]);
    models.setProblems([problem('README.md', { message: 'm' })]);
    expect(await found()).toEqual([[]]);
  });

  it('is queried by its current path, with the newest text', async () => {
    registerStanProviders(monaco);
    const [provider] = givenTo('hover') as [Monaco.languages.HoverProvider];
    const hover = () =>
      provider.provideHover(
        models.get(1) as never,
        { lineNumber: 1, column: 6 } as never,
        {} as never,
      );
    show([main]);
    get(1);
    await hover();
    models.setFiles([file(1, 'renamed.stan', main.text)]);
    await hover();
    expect(asked).toEqual([
      ['hover', { path: 'main.stan', offset: 5 }],
      ['hover', { path: 'renamed.stan', offset: 5 }],
    ]);
    expect(flushes).toBe(2);
    const gone = models.get(1);
    models.setFiles([]);
    await provider.provideHover(gone as never, { lineNumber: 1, column: 6 } as never, {} as never);
    expect(asked).toHaveLength(2);
  });
});
