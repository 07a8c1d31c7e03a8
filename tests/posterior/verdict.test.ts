/** The verdict: green only if earned, worst first. One file, like its source: a table of runs serves every check. */
import { describe, expect, it } from 'vitest';
import {
  type ChainEvidence,
  completeVerdict,
  judge,
  type VerdictInput,
  type VerdictRow,
} from '../../src/posterior/verdict.ts';
import {
  chainsText,
  chainText,
  checkSentence,
  countFailed,
  endingOf,
  failedChecks,
  headlineOf,
  joined,
  makeHeadline,
  remarksOf,
  sentenceOf,
} from '../../src/posterior/verdict-label.ts';
import {
  decimalsBeside,
  ebfmiFigure,
  essFigure,
  paretoKFigure,
  rhatFigure,
} from '../../src/posterior/verdict-limits.ts';

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
/** Evidence with a change in the first chain, or in all of them. */
const withFirst = (change: Partial<ChainEvidence>): VerdictInput => ({
  ...good,
  chains: chainsOf(4, (index) => (index === 0 ? change : {})),
});
const withAll = (change: Partial<ChainEvidence>): VerdictInput => ({
  ...good,
  chains: chainsOf(4, () => change),
});

it('a verdict is good if every check passes with its evidence, and has the numbers', () => {
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
    ['bulk ESS of 100 per chain passes', withTau({ ess_bulk: 400 }), 'good'],
    ['bulk ESS below 100 per chain is amber', withTau({ ess_bulk: 399 }), 'warn'],
    ['tail ESS below 50 per chain is red', withTau({ ess_tail: 199 }), 'bad'],
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

describe('at a limit', () => {
  const stateOf = (input: VerdictInput) => judge(input).state;

  it('a number is amber if it is red beyond, and good if it is amber beyond', () => {
    expect(stateOf(withTau({ rhat: 1.05 }))).toBe('warn');
    expect(stateOf(withTau({ ess_tail: 200 }))).toBe('warn');
    expect(stateOf(withFirst({ ebfmi: 0.3 }))).toBe('good');
    expect(stateOf(withFirst({ ebfmi: 0.2 }))).toBe('warn');
    expect(stateOf(withAll({ numDraws: 100 }))).toBe('good');
    expect(judge(withAll({ numDraws: 100 })).checks.at(-1)?.name).toBe('ess_tail');
  });

  it('a number does not count among those that fail', () => {
    const rows = [
      { ...goodRow, rhat: 1.01, ess_bulk: 400, ess_tail: null },
      { ...goodRow, rhat: 1.02, ess_bulk: 380, ess_tail: 399 },
      { ...goodRow, rhat: 1.03, ess_bulk: 390, ess_tail: 390 },
      { ...goodRow, rhat: null, ess_bulk: null, ess_tail: 400 },
    ];
    const chains = chainsOf(4, (index) => ({ ebfmi: [0.3, 0.25, null, 1][index] }));
    const failed = failedChecks(judge({ ...good, rows, chains }).checks);
    expect(failed.map(({ name, count }) => [name, count])).toEqual([
      ['rhat', 2],
      ['ebfmi', 1],
      ['ess_bulk', 2],
      ['ess_tail', 2],
    ]);
    expect(failed[1].message).toBe('E-BFMI of chain 2 is 0.25, below 0.3');
  });
});

it('the first of several equally bad variables or chains is named', () => {
  const rows = ['a', 'b'].map((variable) => ({ ...goodRow, variable, rhat: 1.2, non_finite: 3 }));
  const chains = chainsOf(3, () => ({ ebfmi: 0.1 }));
  const { checks } = judge({ ...good, rows, chains });
  const named = checks.map(({ name, variable, chain }) => [name, variable ?? chain]);
  expect(named).toContainEqual(['rhat', 'a']);
  expect(named).toContainEqual(['ebfmi', 'chain#1']);
  expect(named).toContainEqual(['non_finite', 'a']);
});

it('a sentence never changes the name of a variable, which is case-sensitive', () => {
  const message = 'x has 389 draws that are not finite';
  expect(checkSentence({ message, variable: 'x' })).toBe(`${message}.`);
  expect(checkSentence({ message: 'chain 4 has no draws' })).toBe('Chain 4 has no draws.');
  expect(checkSentence({ message: 'tail ESS of t is undefined', variable: 't' })).toBe(
    'Tail ESS of t is undefined.',
  );
  expect(checkSentence({})).toBe('');
});

describe('draws that are not finite', () => {
  const rowsOf = (...counts: number[]) =>
    counts.map((non_finite, index) => ({ ...goodRow, variable: `x[${index + 1}]`, non_finite }));
  const last = (input: VerdictInput) => judge(input).checks.at(-1);

  it('are reported for the variable that has the most', () => {
    expect(last({ ...good, rows: rowsOf(0, 2, 5, 1) })).toEqual({
      name: 'non_finite',
      status: 'failed',
      tone: 'warn',
      value: 5,
      threshold: 0,
      variable: 'x[3]',
      count: 3,
      message: '3 of 4 variables have draws that are not finite, worst x[3] with 5',
    });
  });

  it('are reported in the singular if there is one, also in the headline', () => {
    const verdict = judge({ ...good, rows: rowsOf(0, 1) });
    expect(verdict.headline).toBe('x[2] has 1 draw that is not finite');
    expect(sentenceOf(verdict)).toBe('Needs a look.');
  });
});

it('the headline is a short form of the first failed check', () => {
  const headline = (input: VerdictInput) => judge(input).headline;
  expect(headline(withFirst({ treedepthHits: 1 }))).toBe('1 tree depth hit');
  expect(headline(withFirst({ treedepthHits: 3 }))).toBe('3 tree depth hits');
  expect(headline(withFirst({ ebfmi: 0.25 }))).toBe('E-BFMI 0.25, below 0.3');
  expect(headline(withTau({ ess_bulk: 90 }))).toBe('Bulk ESS 90, below 400');
  expect(headline(withTau({ ess_tail: 90 }))).toBe('Tail ESS 90, below 400');
});

describe('missing evidence', () => {
  const unknown = (input: VerdictInput) =>
    judge(input).checks.filter(({ status }) => status === 'unknown');

  it.each([
    ['no draws', withAll({ numDraws: 0 }), [{ name: 'draws', value: 0 }]],
    ['no chains', { ...good, chains: [] }, [{ name: 'draws', value: 0 }]],
    [
      'a chain without draws',
      withFirst({ numDraws: 0 }),
      [{ name: 'chains', chain: 'chain#1', count: 1 }],
    ],
    ['few draws', withAll({ numDraws: 99 }), [{ name: 'draws', value: 99, threshold: 100 }]],
    ['one chain', { ...good, chains: chainsOf(1) }, [{ name: 'chains', count: 1 }]],
    ['a statistic that is NaN', withTau({ rhat: NaN }), [{ name: 'statistics', variable: 'tau' }]],
    [
      'a statistic that is null',
      withTau({ ess_bulk: null }),
      [{ name: 'statistics', variable: 'tau' }],
    ],
    ['energies of one chain', withFirst({ ebfmi: null }), [{ name: 'ebfmi' }]],
    ['the E-BFMI of one chain', withFirst({ ebfmi: NaN }), [{ name: 'ebfmi', chain: 'chain#1' }]],
    ['tree depths', withFirst({ treedepthHits: null }), [{ name: 'treedepth' }]],
  ] as const)('is a check of unknown status: %s', (_, input, expected) => {
    expect(unknown(input)).toEqual(
      expected.map((check) => ({ ...check, status: 'unknown', message: expect.any(String) })),
    );
  });

  it.each([
    ['divergences', { divergences: null }],
    ['treedepth', { treedepthHits: null }],
    ['ebfmi', { ebfmi: null }],
  ] as const)('is the only check with the name %s', (name, first) => {
    const verdict = judge(name === 'ebfmi' ? withAll(first) : withFirst(first));
    const found = verdict.checks.filter((check) => check.name === name);
    expect(found.map(({ status }) => status)).toEqual(['unknown']);
    const { divergences, treedepth_hits, ebfmi_min } = verdict;
    expect({ divergences, treedepth: treedepth_hits, ebfmi: ebfmi_min }[name]).toBeNull();
  });

  it('does not include statistics of draws that are not finite', () => {
    expect(unknown(withTau({ non_finite: 2, rhat: NaN, ess_bulk: NaN, ess_tail: NaN }))).toEqual(
      [],
    );
  });

  it('is reported in the singular for one draw', () => {
    expect(judge(withAll({ numDraws: 1 })).headline).toBe(
      'No verdict: 1 draw per chain is too few',
    );
    expect(judge({ ...withAll({ numDraws: 0 }), leftOut: ['chain#2'] }).headline).toBe(
      'No verdict: the run has no draws (without chain 2)',
    );
    expect(judge({ ...good, chains: [] }).headline).toBe('No verdict: the run has no draws');
  });

  it('does not include what a chain without draws did not record', () => {
    const nothing = { numDraws: 0, divergences: null, treedepthHits: null, ebfmi: null };
    const verdict = judge({
      ...good,
      chains: chainsOf(4, (index) => (index === 3 ? nothing : { divergences: 1 })),
    });
    expect(verdict).toMatchObject({ divergences: 3, treedepth_hits: 0, ebfmi_min: 1 });
    expect(judge(withAll({ numDraws: 0 }))).toMatchObject({ divergences: null, ebfmi_min: null });
  });
});

describe('no verdict is possible with', () => {
  it.each([
    ['too few draws', withAll({ numDraws: 99 }), '99 draws per chain are too few'],
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
      'nothing from the sampler recorded',
      withAll({ divergences: null, treedepthHits: null, ebfmi: null }),
      'divergences, tree depths and energies are not recorded',
    ],
    ['an undefined E-BFMI', withFirst({ ebfmi: NaN }), 'E-BFMI of chain 1 is undefined'],
    ['an undefined tail ESS', withTau({ ess_tail: NaN }), 'tail ESS of tau is undefined'],
    [
      'an undefined ESS of every variable',
      {
        ...good,
        rows: ['lp__', 'x'].map((variable) => ({
          ...goodRow,
          variable,
          ess_bulk: null,
          ess_tail: null,
        })),
      },
      'ESS of every variable is undefined',
    ],
    [
      'nothing defined for two of three variables',
      {
        ...good,
        rows: ['a', 'b', 'c'].map((variable, index) =>
          index === 0
            ? { ...goodRow, variable }
            : { ...goodRow, variable, rhat: NaN, ess_bulk: NaN, ess_tail: NaN },
        ),
      },
      'R-hat and ESS of 2 of 3 variables are undefined, for example b',
    ],
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

  it('a run of too few draws has no verdict, but its failed checks are listed', () => {
    const verdict = judge({ ...withAll({ numDraws: 20 }), rows: [{ ...goodRow, rhat: 1.4 }] });
    expect(verdict.state).toBe('unknown');
    expect(verdict.headline).toBe('No verdict: 20 draws per chain are too few');
    expect(failedChecks(verdict.checks).map(({ name }) => name)).toEqual(['rhat']);
  });

  it('failed checks decide even if evidence is missing, which is noted in a remark', () => {
    const verdict = judge({
      ...withTau({ rhat: 1.2 }),
      chains: chainsOf(4, (index) => (index === 3 ? { numDraws: 0, ebfmi: NaN } : {})),
    });
    expect(verdict).toMatchObject({ state: 'bad', headline: 'R-hat 1.200, above 1.01' });
    expect(verdict.chains).toEqual(['chain#1', 'chain#2', 'chain#3']);
    expect(remarksOf(verdict)).toEqual(['Chain 4 has no draws.']);
  });
});

it('a verdict counts the draws of longer chains that are not used', () => {
  const chains = chainsOf(3, (index) => ({ numDraws: [100_000, 90_000, 1608][index] }));
  expect(judge({ ...good, chains })).toMatchObject({ draws: 1608, draws_left_out: 186_784 });
});

it('a verdict on generated quantities says that the draws are those of the finished run', () => {
  const verdict = judge({ ...good, isGenerated: true });
  expect(verdict).toMatchObject({ state: 'good', headline: 'Looks converged' });
  expect(verdict.checks.at(-1)).toEqual({
    name: 'generated_quantities',
    status: 'passed',
    message:
      'the draws are those of the finished run: a changed model block has no effect, only generated quantities are new',
  });
});

it('the message on divergences has their share of the draws', () => {
  const said = (divergences: number) => judge(withAll({ divergences })).checks[0].message;
  expect(said(39)).toBe('156 draws diverged (3.9\u202f%)');
  expect(said(1)).toBe('4 draws diverged (0.1\u202f%)');
});

it('the R-hat message counts only variables with a known R-hat', () => {
  const rhats = [1.02, 1.03, 1, NaN, null];
  const rows = rhats.map((rhat, i) => ({ ...goodRow, variable: `x[${i + 1}]`, rhat }));
  const [, check] = judge({ ...good, rows }).checks;
  expect(check.message).toBe('R-hat above 1.01 in 2 of 3 variables, worst x[2] 1.030');
});

it('a run without draws lacks only draws', () => {
  const { checks } = judge({ ...good, rows: [], chains: chainsOf(1, () => ({ numDraws: 0 })) });
  expect(checks.filter(({ status }) => status === 'unknown').map(({ name }) => name)).toEqual([
    'draws',
  ]);
});

it('the advice follows calibration, Pareto k or R-hat, whatever else failed', () => {
  const failed = (name: string) => ({ name, status: 'failed' }) as const;
  const advice = (name: string) =>
    sentenceOf({ state: 'bad', checks: [failed('non_finite'), failed(name)] });
  expect(['calibration', 'pareto_k', 'rhat'].map(advice)).toEqual([
    'Not calibrated: this program does not recover what it simulates.',
    'Poor approximation: do not use these draws.',
    'Not converged: do not use these draws.',
  ]);
});

it('the message on tree depths names the limit if it had to be assumed', () => {
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
    [undefined, '–'],
    [NaN, '–'],
    [Infinity, '∞'],
    [1.049997, '1.049997'],
  ])('R-hat %s reads %s', (value, text) => expect(rhatFigure(value)).toBe(text));

  it('a number just beside a limit does not read as the limit', () => {
    expect(essFigure(399.6, 4)).toBe('399.6');
    expect(essFigure(399.4, 4)).toBe('399');
    expect(essFigure(1208.4, 4)).toBe('1\u202f208');
    expect(essFigure(199.8, 4)).toBe('199.8');
    expect(ebfmiFigure(0.298)).toBe('0.298');
    expect(ebfmiFigure(0.1996)).toBe('0.1996');
    expect([0.42, 0.704, 0.9997, 1.31].map(paretoKFigure)).toEqual([
      '0.42',
      '0.704',
      '0.9997',
      '1.31',
    ]);
    expect([paretoKFigure(null), paretoKFigure(Infinity)]).toEqual(['–', '∞']);
  });

  it('never have more digits than a double', () => {
    expect(decimalsBeside(1.01 + 2 ** -52, [1.01], 3)).toBeLessThanOrEqual(15);
    expect(decimalsBeside(1.01 + 4e-15, [1.01], 3)).toBe(15);
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

  it('has no share of draws if their number is unknown', () => {
    const { checks } = completeVerdict({ state: 'bad', ...numbers }, { numChains: 4, numDraws: 0 });
    expect(checks[0].message).toBe('156 draws diverged');
  });

  it('has each check with its number and its limit', () => {
    const old = { ...numbers, divergences: 1, treedepth_hits: 2, ess_bulk_min: 380 };
    const { checks } = completeVerdict(
      { state: 'bad', ...old, ebfmi_min: 0.25 },
      { numChains: 4, numDraws: 1000 },
    );
    const failed = { status: 'failed', tone: 'warn' };
    expect(checks).toEqual([
      {
        ...failed,
        name: 'divergences',
        value: 1,
        threshold: 0,
        count: 1,
        message: '1 draw diverged (under 0.1\u202f%)',
      },
      {
        ...failed,
        name: 'rhat',
        tone: 'bad',
        value: 1.096,
        threshold: 1.01,
        count: 0,
        message: 'R-hat is 1.096, above 1.01',
      },
      {
        ...failed,
        name: 'ebfmi',
        value: 0.25,
        threshold: 0.3,
        message: 'E-BFMI is 0.25, below 0.3',
      },
      {
        ...failed,
        name: 'treedepth',
        value: 2,
        threshold: 0,
        count: 2,
        message: '2 draws reached the maximum tree depth',
      },
      {
        ...failed,
        name: 'ess_bulk',
        value: 380,
        threshold: 400,
        count: 0,
        message: 'Bulk ESS is 380, below 400',
      },
      { name: 'ess_tail', status: 'passed', value: 492, threshold: 400 },
    ]);
    const ebfmiOf = (ebfmi_min: number) =>
      completeVerdict({ state: 'bad', ...numbers, ebfmi_min }, { numChains: 4, numDraws: 1000 })
        .checks[2];
    expect([0.3, 0.2, 0.19].map((value) => ebfmiOf(value).tone)).toEqual([
      undefined,
      'warn',
      'bad',
    ]);
    expect(checks.length).toBe(6);
  });

  it.each([
    ['good', 'Looks converged'],
    ['warn', 'Needs a look'],
    ['unknown', 'No verdict'],
  ] as const)('with only the state "%s" reads "%s"', (state, headline) => {
    const none = { rhat_max: null, ess_bulk_min: null, ess_tail_min: null };
    const old = { state, ...none, divergences: null, treedepth_hits: null, ebfmi_min: null };
    expect(completeVerdict(old, { numChains: 4, numDraws: 1000 }).headline).toBe(headline);
    expect(headlineOf({ state })).toBe(headline);
  });
});

describe('verdict texts', () => {
  it('fall back on a general headline without checks, and count failed checks', () => {
    expect(makeHeadline('unknown', [], { short: undefined })).toBe('No verdict');
    expect(makeHeadline('unknown', [{ name: 'a', status: 'unknown' }], { short: 'x' })).toBe(
      'No verdict',
    );
    expect(makeHeadline('bad', [], { short: undefined })).toBe('Not converged');
    expect(failedChecks(undefined)).toEqual([]);
    expect(remarksOf({ state: 'good' })).toEqual([]);
    expect([1, 2].map(countFailed)).toEqual(['1 check failed', '2 checks failed']);
  });

  it('mention missing evidence beside a verdict, unless it is the headline', () => {
    const checks = [
      { name: 'draws', status: 'passed', message: 'draws are left out' },
      { name: 'rhat', status: 'passed' },
      { name: 'chains', status: 'unknown', message: 'chain 4 has no draws' },
      { name: 'ebfmi', status: 'unknown', message: 'energies are not recorded' },
    ] as const;
    const [left, , ...missing] = ['Draws are left out.', '', 'Chain 4 has no draws.'];
    const last = 'Energies are not recorded.';
    expect(remarksOf({ state: 'warn', checks })).toEqual([left, ...missing, last]);
    expect(remarksOf({ state: 'unknown', checks })).toEqual([left, last]);
    expect(remarksOf({ state: 'unknown', checks: checks.slice(0, 2) })).toEqual([left]);
  });

  it('list chains by number or name, or count them', () => {
    expect(['chain#12', 'a', 'my chain#1', 'chain#1b'].map((name) => chainText(name))).toEqual([
      'chain 12',
      'chain a',
      'chain my chain#1',
      'chain chain#1b',
    ]);
    const names = [1, 2, 3, 4, 5].map((number) => `chain#${number}`);
    expect([1, 2, 4, 5].map((count) => chainsText(names.slice(0, count)))).toEqual([
      'chain 1',
      'chains 1 and 2',
      'chains 1, 2, 3 and 4',
      '5 chains',
    ]);
    expect([[], ['a'], ['a', 'b']].map((parts) => joined(parts))).toEqual(['', 'a', 'a and b']);
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
  [{ state: 'warn', headline: 'E-BFMI of Chain' }, 'ended', 'A ended: E-BFMI of Chain'],
  [{ state: 'bad', headline: 'Pareto k is 1.20' }, 'finished', 'A finished: Pareto k is 1.20'],
  [{ state: 'bad', headline: 'Posterior too wide' }, 'ended', 'A ended: posterior too wide'],
] as const)('a run with the verdict %j that %s is announced as "%s"', (verdict, verb, text) => {
  expect(endingOf('A', verb, verdict)).toBe(text);
});

describe('chains that are left out', () => {
  const short = {
    ...good,
    chains: chainsOf(4, (index) =>
      index < 3 ? {} : { numDraws: 150, divergences: 40, ebfmi: 0.1 },
    ),
  };

  it('do not count, and are named in the verdict', () => {
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

  it('are named beside failed checks', () => {
    const verdict = judge({
      ...short,
      chains: chainsOf(4, (index) => (index === 0 ? { divergences: 33 } : {})),
      leftOut: ['chain#3', 'chain#4'],
    });
    expect(verdict.headline).toBe('33 divergences (without chains 3 and 4)');
  });

  it('leave no verdict if only one chain or none remains', () => {
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

it('unused draws and chains appear as a passed check', () => {
  expect(judge(withFirst({ numDraws: 400 })).checks.at(-1)).toEqual({
    name: 'draws',
    status: 'passed',
    value: 400,
    message: expect.any(String),
  });
  expect(judge({ ...good, leftOut: ['chain#2'] }).checks.at(-1)).toEqual({
    name: 'chains',
    status: 'passed',
    count: 1,
    message: 'chain 2 is left out (1\u202f000 draws)',
  });
});

it('a verdict says that only draws up to the length of the shortest chain are used', () => {
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

it('checks of a Hamiltonian sampler are not missing evidence without one', () => {
  const verdict = judge({ ...withAll({ divergences: null, ebfmi: null }), isHamiltonian: false });
  expect(verdict).toMatchObject({ state: 'good', divergences: null, ebfmi_min: null });
  expect(verdict.checks.map(({ name }) => name)).toEqual(['rhat', 'ess_bulk', 'ess_tail']);
});

it('an infinite R-hat is bad, and JSON keeps the whole verdict', () => {
  const verdict = judge(withTau({ rhat: Number.POSITIVE_INFINITY }));
  expect(verdict).toMatchObject({ state: 'bad', headline: 'R-hat ∞, above 1.01', rhat_max: null });
  expect(JSON.parse(JSON.stringify(verdict))).toEqual(verdict);
});

it('divergences come first, however bad the rest, with worst variables and counts', () => {
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
    '2 draws diverged (under 0.1\u202f%)',
    'R-hat above 1.01 in 2 of 2 variables, worst b 1.030',
    'E-BFMI of chain 1 is 0.25 and below 0.3 in 2 chains',
    '1 draw reached the maximum tree depth',
    'Bulk ESS below 400 in 2 of 2 variables, worst a 90',
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
