/** Decides, each time a chain ends, whether the run is over, and hands it to the finaliser. */
import type pg from 'pg';
import { publish } from '../facts/publish.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import {
  type ChainEnd,
  type ChainPlace,
  lockChains,
  publishLive,
  releaseChain,
  updateDesiredState,
} from '../repositories/chains.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
  updateExperiment,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { listStalledRuns, stopStranded } from '../repositories/stalled-runs.ts';
import { isFailureOfRun, type RunError } from './failure-scope.ts';

/**
 * Writes how a chain ended and what that means for its run: an error that every chain would meet stops the others
 * immediately, whether they wait or run. False: the lease is lost, and the transaction must be rolled back.
 */
export async function endChain(
  tx: Executor,
  queue: JobQueue,
  { place, end }: { readonly place: ChainPlace; readonly end: ChainEnd },
): Promise<boolean> {
  const { experiment_id: experimentId } = place;
  if (!(await releaseChain(tx, place, end))) return false;
  if (end.state === 'failed' && isFailureOfRun(end.errorCode)) {
    await updateDesiredState(tx, experimentId, 'stop');
    // the reason is known now; the running chains may take seconds to stop
    const error = { code: end.errorCode, message: end.errorMessage ?? '' };
    await updateExperiment(tx, experimentId, { meta: { error } });
  }
  await endRunIfOver(tx, queue, experimentId);
  return true;
}

/** Call inside the transaction that changed a chain. Does nothing while a chain waits, runs or is paused. */
export async function endRunIfOver(
  tx: Executor,
  queue: JobQueue,
  experimentId: number,
): Promise<void> {
  const chains = await lockChains(tx, experimentId);
  const isOpen = chains.some((chain) =>
    ['queued', 'running', 'paused', 'outside'].includes(chain.state),
  );
  if (isOpen) return;
  await handToFinaliser(tx, queue, experimentId);
}

/** The error of a run whose chains were never queued. */
const NEVER_ORDERED: RunError = {
  code: 'NOT_STARTED',
  message: 'This run was never started: it has no chains. Run it again.',
};

/** Ends every run that has no work left, whatever interrupted its end. */
export async function endStalledRuns(pool: pg.Pool, queue: JobQueue): Promise<void> {
  for (const { id, hasChains } of await listStalledRuns(pool)) {
    await inTransaction(pool, async (tx) => {
      if (!hasChains) return failRun(tx, id, NEVER_ORDERED);
      await lockChains(tx, id);
      await stopStranded(tx, id);
      await endRunIfOver(tx, queue, id);
    });
  }
}

/** Sampling is done, ours or an outside runner's: counts, statistics and verdict come next. */
async function handToFinaliser(tx: Executor, queue: JobQueue, experimentId: number): Promise<void> {
  const experiment = await findExperimentById(tx, experimentId);
  if (experiment === null) return;
  const meta: Record<string, unknown> = { run_info: { status: 'SAMPLE_FIN' } };
  if (experiment.meta.action === 'stopping') meta.action = 'stopped';
  await updateExperiment(tx, experimentId, { status: 'SAMPLE_FIN', meta });
  await queue.send('finalise', { experimentId }, { tx, key: String(experimentId) });
  await publishLive(tx, experiment.short_id, 'status');
}

/**
 * Ends a run that cannot continue, without statistics, because there is nothing to finalise. Call in the transaction
 * that detected it.
 */
export async function failRun(tx: Executor, experimentId: number, error: RunError): Promise<void> {
  const experiment = await findExperimentById(tx, experimentId);
  if (experiment === null) return;
  const text = `Ended with an error: ${error.message}\n`;
  await appendLog(tx, { experimentId, stream: 'platform', text });
  await markFailed(tx, experiment, error);
  await publish(tx, { kind: 'run_ended', experiment, ending: { failure: error.message } });
}

/** Ends a run that cannot begin; `log` is what its log says of it. */
export async function refuseRun(
  tx: Executor,
  experiment: ExperimentRow,
  error: RunError,
  log = error.message,
): Promise<ExperimentRow> {
  await appendLog(tx, { experimentId: experiment.id, stream: 'stdlog', text: `${log}\n` });
  const failed = await markFailed(tx, experiment, error);
  await publish(tx, { kind: 'run_ended', experiment, ending: { failure: error.message } });
  return failed;
}

/** The run's row only: the caller publishes it. */
async function markFailed(
  tx: Executor,
  experiment: ExperimentRow,
  error: RunError,
): Promise<ExperimentRow> {
  const meta = { error, run_info: { status: 'ERR' } };
  await updateExperiment(tx, experiment.id, { status: 'ERR', meta });
  await publishLive(tx, experiment.short_id, 'status');
  return { ...experiment, status: 'ERR' };
}
