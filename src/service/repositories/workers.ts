/** Worker processes: who they are and that they live. */
import { array, type Executor, execute, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** Class of the advisory lock that each worker holds on its own number for as long as its connection lives. */
export const WORKER_LOCK_CLASS = 4_715_002;

export interface NewWorker {
  readonly host: string;
  readonly pid: number;
  readonly pools: readonly string[];
  /** Chains at once. */
  readonly slots: number;
  /** Of the program, and of the engine in it. */
  readonly version: string;
  readonly engine: number;
}

export async function insertWorker(db: Executor, worker: NewWorker): Promise<number> {
  const pools = worker.pools.map((pool) => pool.toLowerCase());
  const row = await selectOne<Columns<'workers', 'id'>>(
    db,
    sql`insert into workers (host, pid, pools, slots, version, engine)
        values (${worker.host}, ${worker.pid}, ${array(pools, 'text')}, ${worker.slots},
          ${worker.version}, ${worker.engine}) returning id`,
  );
  return (row as Columns<'workers', 'id'>).id;
}

/** True when the database's clock was set back since the last touch. */
export async function touchWorker(db: Executor, id: number): Promise<boolean> {
  const row = await selectOne<{ is_set_back: boolean }>(
    db,
    sql`with last as (select heartbeat_at from workers where id = ${id})
        update workers set heartbeat_at = now() from last where id = ${id}
        returning last.heartbeat_at > now() as is_set_back`,
  );
  return row?.is_set_back === true;
}

export async function removeWorker(db: Executor, id: number): Promise<void> {
  await execute(db, sql`delete from workers where id = ${id}`);
}

/** Rows of workers long gone. */
export async function removeDeadWorkers(db: Executor): Promise<void> {
  await execute(db, sql`delete from workers where heartbeat_at < now() - interval '1 hour'`);
}
