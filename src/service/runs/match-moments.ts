/** Leave-one-out of a finished run by moment matching: requested, carried out by a worker under a lease, and ended. */
import type { MatchAction, MomentMatch } from '../../contract/experiment.ts';
import { looRefusal } from '../../posterior/loo-refusal.ts';
import { isLogLik } from '../../posterior/variable-kinds.ts';
import type { CoreContext } from '../context.ts';
import { conflict, limitExceeded, orNotFound } from '../http/service-error.ts';
import { publishLive } from '../repositories/chains.ts';
import { type Executor, inTransaction, isGiven } from '../repositories/database.ts';
import { listColumns } from '../repositories/draws.ts';
import {
  type ExperimentRow,
  findExperimentById,
  findFrozen,
  updateExperiment,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { lockExperiment } from '../repositories/runner-runs.ts';
import { dropTask, endLease, insertTask, type Lease } from '../repositories/tasks.ts';
import { mostMatchedValues } from './matching-draws.ts';

export const matchingTask = (experimentId: number) =>
  ({ kind: 'moment_match', subjectId: experimentId }) as const;

/** Durable when it returns. Throws CONFLICT if there is nothing to match. */
export async function controlMatching(
  { pool, queue }: Pick<CoreContext, 'pool' | 'queue'>,
  { id }: Pick<ExperimentRow, 'id'>,
  action: MatchAction,
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await lockExperiment(tx, id);
    const row = orNotFound(await findExperimentById(tx, id), 'There is no such experiment.');
    if (action === 'stop_matching') {
      if (!(await dropTask(tx, matchingTask(id)))) return;
      await updateExperiment(tx, id, { meta: { moment_match: null } });
    } else {
      if (isUnderway(row)) return;
      await checkMatchable(tx, row);
      await dropTask(tx, matchingTask(id));
      await insertTask(tx, matchingTask(id));
      await queue.send('match_moments', { experimentId: id }, { tx, key: String(id) });
      await storeMatch(tx, row, { state: 'waiting', done: 0, total: 0 });
    }
    const text = `Requested: ${action}.\n`;
    await appendLog(tx, { experimentId: id, stream: 'platform', text });
    await publishLive(tx, row.short_id, 'status');
  });
}

const isUnderway = ({ meta }: ExperimentRow): boolean =>
  meta.moment_match?.state === 'waiting' || meta.moment_match?.state === 'running';

async function checkMatchable(tx: Executor, row: ExperimentRow): Promise<void> {
  const refuse = (why: string): never => {
    const state = { status: row.status, action: row.meta.action ?? '' };
    throw conflict(`Moment matching is not possible: ${why}.`, { state });
  };
  if (row.status !== 'FIN' && row.status !== 'ERR') refuse('the run has not finished');
  const frozen = await findFrozen(tx, row.id);
  if (row.settings === null || !isGiven(frozen?.program))
    refuse('it needs the program, and this run was not made here from a Stan program');
  const refusal = looRefusal(row.settings?.algorithm);
  if (refusal !== null) refuse(refusal);
  const columns = await listColumns(tx, row.id);
  const observations = columns.filter(({ name }) => isLogLik(name)).length;
  if (observations < 2) refuse('the program has no log_lik with an entry for each observation');
  const values = (observations + columns.length) * row.n_chains * row.n_samples;
  if (values > mostMatchedValues)
    throw limitExceeded(
      `Moment matching would hold ${values} values, more than ${mostMatchedValues}.`,
      { limit: 'matched_values', allowed: mostMatchedValues },
    );
}

/** Replaces the entire value: missing keys are removed. `revision`: of the draws that it describes. */
export async function storeMatch(
  tx: Executor,
  { id, revision }: Pick<ExperimentRow, 'id' | 'revision'>,
  match: MomentMatch,
): Promise<void> {
  const { message = null, observations = null } = match;
  await updateExperiment(tx, id, {
    meta: { moment_match: { ...match, message, observations, revision } },
  });
}

/** Its worker was lost too often. */
export async function giveUpMatching(pool: Executor, lease: Lease): Promise<void> {
  await inTransaction(pool, async (tx) => {
    if (!(await endLease(tx, lease))) return;
    const row = await findExperimentById(tx, lease.subject_id);
    if (row === null) return;
    const message = 'The worker ended several times while it matched moments.';
    await storeMatch(tx, row, { state: 'failed', done: 0, total: 0, message });
    await publishLive(tx, row.short_id, 'status');
  });
}
