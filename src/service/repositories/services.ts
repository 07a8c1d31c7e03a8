/** Processes that answer requests: who they are, their heartbeats, and where they keep files. */
import { type Executor, execute, select, selectOne, sql } from './database.ts';
import type { Columns } from './tables.ts';

/** Seconds without a heartbeat after which a service counts as gone. */
const SILENCE_SECONDS = 30;

export interface NewService extends Columns<'services', 'host' | 'pid' | 'version' | 'files'> {}

export async function insertService(db: Executor, service: NewService): Promise<number> {
  const { host, pid, version, files } = service;
  const row = await selectOne<Columns<'services', 'id'>>(
    db,
    sql`insert into services (host, pid, version, files)
        values (${host}, ${pid}, ${version}, ${files}) returning id`,
  );
  return (row as Columns<'services', 'id'>).id;
}

/** Renews the heartbeat; removes services without one for an hour. */
export async function touchService(db: Executor, id: number): Promise<void> {
  await execute(db, sql`update services set heartbeat_at = now() where id = ${id}`);
  await execute(db, sql`delete from services where heartbeat_at < now() - interval '1 hour'`);
}

export async function removeService(db: Executor, id: number): Promise<void> {
  await execute(db, sql`delete from services where id = ${id}`);
}

/** Those alive whose files are elsewhere. */
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
