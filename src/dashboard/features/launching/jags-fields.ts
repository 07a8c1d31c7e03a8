/** The settings of a JAGS model for the launch form: JAGS's own, and those common to all runs. */
import {
  jagsKeys,
  jagsRows,
  jagsSampler,
  readJagsSettings,
} from '../../../formats/jags-settings.ts';
import type { SettingField, SettingTexts } from './setting-field.ts';

export const jagsLabels: Readonly<Record<string, string>> = {
  num_adapt: 'Adaptation',
  monitor: 'Monitor',
  modules: 'Modules',
};

const own: Readonly<Record<string, Partial<SettingField>>> = {
  num_warmup: {
    label: 'Burn-in',
    meaning: 'Iterations after the adaptation that are discarded',
  },
  num_samples: { meaning: 'Draws per chain after the burn-in' },
  inits: { meaning: 'Starting values by name, or a list of them, one for each chain.' },
};

const empty: Readonly<Record<string, string>> = { monitor: 'All', modules: 'None' };

export const isJags = (texts: SettingTexts): boolean => texts.sampler === jagsSampler;

/** `common`: the fields of any MCMC run. */
export function jagsFields(common: readonly SettingField[]): readonly SettingField[] {
  const shared = common
    .filter(({ key }) => jagsKeys.includes(key))
    .map((field) => ({ ...field, ...own[field.key] }));
  const rows = jagsRows.map(
    (row): SettingField => ({
      ...row,
      label: jagsLabels[row.key] ?? row.key,
      placeholder: row.default || (empty[row.key] ?? ''),
      input: row.key === 'num_adapt' ? 'number' : 'text',
      choices: [],
      advanced: row.key === 'modules',
    }),
  );
  return [...shared, ...rows];
}

/** The texts of a form for a model with this runtime. */
export function textsFor(env: string, texts: SettingTexts): SettingTexts {
  if (env !== jagsSampler) return texts;
  const defaults = Object.fromEntries(jagsRows.map((row) => [row.key, row.default]));
  return { ...defaults, ...texts, sampler: jagsSampler };
}

/** The settings that a run stored. */
export function jagsTexts(settings: Readonly<Record<string, unknown>>): SettingTexts {
  const stored = jagsRows.flatMap(({ key }): [string, string][] => {
    const value = settings[key];
    if (typeof value !== 'string' && typeof value !== 'number' && !Array.isArray(value)) return [];
    return [[key, String(value)]];
  });
  return Object.fromEntries(stored);
}

/** An error sentence; null if it is valid, or not a JAGS setting. */
export function jagsProblem(key: string, text: string): string | null {
  const row = jagsRows.find((one) => one.key === key);
  if (row === undefined || readJagsSettings({ [key]: text.trim() }, 1).ok) return null;
  return `Must be ${row.allowed}.`;
}
