/** A primary and a standby that confirms every commit, as `src/deploy/README.md` recommends. */
import pg from 'pg';
import { startDebianPostgres } from './debian-postgres.mjs';
import { findPostgres } from './parts.mjs';

export type DebianPostgres = Awaited<ReturnType<typeof startDebianPostgres>>;

export interface Pair {
  readonly primary: DebianPostgres;
  readonly standby: DebianPostgres;
  /** The standby accepts writes once this resolves. */
  readonly promote: () => Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const primary = await startDebianPostgres(findPostgres() as string);
  const standby = await primary.addStandby();
  await ask(primary.url, async (client) => {
    await client.query("alter system set synchronous_standby_names = '*'");
    await client.query('select pg_reload_conf()');
    const isSync = `select 1 from pg_stat_replication where sync_state = 'sync'`;
    while ((await client.query(isSync)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  });
  return {
    primary,
    standby,
    promote: () =>
      ask(standby.url, async (client) => {
        await client.query('select pg_promote()');
      }),
  };
}

/** Does not use our own client, which refuses a read-only server. */
async function ask(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
