/** The log density of a run's program at a point: computed in a thread with limits, a few at a time. */
import type * as z from 'zod/mini';
import type { LogDensity, logDensityRequestSchema } from '../../contract/log-density.ts';
import { settingsOfChain } from '../../engine/chain-settings.ts';
import { type DensityRow, readDensityRow } from '../../engine/density-chain.ts';
import type { DensityPoint } from '../../engine/log-density.ts';
import { startChain } from '../../engine/workers/node-host.ts';
import { readStored } from '../content/settings-text.ts';
import type { CoreContext } from '../context.ts';
import {
  conflict,
  invalidParameter,
  orNotFound,
  rateLimited,
  ServiceError,
} from '../http/service-error.ts';
import { isGiven } from '../repositories/database.ts';
import { findExperimentById, findFrozen } from '../repositories/experiments.ts';
import { readProgram, readRunData } from './program.ts';

/** Seconds, MiB of heap, and bytes of arrays that one request may use. */
const limits = { timeout: 20, heapMiB: 256, arrayBytes: 2 ** 28 };
/** Requests at a time; others must try again. */
const mostAtOnce = 2;
let underway = 0;

/** Throws INVALID_PARAMETER if the point is at fault, CONFLICT if the run has no program, RATE_LIMITED when busy. */
export async function logDensityOf(
  { pool }: Pick<CoreContext, 'pool'>,
  experimentId: number,
  request: z.output<typeof logDensityRequestSchema>,
): Promise<LogDensity> {
  const point = pointOf(request);
  const row = orNotFound(await findExperimentById(pool, experimentId));
  const frozen = await findFrozen(pool, experimentId);
  if (row.settings === null || !isGiven(frozen?.program))
    throw conflict(
      'This run was not made here from a Stan program, so there is no log density to compute.',
    );
  const program = await readProgram(pool, frozen.program);
  if (!program.ok) throw conflict(program.error);
  const data = await readRunData(pool, frozen.dataHash, frozen.dataFmt);
  if (!data.ok) throw conflict(data.error);
  const settings = readStored(row.settings);
  const place = { seed: settings.seed ?? 0, chain: 1, streamWarmup: false };
  return toWire(
    await computeOne({
      source: program.value.source,
      files: program.value.files,
      data: data.value,
      settings: { ...settingsOfChain(settings, place), density: point },
    }),
  );
}

function pointOf({ point, unconstrained }: z.output<typeof logDensityRequestSchema>): DensityPoint {
  if (isGiven(point) === isGiven(unconstrained))
    throw invalidParameter(
      'Send either point, values by parameter, or unconstrained, a list of all free values.',
      { field: 'point' },
    );
  return isGiven(point) ? { constrained: point } : { unconstrained: unconstrained ?? [] };
}

type Task = Pick<Parameters<typeof startChain>[0], 'source' | 'files' | 'data' | 'settings'>;

async function computeOne(task: Task): Promise<DensityRow> {
  if (underway >= mostAtOnce)
    throw rateLimited('Other log densities are being computed. Try again.', 2);
  underway += 1;
  try {
    let columns: readonly string[] = [];
    let found: DensityRow | null = null;
    const handle = startChain({
      ...task,
      ...limits,
      chain: 1,
      iterationTimeout: limits.timeout,
      onEvent: (event) => {
        if (event.type === 'started') columns = event.columns;
        if (event.type === 'advanced')
          for (const block of event.blocks) found = readDensityRow(columns, block);
      },
    });
    const outcome = await handle.done;
    if (outcome.status === 'failed')
      throw invalidParameter(outcome.failure.message, { field: 'point' });
    if (found === null) throw new ServiceError('INTERNAL', 'The log density was not computed.');
    return found;
  } finally {
    underway -= 1;
  }
}

function toWire({ names, unconstrained, withJacobian, withoutJacobian }: DensityRow): LogDensity {
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  const density = ({ lp, gradient }: DensityRow['withJacobian']) => ({
    lp: finite(lp),
    gradient: Array.from(gradient, finite),
  });
  return {
    names: [...names],
    unconstrained: [...unconstrained],
    with_jacobian: density(withJacobian),
    without_jacobian: density(withoutJacobian),
  };
}
