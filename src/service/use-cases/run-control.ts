/** Steering runs, and running workflows. */

import type * as z from 'zod/mini';
import { kindOfId } from '../../contract/common.ts';
import { type RunAction, runActions } from '../../contract/experiment.ts';
import type { invokeResponseSchema } from '../../contract/invoke.ts';
import { runAnalysis } from '../analysis/order-analysis.ts';
import type { CoreContext } from '../context.ts';
import { invokeFunction } from '../functions/invoke-function.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound, ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { type ExperimentRow, findExperiment } from '../repositories/experiments.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { stopOutside } from '../runners/update-outside.ts';
import { controlRun } from '../runs/control-run.ts';
import { startRun } from '../runs/start-run.ts';
import { stopQueuedProgram } from '../runtimes/stop-program.ts';

export function isRunAction(action: string): action is RunAction {
  return (runActions as readonly string[]).includes(action);
}

/** Our own runs are steered; an outside runner learns of a stop with its next message. */
export async function steerRun(
  context: CoreContext,
  row: ExperimentRow,
  order: { action: RunAction; extendBy: unknown },
): Promise<void> {
  const { action, extendBy } = order;
  if (row.settings !== null) {
    if (action === 'extend' && !(Number.isInteger(extendBy) && Number(extendBy) > 0))
      throw invalidParameter('meta.extend_by must be a whole number above 0: more draws a chain.', {
        field: 'payload.meta.extend_by',
      });
    await controlRun(context.pool, context.queue, {
      experimentId: row.id,
      action,
      extendBy: Number(extendBy),
    });
    return;
  }
  if (action === 'stop') return stopElsewhere(context, row);
  const state = { status: row.status, action: row.meta.action ?? '' };
  throw new ServiceError('CONFLICT', `The run cannot ${action}: it was not started here.`, {
    details: { state },
  });
}

/** A program that waits for a worker begins no more; one that runs is ended by its worker, or refused its next message. */
async function stopElsewhere(context: CoreContext, row: ExperimentRow): Promise<void> {
  if (row.status === 'NEW' && (await stopQueuedProgram(context, row))) return;
  await stopOutside(context, row);
}

/** A run that goes on is stopped; one that has ended, or that nobody steers, is left as it is. */
export async function stopBeforeDelete(
  { pool, queue }: CoreContext,
  object: ObjectRow,
): Promise<void> {
  if (object.kind !== 'experiment' || !['NEW', 'RUN'].includes(object.status ?? '')) return;
  const row = await findExperiment(pool, object.short_id);
  if (row === null || row.settings === null) return;
  try {
    await controlRun(pool, queue, { experimentId: row.id, action: 'stop', extendBy: 0 });
  } catch (error) {
    // it ended in this moment
    if (!(error instanceof ServiceError) || error.code !== 'CONFLICT') throw error;
  }
}

export interface InvokeOrder {
  readonly target: string;
  readonly action: string;
  readonly viewer: Viewer;
  /** Of a function. */
  readonly parameters?: unknown;
  readonly getResponse?: boolean;
}

/** Runs a workflow, its analysis, or a function. */
export async function invoke(
  context: CoreContext,
  { target, action, viewer, parameters, getResponse = false }: InvokeOrder,
): Promise<z.input<typeof invokeResponseSchema>> {
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
  if (kind === 'model') return invokeFunction(context, { target, parameters, getResponse, viewer });
  if (action === 'run_sample') return runWorkflow(context, target, viewer);
  return runAnalysis(context, { workflowId: target, viewer, getResponse });
}

/** The command is the start: the answer comes when the experiment exists. */
export async function runWorkflow(
  context: CoreContext,
  workflowId: string,
  viewer: Viewer,
): Promise<{ experiment_id: string; experiment_name: string }> {
  const object = await authorizeLive(context, { objid: workflowId, operation: 'invoke', viewer });
  const order = { workflowId: object.id, ownerId: object.owner_id };
  const { pool, queue } = context;
  const { short_id, name } = await startRun(pool, { ...order, queue });
  return { experiment_id: short_id, experiment_name: name };
}
