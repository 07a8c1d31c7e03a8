/** Soft delete with *Undo*: one rule for every kind of object. */
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
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

export function useDelete(): (deletion: Deletion) => Promise<void> {
  const client = useClient();
  const queryClient = useQueryClient();
  return async ({ ids, message, changes, onDone }) => {
    const remove = async () => {
      const { deleted_key } = await client.deleteObjects({ query: { objids: [...ids] } });
      // The page of what is gone is left before it could be fetched again.
      onDone?.();
      return deleted_key;
    };
    try {
      const deleted_key = await runAction(queryClient, remove, changes);
      showToast({
        message: message,
        undo:
          deleted_key === null
            ? undefined
            : () =>
                runAction(
                  queryClient,
                  () => client.deleteObjects({ query: { deleted_key } }),
                  changes,
                ),
      });
    } catch (error) {
      showFailure('Not deleted', error);
    }
  };
}
