/** An address with several servers: every connection uses the one that accepts writes, and the other after a failover. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/open-store.ts';
import {
  createClient,
  type Database,
  isUnavailable,
  openDatabase,
} from '../../../src/service/repositories/database.ts';
import { createServerChoice } from '../../../src/service/repositories/server-choice.ts';
import { describeWith } from '../../support/needs.ts';
import { type Pair, startPair } from '../../support/postgres-pair.ts';

describe('of several servers', () => {
  const servers = [
    { host: 'one', port: 1 },
    { host: 'two', port: 2 },
  ];

  it('the first that accepts writes is searched for once, until it fails', async () => {
    let primary = 'two';
    const asked: string[] = [];
    const choice = createServerChoice(servers, async ({ host }) => {
      asked.push(host);
      return host === primary;
    });
    const [first, second] = await Promise.all([choice.find(), choice.find()]);
    expect([first.host, second.host, (await choice.find()).port]).toEqual(['two', 'two', 2]);
    expect(asked).toEqual(['one', 'two']);
    primary = 'one';
    choice.forget();
    expect((await choice.find()).host).toBe('one');
  });

  it('none may accept writes for a moment: the next connection searches again', async () => {
    let isThere = false;
    const choice = createServerChoice(servers, async ({ host }) => {
      if (host === 'one') throw new Error('refused');
      return isThere;
    });
    const error = await choice.find().catch((reason: unknown) => reason);
    expect((error as Error).message).toBe('none of one:1, two:2 accepts writes (refused)');
    expect(isUnavailable(error)).toBe(true);
    isThere = true;
    expect((await choice.find()).host).toBe('two');
  });
});

describeWith('postgresql', 'with a primary and its standby', () => {
  let pair: Pair;
  let database: Database;
  let address = '';

  beforeAll(async () => {
    pair = await startPair();
    // the standby first: it answers but accepts no writes
    const places = [pair.standby, pair.primary].map(({ port }) => `127.0.0.1:${port}`);
    address = `postgresql://ergodic@${places.join(',')}/postgres?target_session_attrs=read-write`;
    database = openDatabase({ connectionString: address }, { maxConnections: 3 });
    await database.pool.query('create table kept (n int)');
  });
  afterAll(async () => {
    await database.close();
    await pair.primary.stop();
    await pair.standby.stop();
  });

  it('the standby alone is refused with the reason', async () => {
    const options = { databaseUrl: pair.standby.url, dataDir: '/', what: 'a test', say: () => {} };
    await expect(openStore(options)).rejects.toThrow(
      /accepts no writes: it is a standby.*\n.*HOST1,HOST2/,
    );
  });

  it('a client with both addresses finds all acknowledged writes after a failover', async () => {
    const kept: number[] = [];
    let isOver = false;
    const write = async (from: number) => {
      for (let n = from; !isOver; n += 3) {
        try {
          await database.pool.query('insert into kept values ($1)', [n]);
          kept.push(n);
        } catch (error) {
          if (!isUnavailable(error)) throw error;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
    };
    const writing = [0, 1, 2].map(write);
    const untilKept = async (count: number) => {
      while (kept.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await untilKept(100);
    await pair.primary.end('SIGKILL');
    await pair.promote();
    await untilKept(kept.length + 50);
    isOver = true;
    await Promise.all(writing);
    const { rows } = await database.pool.query<{ n: number }>('select distinct n from kept');
    const there = new Set(rows.map(({ n }) => n));
    expect(kept.filter((n) => !there.has(n))).toEqual([]);
    const listener = createClient({ connectionString: address });
    await listener.connect();
    expect(listener.port).toBe(pair.standby.port);
    await listener.end();
  });
});
