/** A worker that stops: failures of its unfinished work no longer matter. */
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, selectOne, sql, withClient } from '../../../src/service/repositories/database.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace();

/** Sessions that wait for a lock. */
const held = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

async function loggedOf(stop: (cut: () => Promise<unknown>) => Promise<void>): Promise<unknown[]> {
  const logger = createLogger({ level: 'silent' });
  const warn = vi.spyOn(logger, 'warn');
  await place.work({ logger, roundMs: 20 });
  await withClient(place.pool, async (client) => {
    await client.query('begin; lock table shared_rounds in access exclusive mode');
    await vi.waitFor(async () => {
      expect(await selectOne(place.pool, sql`select 1 as n ${held} limit 1`)).not.toBeNull();
    }, 10_000);
    await stop(() => execute(place.pool, sql`select pg_terminate_backend(pid) ${held}`));
    await client.query('rollback');
  });
  await place.stopWork();
  return warn.mock.calls.map(([, message]) => message);
}

it('logs a round that fails while it works', async () => {
  expect(await loggedOf(async (cut) => void (await cut()))).toContain(
    'a round of the worker failed',
  );
});

it('logs nothing of a round that fails because it stops', async () => {
  const said = await loggedOf(async (cut) => {
    const stopping = place.stopWork();
    await cut();
    await stopping;
  });
  expect(said).not.toContain('a round of the worker failed');
});
