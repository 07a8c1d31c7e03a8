/** Drafts of models in this browser: typed text survives a tab that is killed. */
import type { DBSchema, IDBPDatabase } from 'idb';
import type { ModelContent } from '../../contract/model.ts';
import { importWithRetry } from '../ui/import-with-retry.ts';
import type { DraftTree } from './tree-changes.ts';

export interface Draft {
  /** Server and model. */
  readonly scope: string;
  /** One per editing session. */
  readonly id: string;
  /** The version it is based on; 0 when the server counts none. */
  readonly baseVersion: number;
  readonly tree: DraftTree;
  /** "1 file edited". */
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly keptAt: number;
}

export interface DraftStore {
  /** Drafts of a model, the newest first. */
  list(scope: string): Promise<Draft[]>;
  /** The content a draft is based on. */
  base(id: string): Promise<ModelContent | null>;
  /** `base` is needed only with the first draft of a session. */
  keep(draft: Draft, base: ModelContent | null): Promise<void>;
  drop(id: string): Promise<void>;
}

interface Schema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { scope: string } };
  /** Separate from the drafts: a base is large and never changes, while drafts are written again and again. */
  bases: { key: string; value: ModelContent };
}

/** The library is loaded with the first draft, not with the page. */
async function openDatabase(onEnd: () => void): Promise<IDBPDatabase<Schema>> {
  const { openDB } = await importWithRetry(() => import('idb'));
  return openDB<Schema>('ergodic-drafts', 1, {
    upgrade(database) {
      database.createObjectStore('drafts', { keyPath: 'id' }).createIndex('scope', 'scope');
      database.createObjectStore('bases');
    },
    terminated: onEnd,
  });
}

/** In IndexedDB; every call fails when the browser stores nothing (private windows, a full disk). */
export function createDraftStore(): DraftStore {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const open = () => {
    opened ??= openDatabase(() => {
      opened = null;
    });
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  return {
    async list(scope) {
      const drafts = await (await open()).getAllFromIndex('drafts', 'scope', scope);
      return drafts.toSorted((a, b) => b.keptAt - a.keptAt);
    },
    async base(id) {
      return (await (await open()).get('bases', id)) ?? null;
    },
    async keep(draft, base) {
      const transaction = (await open()).transaction(['drafts', 'bases'], 'readwrite');
      const writes: Promise<unknown>[] = [transaction.objectStore('drafts').put(draft)];
      if (base !== null) writes.push(transaction.objectStore('bases').put(base, draft.id));
      await Promise.all([...writes, transaction.done]);
    },
    async drop(id) {
      const transaction = (await open()).transaction(['drafts', 'bases'], 'readwrite');
      await Promise.all([
        transaction.objectStore('drafts').delete(id),
        transaction.objectStore('bases').delete(id),
        transaction.done,
      ]);
    },
  };
}
