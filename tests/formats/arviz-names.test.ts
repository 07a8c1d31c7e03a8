/** ArviZ's names and groups for the contents of a run. */
import { describe, expect, it } from 'vitest';
import { arvizStatNames, drawGroups, sampleStatColumns } from '../../src/formats/arviz-names.ts';

describe('columns of the sampler', () => {
  it('are recognised by every name that writers use', () => {
    const names: Record<string, string> = {
      lp__: 'lp log_density logp model_logp log_likelihood_sum',
      accept_stat__: 'acceptance_rate mean_tree_accept accept_stat accept_prob accept',
      stepsize__: 'step_size stepsize',
      treedepth__: 'tree_depth treedepth depth',
      n_leapfrog__: 'n_steps tree_size n_leapfrog num_steps',
      divergent__: 'diverging divergent numerical_error diverges',
      energy__: 'energy hamiltonian_energy potential_energy_total',
    };
    for (const [column, known] of Object.entries(names)) {
      const list = known.split(' ');
      for (const name of list)
        expect(sampleStatColumns(['other', name])).toEqual(new Map([[name, column]]));
      // of several, the first in this order wins
      expect(sampleStatColumns(list.toReversed())).toEqual(new Map([[list[0], column]]));
      expect(arvizStatNames.get(column)).toBe(list[0]);
    }
    expect(sampleStatColumns(['other'])).toEqual(new Map());
  });
});

describe('groups of variables', () => {
  const groupsOf = (...names: string[]) => {
    const groupOf = drawGroups(names.map((variable) => ({ variable })));
    return names.map(groupOf);
  };
  it('are separate for log likelihoods and replications', () =>
    expect(groupsOf('mu', 'log_lik[1]', 'log_lik[2]', 'y_rep[1]', 'y_rep[2]')).toEqual([
      'posterior',
      'log_likelihood',
      'log_likelihood',
      'posterior_predictive',
      'posterior_predictive',
    ]));

  it('are a single one if there is nothing else', () => {
    expect(groupsOf('log_lik[1]', 'y_rep[1]')).toEqual(['posterior', 'posterior']);
    expect(groupsOf('lp__', 'log_lik[1]', 'log_lik[2]')).toEqual(Array(3).fill('posterior'));
  });
});
