/** What the service stores about itself: its key. */
import { randomBytes } from 'node:crypto';
import { type Executor, execute, json, selectOne, sql } from './database.ts';

async function findSetting<T>(db: Executor, key: string): Promise<T | null> {
  return (
    (await selectOne<{ value: T }>(db, sql`select value from settings where key = ${key}`))
      ?.value ?? null
  );
}

/** 256 random bits, made once: sign file addresses and remembered share passwords. The same in every service. */
export async function ensureServerKey(db: Executor): Promise<Buffer> {
  await execute(
    db,
    sql`insert into settings (key, value) values ('server_key', ${json(randomBytes(32).toString('base64'))})
        on conflict (key) do nothing`,
  );
  return Buffer.from((await findSetting<string>(db, 'server_key')) as string, 'base64');
}
