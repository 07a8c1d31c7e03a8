/** Runs of our own engine that must be ended: they have no work left, or their time is up. */
import { type Executor, execute, select, sql } from './database.ts';

export interface StalledRun {
  readonly id: number;
  /** False: none was ever queued. */
  readonly hasChains: boolean;
}

/**
 * Runs in `NEW` or `RUN` without a chain that waits for a worker, runs or is paused, and without a data script that has
 * yet to run. Outside runners are left alone: the service cannot know whether one is dead or slow.
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

export interface OverdueRun {
  readonly id: number;
  /** Its `time_limit`. */
  readonly seconds: number;
}

/**
 * Runs that have exceeded their `time_limit`, pauses included. `time_limit_reached` is absent while the limit applies:
 * it has neither stopped the run yet, nor has the run been continued after its end.
 */
export async function listOverdueRuns(db: Executor): Promise<OverdueRun[]> {
  return select<OverdueRun>(
    db,
    sql`select o.id, (e.settings->>'time_limit')::float8 as seconds
        from objects o join experiments e on e.id = o.id
        where o.kind = 'experiment' and o.status = 'RUN' and o.deleted_at is null
          and jsonb_typeof(e.settings->'time_limit') = 'number'
          and e.started_at < now() - make_interval(secs => (e.settings->>'time_limit')::float8)
          and e.meta->>'time_limit_reached' is null
          and coalesce(e.meta->>'action', '') not in ('stopping', 'stopped')`,
  );
}

/** Ends chains that wait although their owner wants none to run: no worker would ever take them. */
export async function stopStranded(tx: Executor, experimentId: number): Promise<void> {
  await execute(
    tx,
    sql`update experiment_chains set state = 'stopped', finished_at = now()
        where experiment_id = ${experimentId} and (state = 'queued' and desired_state <> 'run' or state = 'paused' and desired_state <> 'pause')`,
  );
}
