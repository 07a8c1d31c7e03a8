/** The record of an experiment's outside runs: which may send messages, whether they run, and how they ended. */
import { conflict, invalidField, orNotFound } from '../http/service-error.ts';
import { type JobQueue, sendFinalise } from '../jobs/job-queue.ts';
import { publishLive } from '../repositories/chains.ts';
import type { Executor } from '../repositories/database.ts';
import { countIdleSeconds, updateExperiment, updateSummary } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import {
  countRunnerRuns,
  endRunnerRuns,
  insertRunnerRun,
  type LockedExperiment,
  listRunnerRuns,
  lockExperiment,
  type RunKey,
  type RunnerRun,
  touchRunnerRun,
  updateRunnerRun,
} from '../repositories/runner-runs.ts';
import { checkCount } from './read-draws-message.ts';

/** The experiment as it was when it was opened; its row is locked until the transaction ends. */
export interface OpenLedger extends LockedExperiment {
  readonly tx: Executor;
  readonly experiment: Pick<ObjectRow, 'id' | 'short_id'>;
  readonly queue: JobQueue;
}

/** Seconds to wait for the last draws, when a run reports its end but the experiment's end was not reported. */
const lastDrawsSeconds = 2;

/** The error that reports its owner's stop to an outside runner, at its next message. */
export const stopped = () => conflict('stopped');

export async function openLedger(
  tx: Executor,
  experiment: Pick<ObjectRow, 'id' | 'short_id'>,
  queue: JobQueue,
): Promise<OpenLedger> {
  const state = orNotFound(await lockExperiment(tx, experiment.id));
  return { tx, experiment, queue, ...state };
}

/**
 * Records the run that sent the message. A new run makes the experiment run (again). If the run is STOPPED, the caller
 * must commit the transaction and then refuse the message: the first batch after a stop is refused once.
 */
export async function admitRun(ledger: OpenLedger, key: RunKey): Promise<RunnerRun> {
  const { tx, experiment } = ledger;
  const known = await touchRunnerRun(tx, experiment.id, key);
  if (known !== null && known.status !== 'RUN') return known;
  if (known === null && (await isStopped(ledger, key)))
    return insertRunnerRun(tx, experiment.id, key, 'STOPPED');
  if (known === null) await checkNewRun(tx, experiment.id, key);
  const run = known ?? (await insertRunnerRun(tx, experiment.id, key));
  if (known === null)
    await say(ledger, key, `Run ${key.runId} of batch ${key.batchId} of an outside runner began.`);
  if (ledger.status !== 'RUN') await setRunning(ledger, key);
  return run;
}

/** A batch is stopped as a whole; if none had sent a message yet, the next batch that does. */
async function isStopped({ tx, experiment, action }: OpenLedger, key: RunKey): Promise<boolean> {
  if (action !== 'stopped') return false;
  const runs = await listRunnerRuns(tx, experiment.id);
  const batch = runs.filter((run) => run.batch_id === key.batchId);
  return batch.some((run) => run.status === 'STOPPED') || !runs.some(isStoppedRun);
}

const isStoppedRun = (run: RunnerRun) => run.status === 'STOPPED';

const maxKeyLength = 200;

async function checkNewRun(tx: Executor, experimentId: number, key: RunKey): Promise<void> {
  for (const [field, value] of Object.entries({ batch_id: key.batchId, run_id: key.runId })) {
    if (value.length > maxKeyLength)
      throw invalidField(`payload.${field}`, `is longer than ${maxKeyLength}.`);
  }
  checkCount('runner_runs', (await countRunnerRuns(tx, experimentId)) + 1, 'runs');
}

/** Sampling continues or restarts: the verdict on the draws so far is void. `key` null: the run is not named. */
export async function setRunning(ledger: OpenLedger, key: RunKey | null): Promise<void> {
  const { tx, experiment, action } = ledger;
  const ids = key === null ? {} : { batch_id: key.batchId, run_id: key.runId };
  const idle = await countIdleSeconds(tx, experiment.id);
  const info = { ...ids, status: 'RUN' };
  const meta = { error: null, verdict: null, run_info: info, idle_seconds: idle };
  await updateSummary(tx, experiment.id, null);
  await updateExperiment(tx, experiment.id, {
    status: 'RUN',
    meta: action === 'stopped' ? { ...meta, action: null } : meta,
  });
  await publishLive(tx, experiment.short_id, 'status');
}

export type EndWord = 'SAMPLE_FIN' | 'FIN' | 'ERR';

export interface RunEnd {
  /** As admitted. Null: the run is not named, which means all open runs. */
  readonly run: RunnerRun | null;
  readonly word: EndWord;
  /** The message concerns the experiment, not only the run. */
  readonly isWhole: boolean;
}

/**
 * Records how a run ended. Once every run of its batch has, the experiment goes to the finaliser; it has failed if one
 * of them did. Repeating it changes nothing. If only the run reports its end, its last draws get a moment to arrive.
 */
export async function endRun(ledger: OpenLedger, end: RunEnd): Promise<void> {
  const { tx, experiment } = ledger;
  const { run, word } = end;
  const status = word === 'ERR' ? 'ERR' : 'SAMPLE_FIN';
  if (run === null) {
    if (ledger.status === 'ERR' || (isOver(ledger.status) && status === 'SAMPLE_FIN')) return;
    const open = (await listRunnerRuns(tx, experiment.id)).filter((one) => one.status === 'RUN');
    await endRunnerRuns(tx, experiment.id, status);
    await finish(ledger, end, open);
    return;
  }
  const key = { batchId: run.batch_id, runId: run.run_id };
  const isNews = run.status !== status && run.status !== 'ERR';
  if (isNews) {
    await updateRunnerRun(tx, experiment.id, key, { status });
    await say(ledger, key, `Run ${key.runId} ended: ${word}.`);
  }
  const batch = (await listRunnerRuns(tx, experiment.id)).filter(
    (other) => other.batch_id === key.batchId,
  );
  if (isNews && !batch.some((other) => other.status === 'RUN')) await finish(ledger, end, batch);
  else await updateRunInfo(ledger, key);
}

const isOver = (status: string) => ['SAMPLE_FIN', 'FIN', 'ERR'].includes(status);

/** `run_info` was merged as sent: its status must be the experiment's, not that of one of its runs. */
async function updateRunInfo({ tx, experiment }: OpenLedger, key: RunKey): Promise<void> {
  const now = await lockExperiment(tx, experiment.id);
  const status = now?.status === 'NEW' ? 'RUN' : now?.status;
  const meta = { run_info: { batch_id: key.batchId, run_id: key.runId, status } };
  await updateExperiment(tx, experiment.id, { meta });
}

async function finish(
  { tx, experiment, queue }: OpenLedger,
  { word, isWhole }: RunEnd,
  batch: readonly RunnerRun[],
): Promise<void> {
  const failed = batch.filter((run) => run.status === 'ERR');
  const isFailed = word === 'ERR' || failed.length > 0;
  const status = isFailed ? 'ERR' : word;
  const error = isFailed ? { code: 'RUNNER_FAILED', message: reasonOf(batch) } : null;
  await updateExperiment(tx, experiment.id, {
    status,
    meta: { error, verdict: null, run_info: { status } },
  });
  await updateSummary(tx, experiment.id, null);
  await sendFinalise(queue, tx, experiment.id, isWhole ? 0 : lastDrawsSeconds);
  await publishLive(tx, experiment.short_id, 'status');
}

/** The errors that the runs reported. */
function reasonOf(batch: readonly RunnerRun[]): string {
  const said = batch.map((run) => run.error).filter((error) => error !== '');
  const [first] = said;
  if (first === undefined) return 'The outside runner reported that its run failed.';
  return said.length === 1 ? first : `${said.length} runs failed; the first: ${first}`;
}

/** A stop by the owner: the stored draws are finalised, and the runs are refused from now on. */
export async function stopRuns(ledger: OpenLedger): Promise<void> {
  const { tx, experiment, queue } = ledger;
  await endRunnerRuns(tx, experiment.id, 'STOPPED');
  await updateExperiment(tx, experiment.id, {
    status: 'SAMPLE_FIN',
    meta: { action: 'stopped', run_info: { status: 'SAMPLE_FIN' } },
  });
  await appendLog(tx, {
    experimentId: experiment.id,
    stream: 'platform',
    text: 'Stopped by its owner; the outside runner will be notified when it sends its next message.\n',
  });
  await sendFinalise(queue, tx, experiment.id, 0);
  await publishLive(tx, experiment.short_id, 'status');
}

/** A log line by the platform, assigned to the run. */
export async function say(
  { tx, experiment }: OpenLedger,
  key: RunKey,
  line: string,
): Promise<void> {
  await appendLog(tx, {
    experimentId: experiment.id,
    stream: 'platform',
    text: `${line}\n`,
    batchId: key.batchId,
    runId: key.runId,
  });
}
