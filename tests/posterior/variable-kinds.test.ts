import { expect, it } from 'vitest';
import {
  arrayOf,
  firstLook,
  inKindOrder,
  kindOf,
  type NamedVariable,
} from '../../src/posterior/variable-kinds.ts';

it.each<[NamedVariable, string]>([
  [{ variable: 'beta[1,2]', block: 'parameters' }, 'parameters'],
  [{ variable: 'theta_tilde[1]', block: 'parameters' }, 'parameters'],
  [{ variable: 'x_rep', block: 'parameters' }, 'parameters'],
  [{ variable: 'theta[1]', block: 'transformed parameters' }, 'transformed parameters'],
  [{ variable: 'log_lik[4]', block: 'transformed parameters' }, 'log likelihood'],
  [{ variable: 'log_lik[4]' }, 'log likelihood'],
  [{ variable: 'y_rep[4]', block: 'generated quantities' }, 'replications'],
  [{ variable: 'yrep' }, 'replications'],
  [{ variable: 'count_pred[2]' }, 'replications'],
  [{ variable: 'report' }, 'variables'],
  [{ variable: 'mean_diff', block: 'generated quantities' }, 'generated quantities'],
  [{ variable: 'mu' }, 'variables'],
  [{ variable: 'lp__' }, 'sampler'],
  [{ variable: 'm/stat/mean' }, 'sampler'],
  [{ variable: 'extras/lp' }, 'sampler'],
])('%j is one of the %s', (variable, kind) => {
  expect(kindOf(variable)).toBe(kind);
});

it('the array of a variable is its name before the indices', () => {
  expect(['theta', 'theta[1]', 'theta[1,2]', 'm/val'].map(arrayOf)).toEqual([
    'theta',
    'theta',
    'theta',
    'm/val',
  ]);
});

it('a run of replicated data, log-likelihoods and parameters comes parameters first', () => {
  const names = ['lp__', 'y_rep[1]', 'log_lik[1]', 'beta[2]', 'beta[1]'];
  const inOrder = inKindOrder(names.map((variable) => ({ variable })));
  expect(inOrder.map(({ variable }) => variable)).toEqual([
    'beta[2]',
    'beta[1]',
    'log_lik[1]',
    'y_rep[1]',
    'lp__',
  ]);
});

it('only the sampler is looked at where a run has nothing else', () => {
  const variables = [{ variable: 'lp__' }];
  expect(variables.filter(firstLook(variables))).toEqual(variables);
  expect([].filter(firstLook([]))).toEqual([]);
});
