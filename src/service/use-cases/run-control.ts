/** Steering runs, and running workflows. */

import type * as z from 'zod/mini';
import { kindOfId } from '../../contract/common.ts';
import { type RunAction, runActions } from '../../contract/experiment.ts';
import type { invokeResponseSchema } from '../../contract/invoke.ts';
import { runAnalysis } from '../analysis/order-analysis.ts';
import { invokeFunction } from '../functions/invoke-function.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound, ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import { type ExperimentRow, findExperiment } from '../repositories/experiments.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { stopOutside } from '../runners/update-outside.ts';
import { stopQueuedProgram } from '../runtimes/stop-program.ts';
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
  if (action === 'stop') return stopElsewhere(context, row);
  const state = { status: row.status, action: row.meta.action ?? '' };
  throw new ServiceError('CONFLICT', `The run cannot ${action}: it was not started here.`, {
    details: { state },
  });
}

/** A program that waits for a worker begins no more; one that runs is ended by its worker, or refused its next message. */
async function stopElsewhere(context: ServiceContext, row: ExperimentRow): Promise<void> {
  if (row.status === 'NEW' && (await stopQueuedProgram(context, row))) return;
  await stopOutside(context, row);
}

/** A run that goes on is stopped; one that has ended, or that nobody steers, is left as it is. */
export async function stopBeforeDelete(context: ServiceContext, object: ObjectRow): Promise<void> {
  if (object.kind !== 'experiment' || !['NEW', 'RUN'].includes(object.status ?? '')) return;
  const row = await findExperiment(context.pool, object.short_id);
  if (row === null) return;
  // an outside runner finds the experiment gone; brought back, it may go on
  if (row.settings === null && !row.meta.runtime) return;
  try {
    if (row.settings === null) await stopElsewhere(context, row);
    else await context.runs.control(row.id, 'stop', 0);
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
  context: ServiceContext,
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
  context: ServiceContext,
  workflowId: string,
  viewer: Viewer,
): Promise<{ experiment_id: string; experiment_name: string }> {
  const object = await authorizeLive(context, { objid: workflowId, operation: 'invoke', viewer });
  const order = { workflowId: object.id, ownerId: object.owner_id };
  const { shortId, name } = await context.runs.start(order);
  return { experiment_id: shortId, experiment_name: name };
}
