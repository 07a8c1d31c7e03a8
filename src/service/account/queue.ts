/** What waits and runs on all machines, as far as the caller may see it, and an administrator's actions on it. */
import type { Queue } from '../../contract/queue.ts';
import { displayName, findPersonOrTeam, ownerName } from '../auth/user-names.ts';
import type { WebContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { invalidParameter, notFound } from '../http/service-error.ts';
import { isOwner, requireAdministrator } from '../policy/authorize.ts';
import { countCluster } from '../repositories/cluster-counts.ts';
import { inTransaction } from '../repositories/database.ts';
import { listQueuedRuns } from '../repositories/queue-places.ts';
import { listQueueUsers, type QueueShare, updateQueueShare } from '../repositories/run-queue.ts';
import {
  findWorkerState,
  type ListedWorker,
  listWorkerRuns,
  listWorkers,
  updateWorkerState,
  type WorkerRun,
  type WorkerState,
} from '../repositories/workers.ts';

/** Runs listed in one answer. */
const mostRuns = 200;

export async function viewQueue({ pool }: WebContext, user: User): Promise<Queue> {
  const [runs, counts, workers, workerRuns] = await Promise.all([
    listQueuedRuns(pool, mostRuns),
    countCluster(pool),
    listWorkers(pool),
    listWorkerRuns(pool),
  ]);
  const users = user.isSuper ? await listQueueUsers(pool) : [];
  return {
    runs: runs.map(({ iteration, iterations, waiting, running, ...run }) => ({
      ...whichRun(run, user),
      is_mine: isOwner(user, run),
      run_on: run.run_on,
      waiting,
      running,
      progress: iterations > 0 ? iteration / iterations : null,
      priority: run.priority,
      place: run.place,
      since: run.since,
    })),
    total: { runs: runs[0]?.total ?? 0, waiting: counts.waiting, running: counts.running },
    workers: workers.map((worker) => workerToWire(worker, workerRuns, user)),
    users: users.map(({ id, name, ...rest }) => ({ name: displayName({ id, name }), ...rest })),
    may_manage: user.isSuper,
  };
}

/** Identifies the run, for viewers who may know it. */
function whichRun(run: Pick<WorkerRun, 'short_id' | 'owner_id' | 'name' | 'owner'>, user: User) {
  const isShown = user.isSuper || isOwner(user, run);
  return {
    experiment_id: isShown ? run.short_id : null,
    name: isShown ? run.name : '',
    owner: isShown ? ownerName(run) : '',
  };
}

function workerToWire(worker: ListedWorker, runs: readonly WorkerRun[], user: User) {
  const { is_own_process, ...rest } = worker;
  return {
    ...rest,
    pools: [...worker.pools],
    can_retire: is_own_process,
    runs: runs
      .filter((run) => run.worker_id === worker.id)
      .map((run) => ({
        ...whichRun(run, user),
        chains: [...run.chains],
        draws_per_second: run.draws_per_second,
      })),
  };
}

export async function changeWorker(
  context: WebContext,
  user: User,
  { id, desired }: { readonly id: string; readonly desired: WorkerState },
): Promise<Queue> {
  requireAdministrator(user);
  const { pool, logger } = context;
  const number = /^\d{1,9}$/.test(id) ? Number(id) : null;
  const before = number === null ? null : await findWorkerState(pool, number);
  if (number === null || before === null)
    throw notFound('There is no such worker; it may have ended by now.');
  const isDone = await inTransaction(pool, (tx) => updateWorkerState(tx, number, desired));
  if (!isDone)
    throw invalidParameter(
      'This worker belongs to a service and ends with it; drain the worker instead.',
      { parameter: 'desired_state' },
    );
  logger.info({ by: user.id, worker: number, desired }, 'an administrator changed a worker');
  return viewQueue(context, user);
}

export async function changeQueueShare(
  context: WebContext,
  user: User,
  { name, ...share }: QueueShare & { readonly name: string },
): Promise<Queue> {
  requireAdministrator(user);
  const { pool, logger } = context;
  const named = await findPersonOrTeam(pool, name);
  if (named === null)
    throw invalidParameter(`There is no user or team called "${name}".`, {
      parameter: 'name',
    });
  await updateQueueShare(pool, named.id, share);
  logger.info({ by: user.id, user: named.id, ...share }, 'an administrator changed a share');
  return viewQueue(context, user);
}
