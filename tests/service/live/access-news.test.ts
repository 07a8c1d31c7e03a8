import { afterEach, expect, it } from 'vitest';
import { ChangeFeed } from '../../../src/service/live/change-feed.ts';
import { createLogger } from '../../../src/service/logging.ts';
import { publishAccess } from '../../../src/service/repositories/access.ts';
import { removeObjects } from '../../../src/service/repositories/objects.ts';
import { changeOwner } from '../../../src/service/repositories/owners.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeModel, makeUser } from '../../support/service-objects.ts';

let feed: ChangeFeed | null = null;
afterEach(() => feed?.close());

it('a deleted or moved object is named, so that only its dependants check again', async () => {
  const { pool, connection } = await createTestDatabase();
  const [user, other] = [await makeUser(pool), await makeUser(pool)];
  const [deleted, moved] = [await makeModel(pool, user.id), await makeModel(pool, user.id)];
  feed = new ChangeFeed(connection, createLogger({ level: 'silent' }));
  await feed.ready();
  const news: unknown[] = [];
  const all = new Promise<void>((resolve) => {
    feed?.watchAccess((userId, objects) => {
      news.push([userId, objects]);
      if (userId === other.id) resolve();
    });
  });
  await removeObjects(pool, user.id, [deleted.id]);
  await changeOwner(pool, { ids: [moved.id], ownerId: other.id });
  await publishAccess(pool, other.id);
  await all;
  expect(news).toEqual([
    [null, [deleted.short_id]],
    [null, [moved.short_id]],
    [other.id, []],
  ]);
});
