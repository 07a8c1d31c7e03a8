/** Who started a run, and in which trace: read by the workers that take it. */
import { currentTraceParent } from '../spans.ts';
import { type Executor, execute, sql } from './database.ts';

/** Call in the transaction that queues it. A run that a person owns counts as theirs. */
export async function noteOrigin(
  tx: Executor,
  experimentId: number,
  startedBy: number | null,
): Promise<void> {
  await execute(
    tx,
    sql`update experiments e set trace_parent = ${currentTraceParent()},
          started_by = (select ${startedBy}::bigint from users u where u.id = o.owner_id and u.is_team)
        from objects o where o.id = e.id and e.id = ${experimentId}`,
  );
}
