import { expect, it } from 'vitest';
import {
  arrayOf,
  elementOf,
  firstLook,
  inKindOrder,
  isLogLik,
  isLogPrior,
  kindLabels,
  kindOf,
  type NamedVariable,
  programBlocks,
  variableKinds,
  withIndices,
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
  [{ variable: 'y_hat' }, 'replications'],
  [{ variable: 'YPRED' }, 'replications'],
  [{ variable: 'x_ppc[1]' }, 'replications'],
  [{ variable: 'y_rep_mean' }, 'variables'],
  [{ variable: 'my_rep_2' }, 'variables'],
  [{ variable: 'theta_sim' }, 'variables'],
  [{ variable: 'my_hat' }, 'variables'],
  [{ variable: 'loglik[1]' }, 'log likelihood'],
  [{ variable: 'log_likelihood' }, 'log likelihood'],
  [{ variable: 'log_lik_y[2]' }, 'log likelihood'],
  [{ variable: 'y_log_lik' }, 'log likelihood'],
  [{ variable: 'log_like' }, 'variables'],
  [{ variable: 'my_loglik' }, 'variables'],
  [{ variable: 'catalog_lik' }, 'variables'],
  [{ variable: 'y_log_lik_sum' }, 'variables'],
  [{ variable: 'lp__', block: 'parameters' }, 'sampler'],
  [{ variable: '__x' }, 'variables'],
  [{ variable: 'my_extras/lp' }, 'variables'],
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

it('variables are sorted by kind, parameters first', () => {
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

it.each([
  ['theta', 'theta', undefined],
  ['theta[1,2]', 'theta', ['1', '2']],
  ['theta[2]/val', 'theta', ['2']],
  ['theta[2]/stat/mean', 'theta', undefined],
  ['x:2', 'x:2', undefined],
  ['x[1]:2[3]', 'x:2', ['1', '3']],
  ['x[1,4]:2', 'x:2', ['1', '4']],
  ['z[3].real', 'z.real', ['3']],
  ['z.imag', 'z.imag', undefined],
  ['z[3].realist', 'z', undefined],
] as const)('%s is an element of %s at %o', (variable, array, indices) => {
  expect(arrayOf(variable)).toBe(array);
  expect(elementOf(variable)).toEqual(
    indices && { array, indices, suffix: variable.endsWith('/val') ? '/val' : '' },
  );
});

it('indices are replaced in place', () => {
  expect(withIndices('theta[1,2]/val', ['A', 'B'])).toBe('theta[A,B]/val');
  expect(withIndices('x[1]:2[3,4]', ['A', 'B', 'C'])).toBe('x[A]:2[B,C]');
  expect(withIndices('mu', [])).toBe('mu');
});

it('log likelihoods and log priors are recognised by name alone', () => {
  const names = ['log_lik', 'log_lik[3]', 'log_lik_y[1]', 'lprior', 'lprior[2]', 'lpriors'];
  expect(names.map(isLogLik)).toEqual([true, true, false, false, false, false]);
  expect(names.map(isLogPrior)).toEqual([false, false, false, true, true, false]);
});

it('every kind has a heading', () => {
  expect(variableKinds.map((kind) => kindLabels[kind])).toEqual([
    'Parameters',
    'Variables',
    'Transformed parameters',
    'Generated quantities',
    'Log likelihood',
    'Replicated data',
    'Sampler',
  ]);
  expect(programBlocks).toEqual(['parameters', 'transformed parameters', 'generated quantities']);
});

it('plots start with parameters, or with the first kind that the run has', () => {
  const looked = (...all: NamedVariable[]) =>
    all.filter(firstLook(all)).map(({ variable }) => variable);
  const [tau, eta] = [
    { variable: 'tau', block: 'transformed parameters' },
    { variable: 'eta', block: 'generated quantities' },
  ] as const;
  const [mu, logLik, rep, lp] = ['mu', 'log_lik[1]', 'y_rep[1]', 'lp__'].map((variable) => ({
    variable,
  }));
  expect(looked(lp, rep, eta, tau, mu)).toEqual(['tau', 'mu']);
  expect(looked(lp, rep, eta, logLik)).toEqual(['eta']);
  expect(looked(lp, rep, logLik)).toEqual(['y_rep[1]', 'log_lik[1]']);
  const beta = { variable: 'beta', block: 'parameters' } as const;
  expect(looked(lp, beta, eta)).toEqual(['beta']);
});

it('plots start with sampler columns only if a run has nothing else', () => {
  const variables = [{ variable: 'lp__' }];
  expect(variables.filter(firstLook(variables))).toEqual(variables);
  expect([].filter(firstLook([]))).toEqual([]);
  expect(firstLook([])({ variable: 'mu' })).toBe(false);
});
