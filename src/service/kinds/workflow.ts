/** Workflows: a model, data, settings and scripts that belong together; running one makes an experiment. */

import type { View } from '../../contract/objects.ts';
import type { Workflow } from '../../contract/workflow.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { defaultAnalyzerId, plotFunctionId } from '../analysis/analysis-ids.ts';
import { runAnalysis } from '../analysis/run-analysis.ts';
import { takeAnalyzerResult, viewAnalysis } from '../analysis/view-analysis.ts';
import { ownerName } from '../auth/user-names.ts';
import { checkSettingsSize } from '../content/settings-size.ts';
import type { CoreContext, WebContext } from '../context.ts';
import {
  findByAddress,
  gallerySettings,
  insertGalleryData,
  insertGalleryModel,
} from '../gallery/gallery.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, orNotFound } from '../http/service-error.ts';
import { authorize, authorizeLive } from '../policy/authorize.ts';
import { findBuiltin } from '../policy/builtin-functions.ts';
import { type Snapshot, snapshotEntry } from '../policy/share-snapshot.ts';
import { findAnalysisFile } from '../repositories/analyses.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import {
  findWorkflow,
  insertWorkflow,
  listWorkflows,
  updateWorkflow,
  type WorkflowRow,
} from '../repositories/workflows.ts';
import { startRun } from '../runs/start-run.ts';
import { waitForRun } from '../runs/wait-for-run.ts';
import { findAttachment, viewRequest } from './call-checks.ts';
import type {
  Caller,
  ChangePayload,
  Command,
  CreatePayload,
  Kind,
  Target,
  UpdateAnswer,
  ViewCall,
} from './kind.ts';
import { fetchedModel, importModel } from './model/import-model.ts';

export const workflow: Kind<'workflow', WorkflowRow> = {
  create,
  change,
  list: listWorkflows,
  toWire,
  view,
  freeze,
  commands: {
    'workflow.run': runWithScript,
    'workflow.run_analyzer': async (context, { objid, viewer }) => {
      await runAnalysis(context, { workflowId: objid, viewer, getResponse: false });
      return null;
    },
  },
  actions: {
    run_sample: async (context, { objid, viewer, getResponse }) => {
      const started = await run(context, objid, viewer);
      if (!getResponse) return started;
      return { ...started, status: await waitForRun(context.pool, started.experiment_id) };
    },
    run_analyze: (context, { objid: workflowId, viewer, getResponse }) =>
      runAnalysis(context, { workflowId, viewer, getResponse }),
  },
};

function toWire(row: WorkflowRow): Workflow {
  const { created_at, updated_at, model_id, model_name, data_id, data_name, data_fmt } = row;
  const { experiment_id, experiment_name, analyzer_id } = row;
  const { startup_script, settings, data_script, description, analyzer_result } = row;
  return {
    object_type: 'workflow',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    description,
    created_at,
    updated_at,
    model_id,
    model_name,
    data_id,
    data_name,
    data_fmt,
    experiment_id,
    experiment_name,
    analyzer_id,
    analyzer_name: row.analyzer_name || (findBuiltin(analyzer_id)?.name ?? ''),
    startup_script,
    settings,
    data_script,
    analyzer_result,
    owner: ownerName(row),
  };
}

async function create(
  context: CoreContext,
  { user, viewer }: Caller,
  payload: CreatePayload<'workflow'>,
): Promise<Workflow> {
  const ownerId = user.id;
  const { name, uri, model_id, data_id } = payload;
  const attach = (field: string, kind: 'model' | 'data', objid: string) =>
    findAttachment(context, viewer, { field, kind, objid });
  if (uri !== '' && model_id === '') {
    const entry = findByAddress(uri);
    if (entry === null) return createFetched(context, { user, viewer }, payload);
    const own = await attach('data_id', 'data', data_id);
    return inTransaction(context.pool, async (tx) => {
      const model = await insertGalleryModel(tx, ownerId, entry);
      const data = own ?? (await insertGalleryData(tx, ownerId, entry));
      const parts = { modelId: model.id, dataId: data.id, settings: gallerySettings(entry), uri };
      return toWire(await insertWorkflow(tx, { ownerId, name: name || entry.name, ...parts }));
    });
  }
  const model = await attach('model_id', 'model', model_id);
  const data = await attach('data_id', 'data', data_id);
  const parts = { modelId: model?.id ?? null, dataId: data?.id ?? null };
  return toWire(await insertWorkflow(context.pool, { ownerId, name, ...parts }));
}

/** Of a model at an address: a file, an archive, a repository or a snippet. */
async function createFetched(
  context: CoreContext,
  { user, viewer }: Caller,
  { name, uri, data_id: objid }: CreatePayload<'workflow'>,
): Promise<Workflow> {
  const data = await findAttachment(context, viewer, { field: 'data_id', kind: 'data', objid });
  const model = await importModel(context, user.id, { ...fetchedModel, source_url: uri });
  const parts = { modelId: model.id, dataId: data?.id ?? null, uri };
  return toWire(
    await insertWorkflow(context.pool, { ownerId: user.id, name: name || model.name, ...parts }),
  );
}

async function change(
  context: CoreContext,
  target: Target,
  payload: ChangePayload<'workflow'>,
): Promise<UpdateAnswer> {
  switch (payload.object_type) {
    case 'workflow':
      return changeFields(context, target, payload);
    case 'workflow.analyzer_result':
      await takeAnalyzerResult(
        context,
        { object: target.object, read: target.prepared.result },
        payload,
      );
      return null;
    default:
      return assertNever(payload);
  }
}

async function changeFields(
  context: CoreContext,
  { object, viewer }: Target,
  payload: Extract<ChangePayload<'workflow'>, { object_type: 'workflow' }>,
): Promise<Workflow> {
  const attach = async (
    field: string,
    kind: 'data' | 'experiment' | 'model',
    objid: string | null | undefined,
  ) => {
    if (objid === undefined || objid === null) return null;
    return (await findAttachment(context, viewer, { field, kind, objid }))?.id ?? 0;
  };
  const { name, description, settings } = payload;
  checkSettingsSize(settings);
  await updateWorkflow(context.pool, object.id, {
    name,
    description,
    settings,
    dataId: await attach('data_id', 'data', payload.data_id),
    experimentId: await attach('experiment_id', 'experiment', payload.experiment_id),
    analyzerId: await attachAnalyzer(payload.analyzer_id, (objid) =>
      attach('analyzer_id', 'model', objid),
    ),
    analyzerResult: payload.analyzer_result,
    startupScript: payload.startup_script,
    dataScript: payload.data_script,
  });
  const row = orNotFound(await findWorkflow(context.pool, object.short_id));
  return toWire(row);
}

/** The analyzer that comes with the service is not a user's object: its id is stored unchanged. */
async function attachAnalyzer(
  objid: string | null | undefined,
  attach: (objid: string | null | undefined) => Promise<number | null>,
): Promise<number | string | null> {
  if (objid === plotFunctionId)
    throw invalidParameter(
      `${plotFunctionId} draws single plots and is not an analyzer; leave analyzer_id empty for the built-in report.`,
      { field: 'payload.analyzer_id' },
    );
  return objid === defaultAnalyzerId ? objid : attach(objid);
}

/** Live, or as a share froze it. */
async function view(context: WebContext, call: ViewCall): Promise<View> {
  const { objid, query, viewer, baseUrl } = call;
  if (query['view-analyzer'])
    return viewAnalysis(context, { objid, viewer, baseUrl, shareId: query.share_id });
  const access = await authorize(context, viewRequest(call));
  if (access.mode !== 'live') return snapshotEntry(access.share);
  const row = orNotFound(await findWorkflow(context.pool, access.object.short_id));
  return toWire(row);
}

/** Settings and names; scripts on request only. */
async function freeze(
  tx: Executor,
  object: ObjectRow,
  include: readonly string[],
): Promise<Snapshot> {
  // it may have been deleted since access was granted
  const row = orNotFound(await findWorkflow(tx, object.short_id));
  const shown = toWire(row);
  delete shown.owner;
  const scripts = include.includes('program') ? {} : { startup_script: null, data_script: null };
  const ids = { model_id: '', data_id: '', experiment_id: '', analyzer_id: '' };
  return {
    // an analyzer's output is private to the owner
    view: { ...shown, ...ids, ...scripts, analyzer_result: null },
    analysis: await findAnalysisFile(tx, { kind: 'workflow', id: object.id }),
  };
}

/** Responds when the experiment exists. */
async function run(
  context: CoreContext,
  objid: string,
  viewer: Viewer,
): Promise<{ experiment_id: string; experiment_name: string }> {
  const object = await authorizeLive(context, { objid, operation: 'invoke', viewer });
  const { pool, queue, reading } = context;
  const startedBy = viewer.user?.id;
  const request = { workflowId: object.id, ownerId: object.owner_id, startedBy, queue, reading };
  const { short_id, name } = await startRun(pool, request);
  return { experiment_id: short_id, experiment_name: name };
}

/** The script in the command replaces the workflow's script. */
async function runWithScript(
  context: CoreContext,
  { objid, viewer }: { readonly objid: string; readonly viewer: Viewer },
  { startup_script: startupScript }: Command<'workflow.run'>,
): Promise<UpdateAnswer> {
  if (startupScript !== '') {
    const object = await authorizeLive(context, { objid, operation: 'update', viewer });
    await updateWorkflow(context.pool, object.id, { startupScript });
  }
  return { object_type: 'workflow.run', ...(await run(context, objid, viewer)) };
}
