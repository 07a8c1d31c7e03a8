/** Steering runs, and running workflows. */

import { kindOfId } from '../../contract/common.ts';
import { type RunAction, runActions } from '../../contract/experiment.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound, notSupported, ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import {
  type ExperimentRow,
  findExperiment,
  updateExperiment,
} from '../repositories/experiments.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { ServiceContext } from '../service-deps.ts';

export function isRunAction(action: string): action is RunAction {
  return (runActions as readonly string[]).includes(action);
}

/** Our own runs are steered; an outside runner learns of a stop with its next message. */
export async function controlRun(
  context: ServiceContext,
  row: ExperimentRow,
  order: { action: RunAction; extendBy: unknown },
): Promise<void> {
  const { action, extendBy } = order;
  if (row.settings !== null) {
    if (action === 'extend' && !(Number.isInteger(extendBy) && Number(extendBy) > 0))
      throw invalidParameter('meta.extend_by must be a whole number above 0: more draws a chain.', {
        field: 'payload.meta.extend_by',
      });
    await context.runs.control(row.id, action, Number(extendBy));
    return;
  }
  if (action !== 'stop' || row.status !== 'RUN') {
    const state = { status: row.status, action: row.meta.action ?? '' };
    throw new ServiceError('CONFLICT', `The run cannot ${action}: it was not started here.`, {
      details: { state },
    });
  }
  await updateExperiment(context.pool, row.id, { meta: { action: 'stopped' } });
  await context.runs.finish(row.id);
}

/** A run that goes on is stopped; one that has ended, or that nobody steers, is left as it is. */
export async function stopBeforeDelete(context: ServiceContext, object: ObjectRow): Promise<void> {
  if (object.kind !== 'experiment' || !['NEW', 'RUN'].includes(object.status ?? '')) return;
  const row = await findExperiment(context.pool, object.short_id);
  if (row === null || row.settings === null) return;
  try {
    await context.runs.control(row.id, 'stop', 0);
  } catch (error) {
    // it ended in this moment
    if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
  }
}

export interface InvokeOrder {
  readonly target: string;
  readonly action: string;
  readonly viewer: Viewer;
}

/** The command is the start: the answer comes when the experiment exists. */
export async function invoke(
  context: ServiceContext,
  { target, action, viewer }: InvokeOrder,
): Promise<{ experiment_id: string; experiment_name: string }> {
  const kind = kindOfId(target);
  if (kind === null) throw notFound('There is no such target.');
  const allowed =
    kind === 'workflow' ? ['run_sample', 'run_analyze'] : kind === 'model' ? ['run'] : [];
  if (allowed.length === 0)
    throw invalidParameter('target must be a workflow or a cloud function.', { field: 'target' });
  if (!allowed.includes(action))
    throw invalidParameter(`action must be ${allowed.join(' or ')} for a ${kind}.`, {
      field: 'action',
    });
  const operation = kind === 'workflow' ? 'invoke' : 'view';
  const object = await authorizeLive(context, { objid: target, operation, viewer });
  if (action === 'run') throw notSupported('This server runs no cloud functions yet.');
  if (action === 'run_analyze') throw notSupported('This server runs no analyses yet.');
  const order = { workflowId: object.id, ownerId: object.owner_id };
  const { shortId, name } = await context.runs.start(order);
  return { experiment_id: shortId, experiment_name: name };
}
