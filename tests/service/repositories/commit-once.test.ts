/** A commit whose answer is lost: what it wrote is there once, whether or not the server carried it out. */
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { commitOnce } from '../../../src/service/repositories/commit-once.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table lines (text text)');
});

/** The next commit of `tx` gets no answer. */
function loseAnswer(tx: pg.PoolClient, isCarriedOut: boolean): void {
  const query = tx.query.bind(tx) as (text: string) => Promise<unknown>;
  Object.assign(tx, {
    async query(text: string, ...rest: unknown[]) {
      if (text !== 'commit') return (query as (...all: unknown[]) => unknown)(text, ...rest);
      if (isCarriedOut) await query('commit');
      (
        tx as unknown as { connection: { stream: { destroy(): void } } }
      ).connection.stream.destroy();
      throw new Error('Connection terminated unexpectedly');
    },
  });
}

it.each([
  ['a commit that was carried out is not repeated', true, 1],
  ['a commit that never arrived is repeated', false, 2],
])('%s', async (text, isCarriedOut, attempts) => {
  let tried = 0;
  const errors: unknown[] = [];
  await commitOnce(
    database.pool,
    async (tx) => {
      tried += 1;
      await tx.query('insert into lines values ($1)', [text]);
      if (tried === 1) loseAnswer(tx, isCarriedOut);
    },
    { onRetry: (error) => errors.push(error) },
  );
  const { rows } = await database.pool.query('select text from lines where text = $1', [text]);
  expect([rows.length, tried, errors.length]).toEqual([1, attempts, 1]);
});

it('a transaction is not retried once it is given up, nor after another error', async () => {
  const work = () => Promise.reject(new Error('wrong'));
  await expect(
    commitOnce(database.pool, work, { onRetry: () => expect.fail('it was tried again') }),
  ).rejects.toThrow('wrong');
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
  const options = { onRetry: () => expect.fail('it was tried again'), isGivenUp: () => true };
  await expect(commitOnce(database.pool, away, options)).rejects.toThrow('away');
});
