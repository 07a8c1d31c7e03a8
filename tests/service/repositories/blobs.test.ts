/** The same bytes, stored by several callers simultaneously, and purged while they are being reused. */
import { beforeAll, expect, it } from 'vitest';
import {
  findBlob,
  hashBytes,
  insertBlob,
  insertBlobs,
} from '../../../src/service/repositories/blobs.ts';
import { execute, inTransaction, sql } from '../../../src/service/repositories/database.ts';
import {
  type DecodedNode,
  insertTree,
  listHashes,
} from '../../../src/service/repositories/model-trees.ts';
import {
  insertObject,
  purgeRemoved,
  removeObjects,
} from '../../../src/service/repositories/objects.ts';
import { ensureOwner } from '../../../src/service/repositories/users.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let objectId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const { id: ownerId } = await ensureOwner(database.pool);
  objectId = (await insertObject(database.pool, { kind: 'model', ownerId, name: 'm' })).id;
});

const bytesOf = (text: string) => Buffer.from(text);

it('returns hashes in the order of the contents, the same for equal contents', async () => {
  const contents = ['b', 'a', 'b', ''].map(bytesOf);
  const hashes = await insertBlobs(database.pool, objectId, contents);
  expect(hashes).toEqual(contents.map(hashBytes));
  for (const [i, hash] of hashes.entries())
    expect(await findBlob(database.pool, hash)).toEqual(contents[i]);
  expect(await insertBlobs(database.pool, objectId, [])).toEqual([]);
});

it('stores each file of a tree under its own hash', async () => {
  const file = (name: string): DecodedNode => ({
    name,
    type: 'file',
    bytes: bytesOf(`in ${name}`),
    encoding: 'text',
  });
  const folder = (name: string, children: DecodedNode[]): DecodedNode => ({
    name,
    type: 'folder',
    children,
  });
  const tree = [file('a'), folder('f', [file('b'), folder('empty', []), file('c')]), file('d')];
  const stored = await insertTree(database.pool, objectId, tree);
  expect(listHashes(stored)).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => hashBytes(bytesOf(`in ${name}`))),
  );
  expect(stored[1]).toMatchObject({ name: 'f', children: [{ name: 'b' }, {}, { name: 'c' }] });
});

it('two transactions that store the same files in opposite order do not deadlock', async () => {
  for (let round = 0; round < 10; round++) {
    const contents = Array.from({ length: 12 }, (_, i) => bytesOf(`round ${round}, file ${i}`));
    const tree = contents.map((bytes, i): DecodedNode => {
      return { name: `f${i}`, type: 'file', bytes, encoding: 'text' };
    });
    const store = (nodes: DecodedNode[]) =>
      inTransaction(database.pool, (tx) => insertTree(tx, objectId, nodes));
    const [stored] = await Promise.all([store(tree), store([...tree].reverse())]);
    expect(listHashes(stored)).toEqual(contents.map(hashBytes));
  }
});

it('keeps old content that is reused during a purge', async () => {
  const store = (text: string) =>
    inTransaction(database.pool, (tx) => insertBlob(tx, objectId, bytesOf(text)));
  const [kept, gone] = [await store('needed again'), await store('not needed')];
  await execute(database.pool, sql`delete from object_blobs`);
  await execute(database.pool, sql`update blobs set created_at = now() - interval '2 hours'`);
  await inTransaction(database.pool, async (tx) => {
    expect(await insertBlob(tx, objectId, bytesOf('needed again'))).toBe(kept);
    await purgeRemoved(database.pool);
  });
  expect(await findBlob(database.pool, kept)).toEqual(bytesOf('needed again'));
  expect(await findBlob(database.pool, gone)).toBeNull();
});

it('stores content in several pieces byte for byte, also twice in one transaction', async () => {
  const contents = [9, 4, 8].map((megabytes, i) =>
    Buffer.from(
      Uint8Array.from({ length: megabytes * 2 ** 20 + i }, (_, at) => (at * 31 + i) % 251),
    ),
  );
  const hashes = await inTransaction(database.pool, async (tx) => {
    const first = await insertBlobs(tx, objectId, contents);
    expect(await insertBlob(tx, objectId, contents[0])).toBe(first[0]);
    return first;
  });
  expect(hashes).toEqual(contents.map(hashBytes));
  for (const [i, hash] of hashes.entries())
    expect((await findBlob(database.pool, hash))?.equals(contents[i])).toBe(true);
});

it('purges content with the last object that needs it, once it is an hour old', async () => {
  const { pool } = database;
  const { id: ownerId } = await ensureOwner(pool);
  const owners = await Promise.all(
    ['one', 'two'].map((name) => insertObject(pool, { kind: 'model', ownerId, name })),
  );
  const bytes = bytesOf('needed by two');
  for (const { id } of owners) await insertBlob(pool, id, bytes);
  const isThere = async () => (await findBlob(pool, hashBytes(bytes))) !== null;
  const purge = async (id: number) => {
    await removeObjects(pool, ownerId, [id]);
    await purgeRemoved(pool, { now: true });
  };
  await purge(owners[0].id);
  expect(await isThere()).toBe(true);
  await purge(owners[1].id);
  // an object that is being saved may reuse it
  expect(await isThere()).toBe(true);
  await execute(pool, sql`update blobs set created_at = now() - interval '2 hours'`);
  await purgeRemoved(pool);
  expect(await isThere()).toBe(false);
});
