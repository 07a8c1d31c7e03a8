/** The job of moment matching: a thread of the engine carries it out, and each step is written under the lease. */

import type { MomentMatch } from '../../contract/experiment.ts';
import { settingsOfChain } from '../../engine/chain-settings.ts';
import { matchingColumns } from '../../engine/matching/matching-chain.ts';
import { type ChainHandle, startChain } from '../../engine/workers/node-host.ts';
import type { ChainEvent } from '../../engine/workers/protocol.ts';
import { itemAt } from '../../shared/items.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readStored } from '../content/settings-text.ts';
import { holdTask } from '../jobs/hold-task.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import { publishLive } from '../repositories/chains.ts';
import { type Executor, inTransaction, isGiven } from '../repositories/database.ts';
import { type ExperimentRow, findExperimentById, findFrozen } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import {
  claimTask,
  endLease,
  type Lease,
  releaseLease,
  renewLease,
} from '../repositories/tasks.ts';
import type { ChainRunnerDeps } from './chain-runner.ts';
import { matchingTask, storeMatch } from './match-moments.ts';
import { readMatching } from './matching-draws.ts';
import { readProgram, readRunData } from './program.ts';

export interface MatchingDeps
  extends Pick<ChainRunnerDeps, 'logger' | 'workerId' | 'workerUrl' | 'heapMiB'> {
  readonly pool: Executor;
  /** Aborted when the worker ends: the task then waits for another worker. */
  readonly ending?: AbortSignal;
}

/** How often to check whether its owner still wants it. */
const LOOK_MS = 500;
/** Seconds for all observations. */
const LIMIT_SECONDS = 4 * 3600;

type Found = NonNullable<MomentMatch['observations']>[number];

export async function matchMomentsOfRun(
  deps: MatchingDeps,
  experimentId: number,
): Promise<JobOutcome> {
  const { pool, ending } = deps;
  const lease = await claimTask(pool, matchingTask(experimentId), deps.workerId);
  if (lease === null) return { kind: 'done' };
  const row = await findExperimentById(pool, experimentId);
  if (row === null) {
    await endLease(pool, lease);
    return { kind: 'done' };
  }
  await holdTask(deps, lease, async () => {
    const found = await carryOut(deps, row, lease).catch((error: unknown) => {
      deps.logger.error({ err: error, experiment: row.short_id }, 'moment matching failed');
      return err('It failed inside the service.');
    });
    if (found === null && ending?.aborted) await releaseLease(pool, lease);
    // stopped by its owner: the lease is gone, and so is its result
    if (found === null) return;
    await inTransaction(pool, (tx) => storeEnd(tx, { row, lease, found }));
  });
  return { kind: 'done' };
}

/** Null: it was stopped. */
async function carryOut(
  { pool, workerUrl, heapMiB, ending }: MatchingDeps,
  row: ExperimentRow,
  lease: Lease,
): Promise<Result<readonly Found[], string> | null> {
  const read = await readInputs(pool, row);
  if (!read.ok) return read;
  const { observations } = read.value.settings.matching;
  const found: Found[] = [];
  let handle: ChainHandle | null = null;
  const report = async (match: MomentMatch) => {
    const isHeld = await inTransaction(pool, async (tx) => {
      if (!(await renewLease(tx, lease))) return false;
      await storeMatch(tx, row, match);
      await publishLive(tx, row.short_id, 'status');
      return true;
    });
    if (!isHeld) handle?.stop();
  };
  await report({ state: 'running', done: 0, total: 0 });
  handle = startChain({
    ...read.value,
    chain: 1,
    timeout: LIMIT_SECONDS,
    iterationTimeout: LIMIT_SECONDS,
    heapMiB,
    workerUrl,
    onEvent: async (event) => {
      if (event.type !== 'advanced') return;
      found.push(...foundIn(event, observations));
      await report({ state: 'running', done: found.length, total: event.progress.of });
    },
  });
  const stop = () => handle?.stop();
  ending?.addEventListener('abort', stop);
  if (ending?.aborted) stop();
  // one observation may take minutes: a stop need not wait for it
  const looking = setInterval(
    () =>
      void renewLease(pool, lease).then(
        (isHeld) => isHeld || stop(),
        () => {},
      ),
    LOOK_MS,
  );
  const outcome = await handle.done.finally(() => {
    clearInterval(looking);
    ending?.removeEventListener('abort', stop);
  });
  if (outcome.status === 'stopped') return null;
  return outcome.status === 'failed' ? err(outcome.failure.message) : ok(found);
}

async function readInputs(db: Executor, row: ExperimentRow) {
  const frozen = await findFrozen(db, row.id);
  if (!isGiven(frozen?.program) || row.settings === null)
    return err('The program of this run no longer exists.');
  const program = await readProgram(db, frozen.program);
  if (!program.ok) return program;
  const data = await readRunData(db, frozen.dataHash, frozen.dataFmt);
  if (!data.ok) return data;
  const matching = await readMatching(db, row);
  if (!matching.ok) return matching;
  const settings = readStored(row.settings);
  const place = { seed: settings.seed ?? 0, chain: 1, streamWarmup: false };
  return ok({
    source: program.value.source,
    files: program.value.files,
    data: data.value,
    settings: { ...settingsOfChain(settings, place), matching: matching.value },
  });
}

type Advanced = Extract<ChainEvent, { type: 'advanced' }>;

function foundIn({ blocks }: Advanced, observations: readonly string[]): Found[] {
  const finite = (value: number | undefined) =>
    value === undefined || !Number.isFinite(value) ? null : value;
  return blocks.flatMap(({ count, values }) => {
    const at = (column: (typeof matchingColumns)[number], i: number) =>
      values[matchingColumns.indexOf(column) * count + i];
    return Array.from({ length: count }, (_, i) => ({
      variable: itemAt(observations, at('observation__', i) ?? -1),
      pareto_k_before: finite(at('pareto_k_before__', i)),
      pareto_k: finite(at('pareto_k__', i)),
      elpd_loo: finite(at('elpd_loo__', i)),
      moves: at('moves__', i) ?? 0,
    }));
  });
}

interface MatchingEnd {
  readonly row: ExperimentRow;
  readonly lease: Lease;
  readonly found: Result<readonly Found[], string>;
}

async function storeEnd(tx: Executor, { row, lease, found }: MatchingEnd): Promise<void> {
  if (!(await endLease(tx, lease))) return;
  const match: MomentMatch = found.ok
    ? {
        state: 'done',
        done: found.value.length,
        total: found.value.length,
        observations: [...found.value],
      }
    : { state: 'failed', done: 0, total: 0, message: found.error };
  await storeMatch(tx, row, match);
  const text = found.ok
    ? `Moment matching is done: ${found.value.length} observations.\n`
    : `Moment matching failed: ${found.error}\n`;
  await appendLog(tx, { experimentId: row.id, stream: 'platform', text });
  await publishLive(tx, row.short_id, 'status');
}
