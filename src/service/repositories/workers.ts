/** Worker processes: who they are and that they live. */
import { array, type Executor, execute, raw, select, selectOne, sql } from './database.ts';

/** Class of the advisory lock that each worker holds on its own number for as long as its connection lives. */
export const WORKER_LOCK_CLASS = 4_715_002;

export interface NewWorker {
  readonly host: string;
  readonly pid: number;
  readonly pools: readonly string[];
  /** Chains at once. */
  readonly slots: number;
}

export async function insertWorker(db: Executor, worker: NewWorker): Promise<number> {
  const pools = worker.pools.map((pool) => pool.toLowerCase());
  const row = await selectOne<{ id: number }>(
    db,
    sql`insert into workers (host, pid, pools, slots)
        values (${worker.host}, ${worker.pid}, ${array(pools, 'text')}, ${worker.slots}) returning id`,
  );
  return (row as { id: number }).id;
}

export async function touchWorker(db: Executor, id: number): Promise<void> {
  await execute(db, sql`update workers set heartbeat_at = now() where id = ${id}`);
}

export async function removeWorker(db: Executor, id: number): Promise<void> {
  await execute(db, sql`delete from workers where id = ${id}`);
}

/**
 * Lets go of function calls, analyses and imports whose worker is dead, so that the next look takes them up at once. A
 * worker whose machine is gone without a word lives on in the database for a while: of its work the lease ends first.
 */
export async function dropDeadHolds(db: Executor): Promise<void> {
  const isDead = sql`holder is not null and lease_until > now() and lease_until < 'infinity' and not exists (
    select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = ${WORKER_LOCK_CLASS}::oid
      and l.objid = holder::oid and l.granted
      and l.database = (select oid from pg_database where datname = current_database()))`;
  for (const table of ['function_calls', 'analyses', 'import_orders'])
    await execute(
      db,
      sql`update ${raw(table)} set lease_until = now() - interval '1 second' where ${isDead}`,
    );
}

/** Rows of workers long gone. */
export async function removeDeadWorkers(db: Executor): Promise<void> {
  await execute(db, sql`delete from workers where heartbeat_at < now() - interval '1 hour'`);
}

export interface WorkerRow {
  readonly id: number;
  readonly host: string;
  readonly pid: number;
  readonly pools: readonly string[];
  readonly slots: number;
  readonly started_at: string;
  readonly heartbeat_at: string;
}

export async function listLivingWorkers(db: Executor): Promise<WorkerRow[]> {
  return select<WorkerRow>(
    db,
    sql`select id, host, pid, pools, slots, started_at, heartbeat_at from workers
        where heartbeat_at > now() - interval '30 seconds' order by id`,
  );
}
