/** The settings of a run of a JAGS model: JAGS's own keys in addition to those of every run. */
import { err, ok, type Result } from '../shared/result.ts';

export interface JagsSettings {
  readonly chains: number;
  /** Iterations in which JAGS tunes its samplers, before the burn-in. */
  readonly adapt: number;
  readonly warmup: number;
  /** Iterations kept, a multiple of `thin`. */
  readonly samples: number;
  readonly thin: number;
  readonly seed: number;
  readonly parallel: number;
  /** Empty: every variable that is not data. */
  readonly monitor: readonly string[];
  /** In addition to JAGS's usual ones, such as `glm`. */
  readonly modules: readonly string[];
  /** One object for all chains, or one per chain. */
  readonly inits: unknown;
}

export interface JagsSettingRow {
  readonly key: string;
  /** As users write it; empty: none. */
  readonly default: string;
  readonly allowed: string;
  readonly meaning: string;
}

/** JAGS's own settings. */
export const jagsRows: readonly JagsSettingRow[] = [
  {
    key: 'num_adapt',
    default: '1000',
    allowed: 'a whole number from 0 to 100000000',
    meaning: 'Iterations before the burn-in in which JAGS tunes its samplers.',
  },
  {
    key: 'monitor',
    default: '',
    allowed: 'names of variables of the model, such as "mu, tau"',
    meaning: 'The variables whose draws are saved. All except data when empty.',
  },
  {
    key: 'modules',
    default: '',
    allowed: 'names of JAGS modules, such as "glm"',
    meaning: 'JAGS modules to load in addition to the usual ones.',
  },
];

/** `sampler` in a run's settings, so that every reader knows how the draws were made and what they lack. */
export const jagsSampler = 'jags';

/** The settings of every run that apply to JAGS. */
export const jagsKeys: readonly string[] = [
  'num_chains',
  'num_warmup',
  'num_samples',
  'thin',
  'seed',
  'parallel_chains',
  'inits',
  'time_limit',
  'timeout',
];

/** From the settings of a run, complete as `readSettingsText` stores them; the error names the key. */
export function readJagsSettings(
  settings: Readonly<Record<string, unknown>>,
  cores: number,
): Result<JagsSettings, string> {
  const whole = (key: string, fallback: number) => {
    const given = settings[key];
    return typeof given === 'number' && Number.isInteger(given) ? given : fallback;
  };
  const own = readOwn(settings);
  if (!own.ok) return own;
  const thin = whole('thin', 1);
  const samples = whole('num_samples', 1000);
  if (samples < thin)
    return err(`num_samples must be at least thin, or no draw is kept (${samples} < ${thin}).`);
  const chains = whole('num_chains', 4);
  return ok({
    chains,
    ...own.value,
    warmup: whole('num_warmup', 1000),
    samples: Math.floor(samples / thin) * thin,
    thin,
    seed: whole('seed', 1),
    parallel: whole('parallel_chains', cores),
    inits: settings.inits ?? null,
  });
}

type Own = Pick<JagsSettings, 'adapt' | 'monitor' | 'modules'>;

function readOwn(settings: Readonly<Record<string, unknown>>): Result<Own, string> {
  const [adaptRow, monitorRow, modulesRow] = jagsRows;
  const given = settings.num_adapt;
  const adapt = Number(
    given === undefined || given === null || given === '' ? adaptRow.default : given,
  );
  const [monitor, modules] = [namesOf(settings.monitor), namesOf(settings.modules)];
  const isWhole = Number.isInteger(adapt) && adapt >= 0 && adapt <= 1e8;
  const wrong = isWhole ? (monitor === null ? monitorRow : modulesRow) : adaptRow;
  if (isWhole && monitor !== null && modules !== null) return ok({ adapt, monitor, modules });
  return err(`${wrong.key} must be ${wrong.allowed}.`);
}

/** Names of variables, and of data that a model can read. */
export const namePattern = /^[A-Za-z][\w.]*$/;

/** A list, or a text with commas; null: something else. */
function namesOf(given: unknown): string[] | null {
  if (given === undefined || given === null) return [];
  const list = typeof given === 'string' ? given.split(',') : given;
  if (!Array.isArray(list)) return null;
  const names = list.map((name: unknown) => String(name).trim()).filter((name) => name !== '');
  return names.every((name) => namePattern.test(name)) ? names : null;
}
