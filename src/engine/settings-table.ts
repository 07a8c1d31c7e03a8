/**
 * The settings of a run: one table of keys with default, range and meaning. Imports nothing, so any folder may use it.
 * One table, since forms, command line and service each read all of its rows; `settings.ts` reads values with it.
 */

/**
 * How draws are made: by NUTS, or as an approximation, an optimum, the starting point itself, or an earlier run whose
 * draws are read. A calibration samples with NUTS too, giving each chain separate data that it has simulated.
 */
export const algorithms = [
  'nuts',
  'optimize',
  'laplace',
  'pathfinder',
  'advi',
  'fixed_param',
  'generate_quantities',
  'calibration',
] as const;
export type Algorithm = (typeof algorithms)[number];

/** This value of `inits`: Pathfinder finds the starting points. */
const pathfinderInits = 'pathfinder';
/** Several paths from different points, and a draw from all of them by importance weight. */
export const multiPathfinderInits = 'multi-pathfinder';

export const isPathfinderInits = (inits: unknown): boolean =>
  inits === pathfinderInits || inits === multiPathfinderInits;

export interface Settings {
  readonly algorithm: Algorithm;
  /** Number of simulations of a calibration. */
  readonly numChains: number;
  /** Chains that warm up; the others start from their warmups; null: all. */
  readonly warmupChains: number | null;
  readonly numWarmup: number;
  readonly numSamples: number;
  readonly thin: number;
  /** Null: chosen at random and recorded by the caller that starts the run. */
  readonly seed: number | null;
  readonly initRadius: number;
  readonly adaptDelta: number;
  readonly maxTreeDepth: number;
  readonly metric: 'diag' | 'dense' | 'unit' | 'low-rank';
  /** How warmup finds the metric; a low-rank one is always found by Fisher divergence. */
  readonly adaptation: 'stan' | 'fisher';
  readonly sampler: 'nuts' | 'walnuts';
  readonly saveWarmup: boolean;
  /** Chains that run simultaneously; null: as many as the machine has cores. */
  readonly parallelChains: number | null;
  /**
   * Values on the constrained scale by name, one object for all chains or one per chain; `pathfinder`,
   * `multi-pathfinder`: one of its draws; another string is a data id.
   */
  readonly inits: Readonly<Record<string, unknown>> | readonly unknown[] | string | null;
  /** Seconds a chain may run, without pauses; null: no limit. */
  readonly timeout: number | null;
  /** Seconds after which a run stops cleanly and keeps its draws; null: no limit. */
  readonly timeLimit: number | null;
  /** Seconds one iteration of a chain may take. */
  readonly iterationTimeout: number;
  /** Whether the maximised density includes the Jacobian of the constraints. */
  readonly jacobian: boolean;
  /** Maximum number of iterations of L-BFGS, or of ADVI's gradient ascent. */
  readonly iter: number;
  readonly historySize: number;
  readonly initAlpha: number;
  readonly tolObj: number;
  /** Times the machine's epsilon for L-BFGS; of the ELBO for ADVI. */
  readonly tolRelObj: number;
  readonly tolGrad: number;
  readonly tolRelGrad: number;
  readonly tolParam: number;
  readonly numPaths: number;
  readonly numElboDraws: number;
  readonly psisResample: boolean;
  readonly approximation: 'meanfield' | 'fullrank';
  readonly gradSamples: number;
  readonly elboSamples: number;
  readonly evalElbo: number;
  /** Null: adapted. */
  readonly eta: number | null;
  readonly adaptIter: number;
  readonly numSimulations: number;
  /** Which output represents which data, or parameter; null: found by name. */
  readonly simulated: Readonly<Record<string, string>> | null;
  /** The flag in the data that turns the likelihood off; null: found by name. */
  readonly priorFlag: string | null;
  /** The run whose draws are read; null: none. */
  readonly from: string | null;
}

export type SettingProperty = keyof Settings;

export type SettingRange =
  | { readonly type: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  | { readonly type: 'inits' }
  /** A name in the program. */
  | { readonly type: 'name' }
  /** Names to names: an object, or the text "y: y_rep, z: z_rep". */
  | { readonly type: 'pairs' }
  | { readonly type: 'run' };

type SettingValue = number | string | boolean | null;

export interface SettingRow {
  /** As users write it. */
  readonly key: string;
  /** Older name; `key` takes precedence. */
  readonly alias?: string;
  readonly property: SettingProperty;
  readonly range: SettingRange;
  /** Null: empty unless given. */
  readonly default: SettingValue;
  /** Defaults of individual algorithms, if they differ. */
  readonly defaults?: Readonly<Partial<Record<Algorithm, SettingValue>>>;
  /** The algorithms that read it; absent: all. */
  readonly algorithms?: readonly Algorithm[];
  /** The range as text, for messages and forms. */
  readonly allowed: string;
  readonly meaning: string;
}

const integer = (min: number, max: number): SettingRange => ({ type: 'integer', min, max });
const number = (min: number, max: number): SettingRange => ({ type: 'number', min, max });
/** The smallest positive double: for ranges that exclude 0. */
const above0 = Number.MIN_VALUE;
const below1 = 1 - Number.EPSILON / 2;

const others = (value: number) => ({
  optimize: value,
  laplace: value,
  pathfinder: value,
  advi: value,
  fixed_param: value,
  generate_quantities: value,
});
/** Algorithms that begin at a starting point and make their own draws. */
const starting = algorithms.filter((name) => name !== 'generate_quantities');
const lbfgs: readonly Algorithm[] = ['optimize', 'laplace', 'pathfinder'];
/** Algorithms that sample with NUTS. */
const byNuts: readonly Algorithm[] = ['nuts', 'calibration'];

/** `num_chains` for `numChains`; rows with others name theirs. */
const keyOf = (property: string) => property.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** The range as text; rows with others name theirs. */
function allowedBy(range: SettingRange): string {
  switch (range.type) {
    case 'integer':
      return `a whole number from ${range.min} to ${range.max}`;
    case 'number':
      return range.min === 0 ? 'a number of at least 0' : 'a number greater than 0';
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `${range.choices.slice(0, -1).join(', ')} or ${range.choices.at(-1)}`;
    default:
      return '';
  }
}

const rows: readonly (Omit<SettingRow, 'key' | 'allowed'> & Partial<SettingRow>)[] = [
  {
    property: 'algorithm',
    range: { type: 'choice', choices: algorithms },
    default: 'nuts',
    meaning:
      'NUTS samples the posterior. Optimize finds a mode; Laplace, Pathfinder and ADVI approximate the posterior; fixed_param only generates quantities, at one point; generate_quantities does so at each draw of a finished run. Calibration samples many simulated data sets and checks where their true values lie.',
  },
  {
    property: 'from',
    range: { type: 'run' },
    default: null,
    algorithms: ['generate_quantities'],
    allowed: 'the id of a finished run',
    meaning:
      'The finished run whose draws are read. The program must declare the same parameters; its generated quantities may differ.',
  },
  {
    property: 'numSimulations',
    range: integer(1, 1000),
    default: 100,
    algorithms: ['calibration'],
    meaning: 'Data sets that are simulated from the prior; each is sampled by one chain.',
  },
  {
    property: 'numChains',
    range: integer(1, 256),
    default: 4,
    defaults: others(1),
    algorithms: starting.filter((algorithm) => algorithm !== 'calibration'),
    meaning: 'Chains, each from its own starting point and random stream.',
  },
  {
    property: 'warmupChains',
    range: integer(2, 256),
    default: null,
    algorithms: ['nuts'],
    meaning:
      'Chains that warm up. Each other chain starts where one of these ended its warmup, so that many chains on many cores need few warmups; R-hat is then nested R-hat. Every chain warms up when empty.',
  },
  {
    property: 'numWarmup',
    range: integer(0, 1e8),
    default: 1000,
    defaults: { ...others(0), calibration: 300 },
    algorithms: byNuts,
    meaning: 'Iterations before sampling that tune step size and metric.',
  },
  {
    alias: 'iteration_count',
    property: 'numSamples',
    range: integer(0, 1e8),
    default: 1000,
    defaults: { optimize: 1, calibration: 300 },
    algorithms: ['nuts', 'laplace', 'pathfinder', 'advi', 'fixed_param', 'calibration'],
    meaning: 'Iterations of each chain after warmup; draws of an approximation.',
  },
  {
    property: 'thin',
    range: integer(1, 1e6),
    default: 1,
    algorithms: ['nuts', 'fixed_param', 'calibration'],
    meaning: 'Keeps every nth iteration; 1 keeps all.',
  },
  {
    property: 'seed',
    range: integer(0, 2 ** 32 - 1),
    default: null,
    meaning: 'The same seed gives the same draws. Chosen at random and recorded when empty.',
  },
  {
    property: 'initRadius',
    range: number(0, 1e6),
    default: 2,
    algorithms: starting,
    allowed: 'a number from 0 to 1000000',
    meaning: 'Starting points are uniform between −radius and radius on the unconstrained scale.',
  },
  {
    property: 'adaptDelta',
    range: number(above0, below1),
    default: 0.8,
    algorithms: byNuts,
    allowed: 'a number between 0 and 1 (exclusive)',
    meaning:
      'Target acceptance rate of the adaptation. A higher value gives smaller steps and fewer divergent transitions.',
  },
  {
    key: 'max_treedepth',
    property: 'maxTreeDepth',
    range: integer(1, 20),
    default: 10,
    algorithms: byNuts,
    meaning:
      'Maximum number of doublings of a trajectory: one iteration takes fewer than 2^depth steps.',
  },
  {
    property: 'metric',
    range: { type: 'choice', choices: ['low-rank', 'diag', 'dense', 'unit'] },
    default: 'low-rank',
    algorithms: byNuts,
    meaning:
      'What warmup estimates for the metric: variances and the strongest correlations, variances alone, all covariances, or nothing.',
  },
  {
    property: 'adaptation',
    range: { type: 'choice', choices: ['fisher', 'stan'] },
    default: 'fisher',
    algorithms: byNuts,
    meaning:
      'How warmup estimates the metric: from draws and gradients by minimising the Fisher divergence, or from the draws in windows, as Stan does; metric then defaults to diag. A low-rank metric is always estimated the first way.',
  },
  {
    property: 'sampler',
    range: { type: 'choice', choices: ['nuts', 'walnuts'] },
    default: 'nuts',
    algorithms: byNuts,
    meaning:
      'How a trajectory grows. NUTS takes steps of a fixed size. WALNUTS divides a step that would not conserve the energy, and so reaches the neck of a funnel; elsewhere it takes up to three times as many gradients, and long narrow posteriors mix badly.',
  },
  {
    property: 'saveWarmup',
    range: { type: 'boolean' },
    default: false,
    algorithms: byNuts,
    meaning: 'Keeps the warmup draws after the run.',
  },
  {
    property: 'parallelChains',
    range: integer(1, 256),
    default: null,
    meaning: 'Chains that run in parallel. As many as there are cores when empty.',
  },
  {
    property: 'inits',
    range: { type: 'inits' },
    default: null,
    algorithms: starting,
    allowed:
      'an object of values by parameter name, a list of such objects (one per chain), a data id, pathfinder or multi-pathfinder',
    meaning:
      'Starting values on the constrained scale. Parameters that are not named start at random values. Write "pathfinder" to let Pathfinder find those for NUTS, or "multi-pathfinder" to choose among four paths per chain, which keeps chains out of minor modes.',
  },
  {
    property: 'timeLimit',
    range: number(above0, 1e9),
    default: null,
    allowed: 'a number of seconds greater than 0',
    meaning:
      'The run stops this long after its start, pauses included, and keeps its draws. No limit when empty.',
  },
  {
    property: 'timeout',
    range: number(above0, 1e9),
    default: null,
    allowed: 'a number of seconds greater than 0',
    meaning: 'A chain that runs longer ends with an error. No limit when empty.',
  },
  {
    property: 'iterationTimeout',
    range: number(above0, 1e9),
    default: 600,
    allowed: 'a number of seconds greater than 0',
    meaning: 'A chain whose iteration takes longer ends with an error.',
  },
  {
    property: 'jacobian',
    range: { type: 'boolean' },
    default: false,
    defaults: { laplace: true },
    algorithms: ['optimize', 'laplace'],
    meaning:
      'With the Jacobian of the constraints: the mode on the unconstrained scale. Without it: the mode of the density as the program writes it (penalised maximum likelihood).',
  },
  {
    property: 'iter',
    range: integer(1, 1e8),
    default: 2000,
    defaults: { pathfinder: 1000, advi: 10000 },
    algorithms: [...lbfgs, 'advi'],
    meaning: 'Maximum number of iterations of the optimiser.',
  },
  {
    property: 'historySize',
    range: integer(1, 1000),
    default: 5,
    algorithms: lbfgs,
    meaning: 'Past steps from which L-BFGS estimates the curvature.',
  },
  {
    property: 'initAlpha',
    range: number(above0, 1e6),
    default: 0.001,
    algorithms: lbfgs,
    meaning: 'Length of the first step of the line search.',
  },
  {
    property: 'tolObj',
    range: number(0, 1e6),
    default: 1e-12,
    algorithms: lbfgs,
    meaning: 'Converged when the log density changes by less than this.',
  },
  {
    property: 'tolRelObj',
    range: number(0, 1e16),
    default: 1e4,
    defaults: { advi: 0.01 },
    algorithms: [...lbfgs, 'advi'],
    meaning:
      'Converged when the relative change of the objective is below this: times 2.2e-16 for L-BFGS, unscaled for the ELBO of ADVI.',
  },
  {
    property: 'tolGrad',
    range: number(0, 1e6),
    default: 1e-8,
    algorithms: lbfgs,
    meaning: 'Converged when the norm of the gradient is below this.',
  },
  {
    property: 'tolRelGrad',
    range: number(0, 1e16),
    default: 1e7,
    algorithms: lbfgs,
    meaning: 'Converged when the relative gradient is below this times 2.2e-16.',
  },
  {
    property: 'tolParam',
    range: number(0, 1e6),
    default: 1e-8,
    algorithms: lbfgs,
    meaning: 'Converged when a step moves the parameters by less than this.',
  },
  {
    property: 'numPaths',
    range: integer(1, 1000),
    default: 4,
    algorithms: ['pathfinder'],
    meaning: 'Paths, each from its own starting point; 1 runs single-path Pathfinder.',
  },
  {
    property: 'numElboDraws',
    range: integer(1, 1e5),
    default: 25,
    algorithms: ['pathfinder'],
    meaning: 'Draws from which the ELBO of each approximation along a path is estimated.',
  },
  {
    property: 'psisResample',
    range: { type: 'boolean' },
    default: true,
    algorithms: ['pathfinder'],
    meaning: 'Resamples the draws of several paths by Pareto smoothed importance weights.',
  },
  {
    property: 'approximation',
    range: { type: 'choice', choices: ['meanfield', 'fullrank'] },
    default: 'meanfield',
    algorithms: ['advi'],
    meaning: 'Normal approximation with independent parameters, or with all covariances.',
  },
  {
    property: 'gradSamples',
    range: integer(1, 1e5),
    default: 1,
    algorithms: ['advi'],
    meaning: 'Draws for each estimate of the gradient of the ELBO.',
  },
  {
    property: 'elboSamples',
    range: integer(1, 1e6),
    default: 100,
    algorithms: ['advi'],
    meaning: 'Draws for each estimate of the ELBO.',
  },
  {
    property: 'evalElbo',
    range: integer(1, 1e8),
    default: 100,
    algorithms: ['advi'],
    meaning: 'Iterations between two estimates of the ELBO.',
  },
  {
    property: 'eta',
    range: number(above0, 1e6),
    default: null,
    algorithms: ['advi'],
    meaning: 'Scale of the step sizes. Adapted when empty.',
  },
  {
    property: 'adaptIter',
    range: integer(1, 1e6),
    default: 50,
    algorithms: ['advi'],
    meaning: 'Iterations to try each candidate of eta.',
  },
  {
    property: 'simulated',
    range: { type: 'pairs' },
    default: null,
    algorithms: ['calibration'],
    allowed: 'pairs of names, such as "y: y_rep"',
    meaning:
      'Which variable of generated quantities is simulated data ("y: y_rep") or holds the true value of a parameter ("mu: mu_sim"). Found by their names when empty.',
  },
  {
    property: 'priorFlag',
    range: { type: 'name' },
    default: null,
    algorithms: ['calibration'],
    allowed: 'the name of a data variable',
    meaning:
      'The flag in the data that leaves the likelihood out when it is 1. Found by its name (prior_only) when empty.',
  },
];

export const settingsTable: readonly SettingRow[] = rows.map((row) => ({
  key: keyOf(row.property),
  allowed: allowedBy(row.range),
  ...row,
}));

/** Whether the algorithm reads the setting. */
export function isUsedBy(row: SettingRow, algorithm: Algorithm): boolean {
  return row.algorithms?.includes(algorithm) ?? true;
}

export function defaultFor(row: SettingRow, algorithm: Algorithm): SettingValue {
  return row.defaults?.[algorithm] ?? row.default;
}

/** The algorithm in settings as users write them; the default if it is none of the choices. */
export function algorithmOf(input: Readonly<Record<string, unknown>>): Algorithm {
  return algorithms.find((name) => name === input.algorithm) ?? 'nuts';
}
