/** How the editor shows the language service's answers: offsets as positions, edits as edits of models. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../../../src/dashboard/editor/stan-protocol.ts';
import {
  backModel,
  fixRemovedSyntax,
  markerOf,
  registerStanProviders,
} from '../../../src/dashboard/editor/stan-providers.ts';
import type { StanService } from '../../../src/dashboard/editor/stan-service.ts';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import { FakeModel, FakeRange, monaco as fake, registered } from '../../support/fake-monaco.ts';

const toasts = vi.hoisted(() => [] as unknown[]);
vi.mock('../../../src/dashboard/ui/toasts.tsx', () => ({
  showToast: (toast: unknown) => toasts.push(toast),
}));

const monaco = fake as unknown as typeof Monaco;
type Model = Monaco.editor.ITextModel;

let releases: (() => void)[] = [];
let models: Map<string, FakeModel>;
let flushes = 0;
let asked: unknown[][] = [];
/** Answers that replace the workspace's, by question. */
let answers: Record<string, unknown> = {};
beforeEach(() => {
  [toasts.length, flushes, asked, answers] = [0, 0, [], {}];
  registered.clear();
});
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

/** Opens files of a model; a real workspace answers, unless `answers` does. */
function open(texts: Record<string, string>): FakeModel {
  registerStanProviders(monaco);
  const workspace = new StanWorkspace();
  const [entrance] = Object.keys(texts);
  workspace.setFiles({ changed: texts, removed: [], entrance });
  const service = {
    ask: async (name: never, ask: never) => {
      asked.push([name, ask]);
      return name in answers ? answers[name] : workspace.answer(name, ask);
    },
  } as unknown as StanService;
  models = new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      new FakeModel(
        text,
        'stan',
        monaco.Uri.from({ scheme: 'inmemory', path: `/${path}` }) as never,
      ),
    ]),
  );
  for (const [path, model] of models)
    releases.push(
      backModel(model.uri as never, {
        service,
        path: () => path,
        flush: () => flushes++,
        problems: () => workspace.problems().problems.filter((one) => one.path === path),
        modelOf: (target) => (models.get(target) ?? null) as unknown as Model | null,
      }),
    );
  return models.get(entrance) as FakeModel;
}

const providerOf = <Provider>(name: string) => registered.get(name)?.given[0] as Provider;
type Ask = (model: FakeModel, ...rest: unknown[]) => Promise<unknown>;
/** A function of the registered provider. */
const ask = (name: string, method: string): Ask => {
  const provider = providerOf<Record<string, Ask>>(name);
  return (model, ...rest) => provider[method](model, ...rest);
};
const at = (model: FakeModel, text: string, shift = 0) =>
  model.getPositionAt(model.getValue().indexOf(text) + shift);
/** The text that a range covers. */
const textIn = (model: FakeModel, range: unknown) => {
  const covered = range as FakeRange;
  return model
    .getValue()
    .slice(
      model.getOffsetAt(covered.getStartPosition()),
      model.getOffsetAt(covered.getEndPosition()),
    );
};
const unbacked = () =>
  new FakeModel('real x;', 'stan', monaco.Uri.from({ scheme: 'inmemory', path: '/?' }) as never);

const main = `#include part.stan
parameters {
  real mu;
}
model {
  mu ~ normal(0, twice(1));
}
`;
const part = 'functions { real twice(real x) { return 2 * x; } }\n';
const both = { 'main.stan': main, 'part.stan': part };

it('all features for Stan files are registered, with their triggers', () => {
  registerStanProviders(monaco);
  expect([...registered.keys()].toSorted()).toEqual([
    'codeAction',
    'completion',
    'definition',
    'format',
    'highlight',
    'hover',
    'outline',
    'reference',
    'rename',
    'signature',
  ]);
  for (const { language } of registered.values()) expect(language).toBe('stan');
  expect(providerOf('completion')).toMatchObject({ triggerCharacters: ['~', '<', '.'] });
  expect(providerOf('signature')).toMatchObject({
    signatureHelpTriggerCharacters: ['(', ',', '|'],
    signatureHelpRetriggerCharacters: [')'],
  });
  expect(providerOf('format')).toMatchObject({ displayName: 'Stan' });
  expect(registered.get('codeAction')?.given[1]).toEqual({
    providedCodeActionKinds: ['quickfix', 'source.fixAll.removedSyntax'],
  });
});

it.each([
  ['hover', 'provideHover', null],
  ['completion', 'provideCompletionItems', { suggestions: [] }],
  ['definition', 'provideDefinition', null],
  ['outline', 'provideDocumentSymbols', []],
  ['format', 'provideDocumentFormattingEdits', []],
  ['signature', 'provideSignatureHelp', null],
  ['highlight', 'provideDocumentHighlights', []],
  ['reference', 'provideReferences', []],
  ['rename', 'provideRenameEdits', { edits: [] }],
  ['codeAction', 'provideCodeActions', null],
])(
  'a text that is not a file of a model has none of the features: %s',
  async (name, method, nothing) => {
    open(both);
    const model = unbacked();
    const second = name === 'codeAction' ? model.getFullModelRange() : at(model, 'x');
    expect(await ask(name, method)(model, second, {})).toEqual(nothing);
    expect(asked).toEqual([]);
  },
);

describe('a hover', () => {
  it('shows the declaration of a name at its place, from the newest text', async () => {
    const model = open(both);
    const { range, contents } = (await ask('hover', 'provideHover')(model, at(model, 'mu ~'))) as {
      range: FakeRange;
      contents: { value: string }[];
    };
    expect(contents[0].value).toBe('```stan\nreal mu\n```');
    expect(textIn(model, range)).toBe('mu');
    expect(flushes).toBe(1);
    expect(await ask('hover', 'provideHover')(model, at(model, '{'))).toBeNull();
  });

  it('shows Markdown characters literally', async () => {
    const model = open(both);
    const contentsOf = async (text: string) => {
      answers.hover = { path: 'main.stan', start: 0, end: 1, code: 'real x', text };
      const found = await ask('hover', 'provideHover')(model, at(model, 'mu'));
      return (found as { contents: { value: string }[] }).contents.slice(1);
    };
    expect(await contentsOf('')).toEqual([]);
    expect(await contentsOf('a_b *c* [d]{e} <f> #g |h| \\i')).toEqual([
      { value: 'a\\_b \\*c\\* \\[d\\]\\{e\\} \\<f\\> \\#g \\|h\\| \\\\i' },
    ]);
  });
});

it('completions have their kind, names of the program first, and a place for the cursor', async () => {
  const model = open({ 'main.stan': 'model { no }' });
  const item = { detail: 'd', meaning: 'm' };
  const kinds = ['keyword', 'type', 'variable', 'function', 'distribution', 'block'];
  answers.complete = {
    start: 8,
    end: 10,
    items: kinds.map((kind) => ({ ...item, label: `a ${kind}`, kind, insert: `${kind}$0` })),
  };
  const completion = ask('completion', 'provideCompletionItems');
  const { suggestions } = (await completion(model, at(model, ' }'))) as {
    suggestions: Record<string, unknown>[];
  };
  expect(suggestions.map(({ kind, sortText }) => [kind, sortText])).toEqual([
    ['Keyword', '1a keyword'],
    ['TypeParameter', '1a type'],
    ['Variable', '0a variable'],
    ['Function', '1a function'],
    ['Class', '1a distribution'],
    ['Module', '1a block'],
  ]);
  const { range, ...first } = suggestions[0];
  expect(first).toMatchObject({
    label: 'a keyword',
    detail: 'd',
    documentation: 'm',
    insertText: 'keyword$0',
    insertTextRules: 'InsertAsSnippet',
  });
  expect(textIn(model, range)).toBe('no');
  delete answers.complete;
  const own = (await completion(model, at(model, ' }'))) as typeof answers;
  expect(own.suggestions).toContainEqual(
    expect.objectContaining({ insertTextRules: 'None', range: expect.anything() }),
  );
  expect(asked.at(-1)).toEqual(['complete', { path: 'main.stan', offset: 10 }]);
});

it('a definition is shown in its own file, if that is open', async () => {
  const model = open(both);
  const define = () => ask('definition', 'provideDefinition')(model, at(model, 'twice'));
  const target = models.get('part.stan') as FakeModel;
  const { uri, range } = (await define()) as { uri: unknown; range: FakeRange };
  expect([uri, textIn(target, range)]).toEqual([target.uri, 'twice']);
  models.delete('part.stan');
  expect(await define()).toBeNull();
  expect(await ask('definition', 'provideDefinition')(model, at(model, '{'))).toBeNull();
});

it('an outline has the blocks of the file, and the declarations in them', async () => {
  const text = 'functions {\n#include one.stan\n  void g() { }\n}\nparameters { real mu; }';
  const model = open({ 'main.stan': text, 'one.stan': 'real f(real x) { return x; }' });
  const [functions, parameters] = (await ask(
    'outline',
    'provideDocumentSymbols',
  )(model)) as Monaco.languages.DocumentSymbol[];
  expect(functions).toMatchObject({ name: 'functions', detail: '', kind: 'Namespace', tags: [] });
  expect(textIn(model, parameters.range)).toBe('parameters { real mu; }');
  expect(textIn(model, parameters.selectionRange)).toBe('parameters');
  const children = [functions, parameters].map(({ children = [] }) =>
    children.map(({ name, kind, detail }) => [name, kind, detail]),
  );
  expect(children).toEqual([[['g', 'Function', '() => void']], [['mu', 'Variable', 'real']]]);
  answers.outline = [{ ...functions, kind: 'block', span: { file: 1, start: 0, end: 1 } }];
  expect(await ask('outline', 'provideDocumentSymbols')(model)).toEqual([]);
});

describe('formatting', () => {
  const format = ask.bind(null, 'format', 'provideDocumentFormattingEdits');

  it('replaces the whole text, and changes nothing that is already formatted', async () => {
    const model = open({ 'main.stan': 'parameters { real mu; }' });
    const [{ range, text }] = (await format()(model)) as { range: FakeRange; text: string }[];
    expect(text).toBe('parameters {\n  real mu;\n}\n');
    expect(textIn(model, range)).toBe('parameters { real mu; }');
    expect(await format()(open({ 'main.stan': text }))).toEqual([]);
    expect(toasts).toEqual([]);
  });

  it('reports why it failed', async () => {
    const model = open({ 'main.stan': 'x' });
    answers.format = { problem: 'Not formatted: `x` is wrong, `y` too.' };
    expect(await format()(model)).toEqual([]);
    expect(toasts).toEqual([{ message: 'Not formatted: x is wrong, y too.', tone: 'bad' }]);
  });
});

describe('a signature', () => {
  const help = async (model: FakeModel, text: string) => {
    const found = await ask('signature', 'provideSignatureHelp')(
      model,
      at(model, text, text.length),
    );
    return found as { value: Monaco.languages.SignatureHelp; dispose(): void } | null;
  };

  it('names the arguments, and marks the one that is being typed', async () => {
    const model = open(both);
    const found = await help(model, 'twice(');
    expect(found?.value).toMatchObject({
      signatures: [{ label: 'real twice(real x)', documentation: '', activeParameter: 0 }],
      activeSignature: 0,
      activeParameter: 0,
    });
    const [{ label, parameters }] = found?.value.signatures ?? [];
    expect(parameters.map((one) => label.slice(...(one.label as [number, number])))).toEqual([
      'real x',
    ]);
    expect(found?.dispose()).toBeUndefined();
    expect(await help(model, 'model {')).toBeNull();
  });

  it('keeps to the last argument where any number may follow', async () => {
    const places = [
      { start: 2, end: 3 },
      { start: 5, end: 6 },
    ];
    const signatures = ['f(x, …)', 'f(x, y)'].map((text) => ({ text, places, meaning: 'm' }));
    answers.signature = { signatures, active: 1, parameter: 4 };
    const value = (await help(open(both), 'twice('))?.value;
    expect(value?.signatures.map(({ activeParameter }) => activeParameter)).toEqual([1, 4]);
    expect(value).toMatchObject({ activeSignature: 1, activeParameter: 4 });
    expect(value?.signatures[0].documentation).toBe('m');
    answers.signature = { signatures, active: 0, parameter: 0 };
    const first = (await help(open(both), 'twice('))?.value;
    expect(first?.signatures[0].activeParameter).toBe(0);
  });
});

describe('the occurrences of a name', () => {
  it('are highlighted in the file, with assignments marked as writes', async () => {
    const model = open({ 'main.stan': 'model { real a = 1; a = 2; target += a; }' });
    const places = (await ask('highlight', 'provideDocumentHighlights')(
      model,
      at(model, 'a = 2'),
    )) as { range: FakeRange; kind: string }[];
    expect(places.map(({ range, kind }) => [textIn(model, range), kind])).toEqual([
      ['a', 'Write'],
      ['a', 'Write'],
      ['a', 'Read'],
    ]);
    const other = open(both);
    const shown = await ask('highlight', 'provideDocumentHighlights')(other, at(other, 'twice'));
    expect(shown).toHaveLength(1);
  });

  it('are listed for all open files', async () => {
    const model = open(both);
    const list = async () => {
      const found = await ask('reference', 'provideReferences')(model, at(model, 'twice'));
      return (found as { uri: unknown; range: FakeRange }[]).map(({ uri, range }) => [
        uri,
        range.startLineNumber,
      ]);
    };
    const included = models.get('part.stan') as FakeModel;
    expect(await list()).toEqual([
      [model.uri, 6],
      [included.uri, 1],
    ]);
    models.delete('part.stan');
    expect(await list()).toEqual([[model.uri, 6]]);
  });
});

describe('renaming', () => {
  const rename = (model: FakeModel, text: string, name: string) =>
    ask('rename', 'provideRenameEdits')(model, at(model, text), name);
  const place = (model: FakeModel, text: string) =>
    ask('rename', 'resolveRenameLocation')(model, at(model, text));

  it('edits all files that have the name', async () => {
    const model = open(both);
    const included = models.get('part.stan') as FakeModel;
    included.steps = 3;
    const { edits } = (await rename(model, 'twice', 'double')) as {
      edits: {
        resource: unknown;
        versionId: number;
        textEdit: { range: FakeRange; text: string };
      }[];
    };
    expect(
      edits.map(({ resource, versionId, textEdit }) => [resource, versionId, textEdit.text]),
    ).toEqual([
      [model.uri, 1, 'double'],
      [included.uri, 4, 'double'],
    ]);
    expect(edits.map(({ textEdit }, i) => textIn([model, included][i], textEdit.range))).toEqual([
      'twice',
      'twice',
    ]);
    models.delete('part.stan');
    expect(await rename(model, 'twice', 'double')).toMatchObject({ edits: { length: 1 } });
  });

  it('reports why it is refused', async () => {
    answers.rename = { refusal: '`normal` is a word of `Stan`.' };
    expect(await rename(open(both), 'twice', 'normal')).toEqual({ edits: [] });
    expect(toasts).toEqual([{ message: 'normal is a word of Stan.', tone: 'bad' }]);
  });

  it('starts from the name at the cursor, or reports that there is none', async () => {
    const model = open(both);
    const { range, text } = (await place(model, 'twice')) as { range: FakeRange; text: string };
    expect([textIn(model, range), text]).toEqual(['twice', 'twice']);
    expect(await place(model, 'normal')).toEqual({
      range: FakeRange.fromPositions(at(model, 'normal')),
      text: '',
      rejectReason: 'normal is built into Stan and cannot be renamed.',
    });
    expect(await place(unbacked(), 'x')).toEqual({
      range: FakeRange.fromPositions(at(unbacked(), 'x')),
      text: '',
      rejectReason: 'This cannot be renamed.',
    });
  });
});

describe('fixes', () => {
  const old = 'model { real a; a <- 1; }';
  const offered = async (model: FakeModel, text: string, only?: string) => {
    const start = at(model, text);
    const range = FakeRange.fromPositions(start, at(model, text, text.length));
    const list = await ask('codeAction', 'provideCodeActions')(model, range, { only });
    return list as { actions: Monaco.languages.CodeAction[]; dispose: () => void };
  };
  const editTexts = (action: Monaco.languages.CodeAction) =>
    ((action.edit?.edits ?? []) as { textEdit: { text: string } }[]).map(
      ({ textEdit }) => textEdit.text,
    );

  it('are offered at a problem, together with a fix for all removed syntax', async () => {
    const model = open({ 'main.stan': old });
    const { actions, dispose } = await offered(model, '<-');
    expect(asked[0]).toEqual(['fixes', { path: 'main.stan', start: 18, end: 20 }]);
    expect(actions).toMatchObject([
      { title: 'Change to =', kind: 'quickfix', isPreferred: true, diagnostics: [{ severity: 8 }] },
      { title: 'Fix all removed syntax (1 place)', kind: 'quickfix' },
    ]);
    expect(actions.map(editTexts)).toEqual([['='], ['=']]);
    expect(dispose()).toBeUndefined();
    expect((await offered(model, 'model')).actions).toEqual([]);
  });

  it('of other problems are offered alone', async () => {
    const model = open({
      'main.stan': 'parameters { real mean_a; }\nmodel { mean_b ~ normal(0, 1); }',
    });
    const { actions } = await offered(model, 'mean_b');
    expect(actions.map(({ kind }) => kind)).toEqual(['quickfix']);
  });

  it('of all removed syntax are a source action, whatever the cursor position', async () => {
    const model = open({ 'main.stan': old.replace('a <- 1;', 'a <- 1; a <- 2;') });
    const { actions } = await offered(model, 'model', 'source.fixAll');
    expect(actions).toMatchObject([
      { title: 'Fix all removed syntax (2 places)', kind: 'source.fixAll.removedSyntax' },
    ]);
    expect(asked.map(([name]) => name)).toEqual(['fixRemoved']);
    expect((await offered(model, '<-', 'quickfix')).actions).toHaveLength(2);
    expect((await offered(open(both), 'model', 'source')).actions).toEqual([]);
  });

  it('are attached to the problem at their place, if two have the same message', async () => {
    const model = open({ 'main.stan': 'model { real a; a <- 1; a <- 1; }' });
    const start = model.getPositionAt(model.getValue().lastIndexOf('<-'));
    const list = await ask('codeAction', 'provideCodeActions')(
      model,
      FakeRange.fromPositions(start),
      {},
    );
    const [{ diagnostics }] = (list as { actions: Monaco.languages.CodeAction[] }).actions;
    expect(diagnostics?.map(({ startColumn }) => startColumn)).toEqual([start.column]);
  });

  it('are attached to no problem that the editor does not show', async () => {
    const model = open({ 'main.stan': old });
    const problem = { path: 'main.stan', start: 18, end: 20, message: 'another' };
    answers.fixes = [{ title: 't', problem, isRemovedSyntax: false, edits: [] }];
    expect((await offered(model, '<-')).actions).toMatchObject([{ title: 't', diagnostics: [] }]);
  });

  it('of all removed syntax are one step of undo in each file', async () => {
    const model = open({
      'main.stan': `#include part.stan\n${old}`,
      'part.stan': part.replace('2 * x', 'fabs(x)'),
    });
    const included = models.get('part.stan') as FakeModel;
    const steps: unknown[] = [];
    const editor = {
      getModel: () => model,
      pushUndoStop: () => steps.push('stop'),
      executeEdits: (source: string, edits: never[]) => {
        steps.push(source);
        model.pushEditOperations([], edits);
      },
    } as unknown as Monaco.editor.ICodeEditor;
    await fixRemovedSyntax(monaco, editor);
    expect(steps).toEqual(['stop', 'fix removed syntax', 'stop']);
    expect(model.getValue()).toContain('a = 1;');
    expect(included.getValue()).toContain('return abs(x);');
    expect([model.steps, included.steps]).toEqual([1, 1]);
    const none = { getModel: () => null } as unknown as Monaco.editor.ICodeEditor;
    const loose = { getModel: unbacked } as unknown as Monaco.editor.ICodeEditor;
    for (const one of [none, loose]) await fixRemovedSyntax(monaco, one);
    models.delete('part.stan');
    answers.fixRemoved = { edits: [{ path: 'part.stan', start: 0, end: 1, text: '' }], count: 1 };
    await fixRemovedSyntax(monaco, editor);
    expect(steps).toHaveLength(3);
  });
});

it('a problem is underlined at its place, over at least one character', () => {
  const model = new FakeModel('a\nbc d');
  const problem: Problem = {
    path: 'main.stan',
    start: 2,
    end: 4,
    code: 'stan/x',
    severity: 'error',
    message: '`bc` is not `a`',
    line: 2,
    column: 1,
    related: [],
  };
  const marker = (more: Partial<Problem> = {}) =>
    markerOf(monaco, model as unknown as Model, { ...problem, ...more });
  expect(marker()).toEqual({
    severity: 8,
    message: 'bc is not a',
    source: 'stan/x',
    startLineNumber: 2,
    startColumn: 1,
    endLineNumber: 2,
    endColumn: 3,
  });
  expect(marker({ severity: 'warning' }).severity).toBe(4);
  expect(marker({ severity: 'info' }).severity).toBe(2);
  expect(marker({ end: 2 })).toMatchObject({ startColumn: 1, endColumn: 2 });
});
