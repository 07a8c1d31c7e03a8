/** The verdict: green only when earned, worst first. */
import { describe, expect, it } from 'vitest';
import {
  type ChainEvidence,
  completeVerdict,
  judge,
  type VerdictInput,
  type VerdictRow,
} from '../../src/posterior/verdict.ts';
import {
  countFailed,
  endingOf,
  failedChecks,
  headlineOf,
  remarksOf,
  sentenceOf,
} from '../../src/posterior/verdict-label.ts';
import { decimalsBeside, essFigure, rhatFigure } from '../../src/posterior/verdict-limits.ts';

const goodRow: VerdictRow = {
  variable: 'mu',
  rhat: 1.001,
  ess_bulk: 1800,
  ess_tail: 1500,
  non_finite: 0,
  constant: false,
};
const chainsOf = (
  numChains: number,
  change: (index: number) => Partial<ChainEvidence> = () => ({}),
): ChainEvidence[] =>
  Array.from({ length: numChains }, (_, index) => ({
    name: `chain#${index + 1}`,
    numDraws: 1000,
    divergences: 0,
    treedepthHits: 0,
    ebfmi: 1,
    ...change(index),
  }));
const good: VerdictInput = {
  rows: [goodRow, { ...goodRow, variable: 'tau', rhat: 1.004, ess_bulk: 900, ess_tail: 700 }],
  chains: chainsOf(4, (index) => ({ ebfmi: [0.9, 1, 1.1, 0.8][index] })),
  isHamiltonian: true,
};
const withTau = (change: Partial<VerdictRow>): VerdictInput => ({
  ...good,
  rows: [goodRow, { ...goodRow, variable: 'tau', ...change }],
});
/** What the first chain says, or all of them. */
const withFirst = (change: Partial<ChainEvidence>): VerdictInput => ({
  ...good,
  chains: chainsOf(4, (index) => (index === 0 ? change : {})),
});
const withAll = (change: Partial<ChainEvidence>): VerdictInput => ({
  ...good,
  chains: chainsOf(4, () => change),
});

it('is good when every check passed with its evidence, and says which numbers', () => {
  expect(judge(good)).toEqual({
    state: 'good',
    rhat_max: 1.004,
    ess_bulk_min: 900,
    ess_tail_min: 700,
    divergences: 0,
    treedepth_hits: 0,
    ebfmi_min: 0.8,
    headline: 'Looks converged',
    checks: [
      { name: 'divergences', status: 'passed', value: 0, threshold: 0 },
      { name: 'rhat', status: 'passed', variable: 'tau', value: 1.004, threshold: 1.01 },
      { name: 'ebfmi', status: 'passed', chain: 'chain#4', value: 0.8, threshold: 0.3 },
      { name: 'treedepth', status: 'passed', value: 0, threshold: 0 },
      { name: 'ess_bulk', status: 'passed', variable: 'tau', value: 900, threshold: 400 },
      { name: 'ess_tail', status: 'passed', variable: 'tau', value: 700, threshold: 400 },
    ],
    chains: ['chain#1', 'chain#2', 'chain#3', 'chain#4'],
    draws: 1000,
    draws_left_out: 0,
    chains_left_out: [],
  });
});

describe('thresholds', () => {
  it.each([
    ['R-hat 1.01 passes', withTau({ rhat: 1.01 }), 'good'],
    ['R-hat above 1.01 is amber', withTau({ rhat: 1.0101 }), 'warn'],
    ['R-hat above 1.05 is red', withTau({ rhat: 1.051 }), 'bad'],
    ['bulk ESS of 100 a chain passes', withTau({ ess_bulk: 400 }), 'good'],
    ['bulk ESS below 100 a chain is amber', withTau({ ess_bulk: 399 }), 'warn'],
    ['tail ESS below 50 a chain is red', withTau({ ess_tail: 199 }), 'bad'],
    ['one divergence is amber', withFirst({ divergences: 1 }), 'warn'],
    ['divergences of 1 % are red', withAll({ divergences: 10 }), 'bad'],
    ['a tree depth hit is amber', withFirst({ treedepthHits: 3 }), 'warn'],
    ['E-BFMI below 0.3 in one chain is amber', withFirst({ ebfmi: 0.29 }), 'warn'],
    ['E-BFMI below 0.2 is red', withFirst({ ebfmi: 0.19 }), 'bad'],
    [
      'draws that are not finite are amber',
      withTau({ non_finite: 2, rhat: null, ess_bulk: null, ess_tail: null }),
      'warn',
    ],
  ])('%s', (_, input, state) => expect(judge(input).state).toBe(state));
});

describe('is never good on missing evidence', () => {
  it.each([
    ['too few draws', withAll({ numDraws: 99 }), '99 draws a chain are too few'],
    ['no draws', withAll({ numDraws: 0 }), 'the run has no draws'],
    ['no variables', { ...good, rows: [] }, 'no variable has R-hat and ESS'],
    ['one chain', { ...good, chains: chainsOf(1) }, 'one chain cannot show that chains agree'],
    ['a chain without draws', withFirst({ numDraws: 0, ebfmi: NaN }), 'chain 1 has no draws'],
    [
      'chains without draws',
      { ...good, chains: chainsOf(4, (index) => (index > 1 ? { numDraws: 0 } : {})) },
      'chains 3 and 4 have no draws',
    ],
    ['no divergences recorded', withAll({ divergences: null }), 'divergences are not recorded'],
    ['no tree depths recorded', withAll({ treedepthHits: null }), 'tree depths are not recorded'],
    ['no energies recorded', withAll({ ebfmi: null }), 'energies are not recorded'],
    [
      'nothing of the sampler recorded',
      withAll({ divergences: null, treedepthHits: null, ebfmi: null }),
      'divergences, tree depths and energies are not recorded',
    ],
    ['an energy that is undefined', withFirst({ ebfmi: NaN }), 'E-BFMI of chain 1 is undefined'],
    ['an ESS that is undefined', withTau({ ess_tail: NaN }), 'R-hat and ESS of tau are undefined'],
    [
      'only constants',
      { ...good, rows: [{ ...goodRow, constant: true, rhat: NaN, ess_bulk: NaN, ess_tail: NaN }] },
      'no variable has R-hat and ESS',
    ],
  ])('%s', (_, input, reason) => {
    const verdict = judge(input);
    expect(verdict).toMatchObject({ state: 'unknown', headline: `No verdict: ${reason}` });
    expect(sentenceOf(verdict)).toBe(`No verdict: ${reason}.`);
    expect(remarksOf(verdict)).toEqual([]);
  });

  it('even failed checks do not judge a run of too few draws, but are listed', () => {
    const verdict = judge({ ...withAll({ numDraws: 20 }), rows: [{ ...goodRow, rhat: 1.4 }] });
    expect(verdict.state).toBe('unknown');
    expect(verdict.headline).toBe('No verdict: 20 draws a chain are too few');
    expect(failedChecks(verdict.checks).map(({ name }) => name)).toEqual(['rhat']);
  });

  it('what fails counts, whatever else is missing; what is missing is said beside it', () => {
    const verdict = judge({
      ...withTau({ rhat: 1.2 }),
      chains: chainsOf(4, (index) => (index === 3 ? { numDraws: 0, ebfmi: NaN } : {})),
    });
    expect(verdict).toMatchObject({ state: 'bad', headline: 'R-hat 1.200, above 1.01' });
    expect(verdict.chains).toEqual(['chain#1', 'chain#2', 'chain#3']);
    expect(remarksOf(verdict)).toEqual(['Chain 4 has no draws.']);
  });
});

it('says how many draws of longer chains did not enter', () => {
  const chains = chainsOf(3, (index) => ({ numDraws: [100_000, 90_000, 1608][index] }));
  expect(judge({ ...good, chains })).toMatchObject({ draws: 1608, draws_left_out: 186_784 });
});

it('names the limit of tree depths that it had to assume', () => {
  const limit = "tree depth 10, Stan's default limit (the run's own is not recorded)";
  const none = judge({ ...good, isTreedepthAssumed: true });
  expect(none.state).toBe('good');
  expect(remarksOf(none)).toEqual([`No draw reached ${limit}.`]);
  const some = judge({ ...withFirst({ treedepthHits: 2 }), isTreedepthAssumed: true });
  expect(failedChecks(some.checks).map(({ message }) => message)).toEqual([
    `2 draws reached ${limit}`,
  ]);
});

describe('figures beside a limit', () => {
  it.each([
    [1.0104, '1.0104'],
    [1.01, '1.010'],
    [1.00996, '1.00996'],
    [1.042, '1.042'],
    [1.0503, '1.0503'],
    [null, '–'],
  ])('R-hat %s reads %s', (value, text) => expect(rhatFigure(value)).toBe(text));

  it('an ESS just below its limit does not read as the limit', () => {
    expect(essFigure(399.6, 4)).toBe('399.6');
    expect(essFigure(399.4, 4)).toBe('399');
    expect(essFigure(1208.4, 4)).toBe('1\u202f208');
  });

  it('never more digits than a double has', () => {
    expect(decimalsBeside(1.01 + 2 ** -52, [1.01], 3)).toBeLessThanOrEqual(15);
  });

  it('are in the message and in the headline', () => {
    const verdict = judge(withTau({ rhat: 1.0104 }));
    expect(verdict.headline).toBe('R-hat 1.0104, above 1.01');
    expect(verdict.checks[1].message).toBe('R-hat of tau is 1.0104, above 1.01');
  });
});

describe('a verdict of an earlier version', () => {
  const numbers = {
    rhat_max: 1.096,
    ess_bulk_min: 28,
    ess_tail_min: 492,
    divergences: 156,
    treedepth_hits: 0,
    ebfmi_min: 0.8,
  };

  it('keeps its state and gets the checks that its numbers show', () => {
    const verdict = completeVerdict({ state: 'bad', ...numbers }, { numChains: 4, numDraws: 1000 });
    expect(verdict.headline).toBe('156 divergences; 3 checks failed');
    expect(failedChecks(verdict.checks).map(({ name, tone }) => [name, tone])).toEqual([
      ['divergences', 'bad'],
      ['rhat', 'bad'],
      ['ess_bulk', 'bad'],
    ]);
  });

  it.each([
    ['good', 'Looks converged'],
    ['warn', 'Needs a look'],
    ['unknown', 'No verdict'],
  ] as const)('of which only "%s" is known reads "%s"', (state, headline) => {
    const none = { rhat_max: null, ess_bulk_min: null, ess_tail_min: null };
    const old = { state, ...none, divergences: null, treedepth_hits: null, ebfmi_min: null };
    expect(completeVerdict(old, { numChains: 4, numDraws: 1000 }).headline).toBe(headline);
    expect(headlineOf({ state })).toBe(headline);
  });
});

it.each([
  [{ state: 'good' }, 'finished', 'A finished: looks converged'],
  [{ state: 'warn', headline: '33 divergences' }, 'finished', 'A finished: 33 divergences'],
  [
    { state: 'warn', headline: 'R-hat 1.02, above 1.01' },
    'stopped',
    'A stopped: R-hat 1.02, above 1.01',
  ],
  [
    { state: 'unknown', headline: 'No verdict: chain 4 has no draws' },
    'stopped',
    'A stopped, no verdict: chain 4 has no draws',
  ],
] as const)('the end of a run of %j that %s is "%s"', (verdict, verb, text) => {
  expect(endingOf('A', verb, verdict)).toBe(text);
});

describe('chains that are left out', () => {
  const short = {
    ...good,
    chains: chainsOf(4, (index) =>
      index < 3 ? {} : { numDraws: 150, divergences: 40, ebfmi: 0.1 },
    ),
  };

  it('do not count, and the verdict names them', () => {
    expect(judge(short).state).toBe('bad');
    const verdict = judge({ ...short, leftOut: ['chain#4'] });
    expect(verdict).toMatchObject({
      state: 'good',
      headline: 'Looks converged (without chain 4)',
      divergences: 0,
      ebfmi_min: 1,
      chains: ['chain#1', 'chain#2', 'chain#3'],
      chains_left_out: ['chain#4'],
      draws: 1000,
      draws_left_out: 0,
    });
    expect(sentenceOf(verdict)).toBe('Looks converged (without chain 4).');
    expect(remarksOf(verdict)).toEqual(['Chain 4 is left out (150 draws).']);
    expect(endingOf('A', 'stopped', verdict)).toBe('A stopped: looks converged (without chain 4)');
  });

  it('are named beside what fails', () => {
    const verdict = judge({
      ...short,
      chains: chainsOf(4, (index) => (index === 0 ? { divergences: 33 } : {})),
      leftOut: ['chain#3', 'chain#4'],
    });
    expect(verdict.headline).toBe('33 divergences (without chains 3 and 4)');
  });

  it('cannot leave evidence to one chain, or to none', () => {
    const two = { ...good, chains: chainsOf(2) };
    expect(judge({ ...two, leftOut: ['chain#2'] })).toMatchObject({
      state: 'unknown',
      headline: 'No verdict: one chain cannot show that chains agree (without chain 2)',
    });
    expect(judge({ ...two, leftOut: ['chain#1', 'chain#2'] }).headline).toBe(
      'No verdict: every chain is left out (without chains 1 and 2)',
    );
  });
});

it('says that only the draws up to the length of the shortest chain are used', () => {
  const verdict = judge(withFirst({ numDraws: 400 }));
  expect(verdict).toMatchObject({ state: 'good', draws: 400, draws_left_out: 1800 });
  expect(remarksOf(verdict)).toEqual([
    'R-hat, ESS and summary use only the first 400 draws of each chain, 1 600 of 3 400: chain 1 is the shortest.',
  ]);
});

it('a constant beside good variables changes nothing', () => {
  const constant = {
    ...goodRow,
    variable: 'N',
    constant: true,
    rhat: NaN,
    ess_bulk: NaN,
    ess_tail: NaN,
  };
  expect(judge({ ...good, rows: [...good.rows, constant] }).state).toBe('good');
});

it('without a Hamiltonian sampler its checks are no evidence that is missing', () => {
  const verdict = judge({ ...withAll({ divergences: null, ebfmi: null }), isHamiltonian: false });
  expect(verdict).toMatchObject({ state: 'good', divergences: null, ebfmi_min: null });
  expect(verdict.checks.map(({ name }) => name)).toEqual(['rhat', 'ess_bulk', 'ess_tail']);
});

it('an R-hat without bound is bad, and JSON keeps the whole verdict', () => {
  const verdict = judge(withTau({ rhat: Number.POSITIVE_INFINITY }));
  expect(verdict).toMatchObject({ state: 'bad', headline: 'R-hat ∞, above 1.01', rhat_max: null });
  expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
});

it('lists divergences first, however bad the rest, with the worst variable and how many fail', () => {
  const verdict = judge({
    rows: [
      { ...goodRow, variable: 'a', rhat: 1.02, ess_bulk: 90, non_finite: 0 },
      { ...goodRow, variable: 'b', rhat: 1.03, ess_bulk: 120, ess_tail: 399.7 },
    ],
    isHamiltonian: true,
    chains: chainsOf(4, (index) => ({
      divergences: index === 1 ? 2 : 0,
      treedepthHits: index === 2 ? 1 : 0,
      ebfmi: [0.25, 0.5, 0.28, 1][index],
    })),
  });
  expect(verdict.state).toBe('bad');
  expect(sentenceOf(verdict)).toBe('Not converged: do not use these draws.');
  expect(verdict.headline).toBe('2 divergences; 6 checks failed');
  expect(failedChecks(verdict.checks).map(({ message }) => message)).toEqual([
    '2 draws diverged',
    'R-hat of b is 1.030, above 1.01',
    'E-BFMI of chain 1 is 0.25 and below 0.3 in 2 chains',
    '1 draw reached the largest tree depth',
    'Bulk ESS of a is 90, below 400',
    'Tail ESS of b is 399.7, below 400',
  ]);
  expect(verdict.checks[1]).toMatchObject({
    variable: 'b',
    value: 1.03,
    threshold: 1.01,
    count: 2,
    tone: 'warn',
  });
  expect(countFailed(failedChecks(verdict.checks).length)).toBe('6 checks failed');
});
