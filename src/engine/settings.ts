/** The settings of a run: one table of keys with default, range and meaning. Imports nothing, so any room may use it. */

export interface Settings {
  readonly numChains: number;
  readonly numWarmup: number;
  readonly numSamples: number;
  readonly thin: number;
  /** Null: to be chosen at random and recorded by the caller that starts the run. */
  readonly seed: number | null;
  readonly initRadius: number;
  readonly adaptDelta: number;
  readonly maxTreeDepth: number;
  readonly metric: 'diag' | 'dense' | 'unit';
  readonly saveWarmup: boolean;
  /** Chains at once; null: as many as the machine has cores. */
  readonly parallelChains: number | null;
  /** Values on the constrained scale by name, one object for all chains or one a chain; a string is a data id. */
  readonly inits: Readonly<Record<string, unknown>> | readonly unknown[] | string | null;
  /** Seconds a chain may run, pauses left out; null: no limit. */
  readonly timeout: number | null;
  /** Seconds one iteration of a chain may take. */
  readonly iterationTimeout: number;
}

export type SettingProperty = keyof Settings;

export type SettingRange =
  | { readonly type: 'integer' | 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  | { readonly type: 'inits' };

export interface SettingRow {
  /** As users write it. */
  readonly key: string;
  /** Older name; `key` beats it. */
  readonly alias?: string;
  readonly property: SettingProperty;
  readonly range: SettingRange;
  /** Null: empty unless given. */
  readonly default: number | string | boolean | null;
  /** The range as text, for messages and forms. */
  readonly allowed: string;
  readonly meaning: string;
}

const integer = (min: number, max: number): SettingRange => ({ type: 'integer', min, max });
const number = (min: number, max: number): SettingRange => ({ type: 'number', min, max });
/** The smallest positive double: for ranges that exclude 0. */
const above0 = Number.MIN_VALUE;
const below1 = 1 - Number.EPSILON / 2;

export const settingsTable: readonly SettingRow[] = [
  {
    key: 'num_chains',
    property: 'numChains',
    range: integer(1, 256),
    default: 4,
    allowed: 'a whole number from 1 to 256',
    meaning: 'Chains, each from its own starting point and random stream.',
  },
  {
    key: 'num_warmup',
    property: 'numWarmup',
    range: integer(0, 1e8),
    default: 1000,
    allowed: 'a whole number from 0 to 100000000',
    meaning: 'Iterations before sampling that tune step size and metric.',
  },
  {
    key: 'num_samples',
    alias: 'iteration_count',
    property: 'numSamples',
    range: integer(0, 1e8),
    default: 1000,
    allowed: 'a whole number from 0 to 100000000',
    meaning: 'Iterations of each chain after warmup.',
  },
  {
    key: 'thin',
    property: 'thin',
    range: integer(1, 1e6),
    default: 1,
    allowed: 'a whole number from 1 to 1000000',
    meaning: 'Keeps every nth iteration; 1 keeps all.',
  },
  {
    key: 'seed',
    property: 'seed',
    range: integer(0, 2 ** 32 - 1),
    default: null,
    allowed: 'a whole number from 0 to 4294967295',
    meaning: 'The same seed gives the same draws. Chosen at random and recorded when empty.',
  },
  {
    key: 'init_radius',
    property: 'initRadius',
    range: number(0, 1e6),
    default: 2,
    allowed: 'a number from 0 to 1000000',
    meaning: 'Starting points are uniform between −radius and radius on the unconstrained scale.',
  },
  {
    key: 'adapt_delta',
    property: 'adaptDelta',
    range: number(above0, below1),
    default: 0.8,
    allowed: 'a number between 0 and 1 (exclusive)',
    meaning:
      'Target acceptance rate of the adaptation. A higher value gives smaller steps and fewer divergent transitions.',
  },
  {
    key: 'max_treedepth',
    property: 'maxTreeDepth',
    range: integer(1, 20),
    default: 10,
    allowed: 'a whole number from 1 to 20',
    meaning:
      'Maximum number of doublings of a trajectory: one iteration takes fewer than 2^depth steps.',
  },
  {
    key: 'metric',
    property: 'metric',
    range: { type: 'choice', choices: ['diag', 'dense', 'unit'] },
    default: 'diag',
    allowed: 'diag, dense or unit',
    meaning: 'What warmup estimates for the metric: variances, covariances, or nothing.',
  },
  {
    key: 'save_warmup',
    property: 'saveWarmup',
    range: { type: 'boolean' },
    default: false,
    allowed: 'true or false',
    meaning: 'Keeps the warmup draws after the run.',
  },
  {
    key: 'parallel_chains',
    property: 'parallelChains',
    range: integer(1, 256),
    default: null,
    allowed: 'a whole number from 1 to 256',
    meaning: 'Chains that run in parallel. As many as there are cores when empty.',
  },
  {
    key: 'inits',
    property: 'inits',
    range: { type: 'inits' },
    default: null,
    allowed:
      'an object of values by parameter name, a list of such objects (one per chain), or a data id',
    meaning:
      'Starting values on the constrained scale. Parameters that are not named start at random values.',
  },
  {
    key: 'timeout',
    property: 'timeout',
    range: number(above0, 1e9),
    default: null,
    allowed: 'a number of seconds greater than 0',
    meaning: 'A chain that runs longer ends with an error. No limit when empty.',
  },
  {
    key: 'iteration_timeout',
    property: 'iterationTimeout',
    range: number(above0, 1e9),
    default: 600,
    allowed: 'a number of seconds greater than 0',
    meaning: 'A chain whose iteration takes longer ends with an error.',
  },
];

/** Names the key at fault and what it may be. */
export interface SettingError {
  readonly key: string;
  readonly message: string;
  readonly allowed: string;
}

export type ParsedSettings =
  | { readonly ok: true; readonly settings: Settings; readonly unknown: readonly string[] }
  | { readonly ok: false; readonly error: SettingError };

/**
 * Reads keys as users write them (`num_chains`, …). Absent, null and empty values take the default; numbers may come as
 * text; unknown keys are returned in `unknown`, for a log.
 */
export function parseSettings(input: unknown): ParsedSettings {
  if (input === undefined || input === null) return parseSettings({});
  if (typeof input !== 'object' || Array.isArray(input)) {
    const allowed = 'an object of settings';
    return {
      ok: false,
      error: { key: 'sampling', message: `sampling must be ${allowed}`, allowed },
    };
  }
  const given = new Map(Object.entries(input));
  const settings: Partial<Record<SettingProperty, unknown>> = {};
  for (const row of settingsTable) {
    const name = row.alias !== undefined && isEmpty(given.get(row.key)) ? row.alias : row.key;
    const raw = given.get(name);
    given.delete(row.key);
    if (row.alias !== undefined) given.delete(row.alias);
    if (isEmpty(raw)) {
      settings[row.property] = row.default;
      continue;
    }
    const value = readValue(row.range, raw);
    if (value === undefined) {
      const message = `${name} must be ${row.allowed}, not ${describe(raw)}`;
      return { ok: false, error: { key: name, message, allowed: row.allowed } };
    }
    settings[row.property] = value;
  }
  // every property has a row in the table (a test checks it), so the record is whole
  return { ok: true, settings: settings as unknown as Settings, unknown: [...given.keys()] };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The value in its type, or undefined when it is of another type or out of range. */
function readValue(range: SettingRange, raw: unknown): unknown {
  switch (range.type) {
    case 'integer':
    case 'number': {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
      if (typeof value !== 'number' || !(value >= range.min && value <= range.max))
        return undefined;
      return range.type === 'integer' && !Number.isInteger(value) ? undefined : value;
    }
    case 'boolean':
      if (raw === 'true' || raw === 'false') return raw === 'true';
      return typeof raw === 'boolean' ? raw : undefined;
    case 'choice':
      return typeof raw === 'string' && range.choices.includes(raw) ? raw : undefined;
    case 'inits':
      return typeof raw === 'string' || areInits(raw) ? raw : undefined;
  }
}

function areInits(raw: unknown): boolean {
  const isRecord = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Array.isArray(raw) ? raw.length > 0 && raw.every(isRecord) : isRecord(raw);
}

function describe(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : shown(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** As JSON, except for values that JSON cannot hold. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return 'an object that contains itself';
  }
}

export const defaultSettings: Settings = (() => {
  const parsed = parseSettings({});
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.settings;
})();
