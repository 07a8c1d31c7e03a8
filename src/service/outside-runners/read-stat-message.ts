/** Statistics that a runner sends at intervals for each chain, reduced to a small size. */
import type * as z from 'zod/mini';
import type { nsampleStatSchema } from '../../contract/runner.ts';
import { checkChainName } from './read-draws-message.ts';

export interface ChainStat {
  readonly n_sample: number;
  /** By variable, as sent: mostly [name of the statistic, number]; a number that is not finite is null. */
  readonly stat: Readonly<Record<string, unknown>>;
}

/** Variables with stored statistics per chain: for a glance at the run, as the draws have the rest. */
const maxVariables = 200;
/** Characters of a variable's name, and of its statistics as JSON; longer ones are left out. */
const maxName = 200;
const maxValue = 400;

export function readStat(message: z.output<typeof nsampleStatSchema>): {
  readonly chain: string;
  readonly stat: ChainStat;
} {
  const { chain_name: chain, n_sample, stat: sent } = message;
  checkChainName(chain);
  const kept: [string, unknown][] = [];
  for (const [variable, value] of Object.entries(sent)) {
    if (kept.length === maxVariables) break;
    const text = JSON.stringify(value) ?? 'null';
    if (text.length <= maxValue) kept.push([variable.slice(0, maxName), JSON.parse(text)]);
  }
  return { chain, stat: { n_sample, stat: Object.fromEntries(kept) } };
}
