/** Programs of other versions: who may work on a database, and who notices that it has moved on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkVersions,
  leadVersions,
  ownVersions,
} from '../../../src/service/migrations/handshake.ts';
import { select, selectOne, sql } from '../../../src/service/repositories/database.ts';
import { findVersions, raiseEngine } from '../../../src/service/repositories/versions.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createMemoryQueue } from '../../support/memory-queue.ts';
import { makeDataFolder } from '../../support/served.ts';
import { startTestWorker } from '../../support/test-worker.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const { schema, engine } = ownVersions;

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a database', () => {
  it('without tables refuses a worker', async () => {
    const empty = await createTestDatabase(2, { isEmpty: true });
    await expect(checkVersions(empty.pool)).rejects.toThrow('ergodic migrate');
    await empty.drop();
  });

  it('keeps the engine version of its services, which never decreases', async () => {
    const { pool } = database;
    await expect(checkVersions(pool)).rejects.toThrow('older engine (0');
    await leadVersions(pool);
    await checkVersions(pool);
    await raiseEngine(pool, engine - 1);
    expect(await findVersions(pool)).toEqual({ schema, engine });
  });

  it('refuses workers with another schema or engine, and older services', async () => {
    const { pool } = database;
    await leadVersions(pool);
    const refusals: [Partial<typeof ownVersions>, string][] = [
      [
        { schema: schema - 1 },
        `newer version of Ergodic (schema ${schema}; this one knows ${schema - 1})`,
      ],
      [{ schema: schema + 1 }, 'Update the services first'],
      [{ engine: engine - 1 }, `newer engine (${engine}; this one is ${engine - 1})`],
      [{ engine: engine + 1 }, 'older engine'],
    ];
    for (const [other, message] of refusals)
      await expect(checkVersions(pool, { ...ownVersions, ...other })).rejects.toThrow(message);
    await expect(leadVersions(pool, { schema, engine: engine - 1 })).rejects.toThrow(
      'newer engine',
    );
  });

  it('taken over by a newer version is left by workers of the older version', async () => {
    const { pool } = database;
    await leadVersions(pool);
    const outdated = deferred<string>();
    const place = { database, queue: createMemoryQueue(), filesDir: makeDataFolder() };
    const worker = await startTestWorker(place, {
      version: '9.9.9',
      onOutdated: (reason) => outdated.resolve(reason),
    });
    const row = await selectOne(
      pool,
      sql`select version, engine from workers where id = ${worker.id}`,
    );
    expect(row).toEqual({ version: '9.9.9', engine });
    await raiseEngine(pool, engine + 1);
    expect(await outdated.promise).toContain('newer engine');
    await worker.stop();
    expect(await select(pool, sql`select id from workers where id = ${worker.id}`)).toEqual([]);
  });
});

it('a worker that has nothing to do reports that it is idle', async () => {
  const own = await createTestDatabase();
  const place = { database: own, queue: createMemoryQueue(), filesDir: makeDataFolder() };
  const idle = deferred<void>();
  const worker = await startTestWorker(place, { idleMs: 1, onIdle: idle.resolve });
  await idle.promise;
  await worker.stop();
  await own.drop();
});
