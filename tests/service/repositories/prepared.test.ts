/** Statements that a session plans once: known to it by name, and never sent by name through a pooler. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  execute,
  openDatabase,
  prepared,
  select,
  selectOne,
  sql,
  withClient,
} from '../../../src/service/repositories/database.ts';
import { findExperiment, insertExperiment } from '../../../src/service/repositories/experiments.ts';
import { findModel, insertModel } from '../../../src/service/repositories/models.ts';
import { ensureOwner } from '../../../src/service/repositories/users.ts';
import { addressOf, createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const known = sql`select statement from pg_prepared_statements where not statement like '%pg_prepared%'`;
const double = (n: number) => prepared(sql`select 2 * ${n}::int as n`);

it('prepared statements have one name per text in their session', () =>
  withClient(database.pool, async (client) => {
    expect(await selectOne(client, double(2))).toEqual({ n: 4 });
    expect(await selectOne(client, double(3))).toEqual({ n: 6 });
    expect(await selectOne(client, prepared(sql`select 3 * ${3}::int as n`))).toEqual({ n: 9 });
    expect(await selectOne(client, sql`select 4 * ${3}::int as n`)).toEqual({ n: 12 });
    const texts = (await select<{ statement: string }>(client, known)).map(
      ({ statement }) => statement,
    );
    expect(texts.filter((text) => text.includes('::int as n')).sort()).toEqual([
      'select 2 * $1::int as n',
      'select 3 * $1::int as n',
    ]);
  }));

it('prepared statements are sent without a name through a pooler', async () => {
  const address = addressOf(database.connection);
  const pooled = openDatabase({ connectionString: address, directString: address });
  try {
    await withClient(pooled.pool, async (client) => {
      expect(await selectOne(client, double(2))).toEqual({ n: 4 });
      expect(await select(client, known)).toEqual([]);
    });
  } finally {
    await pooled.close();
  }
});

it('prepared statements still work after another service has added a column', async () => {
  const { pool } = database;
  const { id } = await ensureOwner(pool);
  const content = {
    tree: [{ name: 'm.stan', type: 'file', bytes: Buffer.from(''), encoding: 'text' }] as const,
  };
  const model = await insertModel(pool, { ownerId: id, name: 'm', tags: [], content });
  const run = await insertExperiment(pool, { ownerId: id, name: 'r', modelId: model.id });
  await withClient(pool, async (client) => {
    const look = async () => [
      (await findModel(client, model.short_id))?.name,
      (await findExperiment(client, run.short_id))?.model_id,
    ];
    for (let times = 0; times < 7; times++) expect(await look()).toEqual(['m', model.short_id]);
    for (const table of ['objects', 'experiments', 'model_versions', 'users'])
      await pool.query(`alter table ${table} add column later int`);
    expect(await look()).toEqual(['m', model.short_id]);
    await execute(client, sql`update objects set name = 'n' where id = ${model.id}`);
    expect(await look()).toEqual(['n', model.short_id]);
  });
});
