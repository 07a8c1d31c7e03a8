/** Judges, each time a chain ends, whether the run is over, and hands it to the finaliser. */
import type { JobQueue } from '../jobs/job-queue.ts';
import { lockChains, tellLive, updateWish } from '../repositories/chains.ts';
import type { Executor } from '../repositories/database.ts';
import { findExperimentById, updateExperiment } from '../repositories/experiments.ts';

/**
 * Call inside the transaction that changed a chain. Nothing happens while a chain waits, runs or is paused. A run whose
 * program is at fault ends as a whole: its other chains would fail alike.
 */
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

/** Sampling is done, ours or an outside runner's: counts, statistics and verdict come next. */
export async function handToFinaliser(
  tx: Executor,
  queue: JobQueue,
  experimentId: number,
): Promise<void> {
  const experiment = await findExperimentById(tx, experimentId);
  if (experiment === null) return;
  const meta: Record<string, unknown> = { run_info: { status: 'SAMPLE_FIN' } };
  if (experiment.meta.action === 'stopping') meta.action = 'stopped';
  await updateExperiment(tx, experimentId, { status: 'SAMPLE_FIN', meta });
  await queue.send('finalise', { experimentId }, { tx, key: String(experimentId) });
  await tellLive(tx, experiment.short_id, 'status');
}

/** Tells the other chains of a run to end, because what failed one would fail them all. */
export async function stopSiblings(tx: Executor, experimentId: number): Promise<void> {
  await updateWish(tx, experimentId, 'stop');
}
