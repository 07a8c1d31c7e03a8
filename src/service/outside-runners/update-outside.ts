/** Updates that a runner or the owner sends for an experiment not sampled here: its status, counts and `run_info`. */

import type { CoreContext } from '../context.ts';
import { conflict, invalidField } from '../http/service-error.ts';
import { publishLive } from '../repositories/chains.ts';
import { inTransaction } from '../repositories/database.ts';
import {
  type ExperimentChange,
  type ExperimentRow,
  type StoredStatus,
  updateExperiment,
} from '../repositories/experiments.ts';
import type { RunKey, RunnerRun } from '../repositories/runner-runs.ts';
import {
  admitRun,
  type EndWord,
  endRun,
  type OpenLedger,
  openLedger,
  setRunning,
  stopped,
  stopRuns,
} from './run-ledger.ts';

export interface OutsideUpdate extends Omit<ExperimentChange, 'status'> {
  /** As in the payload; null when it does not mention the experiment as a whole. */
  readonly status: StoredStatus | null;
}

/**
 * `meta.run_info` with `batch_id` and `run_id` applies to one run, a status next to it to the experiment, which is over
 * when every run of the batch is. Throws CONFLICT `stopped` for a run that its owner stopped.
 */
export async function updateOutside(
  context: CoreContext,
  row: ExperimentRow,
  { status, ...change }: OutsideUpdate,
): Promise<void> {
  const info = readRunInfo(change.meta?.run_info);
  const word = status ?? info.status;
  const isStopped = await inTransaction(context.pool, async (tx) => {
    const ledger = await openLedger(tx, row, context.queue);
    const run = info.key === null || word === null ? null : await admitRun(ledger, info.key);
    if (run?.status === 'STOPPED') return true;
    if (run === null && isEnd(word) && ledger.action === 'stopped') return true;
    await updateExperiment(tx, row.id, change);
    await follow(ledger, { run, key: info.key, word, isWhole: status !== null });
    await publishLive(tx, row.short_id, 'status');
    return false;
  });
  if (isStopped) throw stopped();
}

interface Word {
  readonly run: RunnerRun | null;
  readonly key: RunKey | null;
  readonly word: StoredStatus | null;
  readonly isWhole: boolean;
}

async function follow(ledger: OpenLedger, { run, key, word, isWhole }: Word): Promise<void> {
  if (isEnd(word)) return endRun(ledger, { run, word, isWhole });
  // a run that has ended does not start again: the message was repeated or late
  if (word === 'RUN' && (run === null || run.status === 'RUN')) await setRunning(ledger, key);
  if (word === 'NEW') await updateExperiment(ledger.tx, ledger.experiment.id, { status: 'NEW' });
}

function isEnd(word: StoredStatus | null): word is EndWord {
  return word === 'SAMPLE_FIN' || word === 'FIN' || word === 'ERR';
}

/** Statuses of run_info; an older name is read as the current one. */
const statusOfInfo: Readonly<Record<string, StoredStatus>> = {
  RUN: 'RUN',
  SAMPLE_FIN: 'SAMPLE_FIN',
  FIN: 'FIN',
  ERR: 'ERR',
  USER_ERR: 'ERR',
};

function readRunInfo(info: unknown): { key: RunKey | null; status: StoredStatus | null } {
  if (typeof info !== 'object' || info === null) return { key: null, status: null };
  const { batch_id: batchId, run_id: runId, status } = info as Record<string, unknown>;
  const hasKey = typeof batchId === 'string' && typeof runId === 'string' && batchId !== '';
  const key = hasKey ? { batchId, runId } : null;
  const word = typeof status === 'string' ? statusOfInfo[status.toUpperCase()] : undefined;
  // without its ids, the run is unknown
  return { key, status: key === null ? null : (word ?? null) };
}

/** The stored form of a status; null if none is given. Throws INVALID_PARAMETER for unknown ones. */
export function readStatus(status: string | null | undefined): StoredStatus | null {
  if (!status) return null;
  const statuses = ['NEW', 'RUN', 'SAMPLE_FIN', 'FIN', 'ERR'] as const;
  const word = statuses.find((one) => one === status.toUpperCase());
  if (word === undefined)
    throw invalidField('payload.status', `must be one of ${statuses.join(', ')}.`);
  return word;
}

/** The owner stops a run elsewhere. Throws CONFLICT with the state if none is running. */
export async function stopOutside(context: CoreContext, row: ExperimentRow): Promise<void> {
  await inTransaction(context.pool, async (tx) => {
    const ledger = await openLedger(tx, row, context.queue);
    if (ledger.status === 'RUN') return stopRuns(ledger);
    const state = { status: ledger.status, action: ledger.action };
    throw conflict('The run cannot stop: it is not running.', { state });
  });
}
