/** Names and sizes by which data, their replications and their log likelihoods are matched. */
import { describe, expect, it } from 'vitest';
import {
  type DataVariable,
  findPair,
  groupings,
  groupsBy,
  observedFor,
  priorFlagOf,
  priorFlags,
  replicatedOf,
  runArrays,
} from '../../../src/posterior/predictive/pairing.ts';

const variable = (name: string, values: readonly number[]): DataVariable => ({
  name,
  dims: [values.length],
  values: Float64Array.from(values),
});
const elements = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}[${i + 1}]`);
const y = variable('y', [1, 2, 3]);
const x = variable('x', [4, 5, 6]);

describe('replicated data by name', () => {
  it.each([
    ['y_rep', 'y', 0],
    ['yRep', 'y', 0],
    ['REP_y', 'y', 0],
    ['y_ppc', 'y', 1],
    ['y_pred', 'y', 2],
    ['ytilde', 'y', 3],
    ['sim_count', 'count', 4],
    ['y_new', 'y', 5],
    ['hat_mu', 'mu', 6],
    ['y_rep_sim', 'y_rep', 4],
    ['y__rep', 'y_', 0],
  ])('%s replicates %s', (name, base, rank) => {
    expect(replicatedOf(name)).toEqual({ base, rank });
  });

  it.each(['mu', 'rep', '_rep', 'rep_', 'report', 'y_rep_2', 'reply_y', 'a_rep_y'])(
    '%s replicates nothing',
    (name) => {
      expect(replicatedOf(name)).toBeNull();
    },
  );
});

it('arrays of the run have at least two elements and are listed in its order', () => {
  expect(runArrays(['mu', ...elements('b', 2), 'one[1]', 'a[10]', 'a[9]', 'sigma'])).toEqual([
    { name: 'b', variables: ['b[1]', 'b[2]'] },
    { name: 'a', variables: ['a[9]', 'a[10]'] },
  ]);
  expect(runArrays(['c[2,10]', 'c[2,9]', 'c[1,10]'])[0].variables).toEqual([
    'c[1,10]',
    'c[2,9]',
    'c[2,10]',
  ]);
  const statistics = ['t[2]/stat/mean', 't[1]/stat/mean'];
  expect(runArrays(statistics)).toEqual([{ name: 't', variables: statistics }]);
});

it('data that an array could replicate have its size, and vary', () => {
  const array = { name: 'y_rep', variables: elements('y_rep', 3) };
  const found = observedFor(array, [variable('w', [1, 2]), y, variable('c', [7, 7, 7])]);
  expect(found).toEqual([y]);
});

describe('the pair that is checked', () => {
  const namesOf = (pair: ReturnType<typeof findPair>) =>
    pair && [pair.replicated.name, pair.observed.name];

  it('respects a choice of the data or of the array alone', () => {
    const names = [...elements('y_rep', 3), ...elements('x_rep', 3)];
    expect(namesOf(findPair(names, [y, x], { replicated: '', observed: 'x' }))).toEqual([
      'y_rep',
      'x',
    ]);
    expect(namesOf(findPair(names, [y, x], { replicated: 'x_rep', observed: '' }))).toEqual([
      'x_rep',
      'x',
    ]);
  });

  it('is found by name before size, and by the most specific name', () => {
    const names = [...elements('z_rep', 3), ...elements('x_hat', 3), ...elements('x_sim', 3)];
    expect(namesOf(findPair(names, [y, x]))).toEqual(['x_sim', 'x']);
    const Y = variable('Y', [1, 2, 4]);
    expect(namesOf(findPair(elements('z_rep', 3), [x, Y]))).toEqual(['z_rep', 'Y']);
  });

  it('has a log likelihood of the same size, by the most specific name', () => {
    const logLikOf = (...arrays: readonly (readonly string[])[]) =>
      findPair([...elements('y_rep', 3), ...arrays.flat()], [y, x])?.logLik?.name;
    const [both, behind, plain] = ['log_lik_y', 'y_log_lik', 'log_lik'];
    expect(logLikOf(elements(plain, 3), elements(behind, 3), elements(both, 3))).toBe(both);
    expect(logLikOf(elements(plain, 3), elements(behind, 3), elements(both, 2))).toBe(behind);
    expect(logLikOf(elements(plain, 3), elements('log_lik_x', 3))).toBe(plain);
    expect(logLikOf(elements(plain, 4))).toBeUndefined();
    // the same data written differently are not other data
    expect(logLikOf(elements(plain, 3), elements('y_hat', 3), elements('u_rep', 3))).toBe(plain);
    expect(logLikOf(elements(plain, 3), elements('x_hat', 3))).toBeUndefined();
  });
});

describe('groups of observations', () => {
  const many = (count: number, levels: number) =>
    Array.from({ length: count }, (_, i) => i % levels);
  const isGrouping = (values: readonly number[], name = 'g') =>
    groupings(variable('y', values), [variable(name, values)]).length === 1;

  it('need whole numbers with 2 to 50 distinct values, at most half the number of data', () => {
    expect(
      [many(4, 1), many(4, 2), many(5, 3), many(200, 50), many(200, 51)].map((values) =>
        isGrouping(values),
      ),
    ).toEqual([false, true, false, true, false]);
    expect(isGrouping([0.5, 1, 1, 0.5])).toBe(false);
    expect(isGrouping(many(4, 2), 'y')).toBe(false);
    expect(groupings(variable('y', many(6, 2)), [variable('g', many(4, 2))])).toEqual([]);
  });

  it('are sorted by size, then by first occurrence', () => {
    expect(groupsBy(variable('county', [3, 1, 1, 2, 3, 1, 2]))).toEqual([
      { label: 'county 1', members: [1, 2, 5] },
      { label: 'county 3', members: [0, 4] },
      { label: 'county 2', members: [3, 6] },
    ]);
  });
});

it('a flag that leaves the likelihood out is one number, 0 or 1', () => {
  expect(priorFlags).toEqual(['prior_only', 'sample_prior', 'only_prior', 'prior_predictive']);
  for (const name of priorFlags) {
    expect(priorFlagOf([y, variable(name, [1])])).toEqual({ name, isSet: true });
    expect(priorFlagOf([variable(name, [0])])).toEqual({ name, isSet: false });
    for (const values of [[], [0, 1], [1, 0], [0.5], [2]])
      expect(priorFlagOf([variable(name, values)])).toBeNull();
  }
  expect(priorFlagOf([variable('y', [1])])).toBeNull();
});
