/** A worker that stops: failures of its unfinished work no longer matter. */
import { expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/service/logging.ts';
import { execute, selectOne, sql, withClient } from '../../../src/service/repositories/database.ts';
import { useWorkPlace } from '../../support/work-place.ts';

const place = useWorkPlace();

const roundFailed = 'a round of the worker failed';
/** Sessions that wait for a lock. */
const held = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

async function loggedOf(
  stop: (cut: () => Promise<unknown>, logged: () => unknown[]) => Promise<void>,
): Promise<unknown[]> {
  const logger = createLogger({ level: 'silent' });
  const warn = vi.spyOn(logger, 'warn');
  const logged = () => warn.mock.calls.map(([, message]) => message);
  await place.work({ logger, roundMs: 20 });
  await withClient(place.pool, async (client) => {
    await client.query('begin; lock table shared_rounds in access exclusive mode');
    await vi.waitFor(async () => {
      expect(await selectOne(place.pool, sql`select 1 as n ${held} limit 1`)).not.toBeNull();
    }, 10_000);
    await stop(() => execute(place.pool, sql`select pg_terminate_backend(pid) ${held}`), logged);
    await client.query('rollback');
  });
  await place.stopWork();
  return logged();
}

it('a worker logs a round that fails while it is working', async () => {
  const said = await loggedOf(async (cut, logged) => {
    await cut();
    // before the worker is stopped, whose rounds may fail unnoticed
    await vi.waitFor(() => expect(logged()).toContain(roundFailed), 10_000);
  });
  expect(said).toContain(roundFailed);
});

it('a worker does not log a round that fails because it stops', async () => {
  const said = await loggedOf(async (cut) => {
    const stopping = place.stopWork();
    await cut();
    await stopping;
  });
  expect(said).not.toContain(roundFailed);
});
