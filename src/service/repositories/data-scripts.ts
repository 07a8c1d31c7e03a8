/** Runs whose data a script prepares before their chains are queued. */
import { insertBlob } from './blobs.ts';
import { cleanText, type Executor, execute, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

export async function keepDataScript(tx: Executor, id: number, script: string): Promise<void> {
  await execute(
    tx,
    sql`update experiments set data_script = ${cleanText(script)} where id = ${id}`,
  );
}

/** Null: this run has none. */
export async function findDataScript(db: Executor, id: number): Promise<string | null> {
  const row = await selectOne<Columns<'experiments', 'data_script'>>(
    db,
    sql`select data_script from experiments where id = ${id}`,
  );
  return row?.data_script ?? null;
}

/** Locks the run until the transaction ends, and returns whether its script has yet to run. */
export async function lockAwaitingScript(tx: Executor, id: number): Promise<boolean> {
  const row = await selectOne(
    tx,
    sql`select o.id from objects o join experiments e on e.id = o.id
        where o.id = ${id} and o.status = 'NEW' and o.deleted_at is null and e.data_script is not null
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id) for no key update of o`,
  );
  return row !== null;
}

/** How many scripts of other runs by the same person wait. */
export async function countScriptsAhead(tx: Executor, id: number): Promise<number> {
  const row = await selectOne<{ n: number }>(
    tx,
    sql`with mine as (select coalesce(e.started_by, o.owner_id) as person from objects o
            join experiments e on e.id = o.id where o.id = ${id})
        select count(*)::int as n from objects o join experiments e on e.id = o.id, mine
        where o.kind = 'experiment' and o.status = 'NEW' and o.deleted_at is null and e.data_script is not null
          and o.id <> ${id} and coalesce(e.started_by, o.owner_id) = mine.person
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id)`,
  );
  return row?.n ?? 0;
}

/** Runs whose script has not run although its job was due: the job may be lost. */
export async function listAwaitingScript(db: Executor): Promise<number[]> {
  const rows = await select<Columns<'objects', 'id'>>(
    db,
    sql`select o.id from objects o join experiments e on e.id = o.id
        where o.kind = 'experiment' and o.status = 'NEW' and o.deleted_at is null and e.data_script is not null
          and o.updated_at < now() - interval '5 seconds'
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id)`,
  );
  return rows.map((row) => row.id);
}

/** Replaces the data that the run uses. */
export async function replaceRunData(tx: Executor, id: number, bytes: Uint8Array): Promise<void> {
  const hash = await insertBlob(tx, id, bytes);
  await execute(
    tx,
    sql`update experiments set data_hash = decode(${hash}, 'hex'), data_fmt = 'json' where id = ${id}`,
  );
}
