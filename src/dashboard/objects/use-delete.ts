/** Soft delete with *Undo*: one rule for every kind of object. */
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../client/create-client.ts';
import { showToast } from '../ui/toasts.tsx';
import { configQueryOptions } from './server.ts';
import { runAction, showFailure } from './use-action.ts';
import { useClient } from './use-client.ts';

export interface Deletion {
  readonly ids: readonly string[];
  /** "Eight schools deleted." */
  readonly message: string;
  /** Queries whose answers change. */
  readonly changes: readonly QueryKey[];
  readonly onDone?: () => void;
}

/** A documented server has no deletion: it is known by having no configuration. */
export function useCanDelete(): boolean {
  const client = useClient();
  return useQuery(configQueryOptions(client)).data !== null;
}

/** Ids travel in the address, whose length has a limit. */
const idsAtOnce = 200;

/** The keys that undo it, one a request. Throws `ApiError`; then what was deleted already is back. */
async function deleteAll(client: Client, ids: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  try {
    for (let first = 0; first < ids.length; first += idsAtOnce) {
      const objids = ids.slice(first, first + idsAtOnce);
      const { deleted_key: key } = await client.deleteObjects({ query: { objids } });
      if (key !== null) keys.push(key);
    }
  } catch (error) {
    await undelete(client, keys);
    throw error;
  }
  return keys;
}

async function undelete(client: Client, keys: readonly string[]): Promise<void> {
  for (const deleted_key of keys) await client.deleteObjects({ query: { deleted_key } });
}

export function useDelete(): (deletion: Deletion) => Promise<void> {
  const client = useClient();
  const queryClient = useQueryClient();
  return async ({ ids, message, changes, onDone }) => {
    const remove = async () => {
      const keys = await deleteAll(client, ids);
      // The page of what is gone is left before it could be fetched again.
      onDone?.();
      return keys;
    };
    try {
      const keys = await runAction(queryClient, remove, changes);
      showToast({
        message: message,
        undo:
          keys.length === 0
            ? undefined
            : () => runAction(queryClient, () => undelete(client, keys), changes),
      });
    } catch (error) {
      showFailure('Not deleted', error);
    }
  };
}
