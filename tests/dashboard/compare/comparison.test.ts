import { describe, expect, it } from 'vitest';
import {
  samplingSeconds,
  timePerDraw,
} from '../../../src/dashboard/features/compare/checks-card.tsx';
import { readIds, writeIds } from '../../../src/dashboard/features/compare/compare-search.ts';
import { answerComparison } from '../../../src/dashboard/features/compare/compare-statistics.ts';
import { comparedForestRows } from '../../../src/dashboard/features/compare/compared-forest.ts';
import {
  comparedColors,
  letterOf,
} from '../../../src/dashboard/features/compare/compared-style.ts';
import {
  absences,
  allVariables,
  choosable,
  chosenVariables,
} from '../../../src/dashboard/features/compare/compared-variables.ts';
import { findingOf } from '../../../src/dashboard/features/compare/finding.ts';
import { looPlan, looSentence } from '../../../src/dashboard/features/compare/loo-card.tsx';
import { numbersOf, numbersTable, sdKey } from '../../../src/dashboard/features/compare/numbers.ts';
import { paintLines } from '../../../src/dashboard/features/compare/painted-lines.ts';
import { diffPrograms } from '../../../src/dashboard/features/compare/programs.ts';
import { settingRows } from '../../../src/dashboard/features/compare/settings-diff.ts';
import type { ComparedRun } from '../../../src/dashboard/features/compare/use-compared.ts';
import { computeLoo, type LooModel } from '../../../src/dashboard/features/live/loo-statistics.ts';
import { plotPalettes } from '../../../src/figures/palette.ts';
import { mcseSd } from '../../../src/posterior/mcse.ts';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { FakeRun, type FakeRunOptions } from '../../support/fake-run.ts';
import { seededRng } from '../../support/seeded-rng.ts';

function runOf(index: number, options: FakeRunOptions = {}, overrides: Partial<ComparedRun> = {}) {
  const run = new FakeRun({ id: `X000000${index}`, status: 'FIN', numSamples: 300, ...options });
  const summary = run.summary();
  const compared: ComparedRun = {
    id: run.id,
    index,
    letter: letterOf(index),
    experiment: run.experiment(),
    problem: null,
    summary,
    summaryError: null,
    rows: new Map(summary.variables.map((row) => [row.variable, row])),
    isLive: false,
    source: 'columns',
    fileStore: null,
    retry: () => undefined,
    ...overrides,
  };
  return compared;
}

describe('the ids in the address', () => {
  it('are at most six, each once; what is not an id is listed separately', () => {
    expect(readIds('X0000001, X0000002,X0000001,M0000001,nonsense,')).toEqual({
      ids: ['X0000001', 'X0000002'],
      odd: ['M0000001', 'nonsense'],
      beyond: 0,
    });
    const eight = Array.from({ length: 8 }, (_, i) => `X000000${i}`);
    expect(readIds(writeIds(eight))).toMatchObject({ ids: eight.slice(0, 6), beyond: 2 });
    expect(readIds('')).toEqual({ ids: [], odd: [], beyond: 0 });
  });

  it('each have their own letter and colour', () => {
    for (const palette of Object.values(plotPalettes))
      expect(new Set(comparedColors(palette)).size).toBe(6);
    expect([0, 5].map(letterOf)).toEqual(['A', 'F']);
  });
});

const expectLabel = (label: string) => expect.objectContaining({ label });

describe('variables', () => {
  const a = runOf(0, { variables: ['mu', 'theta[1]', 'theta[2]'] });
  const b = runOf(1, { variables: ['mu', 'tau', 'log_lik[1]', 'log_lik[2]'] });
  const rows = [a.rows, b.rows];
  const all = allVariables(rows);

  it('are those of all experiments; by default those that two have are shown', () => {
    expect(all).toEqual(['mu', 'theta[1]', 'theta[2]', 'tau', 'log_lik[1]', 'log_lik[2]', 'lp__']);
    expect(chosenVariables([], all, rows)).toEqual(['mu']);
  });

  it('are chosen by name or by group', () => {
    expect(chosenVariables(['theta', 'tau', 'gone'], all, rows)).toEqual([
      'theta[1]',
      'theta[2]',
      'tau',
    ]);
    expect(choosable(all, rows)).toContainEqual({
      group: 'Variables',
      items: ['mu', 'theta, all 2', 'theta[1]', 'theta[2]', 'tau'].map(expectLabel),
    });
  });

  it('that an experiment lacks are listed by group', () => {
    expect(absences(rows)).toEqual([
      { index: 0, groups: ['tau', 'log_lik (2)'] },
      { index: 1, groups: ['theta (2)'] },
    ]);
  });

  it('have one line in the forest for each experiment that has them', () => {
    const lines = comparedForestRows([a, b], ['mu', 'tau']);
    expect(lines.map(({ variable, mark, index }) => [variable, mark, index])).toEqual([
      ['mu', 'A', 0],
      ['mu', 'B', 1],
      ['tau', 'B', 1],
    ]);
  });
});

describe('the finding', () => {
  const names = ['mu', 'tau', 'theta[1]', 'theta[2]'];
  const a = runOf(0);
  it('says that means agree', () => {
    const b = runOf(1, { numSamples: 260 });
    expect(findingOf([a, b], a, names).sentence).toBe(
      'Means agree within Monte Carlo error everywhere.',
    );
  });

  it('reports where means differ, and by how much', () => {
    const b = runOf(1, { shifts: { 1: 2, 2: 2, 3: 2, 4: 2 } });
    const { sentence, tone } = findingOf([a, b], a, names);
    expect(sentence).toMatch(
      /^Means differ, most in `.+` \(B against A: \d+ MCSE, [12]\.\d\d SD\)\.$/,
    );
    expect(tone).toBe('plain');
  });

  it('does not trust a run whose chains disagree', () => {
    const b = runOf(1, { shifts: { 2: 3 } });
    const { sentence, detail, tone } = findingOf([a, b], a, names);
    expect(sentence).toContain('but B cannot be trusted');
    expect(detail).toMatch(/B: R-hat \d\.\d{3}, above 1\.01; 3 checks failed\./);
    expect(tone).toBe('warn');
  });

  it('waits for runs that are still running', () => {
    const b = runOf(1, {}, { isLive: true });
    expect(findingOf([a, b], a, names)).toMatchObject({
      sentence: 'Too early to tell: B is still running.',
      tone: 'unknown',
    });
  });

  it('says which have not ended if some are paused', () => {
    const sentenceOf = (...runs: ReturnType<typeof runOf>[]) => findingOf(runs, a, names).sentence;
    const experiment = createFakeExperiment({ status: 'RUN', meta: { action: 'paused' } });
    const paused = { ...runOf(1, {}, { isLive: true }), experiment };
    expect(sentenceOf(a, paused)).toBe('Too early to tell: B is paused.');
    const running = runOf(2, {}, { isLive: true });
    expect(sentenceOf(a, paused, running)).toBe('Too early to tell: B and C have not ended.');
  });

  it('counts no variables whose means cannot be compared', () => {
    const optimum = (run: ReturnType<typeof runOf>) => ({
      ...run,
      rows: new Map([...run.rows].map(([name, row]) => [name, { ...row, mcse_mean: null }])),
    });
    const base = optimum(runOf(0));
    const other = optimum(runOf(1, { shifts: { 2: 3 } }));
    const { sentence, detail } = findingOf([base, other], base, names);
    expect(sentence).toMatch(/^Means cannot be compared/);
    expect(detail).not.toContain('compared');
  });

  it('has no result without a common variable', () => {
    const b = runOf(1, { variables: ['beta'] });
    expect(findingOf([a, b], a, names).tone).toBe('unknown');
  });
});

describe('numbers', () => {
  it('compare sd with sd once its Monte Carlo error is known, and are all in the table', () => {
    const a = runOf(0);
    const b = runOf(1, { numSamples: 260, variables: ['mu'] });
    const errors = new Map([
      [sdKey(a, 'mu'), 0.02],
      [sdKey(b, 'mu'), 0.02],
    ]);
    const [mu, tau] = numbersOf([a, b], a, ['mu', 'tau'], errors);
    expect(mu.rows[0].mean).toBe('baseline');
    expect(mu.rows[1].sd).toMatchObject({ tone: 'same' });
    expect(numbersOf([a, b], a, ['mu'], new Map())[0].rows[1].sd).toBeNull();
    expect(tau.rows[1]).toMatchObject({ row: null, mean: null });
    const table = numbersTable([mu, tau]);
    expect(table.rows.map(([variable, letter]) => [variable, letter])).toEqual([
      ['mu', 'A'],
      ['mu', 'B'],
      ['tau', 'A'],
    ]);
    expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
  });

  it('include the time per effective draw, unless it is unknown', () => {
    const { summary } = runOf(0);
    expect(samplingSeconds(summary)).toBe(4);
    expect(timePerDraw(summary)).toMatch(/^\d\.\d ms$/);
    const silent = summary && {
      ...summary,
      chains: summary.chains.map((chain) => ({ ...chain, sampling_seconds: null })),
    };
    expect(timePerDraw(silent)).toBeNull();
  });
});

describe('settings', () => {
  it('that differ are separated from those that do not; unknown ones have no row', () => {
    const rows = settingRows([
      createFakeExperiment({
        meta: { settings: { seed: 1, num_samples: 1000, inits: { mu: 1 } } },
      }),
      createFakeExperiment({ meta: { settings: { seed: 2, num_samples: 1000 } } }),
    ]);
    const of = (key: string) => rows.find((row) => row.key === key);
    expect(of('seed')).toEqual({ key: 'seed', values: ['1', '2'], differs: true });
    expect(of('num_samples')?.differs).toBe(false);
    expect(of('inits')).toEqual({ key: 'inits', values: ['{"mu":1}', null], differs: true });
    expect(of('model version')).toBeUndefined();
  });
});

describe('programs', () => {
  const file = (name: string, content: string) => ({ name, content, encoding: 'text' as const });
  it('are the same when all their files are the same', () => {
    const tree = [file('main.stan', 'model {}'), file('notes.md', 'x')];
    expect(diffPrograms({ tree }, { tree: [...tree] })).toEqual([]);
  });

  it('are compared by path, and entrance files even when renamed', () => {
    const before = {
      meta: { entrance_file: 'centred.stan' },
      tree: [file('centred.stan', 'a\nb\n'), file('gone.md', 'x')],
    };
    const after = {
      meta: { entrance_file: 'other.stan' },
      tree: [file('other.stan', 'a\nc\n'), { name: 'lib', children: [file('new.stan', 'y')] }],
    };
    expect(
      diffPrograms(before, after).map(({ path, kind, lines }) => [path, kind, lines.length]),
    ).toEqual([
      ['centred.stan → other.stan', 'changed', 3],
      ['gone.md', 'removed', 1],
      ['lib/new.stan', 'added', 1],
    ]);
  });
});

describe('a coloured program', () => {
  it('is the same text, split into lines, including a comment over several lines', () => {
    const program = 'data {\n  /* one\n     two */\n  int N; // n\n}\n';
    const lines = paintLines(program);
    expect(lines.map((line) => line.map(({ text }) => text).join(''))).toEqual(program.split('\n'));
    expect(lines.map((line) => line.find(({ role }) => role !== null)?.role)).toEqual([
      'keyword',
      'comment',
      'comment',
      'type',
      undefined,
      undefined,
    ]);
  });
});

describe('leave-one-out', () => {
  const logLik = (count: number) => Array.from({ length: count }, (_, i) => `log_lik[${i + 1}]`);
  const withLogLik = (index: number, count: number) =>
    runOf(index, { variables: ['mu', ...logLik(count)] });

  it('is not computed when a program has no log_lik, and names the program', () => {
    expect(looPlan([runOf(0), runOf(1)]).reason).toContain('None of these programs');
    const plan = looPlan([withLogLik(0, 5), runOf(1)]);
    expect(plan.names).toBeNull();
    expect(plan.reason).toContain('B has none');
  });

  it('is not computed when the numbers of observations differ', () => {
    expect(looPlan([withLogLik(0, 5), withLogLik(1, 6)])).toMatchObject({
      names: null,
      reason: expect.stringContaining('A has 5 and B has 6'),
    });
  });

  it('is refused for an optimum, which would win against every posterior', () => {
    const by = (run: ComparedRun, algorithm: string): ComparedRun => ({
      ...run,
      experiment: run.experiment && { ...run.experiment, meta: { settings: { algorithm } } },
    });
    const runs = [by(withLogLik(0, 5), 'optimize'), by(withLogLik(1, 5), 'nuts')];
    expect(looPlan(runs)).toMatchObject({
      names: null,
      reason: 'Leave-one-out cannot use A: an optimum is one point, not draws from the posterior.',
    });
    expect(looPlan([by(withLogLik(0, 5), 'nuts'), by(withLogLik(1, 5), 'laplace')]).reason).toMatch(
      /^Leave-one-out cannot use B: these draws are an approximation/,
    );
  });

  it('is questioned when the data have different names', () => {
    const named = (run: ComparedRun, data_name: string): ComparedRun => ({
      ...run,
      experiment: run.experiment && { ...run.experiment, meta: { data_name } },
    });
    const plan = looPlan([named(withLogLik(0, 5), 'first'), named(withLogLik(1, 5), 'second')]);
    expect(plan.names).toHaveLength(5);
    expect(plan.doubt).toContain('different names');
  });

  it('finds the better model from its draws', () => {
    const rng = seededRng(5);
    const model = (name: string, worse: number) => ({
      name,
      observations: logLik(20),
      matched: {},
      logLik: Array.from({ length: 20 }, (_, i) =>
        Array.from({ length: 4 }, () =>
          Float64Array.from({ length: 200 }, () => -1 - worse - 0.1 * i + 0.05 * rng.normal()),
        ),
      ),
    });
    const counts: number[] = [];
    const { rows } = computeLoo([model('A', 1), model('B', 0)], (done, total) => {
      expect(total).toBe(40);
      counts.push(done);
    });
    if (rows === null) throw new Error('no comparison');
    expect(counts).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(rows[0].name).toBe('B');
    expect(rows[1].elpd_diff).toBeCloseTo(-20, 0);
    expect(rows[0].stacking_weight).toBeCloseTo(1, 3);
    expect(looSentence(rows)).toMatch(/^B predicts best: elpd (19\.\d|20\.\d) higher than A/);
  });

  it('uses the results of moment matching in place of plain weights, also for model weights', () => {
    const rng = seededRng(6);
    const draws = () =>
      Array.from({ length: 4 }, () =>
        Float64Array.from({ length: 100 }, () => -1 + 0.05 * rng.normal()),
      );
    const model = (name: string, matched: LooModel['matched']): LooModel => ({
      name,
      observations: logLik(6),
      logLik: Array.from({ length: 6 }, draws),
      matched,
    });
    const better = { 'log_lik[2]': { elpd_loo: -9, pareto_k: 0.2 } };
    const { loos, rows } = computeLoo([model('A', better), model('B', {})]);
    expect(loos[0].pointwise.elpd_loo[1]).toBe(-9);
    expect(loos[0].pareto_k[1]).toBe(0.2);
    expect(loos[1].pareto_k_before).toBeUndefined();
    expect(rows?.map(({ name }) => name)).toEqual(['B', 'A']);
    expect(rows?.[0].stacking_weight).toBeGreaterThan(0.9);
  });

  it('calls small differences equal, and uncertain ones possible chance', () => {
    const row = (name: string, elpd_diff: number, se_diff: number) => ({
      name,
      elpd_diff,
      se_diff,
      elpd_loo: -100 + elpd_diff,
      se_elpd_loo: 5,
      p_loo: 3,
      looic: 200,
      num_high_k: 0,
      stacking_weight: 0.5,
    });
    expect(looSentence([row('A', 0, 0), row('B', -2, 0.5)])).toContain('about equally well');
    expect(looSentence([row('A', 0, 0), row('B', -9, 6)])).toContain('which may be chance');
  });
});

it('the error of an sd is that of the posterior module', () => {
  const rng = seededRng(3);
  const chains = Array.from({ length: 4 }, () =>
    Float64Array.from({ length: 250 }, () => rng.normal()),
  );
  expect(answerComparison({ kind: 'mcse-sd', draws: [chains] })).toEqual({
    kind: 'mcse-sd',
    errors: [mcseSd(chains)],
  });
});
