/** Rows through COPY: the stored bytes, wherever the network splits them; failures leave the connection as it was. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CopiedRow,
  copyRows,
  readInteger,
  readRows,
} from '../../../src/service/repositories/copied-rows.ts';
import {
  errorState,
  inTransaction,
  isUnavailable,
  select,
  selectOne,
  sql,
  withClient,
} from '../../../src/service/repositories/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
});
afterAll(() => database.drop());

const bytesOf = (rows: readonly CopiedRow[]) =>
  rows.map((row) => row.map((column) => (column === null ? null : [...column])));

describe('rows of the database', () => {
  it('contain numbers, bytes and nulls', async () => {
    const rows = await copyRows(
      database.pool,
      sql`select ${-7}::int, ${2 ** 40}::bigint, '\\x00ff10'::bytea, ''::bytea, null::bytea
          from generate_series(1, ${2})`,
    );
    expect(rows).toHaveLength(2);
    const [a, b, ...bytes] = rows[1] ?? [];
    expect([a, b].map((column) => readInteger(column ?? null))).toEqual([-7, 2 ** 40]);
    expect(bytesOf([bytes])).toEqual([[[0, 255, 16], [], null]]);
    expect(() => readInteger(null)).toThrow('NULL');
  });

  it('accept lists of numbers, and may be empty', async () => {
    const rows = await copyRows(database.pool, sql`select unnest(${[3, -1, 2]}::int[])`);
    expect(rows.map(([column]) => readInteger(column ?? null))).toEqual([3, -1, 2]);
    expect(await copyRows(database.pool, sql`select unnest(${[]}::int[])`)).toEqual([]);
  });

  it('may be larger than the network sends at once', async () => {
    const rows = await copyRows(
      database.pool,
      sql`select n, convert_to(repeat(chr(64 + n), ${300_000}), 'UTF8') from generate_series(1, ${9}) n`,
    );
    expect(rows.map(([n]) => readInteger(n ?? null))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const [n, text] of rows)
      expect(
        Buffer.from(text ?? []).equals(Buffer.alloc(300_000, 64 + readInteger(n ?? null))),
      ).toBe(true);
  });

  it.each([['text'], [1.5], [Number.NaN], [2 ** 60], [null], [[1, 'x']]])(
    'refuse %j as a value, which would have to be quoted',
    async (value) => {
      await expect(copyRows(database.pool, sql`select ${value}`)).rejects.toThrow(
        'not a whole number',
      );
    },
  );

  it('are read within a transaction', () =>
    inTransaction(database.pool, async (tx) => {
      await tx.query('create temporary table seen (n int) on commit drop');
      await tx.query('insert into seen values (5)');
      const [[n = null] = []] = await copyRows(tx, sql`select n from seen`);
      expect(readInteger(n)).toBe(5);
      expect(await select(tx, sql`select n from seen`)).toEqual([{ n: 5 }]);
    }));
});

describe('a statement that fails', () => {
  it('rejects with its SQL state, and the connection stays usable', () =>
    withClient(database.pool, async (client) => {
      const failing = copyRows(client, sql`select ${1} / (n - 3) from generate_series(1, 5) n`);
      expect(await failing.catch(errorState)).toBe('22012');
      expect(await selectOne(client, sql`select 1 as n`)).toEqual({ n: 1 });
    }));

  it('rejects when the server closes the connection while sending', async () => {
    const failing = copyRows(
      database.pool,
      sql`select n, case when n = ${2000} then convert_to(pg_terminate_backend(pg_backend_pid())::text, 'UTF8')
            else convert_to(repeat('x', 1000), 'UTF8') end
          from generate_series(1, 1000000) n`,
    );
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    expect(await selectOne(database.pool, sql`select 1 as n`)).toEqual({ n: 1 });
  });
});

describe('the binary format', () => {
  const header = [...Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), 0, 0, 0, 0, 0, 0, 0, 0];
  const encode = (rows: readonly (readonly (readonly number[] | null)[])[]) =>
    Uint8Array.from([
      ...header,
      ...rows.flatMap((row) => [
        0,
        row.length,
        ...row.flatMap((column) =>
          column === null ? [255, 255, 255, 255] : [0, 0, 0, column.length, ...column],
        ),
      ]),
      255,
      255,
    ]);
  const cutAt = (bytes: Uint8Array, ends: readonly number[]) => {
    const places = [
      0,
      ...ends.map((end) => end % bytes.length).sort((a, b) => a - b),
      bytes.length,
    ];
    return (async function* () {
      for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i]);
    })();
  };

  it('is read wherever it is split', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.option(fc.array(fc.nat(255), { maxLength: 9 })), { maxLength: 4 }), {
          maxLength: 5,
        }),
        fc.array(fc.nat(200), { maxLength: 8 }),
        async (rows, ends) => {
          expect(bytesOf(await readRows(cutAt(encode(rows), ends)))).toEqual(rows);
        },
      ),
      { seed: 11 },
    ));

  it('is required: another format, or an early end, is refused', async () => {
    const whole = encode([[[1, 2]]]);
    await expect(readRows(cutAt(whole.slice(0, -2), []))).rejects.toThrow('ended early');
    await expect(readRows(cutAt(whole.slice(0, 22), []))).rejects.toThrow('ended early');
    await expect(
      readRows(
        cutAt(
          whole.map((byte, i) => (i === 3 ? 0 : byte)),
          [],
        ),
      ),
    ).rejects.toThrow('not the binary format');
  });
});
