/** The verdict: green only when earned, worst first. */
import { describe, expect, it } from 'vitest';
import { judge, type VerdictInput, type VerdictRow } from '../../src/posterior/verdict.ts';

const goodRow: VerdictRow = {
  variable: 'mu',
  rhat: 1.001,
  ess_bulk: 1800,
  ess_tail: 1500,
  non_finite: 0,
  constant: false,
};
const good: VerdictInput = {
  rows: [goodRow, { ...goodRow, variable: 'tau', rhat: 1.004, ess_bulk: 900, ess_tail: 700 }],
  numChains: 4,
  numDraws: 1000,
  sampler: { divergences: 0, treedepthHits: 0, ebfmi: [0.9, 1, 1.1, 0.8] },
};
const withTau = (change: Partial<VerdictRow>): VerdictInput => ({
  ...good,
  rows: [goodRow, { ...goodRow, variable: 'tau', ...change }],
});
const withSampler = (change: object): VerdictInput => ({
  ...good,
  sampler: { divergences: 0, treedepthHits: 0, ebfmi: [1, 1], ...change },
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
    failed: [],
    missing: [],
    sentence: 'Looks converged.',
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
    ['one divergence is amber', withSampler({ divergences: 1 }), 'warn'],
    ['divergences of 1 % are red', withSampler({ divergences: 40 }), 'bad'],
    ['a tree depth hit is amber', withSampler({ treedepthHits: 3 }), 'warn'],
    ['E-BFMI below 0.3 in one chain is amber', withSampler({ ebfmi: [1, 0.29] }), 'warn'],
    ['E-BFMI below 0.2 is red', withSampler({ ebfmi: [1, 0.19] }), 'bad'],
    [
      'draws that are not finite are amber',
      withTau({ non_finite: 2, rhat: null, ess_bulk: null, ess_tail: null }),
      'warn',
    ],
  ])('%s', (_, input, state) => expect(judge(input).state).toBe(state));
});

describe('is never good on missing evidence', () => {
  it.each([
    ['too few draws', { ...good, numDraws: 99 }, 'Too few draws to tell.'],
    ['no variables', { ...good, rows: [] }, 'Too few draws to tell.'],
    [
      'one chain',
      { ...good, numChains: 1 },
      'Not enough evidence: one chain cannot show that chains agree.',
    ],
    [
      'no divergences recorded',
      withSampler({ divergences: null }),
      'Not enough evidence: divergences are not recorded.',
    ],
    [
      'no tree depths recorded',
      withSampler({ treedepthHits: null }),
      'Not enough evidence: tree depths are not recorded.',
    ],
    [
      'no energies recorded',
      withSampler({ ebfmi: null }),
      'Not enough evidence: energies are not recorded.',
    ],
    [
      'an energy that is undefined',
      withSampler({ ebfmi: [1, NaN] }),
      'Not enough evidence: energies are not recorded.',
    ],
    [
      'an ESS that is undefined',
      withTau({ ess_tail: NaN }),
      'Not enough evidence: R-hat and ESS of tau are undefined.',
    ],
    [
      'only constants',
      { ...good, rows: [{ ...goodRow, constant: true, rhat: NaN, ess_bulk: NaN, ess_tail: NaN }] },
      'Not enough evidence: no variable has R-hat and ESS.',
    ],
  ])('%s', (_, input, sentence) => {
    expect(judge(input)).toMatchObject({ state: 'unknown', sentence });
  });

  it('even failed checks do not judge a run of too few draws, but are listed', () => {
    const verdict = judge({ ...withTau({ rhat: 1.4 }), numDraws: 20 });
    expect(verdict.state).toBe('unknown');
    expect(verdict.failed[0].check).toBe('rhat');
  });
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
  expect(judge({ ...good, sampler: 'not-applicable' })).toMatchObject({
    state: 'good',
    divergences: null,
    ebfmi_min: null,
  });
});

it('lists what failed worst first, with the worst variable and how many fail', () => {
  const verdict = judge({
    ...good,
    rows: [
      { ...goodRow, variable: 'a', rhat: 1.02, ess_bulk: 90 },
      { ...goodRow, variable: 'b', rhat: 1.03, ess_bulk: 120 },
    ],
    sampler: { divergences: 2, treedepthHits: 1, ebfmi: [0.25, 0.5, 0.28, 1] },
  });
  expect(verdict.state).toBe('bad');
  expect(verdict.sentence).toBe('Not converged: do not use these draws.');
  expect(verdict.failed.map((check) => check.check)).toEqual([
    'ess_bulk',
    'rhat',
    'divergences',
    'ebfmi',
    'treedepth',
  ]);
  expect(verdict.failed.map((check) => check.message)).toEqual([
    'Bulk ESS of a is 90, below 400',
    'R-hat of b is 1.030, above 1.01',
    '2 draws diverged',
    'E-BFMI is 0.25 in 2 chains, below 0.3',
    '1 draw reached the largest tree depth',
  ]);
  expect(verdict.failed[1]).toMatchObject({
    variable: 'b',
    value: 1.03,
    limit: 1.01,
    count: 2,
    tone: 'warn',
  });
});
