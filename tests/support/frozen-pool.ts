/** A pool whose process can be frozen: its database queries then wait until it wakes, as after SIGSTOP. */
import type pg from 'pg';
import { type Connection, openDatabase } from '../../src/service/repositories/database.ts';

export interface FrozenPool {
  readonly pool: pg.Pool;
  freeze(): void;
  wake(): void;
  close(): Promise<void>;
}

export function makeFrozenPool(connection: Connection): FrozenPool {
  const database = openDatabase(connection);
  const { pool } = database;
  let awake: Promise<void> = Promise.resolve();
  let wake = () => {};
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  type Given = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;
  const waiting = (given?: Given) => {
    const client = awake.then(() => connect());
    if (given === undefined) return client;
    client.then((one) => given(undefined, one, one.release.bind(one)), given);
    return undefined;
  };
  Object.assign(pool, { connect: waiting });
  return {
    pool,
    freeze() {
      awake = new Promise((resolve) => {
        wake = resolve;
      });
    },
    wake: () => wake(),
    close: () => database.close(),
  };
}
