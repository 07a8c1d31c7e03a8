/** What a run needs to read in addition to its own experiment. */
import { type Executor, selectValues, sql } from './database.ts';
import type { Tables } from './tables.ts';

/** Ids of the experiment's workflow, model and data, and of its workflow's parts; without deleted ones. */
export async function listRunSources(db: Executor, experimentId: string): Promise<string[]> {
  return selectValues<Tables['objects']['short_id']>(
    db,
    sql`select distinct s.short_id from objects o join experiments e on e.id = o.id
          left join workflows w on w.id = e.workflow_id
          join objects s on s.id in (e.model_id, e.workflow_id, e.data_id, w.model_id, w.data_id, w.analyzer_id)
        where o.short_id = ${experimentId} and o.deleted_at is null and s.deleted_at is null
          and s.owner_id = o.owner_id`,
  );
}
