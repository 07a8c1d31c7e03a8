import { beforeAll, describe, expect, it } from 'vitest';
import { execute, select, sql } from '../../../src/service/repositories/database.ts';
import {
  insertNotification,
  listNotifications,
  purgeNotifications,
} from '../../../src/service/repositories/notifications.ts';
import { undoRemoval } from '../../../src/service/repositories/objects.ts';
import { ensureServerKey } from '../../../src/service/repositories/settings.ts';
import {
  endTokens,
  findToken,
  insertToken,
  listTokens,
  removeTokens,
  updateToken,
} from '../../../src/service/repositories/tokens.ts';
import {
  ensureOwner,
  insertUser,
  listUsers,
  updatePassword,
} from '../../../src/service/repositories/users.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

describe('users and tokens', () => {
  it('start with one owner without a password, however often it is requested', async () => {
    const owners = await Promise.all([ensureOwner(database.pool), ensureOwner(database.pool)]);
    expect(owners[0]).toMatchObject({ name: 'owner', super: true, password_hash: null });
    expect(await listUsers(database.pool)).toHaveLength(1);
    expect(await insertUser(database.pool, { name: 'owner', passwordHash: null })).toBeNull();
    await updatePassword(database.pool, owners[0].id, 'a hash');
    expect((await ensureOwner(database.pool)).password_hash).toBe('a hash');
  });

  it('store no token, only its hash', async () => {
    const owner = await ensureOwner(database.pool);
    const { text, row } = await insertToken(database.pool, {
      userId: owner.id,
      kind: 'api',
      name: 'mine',
    });
    expect(text).toMatch(/^erg_[\w-]{43}$/);
    expect(row.prefix).toBe(text.slice(0, 10));
    const stored = JSON.stringify(await select(database.pool, sql`select * from tokens`));
    expect(stored).not.toContain(text.slice(10));
    expect((await findToken(database.pool, text))?.user.id).toBe(owner.id);
    expect(
      await findToken(database.pool, `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`),
    ).toBeNull();
  });

  it('end by expiry, by removal (with undo) and permanently', async () => {
    const owner = await ensureOwner(database.pool);
    const { text, row } = await insertToken(database.pool, { userId: owner.id, kind: 'api' });
    await updateToken(database.pool, owner.id, row.id, { expiresAt: '2020-01-01T00:00:00Z' });
    expect(await findToken(database.pool, text)).toBeNull();
    await updateToken(database.pool, owner.id, row.id, {
      expiresAt: '2999-01-01T00:00:00Z',
      name: 'longer',
    });
    expect((await findToken(database.pool, text))?.token.name).toBe('longer');
    const key = await removeTokens(database.pool, owner.id, [row.id]);
    expect(await findToken(database.pool, text)).toBeNull();
    expect(await undoRemoval(database.pool, owner.id, key)).toBe(true);
    expect(await findToken(database.pool, text)).not.toBeNull();
    const login = await insertToken(database.pool, { userId: owner.id, kind: 'login' });
    expect((await listTokens(database.pool, owner.id)).map((token) => token.id)).not.toContain(
      login.row.id,
    );
    await endTokens(database.pool, { userId: owner.id, kinds: ['login'] });
    expect(await findToken(database.pool, login.text)).toBeNull();
    expect(await findToken(database.pool, text)).not.toBeNull();
  });

  it('share one server key', async () => {
    const [one, two] = await Promise.all([
      ensureServerKey(database.pool),
      ensureServerKey(database.pool),
    ]);
    expect(one).toHaveLength(32);
    expect(one.equals(two)).toBe(true);
  });
});

describe('notifications', () => {
  it('are purged 90 days after they were read, and never while unread', async () => {
    const { pool } = database;
    const { id: userId } = await ensureOwner(pool);
    const ages = { 'long ago': 91, lately: 89, 'not yet': null };
    for (const [title, days] of Object.entries(ages)) {
      const { id } = await insertNotification(pool, { userId, event: 'e', title });
      await execute(
        pool,
        sql`update notifications set created_at = now() - interval '1 year',
              read_at = now() - make_interval(days => ${days}::int) where id = ${id}`,
      );
    }
    expect(await purgeNotifications(pool)).toBe(1);
    const { rows } = await listNotifications(
      pool,
      { userId, status: 'all' },
      { number: 1, size: 10 },
    );
    expect(rows.map(({ title }) => title).sort()).toEqual(['lately', 'not yet']);
  });
});
