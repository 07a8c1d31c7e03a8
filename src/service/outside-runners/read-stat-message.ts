/** Statistics that a runner sends at intervals for each chain, kept small. */
import type * as z from 'zod/mini';
import type { nsampleStatSchema } from '../../contract/runner.ts';
import { invalidParameter } from '../http/service-error.ts';
import { checkChainName } from './read-draws-message.ts';

export interface ChainStat {
  readonly n_sample: number;
  /** Variable → [name of the statistic, its value; null: not finite]. */
  readonly stat: Readonly<Record<string, readonly [string, number | null]>>;
}

/** Variables whose statistics are kept a chain: a glance at the run, the draws have the rest. */
const maxVariables = 200;
const maxLength = 200;

export function readStat(message: z.output<typeof nsampleStatSchema>): {
  readonly chain: string;
  readonly stat: ChainStat;
} {
  const { chain_name: chain, n_sample } = message;
  checkChainName(chain);
  const pairs = Object.entries(message.stat).map(([variable, value]) => {
    const [name, number] = Array.isArray(value) ? (value as unknown[]) : [];
    if (typeof name !== 'string' || !(typeof number === 'number' || number === null)) {
      const field = `payload.stat.${variable.slice(0, 100)}`;
      throw invalidParameter(`${field} must be the name of a statistic and a number.`, { field });
    }
    const pair = [name.slice(0, maxLength), Number.isFinite(number) ? number : null] as const;
    return [variable.slice(0, maxLength), pair] as const;
  });
  return { chain, stat: { n_sample, stat: Object.fromEntries(pairs.slice(0, maxVariables)) } };
}
