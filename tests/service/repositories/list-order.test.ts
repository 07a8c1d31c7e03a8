/** Sorting and filtering of lists: the same on every page, through an index if there is one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { kindSortKeys } from '../../../src/contract/objects.ts';
import {
  type Executor,
  execute,
  type SQL,
  select,
  sql,
  withClient,
} from '../../../src/service/repositories/database.ts';
import { insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { listOrder } from '../../../src/service/repositories/list-order.ts';
import {
  countByStatus,
  type ListFilter,
  listObjects,
} from '../../../src/service/repositories/object-lists.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeData, makeModel, makeUser, makeWorkflow } from '../../support/service-objects.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const page = { number: 1, size: 100 };

describe('lists of experiments', () => {
  let owner: UserRow;
  const list = async (filter: Partial<ListFilter> = {}, at = page) =>
    (
      await listObjects(database.pool, { kind: 'experiment', viewerId: owner.id, ...filter }, at)
    ).rows.map((row) => row.name);

  beforeAll(async () => {
    owner = await makeUser(database.pool);
    const runs = [
      ['a', 'FIN', { state: 'good', rhat_max: 1.001, ess_bulk_min: 900, ess_tail_min: 30 }],
      ['b', 'FIN', { state: 'bad', rhat_max: 1.2, ess_bulk_min: 10, ess_tail_min: 800 }],
      ['c', 'FIN', { state: 'warn', rhat_max: 1.02, ess_bulk_min: 20, divergences: 3 }],
      ['d', 'FIN', { state: 'unknown', rhat_max: 'a word' }],
      ['e', 'RUN', { state: 'bad', rhat_max: 3 }],
      ['f', 'ERR', null],
    ] as const;
    for (const [i, [name, status, verdict]] of runs.entries()) {
      const run = await insertExperiment(database.pool, {
        ownerId: owner.id,
        name,
        status,
        modelName: `model ${9 - i}`,
        meta: verdict === null ? {} : { verdict },
        numChains: i,
      });
      await execute(
        database.pool,
        sql`update experiments set n_samples = 10, started_at = '2026-01-01T00:00:00Z',
              finished_at = case when ${status} = 'RUN' then null
                else '2026-01-01T00:00:00Z'::timestamptz + ${i}::int * interval '1 day' end
            where id = ${run.id}`,
      );
      await execute(
        database.pool,
        sql`update objects set created_at = '2026-01-01T00:00:00Z'::timestamptz + ${i}::int * interval '1 day'
            where id = ${run.id}`,
      );
    }
  });

  it('sort by what their columns show, with missing values last in both directions', async () => {
    expect(await list({ sort: '-rhat' })).toEqual(['e', 'b', 'c', 'a', 'f', 'd']);
    expect(await list({ sort: 'rhat' })).toEqual(['a', 'c', 'b', 'e', 'f', 'd']);
    expect((await list({ sort: 'ess' })).slice(0, 3)).toEqual(['b', 'c', 'a']);
    expect((await list({ sort: '-verdict' })).slice(0, 5)).toEqual(['f', 'b', 'c', 'd', 'a']);
    expect((await list({ sort: '-divergences' }))[0]).toBe('c');
    expect(await list({ sort: 'model' })).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
    expect((await list({ sort: '-draws' }))[0]).toBe('f');
    expect((await list({ sort: '-time' })).slice(0, 2)).toEqual(['f', 'd']);
  });

  it('support every sort key of the contract', () => {
    for (const [kind, keys] of Object.entries(kindSortKeys)) {
      for (const key of keys) {
        const order = listOrder(kind as keyof typeof kindSortKeys, `-${key}`);
        expect(order).toMatchObject({ isDescending: true, nullsLast: true });
        expect(order.value).not.toBeNull();
      }
    }
  });

  it('return the same rows from either end, in any order', async () => {
    for (const sort of ['-created', 'created', 'name', '-name', '-updated', 'status', 'rhat']) {
      const whole = await list({ sort });
      const pages = [];
      for (let number = 1; number <= 4; number++)
        pages.push(...(await list({ sort }, { number, size: 2 })));
      expect([sort, pages]).toEqual([sort, whole]);
    }
  });

  it('are filtered by the time of creation or end, and by runs that need attention', async () => {
    expect(await list({ createdFrom: '2026-01-03T00:00:00Z', sort: 'name' })).toEqual([
      'c',
      'd',
      'e',
      'f',
    ]);
    expect(
      await list({ createdFrom: '2026-01-02T00:00:00Z', createdTo: '2026-01-03T00:00:00Z' }),
    ).toEqual(['b']);
    expect(await list({ finishedFrom: '2026-01-04T00:00:00Z', sort: 'name' })).toEqual(['d', 'f']);
    expect(await list({ finishedTo: '2026-01-02T00:00:00Z' })).toEqual(['a']);
    expect(await list({ needsLook: true, sort: 'name' })).toEqual(['b', 'c']);
  });

  it('are counted by status, with and without a filter', async () => {
    const counts = async (filter: Partial<ListFilter>) =>
      Object.fromEntries(
        await countByStatus(database.pool, {
          kind: 'experiment',
          viewerId: owner.id,
          ...filter,
        }),
      );
    expect(await counts({})).toEqual({ FIN: 4, RUN: 1, ERR: 1, look: 2 });
    expect(await counts({ status: 'ERR', needsLook: true })).toEqual({
      FIN: 4,
      RUN: 1,
      ERR: 1,
      look: 2,
    });
    expect(await counts({ search: 'b' })).toEqual({ FIN: 1, look: 1 });
    expect(await counts({ createdFrom: '2026-01-05T00:00:00Z' })).toEqual({
      RUN: 1,
      ERR: 1,
      look: 0,
    });
  });
});

describe('lists of other kinds', () => {
  it('sort by what their columns show', async () => {
    const owner = await makeUser(database.pool);
    const first = await makeModel(database.pool, owner.id);
    const small = await makeData(database.pool, owner.id, '{}');
    const large = await makeData(database.pool, owner.id);
    await makeWorkflow(database.pool, owner.id);
    await execute(
      database.pool,
      sql`update objects set version = 7, description = 'About' where id = ${first.id}`,
    );
    const list = async (kind: 'model' | 'data' | 'workflow', sort: string) =>
      (await listObjects(database.pool, { kind, viewerId: owner.id, sort }, page)).rows;
    expect((await list('model', '-version'))[0].id).toBe(first.id);
    expect((await list('model', 'description'))[0].id).toBe(first.id);
    expect((await list('data', 'size'))[0].id).toBe(small.id);
    expect((await list('data', '-size')).map(({ id }) => id)).toContain(large.id);
    expect(await list('workflow', 'model')).toHaveLength(1);
    expect(await list('workflow', '-data')).toHaveLength(1);
  });
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** Names of the indices that a plan reads; "alone": without the rows of the table. */
function indicesOf(plan: Plan): string[] {
  const alone = plan['Node Type'] === 'Index Only Scan' ? ' alone' : '';
  const own = plan['Index Name'] === undefined ? [] : [plan['Index Name'] + alone];
  return [...own, ...(plan.Plans ?? []).flatMap(indicesOf)];
}

/** A database that explains the statements it is sent. */
function explaining(db: Executor, seen: string[][]): Executor {
  return {
    query: async (statement: SQL) => {
      const explained = sql`explain (format json) ${statement}`;
      const [row] = await select<{ 'QUERY PLAN': [{ Plan: Plan }] }>(db, explained);
      seen.push(indicesOf(row['QUERY PLAN'][0].Plan));
      return db.query(statement);
    },
  } as unknown as Executor;
}

describe('a list of 20 000 names', () => {
  let owner: UserRow;
  beforeAll(async () => {
    owner = await makeUser(database.pool);
    await execute(
      database.pool,
      sql`insert into objects (kind, row_number, short_id, owner_id, name)
          select 'model', nextval('row_number_model'), 'M' || lpad(to_hex(n), 7, '0'), ${owner.id}, 'run ' || n
          from generate_series(1, 20000) n`,
    );
    await database.pool.query('vacuum analyze objects');
  });
  const search = async (words: string, number = 1, db: Executor = database.pool) => {
    const seen: string[][] = [];
    const found = await listObjects(
      explaining(db, seen),
      { kind: 'model', viewerId: owner.id, search: words },
      { number, size: 10 },
    );
    return { ...found, indices: seen.flat() };
  };

  it('is searched with the trigram index, and with the index of ids', async () => {
    const { total, rows, indices } = await search('777');
    expect(indices).toContain('objects_name_words');
    expect(total).toBe(38);
    const byId = await search('M00007');
    // both index the prefixes of ids; which is cheaper depends on the version of PostgreSQL
    expect(byId.indices.join()).toMatch(/objects_(short_id_key|by_id_prefix)/);
    expect(byId.total).toBe(256);
    expect(rows.map((row) => row.name).slice(0, 2)).toEqual(['run 19777', 'run 18777']);
    expect((await search('run 1777')).indices).toContain('objects_name_words');
  });

  it('can be counted from one index, without rows, if a search finds many', async () => {
    await withClient(database.pool, async (client) => {
      // While another process of the server reads the table, its pages are not yet marked as visible to all.
      const isVisible = async () => {
        await client.query('vacuum objects');
        const { rows } = await client.query(
          "select relallvisible >= relpages as all from pg_class where relname = 'objects'",
        );
        return rows[0];
      };
      await expect.poll(isVisible).toEqual({ all: true });
      // as when most rows and most matches belong to others
      await client.query('set enable_seqscan = off; set enable_bitmapscan = off');
      const { total, indices } = await search('run', 1, client);
      await client.query('reset enable_seqscan; reset enable_bitmapscan');
      expect(total).toBe(20_000);
      expect(indices.at(-1)).toBe('objects_named alone');
    });
  });

  it('is searched regardless of case, in names that are stored case-folded', async () => {
    const statements: string[] = [];
    const watched = {
      query: (statement: SQL) => {
        statements.push(statement.text);
        return database.pool.query(statement);
      },
    } as unknown as Executor;
    const list = { kind: 'model', viewerId: owner.id } as const;
    const page = { number: 1, size: 10 };
    const found = await listObjects(watched, { ...list, search: 'RuN' }, page);
    expect(found.total).toBe(20_000);
    const searching = statements.filter((text) => text.includes(' like '));
    expect(searching.length).toBeGreaterThan(1);
    for (const text of searching) expect(text).toContain('o.name_folded like');
    expect(statements.join()).not.toContain('ilike');
  });

  it('is paged by a search with many matches as by one with few', async () => {
    expect((await search('777', 4)).rows).toHaveLength(8);
    expect(await search('777', 5)).toMatchObject({ total: 38, rows: [] });
    const all = await search('run', 2);
    expect(all.total).toBe(20_000);
    expect(all.rows.map((row) => row.name)[0]).toBe('run 19990');
    expect(await search('zebra')).toMatchObject({ total: 0, rows: [] });
  });

  it('is read from its end for the last page', async () => {
    const statements: string[] = [];
    const watched = {
      query: (statement: SQL) => {
        statements.push(statement.values.join(' '));
        return database.pool.query(statement);
      },
    } as unknown as Executor;
    const filter = { kind: 'model', viewerId: owner.id } as const;
    const found = await listObjects(watched, filter, { number: 2000, size: 10 });
    expect(found.rows.map((row) => row.name)).toEqual(
      Array.from({ length: 10 }, (_, i) => `run ${10 - i}`),
    );
    expect(statements.join(' ')).not.toContain('19990');
  });
});
