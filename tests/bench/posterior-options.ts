/** Shared by measurements of reference posteriors: options, which posteriors are selected, how each is sampled. */
import { compileModel } from '../../src/engine/compile-model.ts';
import type { Model } from '../../src/engine/model.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import type { Settings } from '../../src/engine/settings-table.ts';
import {
  initRadii,
  type ReferencePosterior,
  readData,
  readProgram,
} from '../support/posteriordb.ts';

/** A folder in posteriordb's layout, with the data sets that are too large to be stored here. */
export const referenceOption = {
  type: 'string',
  default: process.env.ERGODIC_POSTERIORDB,
} as const;

/** Whether one of the words matches it, even in part; without words, all are selected. */
export function isNamed(name: string, words: readonly string[]): boolean {
  return words.length === 0 || words.some((word) => name.includes(word));
}

/** As for its reference draws, except for what is measured. */
export function settingsFor(posterior: ReferencePosterior, own: Partial<Settings>): Settings {
  return {
    ...defaultSettings,
    initRadius: initRadii[posterior.model] ?? defaultSettings.initRadius,
    adaptDelta: posterior.adapt_delta,
    maxTreeDepth: posterior.max_treedepth,
    ...own,
  };
}

/** Null if its data are not here. */
export function modelFor(posterior: ReferencePosterior, folder?: string): Model | null {
  const data = readData(posterior.data, folder);
  if (data === null) return null;
  const source = readProgram(posterior.model);
  const compiled = compileModel({ source, data, rng: openStream(1, 1, 'transformed-data') });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.model;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
