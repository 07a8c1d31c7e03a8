/** Drafts in the browser's database: by model, the newest first, with the content that they are based on. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { ModelContent } from '../../../src/contract/model.ts';
import { createDraftStore, type Draft } from '../../../src/dashboard/editor/drafts.ts';

interface Store {
  readonly keyPath?: string;
  readonly indexes: Map<string, string>;
  readonly values: Map<string, unknown>;
}

/** The stores of the browser; they outlive a connection. */
const stores = new Map<string, Store>();
const opened: unknown[][] = [];
let refusal: Error | null = null;
/** If set, every write fails with it. */
let fullDisk: Error | null = null;
let end = () => {};

function storeOf(name: string): Store {
  const store = stores.get(name);
  if (store === undefined) throw new Error(`no store ${name}`);
  return store;
}

const database = {
  createObjectStore(name: string, { keyPath }: { keyPath?: string } = {}) {
    const indexes = new Map<string, string>();
    stores.set(name, { keyPath, indexes, values: new Map() });
    return { createIndex: (index: string, path: string) => indexes.set(index, path) };
  },
  async getAllFromIndex(name: string, index: string, key: string) {
    const { indexes, values } = storeOf(name);
    const path = indexes.get(index) ?? '';
    const all = [...values.values()] as Record<string, unknown>[];
    return all.filter((value) => value[path] === key).map((value) => structuredClone(value));
  },
  get: async (name: string, key: string) => structuredClone(storeOf(name).values.get(key)),
  transaction(names: string[], mode: string) {
    return {
      objectStore(name: string) {
        if (!names.includes(name) || mode !== 'readwrite')
          throw new Error('not of the transaction');
        const { keyPath, values } = storeOf(name);
        return {
          async put(value: Record<string, string>, key?: string) {
            if ((keyPath === undefined) !== (key !== undefined)) throw new Error('one key');
            if (fullDisk !== null) throw fullDisk;
            values.set(key ?? value[keyPath ?? ''], structuredClone(value));
          },
          delete: async (key: string) => void values.delete(key),
        };
      },
      done: Promise.resolve(),
    };
  },
};

vi.mock('idb', () => ({
  async openDB(
    name: string,
    version: number,
    { upgrade, terminated }: { upgrade: (to: typeof database) => void; terminated: () => void },
  ) {
    opened.push([name, version]);
    if (refusal !== null) throw refusal;
    if (stores.size === 0) upgrade(database);
    end = terminated;
    return database;
  },
}));

beforeEach(() => {
  stores.clear();
  opened.length = 0;
  refusal = null;
  fullDisk = null;
});

const draft = (id: string, keptAt: number, scope = 'a model'): Draft => ({
  scope,
  id,
  baseVersion: 1,
  tree: { meta: undefined, nodes: [] },
  words: '1 file edited',
  keptAt,
});
const base: ModelContent = { tree: [{ name: 'a', type: 'file', content: 'x' }] };

it('lists the drafts of a model, newest first', async () => {
  const store = createDraftStore();
  for (const one of [draft('1', 10), draft('2', 30), draft('3', 20), draft('4', 40, 'another')])
    await store.keep(one, null);
  expect((await store.list('a model')).map(({ id }) => id)).toEqual(['2', '3', '1']);
  expect(await store.list('a third')).toEqual([]);
  expect(opened).toEqual([['ergodic-drafts', 1]]);
});

it('keeps the newest draft of a session, with the content the session started from', async () => {
  const store = createDraftStore();
  await store.keep(draft('1', 10), base);
  await store.keep(draft('1', 20), null);
  expect(await store.list('a model')).toEqual([draft('1', 20)]);
  expect(await store.base('1')).toEqual(base);
  expect(await store.base('2')).toBeNull();
});

it('drops a draft with its content', async () => {
  const store = createDraftStore();
  for (const id of ['1', '2']) await store.keep(draft(id, 10), base);
  await store.drop('1');
  expect((await store.list('a model')).map(({ id }) => id)).toEqual(['2']);
  expect([await store.base('1'), await store.base('2')]).toEqual([null, base]);
});

it('reopens the database after a failed attempt, and after the browser closed it', async () => {
  const store = createDraftStore();
  refusal = new Error('a private window');
  await expect(store.list('a model')).rejects.toThrow('a private window');
  refusal = null;
  await store.keep(draft('1', 10), null);
  expect(opened).toHaveLength(2);
  end();
  expect(await store.list('a model')).toHaveLength(1);
  expect(opened).toHaveLength(3);
});

it('says when there is no room for a draft', async () => {
  const store = createDraftStore();
  fullDisk = new Error('the disk is full');
  await expect(store.keep(draft('1', 10), null)).rejects.toThrow('the disk is full');
});
