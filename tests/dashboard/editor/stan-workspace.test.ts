import { describe, expect, it } from 'vitest';
import { StanService } from '../../../src/dashboard/editor/stan-service.ts';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import type {
  AnswerMessage,
  QuestionMessage,
  WorkerLike,
} from '../../../src/dashboard/threads/call-worker.ts';

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

  it('get their problems where they stand, with the fix', () => {
    const broken = part.replace('2 * x', '2 * xx');
    const [problem] = workspace({ 'main.stan': main, 'part.stan': broken }).problems().problems;
    expect(problem).toMatchObject({
      path: 'part.stan',
      code: 'stan/unknown-name',
      fix: { replacement: 'x' },
    });
    expect(broken.slice(problem.start, problem.end)).toBe('xx');
  });

  it('have line and column of each problem, each file its own', () => {
    const made = workspace({
      'main.stan': '#include <a>\nmodel {\n  x ~ normal(0, 1);\n}',
      a: 'data { real y }',
    });
    expect(made.problems().problems).toMatchObject([
      { path: 'main.stan', line: 3, column: 3, code: 'stan/unknown-name' },
      { path: 'a', line: 1, code: 'stan/missing-semicolon' },
    ]);
  });

  it('that stand beside the program are judged alone when they are programs', () => {
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

  it('change: what was wrong before is not said again', () => {
    const made = workspace({ 'main.stan': 'model { x ~ normal(0, 1); }' });
    expect(made.problems().problems).toHaveLength(1);
    made.setFiles({ changed: { 'main.stan': 'model { }' }, removed: [], entrance: 'main.stan' });
    expect(made.problems().problems).toEqual([]);
  });

  it('answer what a name is, where it is declared, in another file too', () => {
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

  it('give stricter hints when these are asked for', () => {
    const text = 'parameters { real s; real a; }\nmodel { s ~ normal(0, s); }\n';
    const made = workspace({ 'main.stan': text });
    const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);
    expect(codes(made.problems().problems)).toEqual(['stan/bounds-missing']);
    const { problems } = made.answer('strict', { isOn: true });
    expect(codes(problems)).toContain('stan/unused-parameter');
    expect(problems.every(({ severity }) => severity === 'info')).toBe(true);
    expect(codes(made.answer('strict', { isOn: false }).problems)).toEqual(['stan/bounds-missing']);
  });

  it('complete, outline and format', () => {
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

  it('compare data with the block of the entrance', () => {
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

  it('for the places of a name, in all files', () => {
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

  it('for the fixes of a place, and of all old syntax of the program', () => {
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

class FakeWorker implements WorkerLike {
  readonly sent: QuestionMessage[] = [];
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  isStopped = false;
  postMessage(message: QuestionMessage): void {
    this.sent.push(message);
  }
  terminate(): void {
    this.isStopped = true;
  }
  answer(data: AnswerMessage): void {
    this.onmessage?.({ data } as MessageEvent<AnswerMessage>);
  }
}

describe('the page’s side', () => {
  it('sends only what changed, and nothing when nothing did', () => {
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
    expect(worker.sent.map(({ name, ask }) => [name, ask])).toEqual([
      ['files', { changed: { a: '1', b: '2' }, removed: [], entrance: 'a' }],
      ['files', { changed: { c: '3' }, removed: ['b'], entrance: 'a' }],
    ]);
  });

  it('gives each question its own answer, and fails those that are open when it stops', async () => {
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
});
