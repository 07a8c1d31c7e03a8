/** Changing objects, one function a kind, and the older forms of invoking. */
import type * as z from 'zod/mini';
import { kindOfId } from '../../contract/common.ts';
import type { updateDataSchema } from '../../contract/data.ts';
import type { updateExperimentSchema } from '../../contract/experiment.ts';
import type { updateModelSchema } from '../../contract/model.ts';
import type { updateAnswerSchema, updatePayloadSchema } from '../../contract/objects.ts';
import type { updateWorkflowSchema } from '../../contract/workflow.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { defaultAnalyzerId, plotFunctionId } from '../analysis/analysis-ids.ts';
import { takeAnalyzerResult } from '../analysis/view-analysis.ts';
import { fireEvent } from '../events/fire-event.ts';
import { runScript } from '../functions/invoke-function.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound, ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import type { Prepared } from '../reading/prepared-body.ts';
import { findData, updateData } from '../repositories/data.ts';
import {
  type ExperimentRow,
  findExperiment,
  updateExperiment,
} from '../repositories/experiments.ts';
import { type ChangeOutcome, findModel, updateModel } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { findWorkflow, updateWorkflow } from '../repositories/workflows.ts';
import { takeRunnerMessage } from '../runners/take-messages.ts';
import { readStatus, updateOutside } from '../runners/update-outside.ts';
import type { ServiceContext } from '../service-deps.ts';
import { findAttachment } from './create-objects.ts';
import { takeDataContent } from './data-content.ts';
import { readDateTime } from './date-times.ts';
import { checkMeta } from './experiment-meta.ts';
import { readContent } from './model-content.ts';
import { checkName, checkTags } from './names.ts';
import { controlRun, invoke, isRunAction, runWorkflow } from './run-control.ts';
import { checkSettingsSize } from './settings-size.ts';
import { changeShare } from './shares.ts';
import { readModelContent } from './snapshots.ts';
import { dataToWire, experimentToWire, modelToWire, workflowToWire } from './views.ts';

type Payload = z.output<typeof updatePayloadSchema>;
type Answer = z.input<typeof updateAnswerSchema>;

export interface UpdateCall {
  readonly objid: string;
  readonly payload: Payload;
  readonly viewer: Viewer;
  /** What was taken out of a large body and read already. */
  readonly prepared?: Prepared;
}

/** Bodies without `object_type` are of the kind that the id names. */
export function addObjectType(body: unknown, { objid }: Record<string, string>): unknown {
  const payload = (body as { payload?: unknown } | null)?.payload;
  if (typeof payload !== 'object' || payload === null || 'object_type' in payload) return body;
  return { payload: { ...payload, object_type: kindOfId(objid) } };
}

export async function updateObject(
  context: ServiceContext,
  { objid, payload, viewer, prepared = {} }: UpdateCall,
): Promise<Answer> {
  const kind = kindOfId(objid);
  if (kind === null) throw notFound();
  const type = payload.object_type;
  if (type.split('.')[0] !== kind)
    throw invalidParameter(`payload.object_type is ${type}, the id names a ${kind}.`, {
      field: 'payload.object_type',
    });
  if (payload.object_type === 'workflow.run') {
    await storeStartupScript(context, { objid, viewer }, payload.startup_script);
    return {
      object_type: 'workflow.run',
      ...(await runWorkflow(context, objid, viewer)),
    };
  }
  if (payload.object_type === 'workflow.run_analyzer') {
    await invoke(context, { target: objid, action: 'run_analyze', viewer });
    return null;
  }
  if (payload.object_type === 'model.run_script')
    return runScript(context, objid, { payload, viewer });
  const object = await authorizeLive(context, { objid, operation: 'update', viewer });
  if ('name' in payload) checkName('payload.name', payload.name);
  switch (payload.object_type) {
    case 'model':
      return changeModel(context, { object, prepared }, payload);
    case 'experiment':
      return changeExperiment(context, object, payload);
    case 'data':
      return changeData(context, { object, prepared }, payload);
    case 'workflow':
      return changeWorkflow(context, { object, viewer }, payload);
    case 'share':
      return changeShare(context, object, payload);
    case 'event':
      return fireEvent(context, { object, viewer }, payload);
    case 'experiment.text_message':
    case 'experiment.protobuf_message':
    case 'experiment.nsample_stat':
      await takeRunnerMessage(context, { object, blocks: prepared.draws }, payload);
      return null;
    case 'workflow.analyzer_result':
      await takeAnalyzerResult(context, { object, read: prepared.result }, payload);
      return null;
    default:
      return assertNever(payload);
  }
}

/** The script that comes with an order to run is the workflow's from then on. */
async function storeStartupScript(
  context: ServiceContext,
  { objid, viewer }: { objid: string; viewer: Viewer },
  startupScript: string,
): Promise<void> {
  if (startupScript === '') return;
  const object = await authorizeLive(context, { objid, operation: 'update', viewer });
  await updateWorkflow(context.pool, object.id, { startupScript });
}

function checkOutcome(outcome: ChangeOutcome): void {
  if (outcome.kind === 'done') return;
  const { version } = outcome;
  throw new ServiceError('CONFLICT', `It was changed since: version ${version} is the newest.`, {
    details: { version },
  });
}

interface Change {
  readonly object: ObjectRow;
  readonly prepared: Prepared;
}

async function changeModel(
  { pool }: ServiceContext,
  { object, prepared }: Change,
  payload: z.output<typeof updateModelSchema>,
): Promise<Answer> {
  checkTags('payload.tags', payload.tags);
  const { name, description, tags, lambda_image: lambdaImage, base_version: baseVersion } = payload;
  const content = prepared.content ?? (payload.content ? readContent(payload.content) : null);
  checkOutcome(
    await updateModel(pool, object.id, {
      name,
      description,
      tags,
      lambdaImage,
      baseVersion,
      content,
    }),
  );
  const row = await findModel(pool, object.short_id);
  if (row === null) throw notFound();
  return modelToWire(row, (await readModelContent(pool, row.id, 0)) ?? undefined);
}

async function changeData(
  context: ServiceContext,
  { object, prepared }: Change,
  payload: z.output<typeof updateDataSchema>,
): Promise<Answer> {
  const { pool } = context;
  const { name, description, base_version: baseVersion } = payload;
  const content = await takeDataContent(context, payload, prepared.data);
  checkOutcome(await updateData(pool, object.id, { name, description, baseVersion, content }));
  const row = await findData(pool, object.short_id);
  if (row === null) throw notFound();
  return dataToWire(row);
}

async function changeWorkflow(
  context: ServiceContext,
  { object, viewer }: { object: ObjectRow; viewer: Viewer },
  payload: z.output<typeof updateWorkflowSchema>,
): Promise<Answer> {
  const attach = async (
    field: string,
    kind: 'data' | 'experiment' | 'model',
    objid: string | null | undefined,
  ) => {
    if (objid === undefined || objid === null) return null;
    return (
      (await findAttachment(context, viewer, { field: `payload.${field}`, kind, objid }))?.id ?? 0
    );
  };
  const { name, description, settings } = payload;
  checkSettingsSize(settings);
  await updateWorkflow(context.pool, object.id, {
    name,
    description,
    settings,
    dataId: await attach('data_id', 'data', payload.data_id),
    experimentId: await attach('experiment_id', 'experiment', payload.experiment_id),
    analyzerId: await attach('analyzer_id', 'model', attachableAnalyzer(payload.analyzer_id)),
    analyzerResult: payload.analyzer_result,
    startupScript: payload.startup_script,
    dataScript: payload.data_script,
  });
  const row = await findWorkflow(context.pool, object.short_id);
  if (row === null) throw notFound();
  return workflowToWire(row);
}

/** The built-in analyzer is no object that could be attached: it is what a workflow without one has. */
function attachableAnalyzer(objid: string | null | undefined): string | null | undefined {
  if (objid === plotFunctionId)
    throw invalidParameter(
      `${plotFunctionId} draws single plots and is no analyzer; leave analyzer_id empty for the built-in report.`,
      { field: 'payload.analyzer_id' },
    );
  return objid === defaultAnalyzerId ? '' : objid;
}

async function changeExperiment(
  context: ServiceContext,
  object: ObjectRow,
  payload: z.output<typeof updateExperimentSchema>,
): Promise<Answer> {
  const read = async () => {
    const row = await findExperiment(context.pool, object.short_id);
    if (row === null) throw notFound();
    return row;
  };
  const before = await read();
  const action = payload.action && isRunAction(payload.action) ? payload.action : null;
  // what cannot be stored is refused before the run is stopped for it
  const change = readExperimentChange(before, action ? { ...payload, action: null } : payload);
  if (action) await controlRun(context, before, { action, extendBy: payload.meta?.extend_by });
  const { status, ...stored } = change;
  if (isOurs(before)) await updateExperiment(context.pool, before.id, stored);
  else await updateOutside(context, before, { ...stored, status });
  return experimentToWire(await read());
}

const isOurs = (row: ExperimentRow) => row.settings !== null;

/**
 * Counts of 0 are the documented default and mean "unchanged". A run of ours knows its own state and counts: throws
 * CONFLICT, and INVALID_PARAMETER.
 */
function readExperimentChange(
  row: ExperimentRow,
  payload: z.output<typeof updateExperimentSchema>,
) {
  const { extend_by: _, ...sent } = checkMeta(payload.meta);
  const meta = payload.action ? { ...sent, action: payload.action.slice(0, 255) } : sent;
  const status = readStatus(payload.status);
  const counts = {
    numChains: payload.n_chains || null,
    numVariables: payload.n_variables || null,
    numSamples: payload.n_samples || null,
    sampleUpdateTime: payload.sample_update_time
      ? readDateTime('payload.sample_update_time', payload.sample_update_time)
      : null,
  };
  checkCounts(counts);
  if (isOurs(row) && (status !== null || Object.values(counts).some((value) => value !== null)))
    throw new ServiceError(
      'CONFLICT',
      'This run is made here, so its status and counts are not set from outside.',
      {
        details: { state: { status: row.status, action: row.meta.action ?? '' } },
      },
    );
  return { name: payload.name, meta, status, ...counts };
}

function checkCounts(counts: {
  numChains: number | null;
  numVariables: number | null;
  numSamples: number | null;
}): void {
  const { numChains, numVariables, numSamples } = counts;
  for (const [field, value] of Object.entries({
    n_chains: numChains,
    n_variables: numVariables,
    n_samples: numSamples,
  })) {
    if (value !== null && !(Number.isInteger(value) && value > 0 && value < 2 ** 31))
      throw invalidParameter(`payload.${field} must be a whole number.`, {
        field: `payload.${field}`,
      });
  }
}
