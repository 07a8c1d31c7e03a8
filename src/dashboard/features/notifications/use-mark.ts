/** Marking as read, with a way back. */
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import { notificationKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { showToast } from '../../ui/toasts.tsx';
import { tellMarks } from './marks-channel.ts';

/** The most a page of the list can hold. */
const mostAtOnce = 1000;

export interface Mark {
  /** Marks these; `isQuiet` says nothing when it went well. */
  mark(
    ids: readonly number[],
    status: 'read' | 'unread',
    options?: { isQuiet?: boolean },
  ): Promise<void>;
  /** Marks what is unread now, and nothing that comes meanwhile. */
  markAll(): Promise<void>;
}

export function useMark(): Mark {
  const client = useClient();
  const queryClient = useQueryClient();
  const set = async (ids: readonly number[], status: 'read' | 'unread') => {
    await client.markNotifications({ body: { notification_ids: [...ids], status } });
    tellMarks();
    await queryClient.invalidateQueries({ queryKey: notificationKeys.all });
  };
  const change: Mark['mark'] = async (ids, status, { isQuiet = false } = {}) => {
    try {
      await set(ids, status);
      if (isQuiet) return;
      const what = ids.length === 1 ? 'Marked' : `${ids.length} marked`;
      const undo = () => set(ids, status === 'read' ? 'unread' : 'read');
      showToast({ message: `${what} as ${status}.`, undo });
    } catch (error) {
      showToast({ message: `Not marked: ${ApiError.from(error).message}`, tone: 'bad' });
    }
  };
  return {
    mark: change,
    async markAll() {
      try {
        const query = { status: 'unread', page_size: mostAtOnce } as const;
        const unread = await client.listNotifications({ query });
        const ids = unread.objects.map(({ id }) => id);
        if (ids.length > 0) await change(ids, 'read');
      } catch (error) {
        showToast({ message: `Not marked: ${ApiError.from(error).message}`, tone: 'bad' });
      }
    },
  };
}
