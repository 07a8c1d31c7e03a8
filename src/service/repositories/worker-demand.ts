/** The work that waits for workers, and the existing workers: input for programs that start workers. */
import { type Executor, selectOne, sql } from './database.ts';
import { countWaitingPrograms } from './program-runs.ts';
import { countTakeable, type QueueChoice } from './run-queue.ts';
import { countTasksOfWorkers } from './tasks.ts';
import { WORKER_LOCK_CLASS } from './workers.ts';

export interface WorkerDemand {
  /** Chains that workers with free slots would take now. */
  readonly chains: number;
  /** Waiting programs in other languages. */
  readonly programs: number;
  /** Other work of any worker, waiting or begun: analyses, imports, statistics of runs whose chains have ended. */
  readonly tasks: number;
  /** Live workers that take work. */
  readonly workers: number;
  /** The jobs of a batch system whose workers have joined, including dead ones for a while. */
  readonly jobs: readonly string[];
}

/** Seconds without a heartbeat after which a worker on another machine counts as gone. */
const SILENCE_SECONDS = 30;

/** `choice`: that of the workers to be started. */
export async function readWorkerDemand(db: Executor, choice: QueueChoice): Promise<WorkerDemand> {
  const chains = await countTakeable(db, choice);
  const programs = await countWaitingPrograms(db, choice.pools);
  const rest = await selectOne<Pick<WorkerDemand, 'workers' | 'jobs'> & { unfinished: number }>(
    db,
    sql`select (select count(*) from workers w where w.slots > 0
            and w.heartbeat_at > now() - make_interval(secs => ${SILENCE_SECONDS}::int) and exists (
              select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = ${WORKER_LOCK_CLASS}::oid
                and l.objid = w.id::oid and l.granted
                and l.database = (select oid from pg_database where datname = current_database()))) as workers,
          array(select job from workers where job <> '' order by job) as jobs,
          -- runs that wait for their statistics or for the script of their data
          (select count(*) from objects o join experiments e on e.id = o.id
            where o.kind = 'experiment' and o.deleted_at is null and (o.status = 'SAMPLE_FIN'
              or o.status = 'NEW' and e.data_script is not null
                and not exists (select 1 from experiment_chains c where c.experiment_id = o.id))) as unfinished`,
  );
  const { workers = 0, jobs = [], unfinished = 0 } = rest ?? {};
  return { chains, programs, tasks: (await countTasksOfWorkers(db)) + unfinished, workers, jobs };
}
