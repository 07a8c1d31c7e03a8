/** Stop, pause, resume, extend and retry for each kind of runner: our chains, outside runners, waiting programs. */
import { type RunAction, runActions } from '../../../contract/experiment.ts';
import type { CoreContext } from '../../context.ts';
import { conflict, invalidParameter, ServiceError } from '../../http/service-error.ts';
import { stopImport } from '../../imports/stop-import.ts';
import { stopOutside } from '../../outside-runners/update-outside.ts';
import { type ExperimentRow, findExperiment } from '../../repositories/experiments.ts';
import type { ObjectRow } from '../../repositories/objects.ts';
import { controlRun } from '../../runs/control-run.ts';
import { stopQueuedProgram } from '../../runs/stop-program.ts';

export function isRunAction(action: string): action is RunAction {
  return (runActions as readonly string[]).includes(action);
}

/** Our own runs are controlled directly; an outside runner learns of a stop with its next message. */
export async function steerRun(
  context: CoreContext,
  row: ExperimentRow,
  command: { action: RunAction; extendBy: unknown; again?: unknown; userId?: number },
): Promise<void> {
  const { action, extendBy, again = [], userId } = command;
  if (row.settings !== null) {
    if (action === 'extend' && !(Number.isInteger(extendBy) && Number(extendBy) > 0))
      throw invalidParameter(
        'meta.extend_by must be a whole number above 0: how many draws to add to each chain.',
        {
          field: 'payload.meta.extend_by',
        },
      );
    const { pool, queue } = context;
    if (!Array.isArray(again) || !again.every((name) => typeof name === 'string'))
      throw invalidParameter('meta.retry_chains must be a list of chain names.', {
        field: 'payload.meta.retry_chains',
      });
    const names = [...new Set<string>(again)];
    const experimentId = row.id;
    const control = { experimentId, action, extendBy: Number(extendBy), again: names, userId };
    await controlRun(pool, queue, control);
    return;
  }
  if (action === 'stop') return stopElsewhere(context, row);
  const state = { status: row.status, action: row.meta.action ?? '' };
  throw conflict(`The run cannot ${action}: it was not started here.`, { state });
}

/** A waiting program never begins; a running one is ended by its worker, or its next message is refused. */
async function stopElsewhere(context: CoreContext, row: ExperimentRow): Promise<void> {
  if (row.status === 'NEW' && (await stopQueuedProgram(context, row))) return;
  if (row.status === 'RUN' && (await stopImport(context, row))) return;
  await stopOutside(context, row);
}

/** A run in progress is stopped; one that has ended, or that nobody controls, is left unchanged. */
export async function stopBeforeDelete(context: CoreContext, object: ObjectRow): Promise<void> {
  if (!['NEW', 'RUN'].includes(object.status ?? '')) return;
  const { pool, queue } = context;
  const row = await findExperiment(pool, object.short_id);
  if (row === null) return;
  // an outside runner finds the experiment gone; once restored, it may continue
  if (row.settings === null && !row.meta.runtime) return;
  try {
    if (row.settings === null) await stopElsewhere(context, row);
    else await controlRun(pool, queue, { experimentId: row.id, action: 'stop', extendBy: 0 });
  } catch (error) {
    // it ended at this moment
    if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
  }
}
