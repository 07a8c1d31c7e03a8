// Runs in a window.
/** What the editor is given when it is loaded: a worker from our own origin, themes, and the languages we support. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { editorTheme } from '../../../src/dashboard/editor/themes.ts';
import {
  languageConfiguration,
  monarchGrammar,
} from '../../../src/language/editor/highlighting.ts';

type Rule = readonly [RegExp, string];

const { given, api, EditorWorker } = vi.hoisted(() => {
  const given: [string, ...unknown[]][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void given.push([name, ...args]);
  class EditorWorker {}
  const api = {
    editor: { defineTheme: note('theme'), remeasureFonts: note('measure') },
    languages: {
      register: note('language'),
      setMonarchTokensProvider: note('colours'),
      setLanguageConfiguration: note('configuration'),
    },
  };
  return { given, api, EditorWorker };
});
vi.mock('monaco-editor/editor/editor.api.js', () => api);
vi.mock('monaco-editor/editor/editor.worker.js?worker', () => ({ default: EditorWorker }));
vi.mock('monaco-editor/features/register.all.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/ini/register.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/javascript/register.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/julia/register.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/markdown/register.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/python/register.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/r/register.js', () => ({}));
vi.mock('monaco-editor/languages/definitions/yaml/register.js', () => ({}));
vi.mock('../../../src/dashboard/editor/stan-providers.ts', () => ({
  registerStanProviders: (monaco: unknown) => void given.push(['providers', monaco]),
  fixRemovedSyntax: () => 'fixed',
}));
vi.mock('../../../src/dashboard/editor/jags-language.ts', () => ({
  registerJags: (monaco: unknown) => void given.push(['jags', monaco]),
}));

let fontsAreHere: () => void;
beforeEach(() => {
  vi.resetModules();
  given.length = 0;
  const ready = new Promise<void>((resolve) => {
    fontsAreHere = resolve;
  });
  Object.defineProperty(document, 'fonts', { value: { ready }, configurable: true });
});

const load = () => import('../../../src/dashboard/editor/monaco.ts');
const givenAs = (name: string) =>
  given.filter(([kind]) => kind === name).map(([, ...rest]) => rest);

describe('the editor', () => {
  it('has a worker from our own origin', async () => {
    await load();
    const { MonacoEnvironment } = globalThis as unknown as {
      MonacoEnvironment: { getWorker: () => unknown };
    };
    expect(MonacoEnvironment.getWorker()).toBeInstanceOf(EditorWorker);
  });

  it('has the themes of the page', async () => {
    await load();
    expect(givenAs('theme')).toEqual([
      ['ergodic-light', editorTheme('light')],
      ['ergodic-dark', editorTheme('dark')],
    ]);
  });

  it('supports Stan, JSON and JAGS', async () => {
    const { monaco, fixRemovedSyntax } = await load();
    expect(givenAs('language')).toEqual([
      [{ id: 'stan', extensions: ['.stan', '.stanfunctions'], aliases: ['Stan'] }],
      [{ id: 'json', extensions: ['.json'], aliases: ['JSON'] }],
    ]);
    expect(givenAs('colours')).toEqual([
      ['stan', monarchGrammar()],
      ['json', expect.anything()],
    ]);
    expect(givenAs('configuration')).toEqual([
      ['stan', languageConfiguration],
      ['json', expect.anything()],
    ]);
    expect([givenAs('providers'), givenAs('jags')]).toEqual([[[monaco]], [[monaco]]]);
    expect((fixRemovedSyntax as unknown as () => string)()).toBe('fixed');
  });

  it('measures its font once the fonts have loaded', async () => {
    await load();
    expect(givenAs('measure')).toEqual([]);
    fontsAreHere();
    await vi.waitFor(() => expect(givenAs('measure')).toEqual([[]]));
  });
});

describe('JSON', () => {
  /** Each part of a line with its colour, which comes from the first rule that matches there. */
  async function coloursOf(line: string): Promise<string[]> {
    await load();
    const [, [, grammar]] = givenAs('colours') as [unknown, [string, unknown]];
    const { root } = (grammar as { tokenizer: { root: readonly Rule[] } }).tokenizer;
    const found: string[] = [];
    for (let at = 0; at < line.length; ) {
      const [match, colour] = root.reduce<[string, string] | [null, null]>(
        (known, [expression, name]) => {
          const sticky = new RegExp(expression.source, 'y');
          sticky.lastIndex = at;
          const [text] = sticky.exec(line) ?? [];
          return known[0] !== null || !text ? known : [text, name];
        },
        [null, null],
      );
      if (match !== null) found.push(`${colour} ${match}`);
      at += match?.length ?? 1;
    }
    return found;
  }

  it.each([
    [
      '{"a b" : [1]}',
      [
        '@brackets {',
        'string.key "a b"',
        'delimiter :',
        '@brackets [',
        'number 1',
        '@brackets ]',
        '@brackets }',
      ],
    ],
    ['"a\\"b", "c', ['string "a\\"b"', 'delimiter ,', 'string "c']],
    ['"\\\\"x', ['string "\\\\"']],
    ['"a":1', ['string.key "a"', 'delimiter :', 'number 1']],
    ['-12.50 3e10 4E-2 5.1e+03', ['number -12.50', 'number 3e10', 'number 4E-2', 'number 5.1e+03']],
    ['-Infinity Inf -Inf', ['number -Infinity', 'number Inf', 'number -Inf']],
    ['true false null NaN', ['keyword true', 'keyword false', 'keyword null', 'keyword NaN']],
    ['Infinity', ['number Infinity']],
  ])('colours %s', async (line, colours) => expect(await coloursOf(line)).toEqual(colours));

  it('closes brackets, and quotes outside of strings', async () => {
    await load();
    const [, [, configuration]] = givenAs('configuration');
    const { autoClosingPairs: pairs } = configuration as Monaco.languages.LanguageConfiguration;
    const closing = pairs?.map(({ open, close }) => open + close);
    expect(closing).toEqual(['{}', '[]', '""']);
    expect(pairs?.find(({ open }) => open === '"')).toMatchObject({ notIn: ['string'] });
    expect(configuration).toMatchObject({
      brackets: [
        ['{', '}'],
        ['[', ']'],
      ],
    });
  });
});
