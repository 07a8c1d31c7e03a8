import { beforeAll, describe, expect, it } from 'vitest';
import { execute, inTransaction, select, sql } from '../../../src/service/repositories/database.ts';
import { listObjects } from '../../../src/service/repositories/object-lists.ts';
import { countObjects, foldTallies } from '../../../src/service/repositories/object-tallies.ts';
import {
  insertObject,
  purgeRemoved,
  removeObjects,
  undoRemoval,
} from '../../../src/service/repositories/objects.ts';
import type { UserRow } from '../../../src/service/repositories/users.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { seededRng } from '../../support/seeded-rng.ts';
import { makeUser } from '../../support/service-objects.ts';

let database: TestDatabase;
let user: UserRow;
beforeAll(async () => {
  database = await createTestDatabase();
  user = await makeUser(database.pool);
});

const kinds = ['experiment', 'model', 'data'] as const;
const statuses = ['NEW', 'RUN', 'SAMPLE_FIN', 'FIN', 'ERR'];

async function expectExact(): Promise<void> {
  for (const kind of kinds) {
    const counted = async (statuses: string[] | null) => {
      const rows = await select<{ total: number }>(
        database.pool,
        sql`select count(*) as total from objects where owner_id = ${user.id} and kind = ${kind} and deleted_at is null
            and not (kind = 'data' and tags @> array['anonymous'])
            ${statuses === null ? sql`` : sql`and status = any(string_to_array(${statuses.join(',')}, ','))`}`,
      );
      return rows[0].total;
    };
    for (const statuses of [null, ['FIN'], ['RUN', 'SAMPLE_FIN']]) {
      const total = await countObjects(database.pool, { ownerId: user.id, kind, statuses });
      expect([kind, statuses, total]).toEqual([kind, statuses, await counted(statuses)]);
    }
  }
}

describe('stored counts of objects', () => {
  it('stay exact after creations, changes, removals, restorations and purges', async () => {
    const { pool } = database;
    const rng = seededRng(7);
    const random = () => rng.uniform();
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
    const ids: number[] = [];
    const keys: string[] = [];
    for (let step = 0; step < 150; step++) {
      const deed = random();
      if (deed < 0.4 || ids.length === 0) {
        const kind = pick(kinds);
        const tags = kind === 'data' && random() < 0.3 ? ['anonymous'] : [];
        const status = kind === 'experiment' ? pick(statuses) : null;
        const object = { kind, ownerId: user.id, status, tags };
        ids.push((await inTransaction(pool, (tx) => insertObject(tx, object))).id);
      } else if (deed < 0.6) {
        await execute(
          pool,
          sql`update objects set status = ${pick(statuses)} where kind = 'experiment' and id = ${pick(ids)}`,
        );
      } else if (deed < 0.65) {
        await execute(
          pool,
          sql`update objects set tags = '{}', updated_at = now() where id = ${pick(ids)}`,
        );
      } else if (deed < 0.8) {
        keys.push(await removeObjects(pool, user.id, [pick(ids), pick(ids)]));
      } else if (deed < 0.9 && keys.length > 0) {
        await undoRemoval(pool, user.id, pick(keys));
      } else if (deed < 0.93) {
        await purgeRemoved(pool, { now: true });
      } else {
        await execute(pool, sql`select fold_object_tallies()`);
      }
      if (step % 10 === 0) await expectExact();
    }
    await expectExact();
  });

  it('are the totals of lists, and lose nothing when folded during writes', async () => {
    const { pool } = database;
    const before = await countObjects(pool, { ownerId: user.id, kind: 'model', statuses: null });
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        if (i % 8 === 7) await execute(pool, sql`select fold_object_tallies()`);
        await inTransaction(pool, (tx) => insertObject(tx, { kind: 'model', ownerId: user.id }));
      }),
    );
    await foldTallies(pool);
    const page = await listObjects(
      pool,
      { kind: 'model', viewerId: user.id },
      { number: 1, size: 10 },
    );
    expect(page.total).toBe(before + 40);
    await expectExact();
  });

  it('are rolled back with the objects that they count', async () => {
    const { pool } = database;
    const before = await countObjects(pool, { ownerId: user.id, kind: 'data', statuses: null });
    await inTransaction(pool, async (tx) => {
      await insertObject(tx, { kind: 'data', ownerId: user.id });
      throw new Error('no');
    }).catch(() => {});
    expect(await countObjects(pool, { ownerId: user.id, kind: 'data', statuses: null })).toBe(
      before,
    );
  });
});
