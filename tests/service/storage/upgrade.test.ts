import { describe, expect, it } from 'vitest';
import { migrate } from '../../../src/service/migrations/migrate.ts';
import { migrations } from '../../../src/service/migrations/migrations.ts';
import { execute, select, sql } from '../../../src/service/repositories/database.ts';
import { findExperiment, listExperiments } from '../../../src/service/repositories/experiments.ts';
import { listObjects } from '../../../src/service/repositories/object-lists.ts';
import { createTestDatabase } from '../../support/database.ts';

/** What every released schema could contain, in plain SQL: today's code knows only today's schema. */
const contents = `
insert into users (name, super) values ('ada', true);
with made as (
  insert into objects (kind, row_number, short_id, owner_id, name, status)
  select 'experiment', nextval('row_number_experiment'), 'X000000' || n, 1, 'run ' || n, 'FIN'
  from generate_series(1, 9) n returning id)
insert into experiments (id, n_chains, n_samples) select id, 4, 10 from made;
insert into experiment_chains (experiment_id, chain, name, state, saved_samples)
  select id, 1, 'chain#1', 'done', 10 from experiments;
update objects set deleted_at = now() where short_id = 'X0000009';
`;

/** The last migration of each released schema; the newest one is upgraded by a migration made up here. */
const releases = [8];

const madeUp = {
  number: Math.max(...migrations.map(({ number }) => number)) + 1,
  name: 'made-up',
  sql: 'alter table objects add column made_up text',
};

describe('a database of a released version', () => {
  it.each(releases)('with migrations up to %i is upgraded with its contents', async (number) => {
    const { pool } = await createTestDatabase(4, { isEmpty: true });
    const older = migrations.filter((migration) => migration.number <= number);
    expect(await migrate(pool, older)).toBe(older.length);
    await pool.query(contents);
    expect(await migrate(pool, [...migrations, madeUp])).toBe(migrations.length + 1 - older.length);

    const page = await listObjects(
      pool,
      { kind: 'experiment', viewerId: 1 },
      { number: 1, size: 5 },
    );
    expect(page.total).toBe(8);
    expect(await listExperiments(pool, page.rows)).toHaveLength(5);
    expect(await findExperiment(pool, 'X0000003')).toMatchObject({
      status: 'FIN',
      n_samples: 10,
    });
    await execute(pool, sql`update objects set status = 'ERR' where short_id = 'X0000003'`);
    const failed = await listObjects(
      pool,
      { kind: 'experiment', viewerId: 1, status: 'ERR' },
      { number: 1, size: 1 },
    );
    expect(failed.total).toBe(1);
  });

  it('from before the first release is refused', async () => {
    const { pool } = await createTestDatabase();
    await pool.query("update schema_migrations set name = 'first-schema' where number = 1");
    await expect(migrate(pool)).rejects.toThrow('created before the first release');
  });

  it('has its migrations in the order of their numbers, without duplicates', async () => {
    const numbers = migrations.map((migration) => migration.number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const { pool } = await createTestDatabase();
    const rows = await select<{ number: number }>(
      pool,
      sql`select number from schema_migrations order by number`,
    );
    expect(rows.map((row) => row.number)).toEqual(numbers);
  });
});
