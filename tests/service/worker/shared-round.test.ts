import { beforeEach, expect, it } from 'vitest';
import { takeSharedRound } from '../../../src/service/repositories/workers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

const hour = 3_600_000;
const takeByMany = async (everyMs: number) => {
  const taken = await Promise.all(
    Array.from({ length: 8 }, () => takeSharedRound(database.pool, everyMs)),
  );
  return taken.filter((isTaken) => isTaken).length;
};
const moveRound = (interval: string) =>
  database.pool.query('update shared_rounds set taken_at = clock_timestamp() + $1::interval', [
    interval,
  ]);

it('a shared round is taken by one of many workers, and by one again after its interval', async () => {
  expect(await takeByMany(hour)).toBe(1);
  expect(await takeByMany(hour)).toBe(0);
  await moveRound('-2 hours');
  expect(await takeByMany(hour)).toBe(1);
});

it('a round taken in the future, before the clock was set back, does not block others', async () => {
  await moveRound('3 days');
  expect(await takeByMany(hour)).toBe(1);
  expect(await takeByMany(hour)).toBe(0);
});
