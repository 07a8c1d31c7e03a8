import { describe, expect, it, vi } from 'vitest';
import { StanService } from '../../../src/dashboard/editor/stan-service.ts';
import { changeBetween, StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import { FakeWorker } from './fake-worker.ts';

const main = '#include part.stan\nparameters { real mu; }\nmodel { mu ~ normal(0, twice(1)); }\n';
const part = 'functions { real twice(real x) { return 2 * x; } }\n';

function workspace(
  changed: Record<string, string>,
  entrance: string | null = 'main.stan',
): StanWorkspace {
  const made = new StanWorkspace();
  made.setFiles({ changed, removed: [], entrance });
  return made;
}

describe('the files of a model', () => {
  it('are checked together: an included file is part of the program', () => {
    expect(workspace({ 'main.stan': main, 'part.stan': part }).problems().problems).toEqual([]);
    const [problem] = workspace({ 'main.stan': main }).problems().problems;
    expect(problem).toMatchObject({ path: 'main.stan', severity: 'error', line: 1 });
  });

  it('have problems at their place, with the fix', () => {
    const broken = part.replace('2 * x', '2 * xx');
    const [problem] = workspace({ 'main.stan': main, 'part.stan': broken }).problems().problems;
    expect(problem).toMatchObject({
      path: 'part.stan',
      code: 'stan/unknown-name',
      fix: { replacement: 'x' },
    });
    expect(broken.slice(problem.start, problem.end)).toBe('xx');
  });

  it('have the line and column of each problem, per file', () => {
    const made = workspace({
      'main.stan': '#include <a>\nmodel {\n  x ~ normal(0, 1);\n}',
      a: 'data { real y }',
    });
    expect(made.problems().problems).toMatchObject([
      { path: 'main.stan', line: 3, column: 3, code: 'stan/unknown-name' },
      { path: 'a', line: 1, code: 'stan/missing-semicolon' },
    ]);
  });

  it('next to the program are checked on their own if they are programs', () => {
    const files = {
      'main.stan': 'model { }',
      'other.stan': 'model { y ~ normal(0, 1); }',
      'loose.stan': 'real x;',
    };
    expect(
      workspace(files)
        .problems()
        .problems.map(({ path }) => path),
    ).toEqual(['other.stan']);
  });

  it('lose their problems once these are fixed', () => {
    const made = workspace({ 'main.stan': 'model { x ~ normal(0, 1); }' });
    expect(made.problems().problems).toHaveLength(1);
    made.setFiles({ changed: { 'main.stan': 'model { }' }, removed: [], entrance: 'main.stan' });
    expect(made.problems().problems).toEqual([]);
  });

  it('answer what a name is and where it is declared, also in another file', () => {
    const made = workspace({ 'main.stan': main, 'part.stan': part });
    const offset = main.indexOf('twice');
    expect(made.answer('hover', { path: 'main.stan', offset })).toMatchObject({
      code: 'real twice(real x)',
    });
    const place = made.answer('definition', { path: 'main.stan', offset });
    expect(place).toMatchObject({ path: 'part.stan', start: part.indexOf('twice') });
    const inPart = made.answer('hover', { path: 'part.stan', offset: part.indexOf('x;') });
    expect(inPart).toMatchObject({ path: 'part.stan', code: 'real x' });
  });

  it('get stricter hints on request', () => {
    const text = 'parameters { real s; real a; }\nmodel { s ~ normal(0, s); }\n';
    const made = workspace({ 'main.stan': text });
    const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);
    expect(codes(made.problems().problems)).toEqual(['stan/bounds-missing']);
    const { problems } = made.answer('strict', { isOn: true });
    expect(codes(problems)).toContain('stan/unused-parameter');
    expect(problems.every(({ severity }) => severity === 'info')).toBe(true);
    expect(codes(made.answer('strict', { isOn: false }).problems)).toEqual(['stan/bounds-missing']);
  });

  it('have completions, an outline and formatting', () => {
    const text = 'parameters { real mu; }\nmodel { mu ~ nor }\n';
    const made = workspace({ 'main.stan': text });
    const { items, start } = made.answer('complete', {
      path: 'main.stan',
      offset: text.indexOf('nor') + 3,
    });
    expect(start).toBe(text.indexOf('nor'));
    expect(items.map(({ label }) => label)).toContain('normal');
    expect(made.answer('outline', { path: 'main.stan' }).map(({ name }) => name)).toEqual([
      'parameters',
      'model',
    ]);
    const notFormatted = made.answer('format', { path: 'main.stan' });
    expect(notFormatted).toMatchObject({ problem: expect.stringContaining('line 2') as string });
    const fixed = workspace({ 'main.stan': 'parameters { real mu; }' });
    const formatted = fixed.answer('format', { path: 'main.stan' });
    expect(formatted).toEqual({ text: 'parameters {\n  real mu;\n}\n' });
  });

  it('are checked against data by the data block of the entrance', () => {
    const made = workspace({ 'main.stan': 'data { int N; }' });
    expect(made.answer('data', { text: '{"N": 1}', fmt: 'json' })).toMatchObject({
      state: 'checked',
      rows: [{ isGood: true }],
    });
    expect(workspace({}, null).answer('data', { text: '{}', fmt: 'json' })).toEqual({
      state: 'no-program',
    });
  });
});

const eightSchools = `data { int<lower=0> J; vector[J] y; tuple(int, int) t; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, 10);
}
`;

describe('a program', () => {
  it('has remedies with the texts that they change, and no others', () => {
    const remedies = workspace({
      'main.stan': `#include part.stan\n${eightSchools}`,
      'part.stan': part,
    }).answer('remedies', {});
    expect(remedies.map(({ kind }) => kind)).toEqual([
      'non-centred',
      'prior-only',
      'replicated-data',
    ]);
    for (const remedy of remedies) {
      expect(remedy).not.toHaveProperty('edits');
      expect(remedy.files.map(({ path }) => path)).toEqual(['main.stan']);
    }
    const [{ files, title }] = remedies;
    expect(title).toBe('Write `theta` non-centred');
    expect(files[0].before).toContain(eightSchools);
    expect(files[0].after).toContain('vector<offset=mu, multiplier=tau>[J] theta');
    expect(workspace({}, null).answer('remedies', {})).toEqual([]);
  });

  it('lists the data it needs, with tuples apart from what a table can hold', () => {
    const made = workspace({ 'main.stan': eightSchools });
    const wanted = made.answer('wanted', {});
    expect(wanted?.variables.map(({ name, text }) => [name, text])).toEqual([
      ['J', 'int, at least 0'],
      ['y', 'vector[J]'],
    ]);
    expect(wanted?.tuples).toEqual(['t']);
    expect(workspace({ 'main.stan': 'data { int J }' }).answer('wanted', {})).toBeNull();
    expect(workspace({}, null).answer('wanted', {})).toBeNull();
  });

  it('is checked against a table that is read as in a run', () => {
    const made = workspace({ 'main.stan': 'data { int N; vector[N] x; }' });
    expect(made.answer('data', { text: 'x\n1\n2\n', fmt: 'csv' })).toMatchObject({
      rows: [{ found: '2' }, { found: '2 numbers, 1 to 2' }],
    });
  });

  it('that is missing is ignored; other files are checked on their own', () => {
    const made = workspace({ 'other.stan': 'model { x ~ normal(0, 1); }' }, 'main.stan');
    expect(made.problems().problems.map(({ path }) => path)).toEqual(['other.stan']);
    expect(made.answer('hover', { path: 'other.stan', offset: 12 })).toMatchObject({
      path: 'other.stan',
      code: expect.stringContaining('normal'),
    });
    expect(made.answer('hover', { path: 'gone.stan', offset: 0 })).toBeNull();
    expect(made.answer('format', { path: 'gone.stan' })).toEqual({ text: '' });
    expect(made.answer('occurrences', { path: 'gone.stan', offset: 0 })).toEqual([]);
    expect(made.answer('definition', { path: 'other.stan', offset: 0 })).toBeNull();
    expect(made.answer('wanted', {})).toEqual({ variables: [], tuples: [] });
    expect(made.answer('problems', {}).problems).toEqual(made.problems().problems);
  });

  it('shares its names with the files that it includes, and with no others', () => {
    const made = workspace({
      'main.stan': 'functions {\n  real f(real x) { return x; }\n#include part.stan\n}',
      'part.stan': 'real g(real x) { return f(x); }',
      'other.stan': 'functions { real h(real x) { return f(x); } }',
    });
    const define = (path: string, text: string) =>
      made.answer('definition', { path, offset: text.indexOf('f(x)') });
    expect(define('part.stan', 'real g(real x) { return f(x); }')).toEqual({
      path: 'main.stan',
      start: 19,
      end: 20,
    });
    expect(define('other.stan', 'functions { real h(real x) { return f(x); } }')).toBeNull();
    const hover = (path: string, offset: number) => made.answer('hover', { path, offset });
    expect(hover('other.stan', 17)).toMatchObject({ path: 'other.stan', code: 'real h(real x)' });
    expect(hover('main.stan', 19)).toMatchObject({ path: 'main.stan', code: 'real f(real x)' });
    made.setFiles({ changed: {}, removed: [], entrance: null });
    expect(hover('other.stan', 17)).toMatchObject({ code: 'real h(real x)' });
  });

  it('that is the entrance is checked first, in any case', () => {
    const files = { 'a.stan': 'model { x ~ normal(0, 1); }', 'main.stan': 'data { int N }' };
    const { problems } = workspace(files).problems();
    expect(problems.map(({ path }) => path)).toEqual(['main.stan', 'a.stan']);
  });

  it('that is removed no longer has problems', () => {
    const made = workspace({
      'main.stan': 'model { x ~ normal(0, 1); }',
      'other.stan': 'model { y ~ normal(0, 1); }',
    });
    made.setFiles({ changed: {}, removed: ['other.stan'], entrance: 'main.stan' });
    expect(made.problems().problems.map(({ path }) => path)).toEqual(['main.stan']);
    made.setFiles({ changed: {}, removed: [], entrance: null });
    expect(made.problems().problems.map(({ path }) => path)).toEqual(['main.stan']);
  });

  it('is recognised by a block of its own; files that are only included are not checked', () => {
    const isJudged = (path: string, text: string) =>
      workspace({ [path]: `${text} x` }, null).problems().problems.length > 0;
    expect(isJudged('a.stan', 'model {')).toBe(true);
    expect(isJudged('a.stan', '  parameters{')).toBe(true);
    expect(isJudged('a.stan', '// one\n  generated  quantities {')).toBe(true);
    expect(isJudged('a.stan', 'data {')).toBe(false);
    expect(isJudged('a.stan', 'real model;')).toBe(false);
    expect(isJudged('a.stan', 'my model {')).toBe(false);
    expect(isJudged('a.stanfunctions', 'model {')).toBe(false);
    expect(isJudged('a.stan.txt', 'model {')).toBe(false);
  });

  it('reports a problem once in a file that two programs include', () => {
    const files = {
      'main.stan': '#include part.stan\nmodel { }',
      'other.stan': '#include part.stan\nmodel { x ~ normal(0, 1); }',
      'part.stan': part.replace('2 * x', '2 * xx'),
    };
    expect(
      workspace(files)
        .problems()
        .problems.map(({ path }) => path),
    ).toEqual(['part.stan', 'other.stan']);
  });

  it('has its problems in order, with what they refer to', () => {
    const text = 'parameters {\n  real a;\n  real a;\n}\nmodel { a ~ nrmal(0, 1); }';
    const now = vi.spyOn(performance, 'now').mockReturnValueOnce(1000).mockReturnValueOnce(1005);
    const { problems, milliseconds } = workspace({ 'main.stan': text }).problems();
    now.mockRestore();
    expect(problems.map(({ line }) => line)).toEqual(
      problems.map(({ line }) => line).toSorted((a, b) => a - b),
    );
    const [again] = problems;
    expect(again).toMatchObject({ line: 3, column: 8, severity: 'error' });
    expect(again.related).toEqual([
      { path: 'main.stan', start: 20, end: 21, message: expect.any(String) },
    ]);
    expect(milliseconds).toBe(5);
  });

  it('is rewritten by the smallest edit of each file', () => {
    const fixed = (text: string) => {
      const { edits } = workspace({ 'main.stan': text }).answer('fixRemoved', {
        path: 'main.stan',
      });
      return edits.map(({ start, end, text: by }) => [text.slice(start, end), by]);
    };
    expect(fixed('model { real a; a <- 1; }')).toEqual([['<-', '=']]);
    expect(fixed('model { real a; a <- 1; a <- 2; }')).toEqual([['<- 1; a <-', '= 1; a =']]);
    expect(fixed('model { real a = fabs(1); }')).toEqual([['f', '']]);
    expect(fixed('model { }')).toEqual([]);
  });
});

it.each([
  ['abc', 'axc', 1, 2, 'x'],
  ['abc', 'ac', 1, 2, ''],
  ['ac', 'abc', 1, 1, 'b'],
  ['aa', 'a', 1, 2, ''],
  ['a', 'aa', 1, 1, 'a'],
  ['aba', 'a', 1, 3, ''],
  ['a', 'aba', 1, 1, 'ba'],
  ['', 'a', 0, 0, 'a'],
  ['a', '', 0, 1, ''],
  ['abab', 'ab', 2, 4, ''],
])('the change from %j to %j is as small as can be', (before, after, start, end, text) => {
  expect(changeBetween(before, after)).toEqual({ start, end, text });
});

describe('the editor asks', () => {
  const files = { 'main.stan': main, 'part.stan': part };
  const offset = main.indexOf('twice(1)');

  it('for a signature, with the text of the included file', () => {
    const answer = workspace(files).answer('signature', {
      path: 'main.stan',
      offset: offset + 'twice('.length,
    });
    expect(answer).toMatchObject({ active: 0, parameter: 0 });
    expect(answer?.signatures.map(({ text }) => text)).toEqual(['real twice(real x)']);
  });

  it('for the occurrences of a name, in all files', () => {
    const places = workspace(files).answer('occurrences', { path: 'main.stan', offset });
    expect(places.map(({ path, isWrite }) => [path, isWrite])).toEqual([
      ['main.stan', false],
      ['part.stan', true],
    ]);
  });

  it('for a new name, or why there is none', () => {
    const made = workspace(files);
    const ask = { path: 'main.stan', offset };
    expect(made.answer('renamePlace', ask)).toEqual({
      path: 'main.stan',
      start: offset,
      end: offset + 5,
      name: 'twice',
    });
    const answer = made.answer('rename', { ...ask, name: 'double' });
    expect(answer).toEqual({
      edits: [
        { path: 'main.stan', start: offset, end: offset + 5, text: 'double' },
        { path: 'part.stan', start: 17, end: 22, text: 'double' },
      ],
    });
    expect(made.answer('rename', { ...ask, name: 'normal_lpdf' })).toHaveProperty('refusal');
    expect(
      made.answer('renamePlace', { path: 'main.stan', offset: main.indexOf('normal') }),
    ).toEqual({ refusal: '`normal` is built into Stan and cannot be renamed.' });
  });

  it('for the fixes at a place, and of all removed syntax in the program', () => {
    const old = main.replace('mu ~', 'real a; a <- 1; mu ~');
    const made = workspace({ 'main.stan': old, 'part.stan': part.replace('2 * x', 'fabs(x)') });
    const start = old.indexOf('<-');
    expect(made.answer('fixes', { path: 'main.stan', start, end: start })).toMatchObject([
      { title: 'Change to =', edits: [{ path: 'main.stan', start, end: start + 2, text: '=' }] },
    ]);
    expect(made.answer('fixes', { path: 'main.stan', start: 0, end: 1 })).toEqual([]);
    const { edits, count } = made.answer('fixRemoved', { path: 'main.stan' });
    expect(count).toBe(2);
    expect(edits.map(({ path, text }) => [path, text])).toEqual([
      ['main.stan', '='],
      ['part.stan', ''],
    ]);
  });
});

describe('the language service on the page', () => {
  it('sends only changes, and nothing if there are none', () => {
    const worker = new FakeWorker();
    const service = new StanService(() => worker);
    service.start(() => undefined);
    const files = (entries: Record<string, string>) => ({
      texts: new Map(Object.entries(entries)),
      entrance: 'a',
    });
    service.setFiles(files({ a: '1', b: '2' }));
    service.setFiles(files({ a: '1', b: '2' }));
    service.setFiles(files({ a: '1', c: '3' }));
    service.setFiles(files({ a: '1' }));
    expect(worker.sent.map(({ name, ask }) => [name, ask])).toEqual([
      ['files', { changed: { a: '1', b: '2' }, removed: [], entrance: 'a' }],
      ['files', { changed: { c: '3' }, removed: ['b'], entrance: 'a' }],
      ['files', { changed: {}, removed: ['c'], entrance: 'a' }],
    ]);
  });

  it('matches answers to questions, and rejects open questions when it stops', async () => {
    const worker = new FakeWorker();
    const service = new StanService(() => worker);
    service.start(() => undefined);
    const first = service.ask('format', { path: 'a' });
    const second = service.ask('format', { path: 'b' });
    const third = service.ask('format', { path: 'c' });
    worker.answer({ id: 2, ok: true, answer: { text: 'two' } });
    worker.answer({ id: 1, ok: false, message: 'broke' });
    await expect(second).resolves.toEqual({ text: 'two' });
    await expect(first).rejects.toThrow('broke');
    service.stop();
    await expect(third).rejects.toThrow('stopped');
    expect(worker.isStopped).toBe(true);
  });

  it('sends all files again to a worker that broke, and to one that is started again', async () => {
    const worker = new FakeWorker();
    const service = new StanService(() => worker);
    const files = { texts: new Map([['a', '1']]), entrance: null };
    const all = { changed: { a: '1' }, removed: [], entrance: null };
    service.setFiles(files);
    expect(worker.sent).toEqual([]);
    service.start(() => undefined);
    service.setFiles(files);
    worker.onerror?.({ message: '' } as ErrorEvent);
    await vi.waitFor(() => {
      service.setFiles(files);
      expect(worker.sent.map(({ ask }) => ask)).toEqual([all, all]);
    });
    // that the first one was stopped says nothing about the files of the second
    service.start(() => undefined);
    service.setFiles(files);
    for (let i = 0; i < 10; i++) await Promise.resolve();
    service.setFiles(files);
    expect(worker.sent.map(({ ask }) => ask)).toEqual([all, all, all]);
    service.setFiles({ ...files, entrance: 'a' });
    expect(worker.sent.at(-1)?.ask).toEqual({ changed: {}, removed: [], entrance: 'a' });
  });

  it('passes on the problems of each check, unless newer changes overtook it', async () => {
    const worker = new FakeWorker();
    const service = new StanService(() => worker);
    const seen: unknown[] = [];
    service.start((problems) => seen.push(problems));
    const answers = [null, { problems: [], milliseconds: 1 }];
    for (const [i, answer] of answers.entries()) {
      service.setFiles({ texts: new Map([['a', `${i}`]]), entrance: 'a' });
      worker.answer({ id: i + 1, ok: true, answer });
    }
    await vi.waitFor(() => expect(seen).toEqual([answers[1]]));
  });

  it('keeps the stricter checks over a restart', async () => {
    const worker = new FakeWorker();
    const service = new StanService(() => worker);
    const seen: unknown[] = [];
    service.setStrict(false);
    service.setStrict(true);
    expect(worker.sent).toEqual([]);
    service.start((problems) => seen.push(problems));
    service.setStrict(true);
    service.setStrict(false);
    service.start(() => undefined);
    service.setStrict(true);
    service.start((problems) => seen.push(problems));
    expect(worker.sent.map(({ name, ask }) => [name, ask])).toEqual(
      [true, false, true, true].map((isOn) => ['strict', { isOn }]),
    );
    const problems = { problems: [], milliseconds: 1 };
    worker.answer({ id: 4, ok: true, answer: problems });
    await vi.waitFor(() => expect(seen).toEqual([problems]));
  });

  it('rejects questions before it is started, with the reason', async () => {
    const service = new StanService(() => new FakeWorker());
    const message = 'The language service is not running.';
    await expect(service.ask('problems', {})).rejects.toThrow(message);
    service.start(() => undefined);
    const open = service.ask('problems', {});
    service.stop();
    await expect(open).rejects.toThrow('The language service was stopped.');
    await expect(service.ask('problems', {})).rejects.toThrow(message);
  });

  it('rejects open questions when the worker cannot be started', async () => {
    const worker = new FakeWorker();
    const service = new StanService(() => worker);
    service.start(() => undefined);
    const open = service.ask('problems', {});
    worker.onerror?.({ message: '' } as ErrorEvent);
    await expect(open).rejects.toThrow('The language service could not be started.');
  });

  it('starts its own worker if none is given', () => {
    const made: unknown[][] = [];
    vi.stubGlobal(
      'Worker',
      class extends FakeWorker {
        constructor(...options: unknown[]) {
          super();
          made.push(options);
        }
      },
    );
    new StanService().start(() => undefined);
    vi.unstubAllGlobals();
    expect(made.map(([url, options]) => [String(url).split('/').at(-1), options])).toEqual([
      ['stan-worker.ts', { type: 'module', name: 'stan' }],
    ]);
  });
});
