/** The current state of the queue, and an administrator's actions on it. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Queue, QueueUser, QueueWorker, WorkerState } from '../../../contract/queue.ts';
import { queueKey } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';

/** Refetched every 3 s while it is being viewed. */
export function queueQueryOptions(client: Client) {
  return queryOptions({
    queryKey: queueKey,
    queryFn: ({ signal }) => client.viewQueue({ signal }),
    refetchInterval: 3000,
    refetchIntervalInBackground: false,
  });
}

export interface WorkerChange {
  readonly worker: QueueWorker;
  readonly desired: WorkerState;
}

const failures: Readonly<Record<WorkerState, string>> = {
  work: 'Still drained',
  drain: 'Not drained',
  retire: 'Not retired',
};

export function useChangeWorker() {
  const put = usePutQueue();
  return useAction(
    async (client, { worker, desired }: WorkerChange) =>
      put(
        await client.updateWorker({
          params: { worker_id: String(worker.id) },
          body: { desired_state: desired },
        }),
      ),
    { failed: ({ desired }) => failures[desired] },
  );
}

export type ShareChange = Pick<QueueUser, 'name' | 'weight' | 'chain_limit'>;

export function useChangeShare(onDone: () => void) {
  const put = usePutQueue();
  return useAction(
    async (client, change: ShareChange) => put(await client.updateQueueUser({ body: change })),
    { onDone },
  );
}

/** Each change returns the updated queue. */
function usePutQueue() {
  const queryClient = useQueryClient();
  return (queue: Queue) => queryClient.setQueryData(queueKey, queue);
}
