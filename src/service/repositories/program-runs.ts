/** Runs of programs in other languages: who carries each out, under which ids, with which token. */
import { WORKER_SILENCE_SECONDS } from './chains.ts';
import {
  array,
  type Executor,
  execute,
  inTransaction,
  json,
  type SQL,
  select,
  selectOne,
  sql,
} from './database.ts';
import { WORKER_LOCK_CLASS } from './workers.ts';

export interface NewProgramRun {
  readonly experimentId: number;
  readonly runtime: string;
  readonly batchId: string;
  readonly runId: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface ProgramRun {
  readonly experiment_id: number;
  readonly short_id: string;
  readonly owner_id: number;
  readonly workflow_id: string;
  readonly runtime: string;
  readonly batch_id: string;
  readonly run_id: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

export async function insertProgramRun(tx: Executor, run: NewProgramRun): Promise<void> {
  await execute(
    tx,
    sql`insert into program_runs (experiment_id, runtime, batch_id, run_id, settings)
        values (${run.experimentId}, ${run.runtime}, ${run.batchId}, ${run.runId}, ${json(run.settings)})`,
  );
}

const columns: SQL = sql`p.experiment_id, o.short_id, o.owner_id, coalesce(w.short_id, '') as workflow_id, p.runtime,
  p.batch_id, p.run_id, p.settings`;
const joins: SQL = sql`join objects o on o.id = p.experiment_id join experiments e on e.id = p.experiment_id
  left join objects w on w.id = e.workflow_id`;

/** Takes the one that waited longest, or null. `pools` as for chains. */
export async function claimProgramRun(
  db: Executor,
  { workerId, pools }: { readonly workerId: number; readonly pools: readonly string[] },
): Promise<ProgramRun | null> {
  const lower = pools.map((pool) => pool.toLowerCase());
  const mine =
    pools.length > 0
      ? sql`lower(e.run_on) = any(${array(lower, 'text')})`
      : sql`not exists (select 1 from workers w where lower(e.run_on) = any(w.pools)
          and w.heartbeat_at > now() - interval '30 seconds')`;
  return inTransaction(db, async (tx) => {
    const claimed = await selectOne<{ id: number }>(
      tx,
      sql`update program_runs set state = 'running', worker_id = ${workerId}
          where experiment_id = (
            select q.experiment_id from program_runs q join experiments e on e.id = q.experiment_id
              join objects o on o.id = q.experiment_id
            where q.state = 'queued' and o.deleted_at is null and ${mine}
            order by q.queued_at, q.experiment_id limit 1 for update of q skip locked)
          returning experiment_id as id`,
    );
    if (claimed === null) return null;
    return selectOne<ProgramRun>(
      tx,
      sql`select ${columns} from program_runs p ${joins} where p.experiment_id = ${claimed.id}`,
    );
  });
}

export async function noteProgramToken(
  tx: Executor,
  experimentId: number,
  tokenId: number,
): Promise<void> {
  await execute(
    tx,
    sql`update program_runs set token_id = ${tokenId} where experiment_id = ${experimentId}`,
  );
}

/** Ends the run's row and its token. False: it had ended, or was not this worker's. `workerId` null: whoever's. */
export async function endProgramRun(
  tx: Executor,
  experimentId: number,
  workerId: number | null,
): Promise<boolean> {
  const row = await selectOne<{ token_id: number | null }>(
    tx,
    sql`update program_runs set state = 'ended' where experiment_id = ${experimentId} and state <> 'ended'
          and (${workerId}::bigint is null or worker_id = ${workerId}::bigint) returning token_id`,
  );
  if (row === null) return false;
  if (row.token_id !== null) await execute(tx, sql`delete from tokens where id = ${row.token_id}`);
  return true;
}

/** True when it had not begun: nobody will begin it now. */
export async function dropQueuedProgram(tx: Executor, experimentId: number): Promise<boolean> {
  const touched = await execute(
    tx,
    sql`update program_runs set state = 'ended' where experiment_id = ${experimentId} and state = 'queued'`,
  );
  return touched === 1;
}

/** Of these, those whose owner wants no more of them: stopped, or deleted. */
export async function listUnwanted(db: Executor, ids: readonly number[]): Promise<number[]> {
  const rows = await select<{ id: number }>(
    db,
    sql`select o.id from objects o join experiments e on e.id = o.id where o.id = any(${array(ids, 'bigint')})
          and (o.deleted_at is not null or e.meta->>'action' in ('stopped', 'stopping'))`,
  );
  return rows.map((row) => row.id);
}

/** Those whose worker lives no more. */
export async function listLostPrograms(db: Executor): Promise<ProgramRun[]> {
  return select<ProgramRun>(
    db,
    sql`select ${columns} from program_runs p ${joins} where p.state = 'running' and not exists (
          select 1 from workers k join pg_locks l on l.locktype = 'advisory' and l.classid = ${WORKER_LOCK_CLASS}::oid
            and l.objid = k.id::oid and l.granted
            and l.database = (select oid from pg_database where datname = current_database())
          where k.id = p.worker_id
            and k.heartbeat_at > now() - make_interval(secs => ${WORKER_SILENCE_SECONDS}::int))`,
  );
}
