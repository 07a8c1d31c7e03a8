/** Upgrades of what a released version left: complete, after a failure midway, and opened by an older program. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { decodeDraws } from '../../../src/contract/draws.ts';
import { migrate } from '../../../src/service/migrations/migrate.ts';
import { type Migration, migrations } from '../../../src/service/migrations/migrations.ts';
import { isUnavailable } from '../../../src/service/repositories/database.ts';
import { insertToken } from '../../../src/service/repositories/tokens.ts';
import { StartError } from '../../../src/service/start-error.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { codeOf } from '../../support/objects.ts';
import { createTestService, type TestService } from '../../support/service.ts';

const released = migrations.filter(({ number }) => number <= 8);
const rowsOfRelease = readFileSync(
  new URL('../../fixtures/databases/schema-8.sql', import.meta.url),
  'utf8',
);
const token = `erg_${'fixture'.repeat(6)}x`;

async function createReleased(): Promise<TestDatabase> {
  const database = await createTestDatabase(4, { isEmpty: true });
  await migrate(database.pool, released);
  await database.pool.query(rowsOfRelease);
  return database;
}

async function listTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  return rows.map((row) => row.name);
}

/** Every row of every table. */
async function readRows(pool: pg.Pool): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const table of await listTables(pool)) {
    const { rows } = await pool.query<{ row: unknown }>(
      `select row_to_json(t) as row from (select * from ${table} order by 1, 2) t`,
    );
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

/** Columns, constraints, indices and functions. */
async function readSchema(pool: pg.Pool): Promise<unknown[]> {
  const queries = [
    `select table_name, column_name, data_type, column_default, is_nullable
     from information_schema.columns where table_schema = 'public' order by 1, ordinal_position`,
    "select tablename, indexdef from pg_indexes where schemaname = 'public' order by 1, 2",
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
     from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    "select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  ];
  const answers = await Promise.all(queries.map((query) => pool.query(query)));
  return answers.map(({ rows }) => rows);
}

const readAll = async (pool: pg.Pool) => [await readSchema(pool), await readRows(pool)];

describe('rows of a released schema', () => {
  it('exist in every table, and are unchanged after the upgrade', async () => {
    const { pool } = await createReleased();
    const before = await readRows(pool);
    for (const [table, rows] of Object.entries(before))
      expect(rows.length, table).toBeGreaterThan(0);
    const { schema_migrations: _, ...kept } = before;
    expect(await migrate(pool)).toBe(migrations.length - released.length);
    const { schema_migrations: applied, ...after } = await readRows(pool);
    expect(applied).toHaveLength(migrations.length);
    expect(after).toMatchObject(kept);
  });
});

describe('objects of a released schema', () => {
  let service: TestService;
  beforeAll(async () => {
    const database = await createReleased();
    await migrate(database.pool);
    service = await createTestService({ database });
    return () => service.close();
  });
  const of = (objid: string) => ({ params: { objid } });
  const ada = () => service.clientOf(token);

  it('can be opened by signing in with the former password', async () => {
    const body = { username: 'ada', password: 'pässwörd' };
    const { tokens } = await service.anonymous.login({ body });
    expect((await service.clientOf(tokens[0]).viewUser({})).username).toBe('ada(@2)');
    const wrong = { ...body, password: 'password' };
    expect(await codeOf(service.anonymous.login({ body: wrong }))).toBe('PERMISSION_DENIED');
  });

  it('return their content, in each version', async () => {
    const model = expectKind(await ada().viewObject(of('M0000001')), 'model');
    expect(model).toMatchObject({ name: 'renamed since', env: 'stan', version: 2 });
    expect(model.content?.meta).toEqual({ entrance_file: 'model.stan' });
    expect(model.content?.tree).toMatchObject([
      { name: 'model.stan', content: expect.stringContaining('normal(0, 2)') },
      { name: 'notes', type: 'folder', children: [{ name: 'README.md', content: '# Notes\n' }] },
    ]);
    const first = await ada().viewObject({ ...of('M0000001'), query: { version: 1 } });
    expect(expectKind(first, 'model').content?.tree).toMatchObject([
      { name: 'model.stan', content: expect.stringContaining('normal(0, N)') },
    ]);
    const fileOf = async (version?: number) => {
      const data = expectKind(
        await ada().viewObject({ ...of('D0000001'), query: { version } }),
        'data',
      );
      return (await service.inject({ method: 'GET', url: new URL(data.path).pathname })).body;
    };
    expect([await fileOf(), await fileOf(1)]).toEqual(['{"N": 5}', '{"N": 3}']);
  });

  it('include runs with workflow, draws, logs and analysis', async () => {
    expect(await ada().viewObject(of('F0000001'))).toMatchObject({
      model_id: 'M0000001',
      data_id: 'D0000001',
      experiment_id: 'X0000001',
      settings: 'sampling: {num_chains: 2, num_warmup: 5, num_samples: 10, seed: 4}\n',
      analyzer_id: '',
    });
    expect(await ada().viewObject(of('X0000001'))).toMatchObject({
      name: 'a run',
      status: 'FIN',
      n_chains: 2,
      n_samples: 3,
      model_id: 'M0000001',
      meta: { settings: { seed: 4, num_samples: 10 } },
    });
    const drawsOf = async (id: string, variable: string) =>
      decodeDraws(await ada().viewDraws({ ...of(id), query: { variable } }));
    const mu = await drawsOf('X0000001', 'mu');
    expect(mu.header.columns.map(({ chain }) => chain)).toEqual(['chain#1', 'chain#2']);
    expect([...mu.values]).toEqual([1.001, 1.002, 1.003, 2.001, 2.002, 2.003]);
    expect([...(await drawsOf('X0000002', 'x')).values]).toEqual([1.5, 2.5]);
    const log = await service.inject({ method: 'GET', url: '/api/log/X0000002' }, token);
    expect(log.body).toContain('a line of output');
    const query = { 'view-analyzer': true };
    const analysis = (await ada().viewObject({ ...of('F0000001'), query })) as { url: string };
    const page = await service.inject({ method: 'GET', url: new URL(analysis.url).pathname });
    expect(page.body).toContain('<p>page</p>');
  });

  it('are shared as before: with anyone by password, with one user by name', async () => {
    const query = { share_id: 'S0000001' };
    const look = { ...of('X0000001'), query };
    expect(await codeOf(service.anonymous.viewObject(look))).toBe('PERMISSION_DENIED');
    const sharePassword = 'a shared password';
    expect(await service.anonymous.viewObject({ ...look, sharePassword })).toMatchObject({
      name: 'a run',
      status: 'FIN',
    });
    const { text } = await insertToken(service.database.pool, { userId: 3, kind: 'login' });
    const bob = service.clientOf(text);
    expect(await bob.viewObject(of('M0000001'))).toMatchObject({ name: 'A model' });
    const { objects } = await bob.listObjects({
      query: { object_type: 'model', shared_with_me: true },
    });
    expect(objects).toMatchObject([{ short_id: 'M0000001', name: 'A model' }]);
    expect(await codeOf(bob.viewObject(of('X0000001')))).toBe('PERMISSION_DENIED');
  });

  it('can be restored, are counted, and continue their numbering', async () => {
    const total = async () => (await ada().listObjects({ query: { object_type: 'data' } })).total;
    expect(await total()).toBe(1);
    await ada().deleteObjects({
      query: { deleted_key: '00000000-0000-4000-8000-000000000001' },
    });
    expect(await total()).toBe(2);
    const payload = { object_type: 'data', name: 'next', data: '[2]' } as const;
    expect(await ada().createObject({ body: { payload } })).toMatchObject({ id: 3 });
    expect(await total()).toBe(3);
    for (const kind of ['event', 'callback', 'relation'] as const) {
      const { objects } = await ada().listObjects({ query: { object_type: kind } });
      const letter = { event: 'E', callback: 'C', relation: 'R' }[kind];
      expect(objects.map((object) => object.short_id)).toContain(`${letter}0000001`);
    }
  });
});

/** Where a migration of several statements may be cut. */
const statements = [
  'alter table objects add column made_up text',
  "update objects set made_up = name, name = 'changed'",
  'create table made_up (n integer)',
];
const ends = {
  'a statement fails': { fault: '1 / 0', isKill: false },
  'the connection is killed': {
    fault: 'pg_terminate_backend(pg_backend_pid())',
    isKill: true,
  },
};
/** Cuts where the migration has done its work and is about to be noted as applied. */
const cutAtNote = (fault: string) => `
  create function made_up_cut() returns trigger language plpgsql as
    $$ begin perform ${fault}; perform 1; return new; end $$;
  create trigger made_up_cut before insert on schema_migrations
    for each row execute function made_up_cut()`;

const next: Migration = {
  number: migrations.length + 1,
  name: 'made-up',
  sql: statements.join(';\n'),
};

describe.each(Object.entries(ends))('a migration in which %s', (_, { fault, isKill }) => {
  let database: TestDatabase | null = null;
  afterEach(() => database?.drop());

  it.each([0, 1, 2, 3, 'all'] as const)(
    'after %s statements changes nothing; the next start migrates',
    async (n) => {
      database = await createReleased();
      const { pool } = database;
      await migrate(pool);
      const before = await readAll(pool);
      const made =
        n === 'all'
          ? [...statements, cutAtNote(fault)]
          : statements.toSpliced(n, 0, `select ${fault}`);
      const cut = { ...next, sql: made.join(';\n') };
      const error = await migrate(pool, [...migrations, cut]).catch((reason: unknown) => reason);
      // A lost connection is met with another attempt, a failed statement with a message.
      expect([isUnavailable(error), error instanceof StartError]).toEqual([isKill, !isKill]);
      expect(await readAll(pool)).toEqual(before);
      expect(await migrate(pool, [...migrations, next])).toBe(1);
      expect(await migrate(pool, [...migrations, next])).toBe(0);
      const { rows } = await pool.query('select distinct name, made_up from objects where id = 4');
      expect(rows).toEqual([{ name: 'changed', made_up: 'a run' }]);
    },
  );

  it('keeps the migrations before it', async () => {
    database = await createReleased();
    const { pool } = database;
    const cut = { ...next, sql: `${statements[0]};\nselect ${fault}` };
    await expect(migrate(pool, [...migrations, cut])).rejects.toThrow();
    expect((await readRows(pool)).schema_migrations).toHaveLength(migrations.length);
    expect(await migrate(pool)).toBe(0);
  });
});

describe('a program older than the database', () => {
  it('reports it and changes nothing', async () => {
    const { pool } = await createReleased();
    await migrate(pool);
    const before = await readAll(pool);
    const [first] = migrations.slice(released.length);
    const error = await migrate(pool, released).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).toBe(
      `The database was created by a newer version of Ergodic (migration ${first.number}, ${first.name}).\n` +
        'Start that version, or restore a backup from before the upgrade.',
    );
    expect(await readAll(pool)).toEqual(before);
    expect(await migrate(pool)).toBe(0);
  });
});
