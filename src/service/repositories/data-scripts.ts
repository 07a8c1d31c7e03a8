/** Runs whose data a script prepares before their chains are queued. */
import { insertBlob } from './blobs.ts';
import {
  cleanText,
  type Executor,
  execute,
  hasRow,
  selectCount,
  selectValue,
  selectValues,
  sql,
} from './database.ts';
import type { Tables } from './tables.ts';

export async function keepDataScript(tx: Executor, id: number, script: string): Promise<void> {
  await execute(
    tx,
    sql`update experiments set data_script = ${cleanText(script)} where id = ${id}`,
  );
}

/** Null: this run has none. */
export async function findDataScript(db: Executor, id: number): Promise<string | null> {
  return selectValue<string>(db, sql`select data_script from experiments where id = ${id}`);
}

/** Locks the run until the transaction ends, and returns whether its script has yet to run. */
export async function lockAwaitingScript(tx: Executor, id: number): Promise<boolean> {
  return hasRow(
    tx,
    sql`select o.id from objects o join experiments e on e.id = o.id
        where o.id = ${id} and o.status = 'NEW' and o.deleted_at is null and e.data_script is not null
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id) for no key update of o`,
  );
}

/** How many scripts of other runs by the same person wait. */
export async function countScriptsAhead(tx: Executor, id: number): Promise<number> {
  return selectCount(
    tx,
    sql`with mine as (select coalesce(e.started_by, o.owner_id) as person from objects o
            join experiments e on e.id = o.id where o.id = ${id})
        select count(*)::int from objects o join experiments e on e.id = o.id, mine
        where o.kind = 'experiment' and o.status = 'NEW' and o.deleted_at is null and e.data_script is not null
          and o.id <> ${id} and coalesce(e.started_by, o.owner_id) = mine.person
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id)`,
  );
}

/** Runs whose script has not run although its job was due: the job may be lost. */
export async function listAwaitingScript(db: Executor): Promise<number[]> {
  return selectValues<Tables['objects']['id']>(
    db,
    sql`select o.id from objects o join experiments e on e.id = o.id
        where o.kind = 'experiment' and o.status = 'NEW' and o.deleted_at is null and e.data_script is not null
          and o.updated_at < now() - interval '5 seconds'
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id)`,
  );
}

/** Replaces the data that the run uses. */
export async function replaceRunData(tx: Executor, id: number, bytes: Uint8Array): Promise<void> {
  const hash = await insertBlob(tx, id, bytes);
  await execute(
    tx,
    sql`update experiments set data_hash = decode(${hash}, 'hex'), data_fmt = 'json' where id = ${id}`,
  );
}
