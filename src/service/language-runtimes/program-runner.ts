/** Runs one program in another language like an outside runner, but in our sandbox. */
import { availableParallelism } from 'node:os';
import type pg from 'pg';
import { stringify } from 'yaml';
import { readJagsSettings } from '../../formats/jags-settings.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { holdTask } from '../jobs/hold-task.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Logger } from '../logging.ts';
import { admitRun, endRun, openLedger } from '../outside-runners/run-ledger.ts';
import { findBlob } from '../repositories/blobs.ts';
import { publishLive } from '../repositories/chains.ts';
import { commitOnce } from '../repositories/commit-once.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import { findFrozen, updateExperiment } from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { findTreeFiles } from '../repositories/model-trees.ts';
import {
  type ClaimedProgram,
  endProgramRun,
  findProgramRun,
  noteProgramToken,
  type ProgramRun,
} from '../repositories/program-runs.ts';
import { findRunnerRun, updateRunnerRun } from '../repositories/runner-runs.ts';
import { endLease, type Lease, renewLease } from '../repositories/tasks.ts';
import { insertToken } from '../repositories/tokens.ts';
import { readRunData } from '../runs/program.ts';
import { inSpan } from '../spans.ts';
import { type RuntimeName, type RuntimeReport, runtimePrograms } from './confinement.ts';
import { jagsDriver, jagsFiles } from './jags-files.ts';
import { createLogWriter } from './log-writer.ts';
import { limitTime, noteTimeLimit, timeIsUp } from './program-time-limit.ts';
import { type ConfinedEnd, type ConfinedLimits, runConfined } from './run-confined.ts';

export interface ProgramRunnerDeps {
  readonly pool: pg.Pool;
  readonly queue: JobQueue;
  readonly logger: Logger;
  readonly workerId: number;
  readonly report: () => Promise<RuntimeReport>;
  /** Address of the service; undefined: this worker does not know it. */
  readonly serviceUrl: string | undefined;
}

/** Limits of one run. The settings' `timeout` replaces the time if there is one. */
const programLimits: ConfinedLimits = {
  milliseconds: 24 * 3600 * 1000,
  memoryBytes: 4 * 2 ** 30,
  processes: 256,
  diskBytes: 512 * 2 ** 20,
  outputBytes: 0,
  textBytes: 64 * 2 ** 10,
};

interface Failure {
  readonly code: string;
  readonly message: string;
}

/**
 * Resolves when the run has ended and is recorded. `signal`: its owner no longer wants it. A run whose lease is lost was
 * given up elsewhere: its program is ended, and nothing more of it is recorded.
 */
export async function runProgram(
  deps: ProgramRunnerDeps,
  claimed: ClaimedProgram,
  signal: AbortSignal,
): Promise<void> {
  const attributes = {
    'ergodic.run.id': claimed.run.short_id,
    'ergodic.runtime': claimed.run.runtime,
    'ergodic.worker.id': deps.workerId,
  };
  const { trace_parent: parent } = claimed.run;
  await inSpan('program', { kind: 'consumer', parent, attributes }, () =>
    runClaimed(deps, claimed, signal),
  );
}

async function runClaimed(
  deps: ProgramRunnerDeps,
  claimed: ClaimedProgram,
  signal: AbortSignal,
): Promise<void> {
  const { run, lease } = claimed;
  const limit = limitTime(run);
  await holdTask(deps, lease, async (lost) => {
    const wanted = AbortSignal.any([signal, lost, limit.signal]);
    const failure = await carryOut(deps, claimed, wanted).catch((error: unknown): Failure => {
      deps.logger.error({ err: error, experiment: run.short_id }, 'a program could not be run');
      return {
        code: 'WORKER_FAILED',
        message: `The program could not be started: ${(error as Error).message}`,
      };
    });
    await persist(deps, (tx) => finishProgram(tx, deps.queue, claimed, failure));
  }).finally(limit.clear);
}

const keyOf = (run: ProgramRun) => ({ batchId: run.batch_id, runId: run.run_id });
const objectOf = (run: ProgramRun) => ({ id: run.experiment_id, short_id: run.short_id });

/** Null: it succeeded. */
async function carryOut(
  deps: ProgramRunnerDeps,
  claimed: ClaimedProgram,
  signal: AbortSignal,
): Promise<Failure | null> {
  const { run } = claimed;
  if (!(await begin(deps, claimed))) return null;
  const { confinement, missing } = await deps.report();
  const runtime = run.runtime as RuntimeName;
  const fault =
    missing[runtime] ??
    (confinement === null ? 'No sandbox is available for programs on this machine.' : null);
  if (fault !== null || confinement === null)
    return { code: 'RUNTIME_MISSING', message: fault ?? '' };
  if (deps.serviceUrl === undefined)
    return {
      code: 'RUNTIME_MISSING',
      message:
        'This worker does not know the address of the service, so a program could not send its draws: start it with --service-url.',
    };
  const limits = { ...programLimits, milliseconds: timeOf(run) };
  const laid = await layOut(deps.pool, run);
  if (!laid.ok) return { code: 'PROGRAM_INVALID', message: laid.error };
  const program = laid.value;
  const token = await mintToken(deps.pool, claimed, limits.milliseconds);
  if (token === null) return null;
  const log = createLogWriter((text) => persist(deps, (tx) => writeLog(tx, claimed, text)));
  for (const note of program.notes) await log.push('stdout', `${note}\n`);
  const end = await runConfined(confinement, {
    files: program.files,
    argv: argvOf(runtime, program.entrance, run.settings),
    cwd: 'model',
    env: environmentOf(run, token),
    limits,
    service: deps.serviceUrl,
    onText: (stream, text) => log.push(stream, text),
    signal,
  });
  await log.end();
  if (end.why === 'stop' && signal.reason === workerEnds)
    return {
      code: 'WORKER_LOST',
      message: 'The worker was stopped while it ran this program. Run it again.',
    };
  if (end.why === 'stop' && signal.reason === timeIsUp)
    await persist(deps, (tx) => noteTimeLimit(tx, claimed));
  return failureOf(end, limits, runtime);
}

/** Reason of an abort signal: the worker is stopping, rather than the owner stopping the run. */
export const workerEnds = Symbol('the worker ends');

/** Retries while the database is unavailable; the program waits. */
function persist(
  { pool, logger }: Pick<ProgramRunnerDeps, 'pool' | 'logger'>,
  work: (tx: Executor) => Promise<void>,
): Promise<void> {
  return commitOnce(pool, work, {
    onRetry: (error) =>
      logger.warn({ err: error }, 'the run of a program could not be stored; retrying'),
  });
}

/** False: its owner stopped it before it began, or it was given up. */
async function begin(
  { pool, queue }: ProgramRunnerDeps,
  { run, lease }: ClaimedProgram,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    if (!(await renewLease(tx, lease))) return false;
    const ledger = await openLedger(tx, objectOf(run), queue);
    return (await admitRun(ledger, keyOf(run))).status === 'RUN';
  });
}

function timeOf({ settings }: ProgramRun): number {
  const { timeout } = settings;
  return typeof timeout === 'number' && timeout > 0 ? timeout * 1000 : programLimits.milliseconds;
}

interface LaidOut {
  readonly files: Map<string, Uint8Array>;
  readonly entrance: string;
  /** For the log. */
  readonly notes: readonly string[];
}

async function layOut(pool: pg.Pool, run: ProgramRun): Promise<Result<LaidOut, string>> {
  const frozen = await findFrozen(pool, run.experiment_id);
  if (frozen === null || frozen.program === null)
    return err('The program of this run no longer exists.');
  const entrance = frozen.program.entrance_file;
  const files = new Map<string, Uint8Array>();
  for (const [path, bytes] of await findTreeFiles(pool, frozen.program.tree))
    files.set(`model/${path}`, bytes);
  const data = frozen.dataHash === null ? null : await findBlob(pool, frozen.dataHash);
  if (data !== null) files.set('data', data);
  files.set('settings.json', Buffer.from(JSON.stringify(run.settings, null, 2)));
  files.set('workflow.yaml', Buffer.from(stringify({ sampling: run.settings })));
  if (run.runtime !== 'jags') return ok({ files, entrance, notes: [] });
  const values = await readRunData(pool, frozen.dataHash, frozen.dataFmt);
  if (!values.ok) return values;
  const settings = readJagsSettings(run.settings, availableParallelism());
  if (!settings.ok) return settings;
  const jags = jagsFiles(entrance, values.value, settings.value);
  if (!jags.ok) return jags;
  for (const [name, text] of jags.value.files) files.set(`jags/${name}`, Buffer.from(text));
  return ok({ files, entrance, notes: jags.value.notes });
}

function argvOf(
  runtime: RuntimeName,
  entrance: string,
  settings: ProgramRun['settings'],
): string[] {
  const program = runtimePrograms[runtime];
  if (runtime === 'python') return [program, '-u', entrance];
  if (runtime === 'jags') return [program, '--vanilla', `../jags/${jagsDriver}`, '../jags'];
  const { julia_args: given } = settings;
  const args = Array.isArray(given) ? given.map(String) : [];
  return runtime === 'julia' ? [program, ...args, '--project=.', entrance] : [program, entrance];
}

/** The environment that runners of the documented service get (api.md 4.6). */
function environmentOf(run: ProgramRun, token: string): Record<string, string> {
  return {
    EXPERIMENT_ID: run.short_id,
    BATCH_ID: run.batch_id,
    RUN_ID: run.run_id,
    WORKFLOW_ID: run.workflow_id,
    ERGODIC_SYNC: 'TRUE',
    ERGODIC_AUTH_TOKEN: token,
    ERGODIC_MCMC_DATA_PATH: 'mcmcdata',
  };
}

/** Gives access to this experiment only, and no longer than the run may take. Null: the lease is lost. */
async function mintToken(
  pool: pg.Pool,
  { run, lease }: ClaimedProgram,
  milliseconds: number,
): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    if (!(await renewLease(tx, lease))) return null;
    const { row, text } = await insertToken(tx, {
      userId: run.owner_id,
      kind: 'run',
      name: run.short_id,
      scope: run.short_id,
      expiresAt: new Date(Date.now() + milliseconds + 60_000).toISOString(),
    });
    await noteProgramToken(tx, run.experiment_id, row.id);
    return text;
  });
}

async function writeLog(tx: Executor, { run, lease }: ClaimedProgram, text: string): Promise<void> {
  if (!(await renewLease(tx, lease))) return;
  const place = { experimentId: run.experiment_id, batchId: run.batch_id, runId: run.run_id };
  await appendLog(tx, { ...place, stream: 'stdlog', text });
  await publishLive(tx, run.short_id, 'log');
}

function failureOf(end: ConfinedEnd, limits: ConfinedLimits, runtime: RuntimeName): Failure | null {
  switch (end.why) {
    case 'exit': {
      if (end.exitCode === 0) return null;
      const last = end.stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
      // the driver is ours: its messages are what JAGS reports about the model
      if (runtime === 'jags' && last !== '')
        return { code: 'PROGRAM_FAILED', message: `JAGS: ${last.slice(0, 500)}` };
      const outcome = `The program ended with code ${end.exitCode}`;
      const message = last === '' ? `${outcome}.` : `${outcome}: ${last.slice(0, 500)}`;
      return { code: 'PROGRAM_FAILED', message };
    }
    case 'stop':
      return null;
    case 'time':
      return {
        code: 'RUN_TIMEOUT',
        message: `The run takes longer than the allowed ${limits.milliseconds / 1000} s.`,
      };
    case 'memory':
      return {
        code: 'OUT_OF_MEMORY',
        message: `The program needs more than the allowed ${limits.memoryBytes / 2 ** 30} GiB of memory.`,
      };
    case 'processes':
      return {
        code: 'PROGRAM_FAILED',
        message: `The program started more than ${limits.processes} processes.`,
      };
  }
}

/** A program whose worker is lost has failed: an interrupted program cannot be resumed. */
export async function giveUpProgram(
  deps: Pick<ProgramRunnerDeps, 'pool' | 'queue'>,
  lease: Lease,
): Promise<void> {
  const run = await findProgramRun(deps.pool, lease.subject_id);
  const message =
    'The worker that ran this program ended. Run it again: an interrupted program cannot be resumed.';
  if (run === null) await endLease(deps.pool, lease);
  else {
    const failure = { code: 'WORKER_LOST', message };
    await inTransaction(deps.pool, (tx) => finishProgram(tx, deps.queue, { run, lease }, failure));
  }
}

/** Ends the run: its token is revoked, and its experiment goes to the finaliser. A repeated call changes nothing. */
async function finishProgram(
  tx: Executor,
  queue: JobQueue,
  { run, lease }: ClaimedProgram,
  failure: Failure | null,
): Promise<void> {
  if (!(await endProgramRun(tx, lease))) return;
  const ledger = await openLedger(tx, objectOf(run), queue).catch(() => null);
  if (ledger === null) return;
  // a failure counts even if the program sent no output
  const spoken =
    failure === null
      ? await findRunnerRun(tx, run.experiment_id, keyOf(run))
      : await admitRun(ledger, keyOf(run));
  // stopped by its owner, who has ended it already
  if (spoken === null || spoken.status === 'STOPPED') return;
  if (failure !== null) {
    await updateRunnerRun(tx, run.experiment_id, keyOf(run), { error: failure.message });
    const place = { experimentId: run.experiment_id, batchId: run.batch_id, runId: run.run_id };
    await appendLog(tx, { ...place, stream: 'stdlog', text: `${failure.message}\n` });
  }
  await endRun(ledger, {
    run: spoken,
    word: failure === null ? 'SAMPLE_FIN' : 'ERR',
    isWhole: true,
  });
  if (failure !== null) await updateExperiment(tx, run.experiment_id, { meta: { error: failure } });
  await publishLive(tx, run.short_id, 'status');
}
