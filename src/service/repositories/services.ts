/** Processes that answer requests: their identity, heartbeats, and the place of their files. */
import { type Executor, execute, type SQL, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** Seconds without a heartbeat after which a service counts as gone. */
const SILENCE_SECONDS = 30;

export interface NewService extends Columns<'services', 'host' | 'pid' | 'version' | 'files'> {}

export function insertService(db: Executor, service: NewService): Promise<number> {
  return insertRow(db, service, sql`default`);
}

async function insertRow(db: Executor, service: NewService, id: SQL): Promise<number> {
  const { host, pid, version, files } = service;
  const row = await selectOne<Columns<'services', 'id'>>(
    db,
    sql`insert into services (id, host, pid, version, files) overriding system value
        values (${id}, ${host}, ${pid}, ${version}, ${files}) returning id`,
  );
  return (row as Columns<'services', 'id'>).id;
}

/**
 * Renews the heartbeat; removes services without one for an hour. One that was away for that long is listed again under
 * its number.
 */
export async function touchService(db: Executor, id: number, service: NewService): Promise<void> {
  const touched = await execute(db, sql`update services set heartbeat_at = now() where id = ${id}`);
  if (touched === 0) await insertRow(db, service, sql`${id}`);
  await execute(db, sql`delete from services where heartbeat_at < now() - interval '1 hour'`);
}

export async function removeService(db: Executor, id: number): Promise<void> {
  await execute(db, sql`delete from services where id = ${id}`);
}

/** Live services whose files are elsewhere. */
export async function listServicesElsewhere(
  db: Executor,
  files: string,
): Promise<Columns<'services', 'host' | 'pid' | 'files'>[]> {
  return select(
    db,
    sql`select host, pid, files from services
        where files <> ${files} and heartbeat_at > now() - make_interval(secs => ${SILENCE_SECONDS}::int)
        order by id`,
  );
}
