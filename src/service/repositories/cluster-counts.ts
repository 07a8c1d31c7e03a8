/** Counts across all machines of a database. */
import { type Executor, select, selectOne, sql } from './database.ts';

/** Seconds without a heartbeat after which a process counts as gone. */
const SILENCE_SECONDS = 30;

export interface ClusterCounts {
  readonly waiting: number;
  readonly running: number;
  readonly paused: number;
  /** Since the chain that has waited longest was queued; 0: none waits. */
  readonly longest_wait_seconds: number;
  readonly draws_per_second: number;
  readonly workers: number;
  readonly slots: number;
  readonly services: number;
}

export async function countCluster(db: Executor): Promise<ClusterCounts> {
  const isAlive = sql`heartbeat_at > now() - make_interval(secs => ${SILENCE_SECONDS}::int)`;
  return (await selectOne<ClusterCounts>(
    db,
    sql`select l.waiting, l.running,
          (select count(*) from experiment_chains where state = 'paused') as paused,
          coalesce((select extract(epoch from now() - min(queued_at)) from experiment_chains
            where state = 'queued' and desired_state = 'run'), 0)::float8 as longest_wait_seconds,
          coalesce((select sum(draws_per_second) from experiment_chains where state = 'running'), 0)::float8
            as draws_per_second,
          (select count(*) from workers where ${isAlive} and slots > 0) as workers,
          (select coalesce(sum(slots), 0) from workers where ${isAlive}) as slots,
          (select count(*) from services where ${isAlive}) as services
        from chain_load l`,
  )) as ClusterCounts;
}

export interface TaskCount {
  readonly kind: string;
  readonly state: string;
  readonly n: number;
}

export async function countTasks(db: Executor): Promise<TaskCount[]> {
  return select<TaskCount>(
    db,
    sql`select kind, state, count(*) as n from tasks group by kind, state`,
  );
}
