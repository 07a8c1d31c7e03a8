/** Runs of our own engine that have not ended although nothing works on them any more. */
import { type Executor, execute, select, sql } from './database.ts';

export interface StalledRun {
  readonly id: number;
  /** False: none was ever queued. */
  readonly hasChains: boolean;
}

/**
 * Runs in `NEW` or `RUN` without a chain that waits for a worker, runs or is paused, and without a data script that has
 * still to run. Outside runners are left alone: nobody here knows whether one is dead or slow.
 */
export async function listStalledRuns(db: Executor): Promise<StalledRun[]> {
  return select<StalledRun>(
    db,
    sql`select o.id, h.has as "hasChains" from objects o join experiments e on e.id = o.id
          cross join lateral (select exists (select 1 from experiment_chains c where c.experiment_id = o.id) as has) h
        where o.kind = 'experiment' and o.status in ('NEW', 'RUN') and o.deleted_at is null and e.settings is not null
          and not (o.status = 'NEW' and e.data_script is not null and not h.has)
          and not exists (select 1 from experiment_chains c where c.experiment_id = o.id
            and (c.state = 'running' or (c.state = 'queued' and c.desired_state = 'run') or (c.state = 'paused' and c.desired_state = 'pause')))`,
  );
}

/** Ends chains that wait although their owner wants none of them to run: no worker would ever take them. */
export async function stopStranded(tx: Executor, experimentId: number): Promise<void> {
  await execute(
    tx,
    sql`update experiment_chains set state = 'stopped', finished_at = now()
        where experiment_id = ${experimentId} and (state = 'queued' and desired_state <> 'run' or state = 'paused' and desired_state <> 'pause')`,
  );
}
