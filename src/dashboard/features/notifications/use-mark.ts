/** Marking as read, with an undo. */
import { useQueryClient } from '@tanstack/react-query';
import { notificationKeys } from '../../objects/query-keys.ts';
import { runAction, useAction } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { showToast } from '../../ui/toasts.tsx';
import { publishMarks } from './marks-channel.ts';

/** The most a page of the list can contain. */
const mostAtOnce = 1000;

export interface Mark {
  /** Marks these; `isQuiet` shows no message on success. */
  mark(
    ids: readonly number[],
    status: 'read' | 'unread',
    options?: { isQuiet?: boolean },
  ): Promise<void>;
  /** Marks what is unread now, but nothing that arrives meanwhile. */
  markAll(): Promise<void>;
}

export function useMark(): Mark {
  const client = useClient();
  const queryClient = useQueryClient();
  const changes = [notificationKeys.all];
  const send = async ({ ids, status }: Marking) => {
    await client.markNotifications({ body: { notification_ids: [...ids], status } });
    publishMarks();
  };
  const one = useAction((_, marking: Marking) => send(marking), {
    failed: 'Not marked',
    changes,
    onDone: (_, marking) => {
      const { ids, status, isQuiet } = marking;
      if (isQuiet) return;
      const what = ids.length === 1 ? 'Marked' : `${ids.length} marked`;
      const back = () => send({ ...marking, status: status === 'read' ? 'unread' : 'read' });
      showToast({
        message: `${what} as ${status}.`,
        undo: () => runAction(queryClient, back, changes),
      });
    },
  });
  const change: Mark['mark'] = async (ids, status, { isQuiet = false } = {}) => {
    await one.run({ ids, status, isQuiet });
  };
  const all = useAction(
    async () => {
      const query = { status: 'unread', page_size: mostAtOnce } as const;
      const unread = await client.listNotifications({ query });
      return unread.objects.map(({ id }) => id);
    },
    {
      failed: 'Not marked',
      onDone: (ids) => (ids.length > 0 ? change(ids, 'read') : undefined),
    },
  );
  return {
    mark: change,
    markAll: async () => {
      await all.run();
    },
  };
}

interface Marking {
  readonly ids: readonly number[];
  readonly status: 'read' | 'unread';
  readonly isQuiet: boolean;
}
