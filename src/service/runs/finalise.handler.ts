/** Ends a run: drops warmup, joins batches, makes counts, statistics, verdict; then `FIN`, or `ERR` with the reason. */
import type pg from 'pg';
import { withLabels } from '../../posterior/labelled-verdict.ts';
import { readLabels } from '../../posterior/variable-labels.ts';
import { headlineOf } from '../../posterior/verdict-label.ts';
import { publish } from '../facts/publish.ts';
import type { JobOutcome } from '../jobs/job-queue.ts';
import { type ChainRow, listChains, publishLive } from '../repositories/chains.ts';
import { compactDraws } from '../repositories/compact-draws.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { removeWarmupDraws } from '../repositories/draws.ts';
import { chainsLeftOut, composeProgress } from '../repositories/experiment-meta.ts';
import {
  type ExperimentRow,
  findExperimentById,
  touchDraws,
  updateExperiment,
  updateSummary,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { lockExperiment } from '../repositories/runner-runs.ts';
import { type RunStatistics, summariseRun } from '../results/summarise-run.ts';
import { setSpanAttributes } from '../spans.ts';
import { failRun } from './end-run.ts';
import { type RunError, runFailure } from './failure-scope.ts';
import { doLocked } from './locked-job.ts';

/** Class of the advisory lock that prevents two workers from finalising the same run. */
const LOCK_CLASS = 4_715_003;

export function finaliseRun(pool: pg.Pool, experimentId: number): Promise<JobOutcome> {
  return doLocked(pool, {
    lockClass: LOCK_CLASS,
    experimentId,
    work: () => finalise(pool, experimentId),
    onFault: (reason) => {
      const message = `The run's statistics could not be computed: ${reason}`;
      const error = { code: 'FINALISE_FAILED', message };
      return inTransaction(pool, async (tx) => {
        if (await lockAwaited(tx, experimentId)) await failRun(tx, experimentId, error);
      });
    },
  });
}

async function finalise(pool: pg.Pool, experimentId: number): Promise<void> {
  const experiment = await findExperimentById(pool, experimentId);
  if (experiment === null || !isAwaited(experiment)) return;
  setSpanAttributes({ 'ergodic.run.id': experiment.short_id });
  const { settings } = experiment;
  // the row that ADVI writes before its draws is the mean of its approximation
  const keepWarmup =
    settings === null || settings.save_warmup === true || settings.algorithm === 'advi';
  const isTidy = await inTransaction(pool, async (tx) => {
    if (!(await lockAwaited(tx, experimentId))) return false;
    if (!keepWarmup) await removeWarmupDraws(tx, experimentId);
    await touchDraws(tx, experimentId);
    return true;
  });
  if (!isTidy) return;
  await compactDraws(pool, experimentId);
  await judgeEnded(pool, experimentId);
}

/** False: another worker has ended it, or it continues. */
async function lockAwaited(tx: Executor, experimentId: number): Promise<boolean> {
  await lockExperiment(tx, experimentId);
  const now = await findExperimentById(tx, experimentId);
  return now !== null && isAwaited(now);
}

/** Statistics of the draws as they are now, and the end. */
async function judgeEnded(pool: pg.Pool, experimentId: number): Promise<void> {
  const before = await findExperimentById(pool, experimentId);
  const revision = before?.revision ?? 0;
  const leftOut = chainsLeftOut(before?.meta);
  const chains = await listChains(pool, experimentId);
  const settings = before?.meta.settings;
  const request = { experimentId, revision: String(revision), chains, leftOut, settings };
  const statistics = await summariseRun(pool, request);
  const isOutdated = await inTransaction(pool, async (tx) => {
    await lockExperiment(tx, experimentId);
    const now = await findExperimentById(tx, experimentId);
    // extended, resumed or given more draws since: the next end queues another finaliser
    if (now === null || !isAwaited(now) || now.revision !== revision) return false;
    if (chainsLeftOut(now.meta).join('\n') !== leftOut.join('\n')) return true;
    await updateSummary(tx, experimentId, statistics.summary);
    await writeEnd(tx, now, chains, statistics);
    return false;
  });
  // the choice of chains has changed since: nothing else would judge them
  if (isOutdated) await judgeEnded(pool, experimentId);
}

/** Sampling is done; an outside runner sets the end itself, and may send draws after it. */
function isAwaited({ status, settings }: ExperimentRow): boolean {
  return status === 'SAMPLE_FIN' || (settings === null && (status === 'FIN' || status === 'ERR'));
}

async function writeEnd(
  tx: pg.PoolClient,
  experiment: ExperimentRow,
  chains: readonly ChainRow[],
  statistics: RunStatistics,
): Promise<void> {
  const leftOut = chainsLeftOut(experiment.meta);
  const failure = runFailure(chains, leftOut) ?? outsideFailure(experiment);
  const status = failure === null ? 'FIN' : 'ERR';
  const isNews = experiment.status === 'SAMPLE_FIN' || !experiment.meta.verdict;
  const own = chains.filter((chain) => chain.state !== 'outside');
  const progress = composeProgress(
    own.map((chain) => ({ ...chain, of: chain.iterations, saved: chain.saved_samples })),
    experiment.settings,
  );
  const meta: Record<string, unknown> = {
    verdict: statistics.summary.verdict,
    run_info: { status },
  };
  if (own.length > 0) meta.progress = progress;
  if (experiment.meta.action === 'running') meta.action = '';
  meta.error = failure;
  await updateExperiment(tx, experiment.id, {
    status,
    meta,
    numChains: statistics.numChains || experiment.n_chains,
    numVariables: statistics.numVariables,
    numSamples: statistics.numSamples,
  });
  await publishLive(tx, experiment.short_id, 'status');
  // late draws change the statistics, not the end
  if (!isNews) return;
  const verdict = withLabels(statistics.summary.verdict, readLabels(experiment.meta.labels));
  const isStopped = experiment.meta.action === 'stopped';
  const text =
    failure === null
      ? `${isStopped ? 'Stopped' : 'Finished'}: ${headlineOf(verdict)}.\n`
      : `Ended with an error: ${failure.message}\n`;
  await appendLog(tx, { experimentId: experiment.id, stream: 'platform', text });
  const ending = failure === null ? { verdict } : { failure: failure.message };
  await publish(tx, { kind: 'run_ended', experiment, ending });
}

/** The failure that an outside runner reported. */
function outsideFailure(experiment: ExperimentRow): RunError | null {
  const error = experiment.meta.error;
  return experiment.settings === null && error ? error : null;
}
