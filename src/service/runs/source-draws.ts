/** The finished run whose draws `generate_quantities` reads: frozen when the run is made, read when a chain begins. */

import type { SourceDraws } from '../../engine/chain-state.ts';
import { countWarmups } from '../../engine/shared-warmup.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { type RunSettings, readStored } from '../content/settings-text.ts';
import { invalidParameter } from '../http/service-error.ts';
import type { Executor } from '../repositories/database.ts';
import { type DrawColumn, listBounds, listColumns, readDraws } from '../repositories/draws.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import { findExperiment } from '../repositories/experiments.ts';

type Stored = Readonly<Record<string, unknown>>;

/** Number of draws by the name of the source's chain: each becomes a chain of the new run, in this order. */
type SourceChains = Readonly<Record<string, number>>;

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
  const bounds = (await listBounds(db, source.id)).filter(
    ({ name, sampling }) => sampling > 0 && !leftOut.includes(name),
  );
  if (bounds.length === 0)
    throw invalidParameter(`sampling.from names ${from}, which has no draws.`);
  const chains: SourceChains = Object.fromEntries(
    bounds.map(({ name, sampling }) => [name, sampling]),
  );
  const depth = source.meta.settings?.max_treedepth;
  return {
    ...run,
    stored: {
      ...run.stored,
      num_chains: bounds.length,
      num_warmup: 0,
      num_samples: Math.max(...Object.values(chains)),
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
    chains === null ? Array<number>(numFirst).fill(numWarmup + numSamples) : Object.values(chains);
  return { count: iterations.length, iterations };
}

function sourceChains({ algorithm, from_chains: chains }: Stored): SourceChains | null {
  const isGenerated = algorithm === 'generate_quantities';
  return isGenerated && typeof chains === 'object' && chains !== null
    ? (chains as SourceChains)
    : null;
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
  const [name, count] = Object.entries(chains)[chain - 1] ?? [];
  if (source === null || name === undefined || count === undefined)
    return err(`The draws of ${id}, which this run reads, no longer exist.`);
  const { columns, isParametersOnly } = neededColumns(await listColumns(db, source.id));
  const segments = await readDraws(db, {
    experimentId: source.id,
    variables: columns,
    chains: [name],
    to: count,
  });
  const whole = new Map(
    segments
      .filter((segment) => segment.firstIteration === 1 && segment.values.length === count)
      .map((segment) => [segment.variable, segment.values]),
  );
  if (whole.size === 0) return err(`The draws of ${id}, which this run reads, no longer exist.`);
  // a column that only some draws have does not belong to the program
  const kept = columns.filter((column) => whole.has(column));
  const values = new Float64Array(kept.length * count);
  kept.forEach((column, c) => values.set(whole.get(column) ?? [], c * count));
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
