/** ArviZ's names for the sampler's statistics, and the names its files have used over the years. */
import { type DataVariable, replicatedOf, runArrays } from '../posterior/predictive/pairing.ts';
import { kindOf, type NamedVariable } from '../posterior/variable-kinds.ts';

/** Groups of draws in addition to `posterior`. */
export const besideGroups = ['log_likelihood', 'posterior_predictive'] as const;
export type DrawGroup = 'posterior' | (typeof besideGroups)[number];

/**
 * The group of each variable: pointwise log likelihoods and replications of the data have their own, where ArviZ's
 * `loo` and `plot_ppc` look for them. A file needs a posterior: if no other variable is left, all of them go there.
 */
export function drawGroups(variables: readonly NamedVariable[]): (name: string) => DrawGroup {
  const kinds = new Map(variables.map((one) => [one.variable, kindOf(one)]));
  const groupOf = (name: string): DrawGroup => {
    const kind = kinds.get(name);
    if (kind === 'log likelihood') return 'log_likelihood';
    return kind === 'replications' ? 'posterior_predictive' : 'posterior';
  };
  const hasPosterior = variables.some(
    ({ variable }) => kinds.get(variable) !== 'sampler' && groupOf(variable) === 'posterior',
  );
  return hasPosterior ? groupOf : () => 'posterior';
}

/** Groups of the data: outcomes, with which `plot_ppc` compares replications, and everything else the program reads. */
export type DataGroup = 'observed_data' | 'constant_data';

/**
 * The group of a data variable. It is observed if the run replicates it under its name (`y_rep` of `y`) with as many
 * values; if the run replicates nothing, `y` is observed.
 */
export function dataGroups(
  variables: readonly string[],
  data: readonly DataVariable[],
): (one: DataVariable) => DataGroup {
  const sizes = new Map(
    runArrays(variables).map(
      (array) => [replicatedOf(array.name)?.base, array.variables.length] as const,
    ),
  );
  const isReplicated = ({ name, values }: DataVariable) => sizes.get(name) === values.length;
  const isNone = !data.some(isReplicated);
  return (one) =>
    isReplicated(one) || (isNone && one.name === 'y') ? 'observed_data' : 'constant_data';
}

/** Our column → ArviZ's name in `sample_stats`. */
export const arvizStatNames: ReadonlyMap<string, string> = new Map([
  ['lp__', 'lp'],
  ['accept_stat__', 'acceptance_rate'],
  ['stepsize__', 'step_size'],
  ['treedepth__', 'tree_depth'],
  ['n_leapfrog__', 'n_steps'],
  ['divergent__', 'diverging'],
  ['energy__', 'energy'],
]);

/** Names that other versions and samplers gave the same statistics; the first one in a file is used. */
const otherNames: readonly (readonly [column: string, names: readonly string[]])[] = [
  ['lp__', ['lp', 'log_density', 'logp', 'model_logp', 'log_likelihood_sum']],
  [
    'accept_stat__',
    ['acceptance_rate', 'mean_tree_accept', 'accept_stat', 'accept_prob', 'accept'],
  ],
  ['stepsize__', ['step_size', 'stepsize']],
  ['treedepth__', ['tree_depth', 'treedepth', 'depth']],
  ['n_leapfrog__', ['n_steps', 'tree_size', 'n_leapfrog', 'num_steps']],
  ['divergent__', ['diverging', 'divergent', 'numerical_error', 'diverges']],
  ['energy__', ['energy', 'hamiltonian_energy', 'potential_energy_total']],
];

/** Our columns for the names in a file's `sample_stats`, each at most once; the rest is absent. */
export function sampleStatColumns(names: readonly string[]): Map<string, string> {
  const columns = new Map<string, string>();
  for (const [column, candidates] of otherNames) {
    const found = candidates.find((candidate) => names.includes(candidate));
    if (found !== undefined) columns.set(found, column);
  }
  return columns;
}
