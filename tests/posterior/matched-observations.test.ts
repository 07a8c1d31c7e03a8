/** What is used from a stored match. */
import { expect, it } from 'vitest';
import { matchedByPlace, matchedByVariable } from '../../src/posterior/matched-observations.ts';

const found = { variable: 'log_lik[2]', pareto_k: 0.4, elpd_loo: -3, moves: 2 };

it('moved observations replace their plain estimates', () => {
  const other = { ...found, variable: 'log_lik[5]', elpd_loo: 0 };
  const matched = matchedByVariable({ state: 'done', observations: [found, other] });
  expect(matched).toEqual({
    'log_lik[2]': { pareto_k: 0.4, elpd_loo: -3 },
    'log_lik[5]': { pareto_k: 0.4, elpd_loo: 0 },
  });
  expect([...matchedByPlace(['log_lik[5]', 'toString', 'log_lik[2]'], matched)]).toEqual([
    [0, { pareto_k: 0.4, elpd_loo: 0 }],
    [2, { pareto_k: 0.4, elpd_loo: -3 }],
  ]);
});

it('observations that no move helped, or whose estimate is undefined, are left out', () => {
  expect(
    matchedByVariable({
      state: 'done',
      observations: [
        { ...found, moves: 0 },
        { ...found, pareto_k: null },
        { ...found, elpd_loo: null },
      ],
    }),
  ).toEqual({});
});

it('nothing is used from a match that is missing or not done', () => {
  for (const match of [
    undefined,
    null,
    { state: 'running', observations: [found] },
    { state: 'done' },
    { state: 'done', observations: null },
  ])
    expect(matchedByVariable(match)).toEqual({});
});
