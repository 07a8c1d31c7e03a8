/** A program with a `time_limit` is stopped once it has run for that long: its draws are kept, and the log says why. */
import type { Executor } from '../repositories/database.ts';
import { updateExperiment } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import type { ClaimedProgram, ProgramRun } from '../repositories/program-runs.ts';
import { renewLease } from '../repositories/tasks.ts';

/** A timer of Node with more milliseconds would expire at once. */
const longestTimer = 2 ** 31 - 1;

const secondsOf = ({ settings }: Pick<ProgramRun, 'settings'>) => Number(settings.time_limit ?? 0);

/** Reason of an abort signal: the time is up. */
export const timeIsUp = Symbol('the time limit is reached');

/**
 * `signal` aborts when the time is up, counted from this call; never if the run has no limit. Its timer is our own, since
 * that of `AbortSignal.timeout` is lost when the signal is used only through `AbortSignal.any`.
 */
export function limitTime(run: Pick<ProgramRun, 'settings'>): {
  readonly signal: AbortSignal;
  readonly clear: () => void;
} {
  const limit = new AbortController();
  const milliseconds = Math.ceil(secondsOf(run) * 1000);
  const hasTimer = milliseconds > 0 && milliseconds <= longestTimer;
  const timer = hasTimer ? setTimeout(() => limit.abort(timeIsUp), milliseconds) : undefined;
  return { signal: limit.signal, clear: () => clearTimeout(timer) };
}

export async function noteTimeLimit(tx: Executor, { run, lease }: ClaimedProgram): Promise<void> {
  if (!(await renewLease(tx, lease))) return;
  const meta = { action: 'stopped', time_limit_reached: true };
  await updateExperiment(tx, run.experiment_id, { meta });
  const text = `The time limit of ${secondsOf(run)} seconds (time_limit) has been reached: the run stops and keeps its draws.\n`;
  await appendLog(tx, { experimentId: run.experiment_id, stream: 'platform', text });
}
