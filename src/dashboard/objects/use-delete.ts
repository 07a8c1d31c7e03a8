/** Soft delete with *Undo*: the same for every kind of object. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { importWithRetry } from '../ui/import-with-retry.ts';
import type { Deletion } from './deletion.ts';
import { showFailure } from './use-action.ts';
import { useClient } from './use-client.ts';
import { useConfig } from './use-config.ts';

/** A documented server has no deletion: it is recognised by its lack of a configuration. */
export function useCanDelete(): boolean {
  return useConfig() !== null;
}

/** Reports the outcome, and never rejects. */
export function useDelete(): (deletion: Deletion) => Promise<void> {
  const place = { client: useClient(), queryClient: useQueryClient(), router: useRouter() };
  return async (deletion) => {
    try {
      const { deleteObjects } = await importWithRetry(() => import('./delete-objects.ts'));
      await deleteObjects(place, deletion);
    } catch (error) {
      showFailure('Not deleted', error);
    }
  };
}
