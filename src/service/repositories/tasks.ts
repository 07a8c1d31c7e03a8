/**
 * Work for one process at a time: a row while it waits or runs, held under a lease.
 *
 * A task is claimed, renewed while it runs, and ended in the transaction that writes its outcome. Each claim
 * increases the lease by one, and only the newest lease can renew or end the task: a process taken for dead can no
 * longer write. The meaning of a task is in the repository of its kind (`analyses`, `function-calls`, …).
 */
import { type Executor, execute, json, type SQL, select, selectOne, sql } from './database.ts';
import type { Columns, Tables } from './tables.ts';
import { WORKER_LOCK_CLASS } from './workers.ts';

export type TaskKind = Tables['tasks']['kind'];

export interface TaskKey {
  readonly kind: TaskKind;
  readonly subjectId: number;
  /** Distinguishes several tasks of one kind and subject; default: none. */
  readonly part?: string;
}

/** A claimed task, with what its holder needs to renew and end it. */
export interface Lease
  extends Columns<'tasks', 'kind' | 'subject_id' | 'part' | 'attempts' | 'lease'> {
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Seconds without renewal after which a task has lost its process. */
const LEASE_SECONDS = 20;
/** Milliseconds between two renewals. */
export const RENEW_MS = 5000;
/** Maximum attempts of a task that loses its process. */
export const MAX_ATTEMPTS = 3;

const columns = sql`kind, subject_id, part, attempts, lease, payload`;
const renewed: SQL = sql`now() + make_interval(secs => ${LEASE_SECONDS}::int)`;

const isTask = ({ kind, subjectId, part = '' }: TaskKey): SQL =>
  sql`kind = ${kind} and subject_id = ${subjectId} and part = ${part}`;
const isHeld = ({ kind, subject_id: subjectId, part, lease }: Lease): SQL =>
  sql`${isTask({ kind, subjectId, part })} and lease = ${lease}`;

/** A task of a deleted experiment waits until that is restored, or is purged with it. */
const isWanted: SQL = sql`(kind not in ('import', 'moment_match', 'program') or exists (
    select 1 from objects o where o.id = subject_id and o.deleted_at is null))`;

export interface NewTask extends TaskKey {
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Default {@link MAX_ATTEMPTS}; 0: a task that loses its process is given up. */
  readonly maxAttempts?: number;
  /** True: its caller renews it while it waits. */
  readonly isAwaited?: boolean;
}

/** Call in the transaction that makes the task's subject, and queues its job. */
export async function insertTask(tx: Executor, task: NewTask): Promise<void> {
  const { kind, subjectId, part = '', payload = {}, isAwaited = false } = task;
  const { maxAttempts = MAX_ATTEMPTS } = task;
  await execute(
    tx,
    sql`insert into tasks (kind, subject_id, part, payload, max_attempts, lease_until)
        values (${kind}, ${subjectId}, ${part}, ${json(payload)}, ${maxAttempts},
          ${isAwaited ? renewed : sql`'infinity'`})`,
  );
}

/** Begins a waiting task; null: it is running, has ended, or its experiment is deleted. `workerId`: its worker. */
export async function claimTask(
  db: Executor,
  key: TaskKey,
  workerId: number | null = null,
): Promise<Lease | null> {
  return selectOne<Lease>(
    db,
    sql`update tasks set state = 'running', attempts = attempts + 1, lease = lease + 1, lease_until = ${renewed},
          worker_id = ${workerId}
        where ${isTask(key)} and state = 'waiting' and ${isWanted} returning ${columns}`,
  );
}

/** Makes and begins a task, or takes over one that lost its process; null: it is already running. */
export async function takeTask(db: Executor, key: TaskKey): Promise<Lease | null> {
  const { kind, subjectId, part = '' } = key;
  return selectOne<Lease>(
    db,
    sql`insert into tasks as t (kind, subject_id, part, state, attempts, max_attempts, lease, lease_until)
        values (${kind}, ${subjectId}, ${part}, 'running', 1, 0, 1, ${renewed})
        on conflict (kind, subject_id, part) do update
          set attempts = t.attempts + 1, lease = t.lease + 1, lease_until = excluded.lease_until
          where t.lease_until < now()
        returning ${columns}`,
  );
}

/** False: another process has the task, or it has ended. */
export async function renewLease(db: Executor, lease: Lease): Promise<boolean> {
  return (
    (await execute(db, sql`update tasks set lease_until = ${renewed} where ${isHeld(lease)}`)) === 1
  );
}

/** Keeps a task alive while its caller waits for its turn. */
export async function renewAwaited(db: Executor, key: TaskKey): Promise<void> {
  await execute(
    db,
    sql`update tasks set lease_until = ${renewed} where ${isTask(key)} and state = 'waiting'`,
  );
}

/** Returns the task to the queue. */
export async function releaseLease(db: Executor, lease: Lease): Promise<void> {
  await execute(
    db,
    sql`update tasks set state = 'waiting', lease_until = 'infinity' where ${isHeld(lease)}`,
  );
}

/** False: another attempt took the task over. Call in the transaction that writes its result. */
export async function endLease(tx: Executor, lease: Lease): Promise<boolean> {
  return (await execute(tx, sql`delete from tasks where ${isHeld(lease)}`)) === 1;
}

/** Ends a task, whichever process holds it: the holder can no longer write. False: there was none. */
export async function dropTask(
  tx: Executor,
  key: TaskKey,
  { onlyWaiting = false }: { onlyWaiting?: boolean } = {},
): Promise<boolean> {
  const state = onlyWaiting ? sql`and state = 'waiting'` : sql``;
  return (await execute(tx, sql`delete from tasks where ${isTask(key)} ${state}`)) > 0;
}

/**
 * Releases tasks whose worker is dead, so that they need not wait for their lease to end. A worker whose machine
 * vanished remains in the database for a while: its tasks' leases end first.
 */
async function expireDeadWorkers(db: Executor): Promise<void> {
  await execute(
    db,
    sql`update tasks set lease_until = now() - interval '1 second'
        where worker_id is not null and lease_until > now() and lease_until < 'infinity' and not exists (
          select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = ${WORKER_LOCK_CLASS}::oid
            and l.objid = worker_id::oid and l.granted
            and l.database = (select oid from pg_database where datname = current_database()))`,
  );
}

/**
 * Tasks that lost their process wait again. Returns those that were attempted too often, under a lease for the caller,
 * who ends them.
 */
export async function recoverTasks(db: Executor): Promise<Lease[]> {
  await expireDeadWorkers(db);
  await execute(
    db,
    sql`update tasks set lease = lease + 1, state = 'waiting', lease_until = 'infinity', worker_id = null
        where lease_until < now() and attempts < max_attempts and ${isWanted}`,
  );
  return select<Lease>(
    db,
    sql`update tasks set lease = lease + 1, state = 'running', lease_until = ${renewed}, worker_id = null
        where lease_until < now() and attempts >= max_attempts and ${isWanted} returning ${columns}`,
  );
}

/** Tasks for any worker: services make exports themselves, and pools take programs. */
export async function countTasksOfWorkers(db: Executor): Promise<number> {
  const row = await selectOne<{ n: number }>(
    db,
    sql`select count(*) as n from tasks where kind not in ('export', 'program') and ${isWanted}`,
  );
  return row?.n ?? 0;
}

/** Subjects of tasks that have waited for a while: their job may be lost. */
export async function listWaitingTasks(db: Executor, kind: TaskKind): Promise<number[]> {
  const rows = await select<Columns<'tasks', 'subject_id'>>(
    db,
    sql`select subject_id from tasks where kind = ${kind} and state = 'waiting'
          and queued_at < now() - interval '2 seconds' and ${isWanted} order by subject_id limit 100`,
  );
  return rows.map((row) => row.subject_id);
}

/**
 * After the clock was set back, what was written while it was ahead counts as written now. Otherwise the lease would
 * keep the task of a dead process for as long as the clock was ahead.
 */
export async function bringTasksBack(db: Executor): Promise<void> {
  await execute(
    db,
    sql`update tasks set lease_until = ${renewed} where lease_until < 'infinity' and lease_until > ${renewed}`,
  );
  await execute(db, sql`update tasks set queued_at = now() where queued_at > now()`);
  // the runs that wait for their statistics or their data script
  await execute(
    db,
    sql`update objects set updated_at = now()
        where kind = 'experiment' and status in ('NEW', 'SAMPLE_FIN') and updated_at > now()`,
  );
}

/** Removes the tasks of experiments that were purged. */
export async function purgeTasks(db: Executor): Promise<void> {
  await execute(
    db,
    sql`delete from tasks where kind in ('export', 'import', 'moment_match', 'program')
          and not exists (select 1 from objects o where o.id = subject_id)`,
  );
}
