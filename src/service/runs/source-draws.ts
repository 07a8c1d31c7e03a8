/** The finished run whose draws `generate_quantities` reads: frozen when the run is made, read when a chain begins. */

import type { SourceDraws } from '../../engine/chain-state.ts';
import { countWarmups } from '../../engine/shared-warmup.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { type RunSettings, readStored } from '../content/settings-text.ts';
import { invalidParameter } from '../http/service-error.ts';
import { countIterations } from '../repositories/count-draws.ts';
import type { Executor } from '../repositories/database.ts';
import { type DrawColumn, listColumns, readDraws } from '../repositories/draws.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import { findExperiment } from '../repositories/experiments.ts';

type Stored = Readonly<Record<string, unknown>>;

/** A chain of the source and its number of draws. Each becomes a chain of the new run, in the order of the list. */
interface SourceChain {
  readonly name: string;
  readonly draws: number;
}

/** Settings with the chains and draws of the source fixed from now on. */
export async function freezeSource(
  db: Executor,
  run: RunSettings,
  ownerId: number,
): Promise<RunSettings> {
  const { algorithm, from } = run.settings;
  if (algorithm !== 'generate_quantities') return run;
  if (from === null)
    throw invalidParameter('sampling.from must be the id of a finished run: its draws are read.');
  const source = await findExperiment(db, from);
  if (source === null || source.owner_id !== ownerId)
    throw invalidParameter(`sampling.from names ${from}, but there is no such run of yours.`);
  if (source.status !== 'FIN' && source.status !== 'ERR')
    throw invalidParameter(`sampling.from names ${from}, which has not finished.`);
  const leftOut = chainsLeftOut(source.meta);
  const counts = [...(await countIterations(db, source.id))];
  // a list, since the database does not keep the order of keys
  const chains = counts.flatMap(([name, draws]): SourceChain[] =>
    leftOut.includes(name) ? [] : [{ name, draws }],
  );
  if (chains.length === 0)
    throw invalidParameter(`sampling.from names ${from}, which has no draws.`);
  const depth = source.meta.settings?.max_treedepth;
  return {
    ...run,
    stored: {
      ...run.stored,
      num_chains: chains.length,
      num_warmup: 0,
      num_samples: Math.max(...chains.map(({ draws }) => draws)),
      from_chains: chains,
      // tree depths are read with the draws, and judged by the limit of their run
      ...(typeof depth === 'number' ? { max_treedepth: depth } : {}),
    },
  };
}

/** Number of chains of a run, and the iterations of each. */
export function plannedChains(stored: Stored): { count: number; iterations: readonly number[] } {
  const chains = sourceChains(stored);
  const settings = readStored(stored);
  const { numWarmup, numSamples } = settings;
  // chains that start from the warmup of others are added when it has ended
  const numFirst = countWarmups(settings);
  const iterations =
    chains === null
      ? Array<number>(numFirst).fill(numWarmup + numSamples)
      : chains.map(({ draws }) => draws);
  return { count: iterations.length, iterations };
}

function sourceChains({ algorithm, from_chains: chains }: Stored): readonly SourceChain[] | null {
  if (algorithm !== 'generate_quantities' || typeof chains !== 'object' || chains === null)
    return null;
  if (Array.isArray(chains)) return chains as SourceChain[];
  // runs of earlier versions have counts by name
  return Object.entries(chains).map(([name, draws]) => ({ name, draws: Number(draws) }));
}

/** For a chain (1-based) of a run with these settings; null if it reads none. The error is for users. */
export async function readSourceDraws(
  db: Executor,
  stored: Stored,
  chain: number,
): Promise<Result<SourceDraws | null, string>> {
  const chains = sourceChains(stored);
  if (chains === null) return ok(null);
  const id = String(stored.from);
  const source = await findExperiment(db, id);
  const read = chains[chain - 1];
  if (source === null || read === undefined)
    return err(`The draws of ${id}, which this run reads, no longer exist.`);
  const { name, draws: count } = read;
  const { columns, isParametersOnly } = neededColumns(await listColumns(db, source.id));
  const segments = await readDraws(db, {
    experimentId: source.id,
    variables: columns,
    chains: [name],
  });
  const lengths = new Map<string, number>();
  for (const { variable, values } of segments)
    lengths.set(variable, (lengths.get(variable) ?? 0) + values.length);
  // a column that only some draws have does not belong to the program
  const kept = columns.filter((column) => (lengths.get(column) ?? 0) >= count);
  if (kept.length === 0) return err(`The draws of ${id}, which this run reads, no longer exist.`);
  const values = new Float64Array(kept.length * count);
  const places = new Map(
    kept.map((column, c) => [column, { next: c * count, end: (c + 1) * count }]),
  );
  // a chain with gaps has several segments; draws that came after this run was made are not read
  for (const segment of segments) {
    const place = places.get(segment.variable);
    if (place === undefined) continue;
    const part = segment.values.subarray(0, place.end - place.next);
    values.set(part, place.next);
    place.next += part.length;
  }
  return ok({ columns: kept, count, values, isParametersOnly });
}

/** The sampler's columns and the parameters, if it is known which these are. */
function neededColumns(all: readonly DrawColumn[]): {
  columns: readonly string[];
  isParametersOnly: boolean;
} {
  const isParametersOnly = all.some(({ block }) => block !== undefined);
  const isOwn = ({ name }: DrawColumn) => isSamplerColumn(name) || name === 'lp__';
  const needed = isParametersOnly
    ? all.filter((column) => isOwn(column) || column.block === 'parameters')
    : all;
  return { columns: needed.map(({ name }) => name), isParametersOnly };
}
