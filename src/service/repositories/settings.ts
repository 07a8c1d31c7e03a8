/** What the service stores about itself: its key. */
import { randomBytes } from 'node:crypto';
import { type Executor, execute, json, selectValue, sql } from './database.ts';

/** 256 random bits, made once: sign file addresses and remembered share passwords. The same in every service. */
export async function ensureServerKey(db: Executor): Promise<Buffer> {
  await execute(
    db,
    sql`insert into settings (key, value) values ('server_key', ${json(randomBytes(32).toString('base64'))})
        on conflict (key) do nothing`,
  );
  const key = await selectValue<string>(
    db,
    sql`select value from settings where key = 'server_key'`,
  );
  return Buffer.from(key as string, 'base64');
}
