/** Objects record whether they are shared, and this matches their shares at every moment. */
import { expect, it } from 'vitest';
import { inTransaction, select, sql } from '../../../src/service/repositories/database.ts';
import { listObjects } from '../../../src/service/repositories/object-lists.ts';
import {
  insertObject,
  purgeRemoved,
  removeObjects,
  undoRemoval,
} from '../../../src/service/repositories/objects.ts';
import { insertShare, updateShare } from '../../../src/service/repositories/shares.ts';
import { createTestDatabase } from '../../support/database.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { makeUser } from '../../support/service-objects.ts';

it('a list has what a user shares after any changes, removals, restorations and purges', async () => {
  const { pool } = await createTestDatabase();
  const [ada, bob] = [await makeUser(pool, 'ada'), await makeUser(pool, 'bob')];
  const rng = seededRng(3);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rng.uniform() * list.length)] as T;
  const make = (kind: 'model' | 'data') =>
    inTransaction(pool, (tx) => insertObject(tx, { kind, ownerId: ada.id }));
  const objects = [await make('model'), await make('model'), await make('data')].map(
    ({ id }) => id,
  );
  const ends = [null, '2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
  const shares: number[] = [];
  const keys: string[] = [];
  const ofBob = await inTransaction(pool, (tx) =>
    insertObject(tx, { kind: 'model', ownerId: bob.id }),
  );
  await insertShare(pool, {
    ownerId: bob.id,
    objectId: ofBob.id,
    targetUserId: ada.id,
    snapshot: { view: { name: 'his', status: null } },
  });

  const acts = [
    async () => {
      const share = { ownerId: ada.id, objectId: pick(objects), expiresAt: pick(ends) };
      shares.push((await insertShare(pool, { ...share, snapshot: {} })).id);
    },
    () => updateShare(pool, pick(shares), { expiresAt: pick(ends) }),
    async () => keys.push(await removeObjects(pool, ada.id, [pick(shares), pick(shares)])),
    async () => keys.push(await removeObjects(pool, ada.id, [pick(objects)])),
    () => undoRemoval(pool, ada.id, pick(keys)),
  ];
  const expectSame = async () => {
    const shared = await select<{ id: number }>(
      pool,
      sql`select id from objects o where owner_id = ${ada.id} and kind = 'model' and deleted_at is null and exists (
            select 1 from shares s join objects so on so.id = s.id where s.object_id = o.id
              and so.deleted_at is null and (s.expires_at is null or s.expires_at > now()))
          order by id desc`,
    );
    const list = (scope: 'shared_by_me' | 'with_share_info') =>
      listObjects(pool, { kind: 'model', viewerId: ada.id, scope }, { number: 1, size: 10 });
    const ids = shared.map(({ id }) => id);
    const byMe = await list('shared_by_me');
    expect([byMe.rows.map(({ id }) => id), byMe.total]).toEqual([ids, ids.length]);
    expect((await list('with_share_info')).rows.map(({ id }) => id)).toEqual([ofBob.id, ...ids]);
    return ids.length;
  };
  const seen = new Set<number>();
  await acts[0]?.();
  keys.push(await removeObjects(pool, ada.id, [shares[0] ?? 0]));
  for (let step = 0; step < 80; step++) {
    // objects come back more often than they go
    await pick([...acts, acts[0], acts[4]] as typeof acts)();
    seen.add(await expectSame());
  }
  expect(seen).toEqual(new Set([0, 1, 2]));
  await purgeRemoved(pool, { now: true });
  await expectSame();
});

it('an object keeps the latest end of shares that are created at the same time', async () => {
  const { pool } = await createTestDatabase();
  const { id: ownerId } = await makeUser(pool, 'ada');
  const { id: objectId } = await inTransaction(pool, (tx) =>
    insertObject(tx, { kind: 'model', ownerId }),
  );
  const share = (expiresAt: string | null) =>
    insertShare(pool, { ownerId, objectId, expiresAt, snapshot: {} });
  for (let i = 0; i < 5; i++)
    await Promise.all([share(null), share('2100-01-01T00:00:00Z'), share('2000-01-01T00:00:00Z')]);
  const [row] = await select<{ until: string }>(
    pool,
    sql`select shared_until::text as until from objects where id = ${objectId}`,
  );
  expect(row?.until).toBe('infinity');
});
