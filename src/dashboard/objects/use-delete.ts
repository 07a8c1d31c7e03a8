/** Soft delete with *Undo*: one rule for every kind of object. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../client/api-error.ts';
import { showToast } from '../ui/toasts.tsx';
import { configQueryOptions } from './server.ts';
import { useClient } from './use-client.ts';

export interface Deletion {
  readonly ids: readonly string[];
  /** "Eight schools deleted." */
  readonly words: string;
  /** Queries whose answers change. */
  readonly queryKeys: readonly (readonly unknown[])[];
  readonly onDone?: () => void;
}

/** A documented server has no deletion: it is known by telling nothing of itself. */
export function useCanDelete(): boolean {
  const client = useClient();
  return useQuery(configQueryOptions(client)).data !== null;
}

export function useDelete(): (deletion: Deletion) => Promise<void> {
  const client = useClient();
  const queryClient = useQueryClient();
  return async ({ ids, words, queryKeys, onDone }) => {
    const refresh = () =>
      Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    try {
      const { deleted_key } = await client.deleteObjects({ query: { objids: [...ids] } });
      onDone?.();
      await refresh();
      showToast({
        message: words,
        undo:
          deleted_key === null
            ? undefined
            : async () => {
                await client.deleteObjects({ query: { deleted_key } });
                await refresh();
              },
      });
    } catch (error) {
      showToast({ message: `Nothing was deleted: ${ApiError.from(error).message}`, tone: 'bad' });
    }
  };
}
