/** The search parameters of a comparison; separate from the page, so that the route stays light. */
import * as z from 'zod/mini';
import { textSearch } from '../../ui/list-search.ts';

/** More than these cannot be distinguished. */
export const mostCompared = 6;

export interface CompareSearch {
  /** Ids separated by commas, in the order of their letters. */
  readonly ids: string;
  /** Id of the experiment that the others are compared with; empty = the first. */
  readonly base: string;
  /** Names of variables, or of entire groups (`theta`); empty = the default ones. */
  readonly vars: readonly string[];
  /** Id whose program is compared with the baseline's; empty = the next one. */
  readonly code: string;
  /** Show every setting, not only differences. */
  readonly all: boolean;
}

/** A bad value falls back, and the page opens. */
export const compareSearchSchema = z.object({
  ids: textSearch,
  base: textSearch,
  vars: z.catch(z._default(z.readonly(z.array(z.string())), []), []),
  code: textSearch,
  all: z.catch(z._default(z.boolean(), false), false),
});

export interface ComparedIds {
  /** At most {@link mostCompared}, each once. */
  readonly ids: readonly string[];
  /** Entries in the address that are not ids of experiments. */
  readonly odd: readonly string[];
  /** Ids beyond the maximum. */
  readonly beyond: number;
}

const idOfExperiment = /^X[0-9A-Za-z]{7,8}$/;

export function readIds(text: string): ComparedIds {
  const parts = [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean);
  const good = parts.filter((part) => idOfExperiment.test(part));
  return {
    ids: good.slice(0, mostCompared),
    odd: parts.filter((part) => !idOfExperiment.test(part)),
    beyond: Math.max(0, good.length - mostCompared),
  };
}

export function writeIds(ids: readonly string[]): string {
  return ids.join(',');
}
