/** The settings of a launch in a form: text by key, validated by the table that the engine uses. */
import { parseSettings } from '../../../engine/settings.ts';
import {
  type Algorithm,
  algorithmOf,
  defaultFor,
  isUsedBy,
  type SettingRow,
  settingsTable,
} from '../../../engine/settings-table.ts';
import { isJags, jagsFields, jagsLabels, jagsProblem, jagsTexts } from './jags-fields.ts';
import type { SettingField, SettingTexts } from './setting-field.ts';

const labels: Readonly<Record<string, string>> = {
  algorithm: 'Algorithm',
  from: 'Draws of run',
  num_chains: 'Chains',
  num_warmup: 'Warmup',
  warmup_chains: 'Chains that warm up',
  num_samples: 'Samples',
  adapt_delta: 'Target acceptance',
  max_treedepth: 'Max tree depth',
  seed: 'Seed',
  metric: 'Metric',
  adaptation: 'Adaptation',
  sampler: 'Sampler',
  thin: 'Thin',
  init_radius: 'Init radius',
  save_warmup: 'Save warmup',
  parallel_chains: 'Chains at once',
  inits: 'Starting values',
  time_limit: 'Time limit, s',
  timeout: 'Fail after, s',
  iteration_timeout: 'Time limit per iteration, s',
  jacobian: 'Jacobian',
  iter: 'Max iterations',
  history_size: 'History size',
  init_alpha: 'First step',
  tol_obj: 'Tolerance, objective',
  tol_rel_obj: 'Tolerance, relative objective',
  tol_grad: 'Tolerance, gradient',
  tol_rel_grad: 'Tolerance, relative gradient',
  tol_param: 'Tolerance, parameters',
  num_paths: 'Paths',
  num_elbo_draws: 'Draws per ELBO',
  psis_resample: 'Importance resampling',
  approximation: 'Approximation',
  grad_samples: 'Draws per gradient',
  elbo_samples: 'Draws per ELBO',
  eval_elbo: 'Iterations between ELBOs',
  eta: 'Step size scale (eta)',
  adapt_iter: 'Iterations per eta',
  num_simulations: 'Simulations',
  simulated: 'Simulated data or values',
  prior_flag: 'Flag of the prior',
};

export const labelOfSetting = (key: string): string => labels[key] ?? jagsLabels[key] ?? key;

export const algorithmLabels: Readonly<Record<Algorithm, string>> = {
  nuts: 'NUTS',
  optimize: 'Optimize (L-BFGS)',
  laplace: 'Laplace approximation',
  pathfinder: 'Pathfinder',
  advi: 'ADVI',
  fixed_param: 'Fixed parameters',
  generate_quantities: 'Generated quantities only',
  calibration: 'Calibration by simulation',
};

/** The results of each algorithm, and what the verdict checks. */
const algorithmMeanings: Readonly<Record<Algorithm, string>> = {
  nuts: 'Samples the posterior; R-hat and ESS are checked',
  optimize: 'One point, the mode; no uncertainty',
  laplace: 'A normal at the mode; checked by Pareto k',
  pathfinder: 'A quick approximation; checked by Pareto k',
  advi: 'A normal by variational inference; checked by Pareto k',
  fixed_param: 'Only generated quantities, at the starting values',
  generate_quantities: 'At each draw of a finished run with the same parameters',
  calibration: 'Many simulated data sets, each sampled by NUTS; runs when nothing else waits',
};

const choiceLabels: Readonly<Record<string, string>> = {
  ...algorithmLabels,
  meanfield: 'Mean-field',
  fullrank: 'Full-rank',
  fisher: 'Fisher divergence',
  stan: 'Stan’s windows',
};

/** Shorter than the table's, for the fields that are always visible. */
const shortMeanings: Readonly<Record<string, string>> = {
  num_chains: 'Independent runs; 4 is enough to compare',
  num_warmup: 'Draws used for adaptation, then discarded',
  warmup_chains: 'The others start where these have warmed up',
  num_samples: 'Draws per chain after warmup',
  adapt_delta: 'Higher: slower, with fewer divergences',
  max_treedepth: 'A draw takes at most 2 to this power steps',
  adaptation: 'Fisher uses gradients as well as draws',
  sampler: 'WALNUTS divides steps where needed: for funnels',
  seed: 'Chosen at random and recorded',
  from: 'Id of the finished run, such as X1a2B3c4',
  jacobian: 'Finds the mode on the unconstrained scale',
  iter: 'The optimiser stops there',
  num_paths: 'Starting points; 1 for a single path',
  psis_resample: 'Weights the draws of all paths by the posterior',
  approximation: 'Independent parameters, or all covariances',
  num_simulations: 'Data sets drawn from the prior; one chain each',
  simulated: 'Which generated quantity is which: "y: y_rep"; found by name',
  prior_flag: 'In the data: 1 leaves the likelihood out; found by name',
};

/** For calibration: short chains, and draws used by their ranks. */
const calibrationMeanings: Readonly<Record<string, string>> = {
  num_warmup: 'Of each simulation, and of its draw from the prior',
  num_samples: 'Draws per simulation; ranks use as many as its ESS',
};

/** For approximations, where chains are repetitions. */
const fitMeanings: Readonly<Record<string, string>> = {
  num_chains: 'Repetitions from other starting points',
  num_samples: 'Draws per chain',
};

const emptyLabels: Readonly<Record<string, string>> = {
  seed: 'Random',
  parallel_chains: 'All cores',
  warmup_chains: 'All',
  inits: 'Random',
  time_limit: 'None',
  timeout: 'None',
  eta: 'Adapted',
  simulated: 'Found by name',
  prior_flag: 'Found by name',
};

const usual = [
  'algorithm',
  'from',
  'num_chains',
  'num_simulations',
  'num_warmup',
  'num_samples',
  'approximation',
  'num_paths',
  'psis_resample',
  'jacobian',
  'adapt_delta',
  'max_treedepth',
  'iter',
  'seed',
];

const inputs = {
  integer: 'number',
  number: 'number',
  boolean: 'switch',
  choice: 'choice',
  inits: 'text',
  name: 'text',
  pairs: 'text',
  run: 'text',
} as const;

/** The fields of one algorithm in the form's order, the usual ones first. */
function fieldsFor(algorithm: Algorithm): SettingField[] {
  return settingsTable
    .filter((row) => isUsedBy(row, algorithm))
    .map((row) => fieldOf(row, algorithm))
    .toSorted((a, b) => rank(a.key) - rank(b.key));
}

/** A brief summary of the folded settings. */
export function advancedText(texts: SettingTexts): string {
  const algorithm = algorithmOf(texts);
  if (isJags(texts)) return 'Thin, starting values, modules, limits';
  if (algorithm === 'nuts') return 'Metric, sampler, thin, init radius, save warmup, limits';
  if (algorithm === 'calibration') return 'What is simulated, metric, thin, limits';
  if (algorithm === 'generate_quantities') return 'Chains at once, limits';
  if (algorithm === 'fixed_param') return 'Thin, starting values, limits';
  return 'Starting values, tolerances, limits';
}

function fieldOf(row: SettingRow, algorithm: Algorithm): SettingField {
  const { key, range } = row;
  const own =
    algorithm === 'nuts'
      ? undefined
      : (algorithm === 'calibration' ? calibrationMeanings : fitMeanings)[key];
  const value = defaultFor(row, algorithm);
  return {
    key,
    label: labelOfSetting(key),
    meaning:
      key === 'algorithm'
        ? algorithmMeanings[algorithm]
        : (own ?? shortMeanings[key] ?? row.meaning),
    allowed: row.allowed,
    placeholder: value === null ? (emptyLabels[key] ?? 'Not set') : String(value),
    input: inputs[range.type],
    choices:
      range.type === 'choice'
        ? range.choices.map((choice) => ({ value: choice, label: choiceLabels[choice] ?? choice }))
        : [],
    advanced: !usual.includes(key),
  };
}

/**
 * The fields of the chosen algorithm; other algorithms have other settings, and JAGS its own. A low-rank metric has only
 * one kind of adaptation.
 */
export function fieldsOf(texts: SettingTexts): readonly SettingField[] {
  if (isJags(texts)) return jagsFields(fieldsFor('nuts'));
  const fields = fieldsFor(algorithmOf(texts));
  return texts.metric === 'low-rank' ? fields.filter(({ key }) => key !== 'adaptation') : fields;
}

/** The texts for another algorithm: default values become the new algorithm's defaults. */
export function withAlgorithm(texts: SettingTexts, to: string): SettingTexts {
  const before = algorithmOf(texts);
  const after = algorithmOf({ algorithm: to });
  const changed = settingsTable.map((row): [string, string] => {
    const text = texts[row.key] ?? '';
    return [row.key, text === textOf(row, before) ? textOf(row, after) : text];
  });
  return { ...Object.fromEntries(changed), algorithm: to };
}

/** Generated quantities only, for the draws of that run. */
export function readingTexts(from: string): SettingTexts {
  return { ...withAlgorithm(defaultTexts, 'generate_quantities'), from };
}

function textOf(row: SettingRow, algorithm: Algorithm): string {
  const value = defaultFor(row, algorithm);
  return value === null ? '' : String(value);
}

function rank(key: string): number {
  const index = usual.indexOf(key);
  return index < 0 ? usual.length : index;
}

export const defaultTexts: SettingTexts = Object.fromEntries(
  settingsTable.map((row) => [row.key, textOf(row, 'nuts')]),
);

/** Settings stored by a run, as texts. The seed is omitted, so that a new run gets a new one. */
export function textsOfSettings(settings: Readonly<Record<string, unknown>>): SettingTexts {
  const algorithm = algorithmOf(settings);
  const texts = settingsTable.map((row): [string, string] => {
    const value = settings[row.key];
    if (row.key === 'seed') return [row.key, ''];
    if (value === undefined || value === null || !isUsedBy(row, algorithm))
      return [row.key, textOf(row, algorithm)];
    return [row.key, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return { ...Object.fromEntries(texts), ...jagsTexts(settings) };
}

/** What is wrong with a field, as a sentence; null if it is valid. */
export function settingProblem(
  key: string,
  text: string,
  algorithm: Algorithm = 'nuts',
): string | null {
  const value = valueOf(key, text);
  if (value instanceof Error) return `${value.message}.`;
  const parsed = parseSettings({ algorithm, [key]: value });
  if (parsed.ok) return null;
  return `Must be ${parsed.error.allowed}.`;
}

/** Null for an empty field; numbers may be written with spaces between thousands. */
function valueOf(key: string, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const range = settingsTable.find((row) => row.key === key)?.range;
  if (range?.type === 'integer' || range?.type === 'number') {
    const number = Number(trimmed.replace(/[\s\u202f]/g, '').replace('\u2212', '-'));
    return Number.isNaN(number) ? trimmed : number;
  }
  if (range?.type === 'boolean')
    return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed;
  if (range?.type === 'inits' && /^[[{]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed);
    } catch {
      return new Error('This is not valid JSON');
    }
  }
  return trimmed;
}

export function problemsOf(texts: SettingTexts): ReadonlyMap<string, string> {
  const problems = fieldsOf(texts).flatMap(({ key }): [string, string][] => {
    const text = texts[key] ?? '';
    const problem =
      key === 'from' && text.trim() === ''
        ? 'Must be the id of a finished run.'
        : (jagsProblem(key, text) ?? settingProblem(key, text, algorithmOf(texts)));
    return problem === null ? [] : [[key, problem]];
  });
  return new Map(problems);
}

/** The settings sent: every non-empty field of the algorithm. */
export function settingsToSend(texts: SettingTexts): Record<string, unknown> {
  const filled = fieldsOf(texts).flatMap(({ key }): [string, unknown][] => {
    const value = valueOf(key, texts[key] ?? '');
    return value === null || value instanceof Error ? [] : [[key, value]];
  });
  return Object.fromEntries(filled);
}

/** A number from the form, or the default if empty; null if it is not a number. */
export function numberOf(texts: SettingTexts, key: string): number | null {
  const row = settingsTable.find((one) => one.key === key);
  const value = valueOf(key, texts[key] || (row ? textOf(row, algorithmOf(texts)) : ''));
  return typeof value === 'number' ? value : null;
}
