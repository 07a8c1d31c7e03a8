/** Runs of outside runners: who sends messages, how each run ended, its last message. */
import {
  cleanText,
  type Executor,
  execute,
  join,
  json,
  select,
  selectCount,
  selectOne,
  sql,
} from './database.ts';
import type { Columns } from './tables.ts';

export type RunnerStatus = 'RUN' | 'SAMPLE_FIN' | 'ERR' | 'STOPPED';

/** A process of one start of sampling. */
export interface RunKey {
  readonly batchId: string;
  readonly runId: string;
}

export interface RunnerRun {
  readonly batch_id: string;
  readonly run_id: string;
  readonly status: RunnerStatus;
  readonly error: string;
  readonly stats: Readonly<Record<string, unknown>>;
  readonly started_at: string;
  readonly last_message_at: string;
  readonly ended_at: string | null;
}

const columns = sql`batch_id, run_id, status, error, stats, started_at, last_message_at, ended_at`;

const isRun = (experimentId: number, { batchId, runId }: RunKey) =>
  sql`experiment_id = ${experimentId} and batch_id = ${batchId} and run_id = ${runId}`;

export interface LockedExperiment {
  readonly status: string;
  /** `meta.action`. */
  readonly action: string;
  /** Our own engine samples it. */
  readonly isOurs: boolean;
}

/**
 * Makes every other message of this experiment, and its finaliser, wait until the transaction ends. Null: it is gone.
 */
export async function lockExperiment(
  tx: Executor,
  experimentId: number,
): Promise<LockedExperiment | null> {
  // two statements, so that the second sees nothing older than the lock
  const object = await selectOne<Columns<'objects', 'status'>>(
    tx,
    sql`select status from objects where id = ${experimentId} and deleted_at is null for no key update`,
  );
  if (object === null) return null;
  const row = await selectOne<{ action: string; isOurs: boolean }>(
    tx,
    sql`select coalesce(meta->>'action', '') as action, settings is not null as "isOurs" from experiments
        where id = ${experimentId}`,
  );
  return { status: object.status ?? '', action: row?.action ?? '', isOurs: row?.isOurs ?? false };
}

export async function listRunnerRuns(db: Executor, experimentId: number): Promise<RunnerRun[]> {
  return select<RunnerRun>(
    db,
    sql`select ${columns} from runner_runs where experiment_id = ${experimentId}
        order by started_at, batch_id, run_id`,
  );
}

export async function findRunnerRun(
  db: Executor,
  experimentId: number,
  key: RunKey,
): Promise<RunnerRun | null> {
  return selectOne<RunnerRun>(
    db,
    sql`select ${columns} from runner_runs where ${isRun(experimentId, key)}`,
  );
}

/** Notes a message. Null: it is the first. */
export async function touchRunnerRun(
  tx: Executor,
  experimentId: number,
  key: RunKey,
): Promise<RunnerRun | null> {
  return selectOne<RunnerRun>(
    tx,
    sql`update runner_runs set last_message_at = now() where ${isRun(experimentId, key)} returning ${columns}`,
  );
}

export async function insertRunnerRun(
  tx: Executor,
  experimentId: number,
  key: RunKey,
  status: RunnerStatus = 'RUN',
): Promise<RunnerRun> {
  return (await selectOne<RunnerRun>(
    tx,
    sql`insert into runner_runs (experiment_id, batch_id, run_id, status)
        values (${experimentId}, ${key.batchId}, ${key.runId}, ${status}) returning ${columns}`,
  )) as RunnerRun;
}

export async function countRunnerRuns(db: Executor, experimentId: number): Promise<number> {
  return selectCount(
    db,
    sql`select count(*)::int as count from runner_runs where experiment_id = ${experimentId}`,
  );
}

export interface RunnerRunChange {
  readonly status?: RunnerStatus;
  readonly error?: string;
  readonly stats?: Readonly<Record<string, unknown>>;
}

export async function updateRunnerRun(
  tx: Executor,
  experimentId: number,
  key: RunKey,
  change: RunnerRunChange,
): Promise<void> {
  const parts = [sql`last_message_at = now()`];
  if (change.status !== undefined) {
    parts.push(sql`status = ${change.status}`);
    parts.push(
      change.status === 'RUN' ? sql`ended_at = null` : sql`ended_at = coalesce(ended_at, now())`,
    );
  }
  if (change.error !== undefined) parts.push(sql`error = ${cleanText(change.error)}`);
  if (change.stats !== undefined) parts.push(sql`stats = ${json(change.stats)}`);
  await execute(
    tx,
    sql`update runner_runs set ${join(parts, ', ')} where ${isRun(experimentId, key)}`,
  );
}

/** Ends every open run. */
export async function endRunnerRuns(
  tx: Executor,
  experimentId: number,
  status: Exclude<RunnerStatus, 'RUN'>,
): Promise<void> {
  await execute(
    tx,
    sql`update runner_runs set status = ${status}, ended_at = now()
        where experiment_id = ${experimentId} and status = 'RUN'`,
  );
}
