/** Whose name and whose token it is. */
import type pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { findUserOfToken } from '../../../src/service/auth/token-user.ts';
import {
  displayName,
  findPersonOrTeam,
  findUserByDisplayName,
  findUserToSignIn,
  ownerName,
} from '../../../src/service/auth/user-names.ts';
import type { Logger } from '../../../src/service/logging.ts';
import { insertTeam } from '../../../src/service/repositories/teams.ts';
import { insertToken } from '../../../src/service/repositories/tokens.ts';
import { insertUser, type UserRow } from '../../../src/service/repositories/users.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let ada: UserRow;
let nested: UserRow;
let odd: UserRow;
let lab: { readonly id: number };
const add = async (name: string) =>
  (await insertUser(database.pool, {
    name,
    passwordHash: null,
    isSuper: name === 'root',
  })) as UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  ada = await add('ada');
  nested = await add(`x(@1)\n${ada.id}`);
  odd = await add('odd(@0)');
  await insertTeam(database.pool, { name: 'another' });
  lab = (await insertTeam(database.pool, { name: 'lab' })) as typeof lab;
  await database.pool.query(
    "insert into users (id, name) overriding system value values (1234567, 'mmm')",
  );
});

describe('a user name', () => {
  it('is shown with its id', () => {
    expect(displayName({ name: 'ada', id: 4 })).toBe('ada(@4)');
    expect(ownerName({ owner: 'ada', owner_id: 4 })).toBe('ada(@4)');
  });

  it('with its id identifies one person', async () => {
    const find = (text: string) => findUserByDisplayName(database.pool, text);
    expect(await find(`ada(@${ada.id})`)).toEqual(ada);
    expect(await find(displayName(nested))).toEqual(nested);
    expect(await find('mmm(@1234567)')).toMatchObject({ name: 'mmm' });
    for (const text of [
      'ada',
      `bob(@${ada.id})`,
      `ada(@${ada.id + 1})`,
      `ada(@${ada.id}) `,
      `\nada(@${ada.id})`,
      'ada(@a)',
      `(@${ada.id})`,
      `ada(@${'1'.repeat(16)})`,
    ])
      expect(await find(text), text).toBeNull();
  });

  it('may be typed with or without its id at sign-in', async () => {
    const find = (text: string) => findUserToSignIn(database.pool, text);
    for (const text of ['ada', `ada(@${ada.id})`]) expect(await find(text)).toEqual(ada);
    for (const text of ['eve', 'ada\0', 'ada(@0)']) expect(await find(text)).toBeNull();
    expect(await find('odd(@0)')).toEqual(odd);
  });

  it('may be that of a team, with or without its id', async () => {
    const find = (text: string) => findPersonOrTeam(database.pool, text);
    const { id } = lab;
    for (const text of ['lab', `lab(@${id})`]) expect(await find(text)).toMatchObject({ id });
    expect(await find('ada')).toEqual(ada);
    for (const text of ['eve', `lab(@${id + 1})`, 'lab\0', 'Lab'])
      expect(await find(text)).toBeNull();
  });
});

describe('a token', () => {
  const lines: unknown[][] = [];
  const logger = { warn: (...line: unknown[]) => lines.push(line) } as unknown as Logger;

  it('identifies its user, and its use is recorded once a minute', async () => {
    const { pool } = database;
    const { text, row } = await insertToken(pool, { userId: ada.id, kind: 'api' });
    const query = vi.spyOn(pool, 'query');
    const user = {
      id: ada.id,
      name: 'ada',
      isSuper: false,
      roles: [],
      teams: [],
      tokenId: row.id,
      scope: null,
    };
    expect(await findUserOfToken({ pool, logger }, text)).toEqual(user);
    await vi.waitFor(async () => {
      const { rows } = await pool.query('select last_used_at from tokens where id = $1', [row.id]);
      expect(rows[0].last_used_at).not.toBeNull();
    });
    query.mockClear();
    expect(await findUserOfToken({ pool, logger }, text)).toEqual(user);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    expect(await findUserOfToken({ pool, logger }, `${text}x`)).toBeNull();
  });

  it('of a run has the scope of the run, and its sources', async () => {
    const { pool } = database;
    const { text } = await insertToken(pool, { userId: ada.id, kind: 'run', scope: 'X0000000' });
    expect(await findUserOfToken({ pool, logger }, text)).toMatchObject({
      scope: 'X0000000',
      sources: [],
    });
  });

  it('is accepted even if its use cannot be recorded, which is logged', async () => {
    const { text } = await insertToken(database.pool, { userId: ada.id, kind: 'api' });
    const failure = new Error('read-only');
    const pool = {
      query: (statement: { text: string }) =>
        statement.text.includes('update tokens')
          ? Promise.reject(failure)
          : database.pool.query(statement),
    } as unknown as pg.Pool;
    expect(await findUserOfToken({ pool, logger }, text)).toMatchObject({ name: 'ada' });
    await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0));
    expect(lines.pop()).toEqual([{ err: failure }, 'the use of a token could not be recorded']);
  });
});
