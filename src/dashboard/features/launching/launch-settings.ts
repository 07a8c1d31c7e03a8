/** The settings of a launch as a form has them: text by key, checked by the table that the engine uses. */
import { parseSettings, settingsTable } from '../../../engine/settings.ts';

/** Text by key as users write it; empty or absent: the default. */
export type SettingTexts = Readonly<Record<string, string>>;

export interface SettingField {
  readonly key: string;
  readonly label: string;
  readonly meaning: string;
  readonly allowed: string;
  /** What an empty field means, as the field shows it. */
  readonly placeholder: string;
  readonly input: 'number' | 'choice' | 'switch' | 'text';
  readonly choices: readonly string[];
  readonly advanced: boolean;
}

const labels: Readonly<Record<string, string>> = {
  num_chains: 'Chains',
  num_warmup: 'Warmup',
  num_samples: 'Samples',
  adapt_delta: 'Target acceptance',
  max_treedepth: 'Max tree depth',
  seed: 'Seed',
  metric: 'Metric',
  thin: 'Thin',
  init_radius: 'Init radius',
  save_warmup: 'Save warmup',
  parallel_chains: 'Chains at once',
  inits: 'Starting values',
  timeout: 'Time limit per chain, s',
  iteration_timeout: 'Time limit per iteration, s',
};

/** Shorter than the table's, for the fields that everybody sees. */
const shortMeanings: Readonly<Record<string, string>> = {
  num_chains: 'Independent runs; 4 is enough to compare',
  num_warmup: 'Draws used for adaptation, then discarded',
  num_samples: 'Draws per chain after warmup',
  adapt_delta: 'Higher: slower, with fewer divergences',
  max_treedepth: 'A draw takes at most 2 to this power steps',
  seed: 'Chosen at random and recorded',
};

const emptyLabels: Readonly<Record<string, string>> = {
  seed: 'Random',
  parallel_chains: 'All cores',
  inits: 'Random',
  timeout: 'None',
};

const usual = ['num_chains', 'num_warmup', 'num_samples', 'adapt_delta', 'max_treedepth', 'seed'];

/** In the order of the form; the usual ones first. */
export const settingFields: readonly SettingField[] = settingsTable
  .map((row): SettingField => {
    const { range } = row;
    return {
      key: row.key,
      label: labels[row.key] ?? row.key,
      meaning: shortMeanings[row.key] ?? row.meaning,
      allowed: row.allowed,
      placeholder: row.default === null ? (emptyLabels[row.key] ?? 'Not set') : String(row.default),
      input: {
        integer: 'number',
        number: 'number',
        boolean: 'switch',
        choice: 'choice',
        inits: 'text',
      }[range.type] as SettingField['input'],
      choices: range.type === 'choice' ? range.choices : [],
      advanced: !usual.includes(row.key),
    };
  })
  .toSorted((a, b) => rank(a.key) - rank(b.key));

function rank(key: string): number {
  const index = usual.indexOf(key);
  return index < 0 ? usual.length : index;
}

export const defaultTexts: SettingTexts = Object.fromEntries(
  settingsTable.map((row) => [row.key, row.default === null ? '' : String(row.default)]),
);

/** Settings as a run stored them, as texts. The seed is left out: a new run is a new one. */
export function textsOfSettings(settings: Readonly<Record<string, unknown>>): SettingTexts {
  const texts = settingsTable.map((row): [string, string] => {
    const value = settings[row.key];
    if (row.key === 'seed') return [row.key, ''];
    if (value === undefined || value === null) return [row.key, defaultTexts[row.key] ?? ''];
    return [row.key, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return Object.fromEntries(texts);
}

/** What is wrong with a field, as a sentence; null when it is fine. */
export function settingProblem(key: string, text: string): string | null {
  const value = valueOf(key, text);
  if (value instanceof Error) return `${value.message}.`;
  const parsed = parseSettings({ [key]: value });
  if (parsed.ok) return null;
  return `Must be ${parsed.error.allowed}.`;
}

/** Null for an empty field; numbers may be written with blanks between thousands. */
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
  const problems = settingsTable.flatMap(({ key }): [string, string][] => {
    const problem = settingProblem(key, texts[key] ?? '');
    return problem === null ? [] : [[key, problem]];
  });
  return new Map(problems);
}

/** What is sent: every field that is filled in. */
export function settingsToSend(texts: SettingTexts): Record<string, unknown> {
  const filled = settingsTable.flatMap(({ key }): [string, unknown][] => {
    const value = valueOf(key, texts[key] ?? '');
    return value === null || value instanceof Error ? [] : [[key, value]];
  });
  return Object.fromEntries(filled);
}

/** A number of the form, the default where it is empty; null where it is no number. */
export function numberOf(texts: SettingTexts, key: string): number | null {
  const value = valueOf(key, texts[key] || (defaultTexts[key] ?? ''));
  return typeof value === 'number' ? value : null;
}
