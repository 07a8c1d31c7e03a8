/** Experiments: runs of this service, of outside runners, and imported draws. */
import type { Experiment } from '../../../contract/experiment.ts';
import type { View } from '../../../contract/objects.ts';
import type { Operation } from '../../../contract/permissions.ts';
import { drawPlot } from '../../analysis/draw-plot.ts';
import { viewAnalysis } from '../../analysis/view-analysis.ts';
import type { CoreContext, WebContext } from '../../context.ts';
import { requestSampledata } from '../../exports/sampledata.ts';
import { orNotFound } from '../../http/service-error.ts';
import { createImport } from '../../imports/create-import.ts';
import { isImport } from '../../imports/request-files.ts';
import { authorizeLive } from '../../policy/authorize.ts';
import type { Snapshot } from '../../policy/share-snapshot.ts';
import { findAnalysisFile } from '../../repositories/analyses.ts';
import { listChains } from '../../repositories/chains.ts';
import { countIterations } from '../../repositories/count-draws.ts';
import { type Executor, inTransaction } from '../../repositories/database.ts';
import { listBounds } from '../../repositories/draws.ts';
import { chainsLeftOut } from '../../repositories/experiment-meta.ts';
import {
  type ExperimentRow,
  findExperimentById,
  findFrozen,
  insertExperiment,
  listExperiments,
  type NewExperiment,
} from '../../repositories/experiments.ts';
import type { ObjectRow } from '../../repositories/objects.ts';
import { updateWorkflow } from '../../repositories/workflows.ts';
import { experimentToWire, viewExperiment } from '../../results/experiment-view.ts';
import { viewPlatformLog, viewRunInfo, viewStdlog } from '../../results/logs.ts';
import { findAttachment } from '../call-checks.ts';
import type { Caller, CreatePayload, Kind, ViewCall } from '../kind.ts';
import { change, checkMeta } from './change-experiment.ts';
import { stopBeforeDelete } from './steer-run.ts';

export const experiment: Kind<'experiment', ExperimentRow> = {
  create,
  change,
  list: listExperiments,
  toWire: (row) => withoutMatches(experimentToWire(row)),
  view,
  freeze,
  beforeDelete: stopBeforeDelete,
};

async function create(
  context: CoreContext,
  { user, viewer, prepared }: Caller,
  payload: CreatePayload<'experiment'>,
): Promise<Experiment> {
  const { model_id, workflow_id, input_id } = payload;
  const attach = (field: string, kind: 'model' | 'workflow' | 'data', objid: string) =>
    findAttachment(context, viewer, { field, kind, objid });
  const model = await attach('model_id', 'model', model_id);
  const workflow = await attach('workflow_id', 'workflow', workflow_id);
  const data = await attach('input_id', 'data', input_id);
  const made: NewExperiment = {
    ownerId: user.id,
    name: payload.name,
    modelId: model?.id ?? null,
    modelName: model?.name ?? '',
    modelVersion: model?.version ?? null,
    workflowId: workflow?.id ?? null,
    dataId: data?.id ?? null,
    dataName: data?.name ?? '',
    dataVersion: data?.version ?? null,
    inputId: input_id,
    runOn: payload.run_on.slice(0, 64),
    meta: checkMeta(payload.meta),
  };
  if (isImport(payload))
    return experimentToWire(await createImport(context, payload, made, prepared?.dataFiles));
  const row = await inTransaction(context.pool, async (tx) => {
    const inserted = await insertExperiment(tx, made);
    if (workflow !== null) await updateWorkflow(tx, workflow.id, { experimentId: inserted.id });
    return inserted;
  });
  return experimentToWire(row);
}

/** A list shows the state of moment matching, not its result for each observation. */
function withoutMatches({ meta, ...experiment }: Experiment): Experiment {
  if (!meta?.moment_match) return { ...experiment, meta };
  const { observations: _, ...moment_match } = meta.moment_match;
  return { ...experiment, meta: { ...meta, moment_match } };
}

/** Its fields, or one of the documented variants: analysis, draws as a file, logs, an outside runner's run. */
async function view(context: WebContext, call: ViewCall): Promise<View> {
  const { objid, query, viewer, baseUrl } = call;
  const place = { objid, viewer, baseUrl, shareId: query.share_id };
  if (query['view-analyzer']) return viewAnalysis(context, place);
  if (query.sampledata) return requestSampledata(context, { objid, query, viewer, baseUrl });
  if (query.plot_func !== '') return viewPlot(context, call);
  const runOf = (operation: Operation) => authorizeLive(context, { objid, operation, viewer });
  const batch = { batchId: query.batch_id, runId: query.run_id };
  if (query.cloudwatch_log) return viewPlatformLog(context, await runOf('cloudwatch_log'), batch);
  if (query.stdlog) return viewStdlog(context, await runOf('stdlog'), batch);
  if (query.batch_id !== '' && query.run_id !== '')
    return viewRunInfo(context, await runOf('run_info'), batch);
  return viewExperiment(context, place);
}

async function viewPlot(context: WebContext, { objid, query, viewer }: ViewCall): Promise<View> {
  const { plot_func, plot_chain, plot_var, plot_group, n_iteration, share_id } = query;
  const parameters = {
    experiment_id: objid,
    plot_func,
    plot_chain,
    plot_var,
    plot_group,
    n_iteration,
    share_id,
  };
  return { object_type: 'experiment.plot', data: await drawPlot(context, viewer, parameters) };
}

/** The fields, each chain's progress, and on request program and data. */
async function freeze(
  tx: Executor,
  object: ObjectRow,
  include: readonly string[],
): Promise<Snapshot> {
  // it may have been deleted since access was granted
  const row = orNotFound(await findExperimentById(tx, object.id));
  const kept = await findFrozen(tx, object.id);
  const hasProgram = include.includes('program') && kept?.program !== null;
  const bounds = await listBounds(tx, object.id);
  const counts = await countIterations(tx, object.id);
  const leftOut = chainsLeftOut(row.meta);
  // of the chains that are shown: those that had not begun have none, and hide nothing of the others
  const saved = bounds
    .filter(({ name }) => !leftOut.includes(name))
    .map(({ name }) => counts.get(name) ?? 0)
    .filter((draws) => draws > 0);
  const hasData = include.includes('data') && kept !== null && kept.dataHash !== null;
  const frozen = freezeFields(row, { hasProgram, hasData, hasNote: include.includes('note') });
  return {
    // draws may have arrived since the row was read
    view: saved.length === 0 ? frozen : { ...frozen, n_samples: Math.min(...saved) },
    ...(hasProgram ? { model_id: row.model_id } : {}),
    has_data: hasData,
    bounds,
    chains: await listChains(tx, object.id),
    revision: row.revision,
    analysis: await findAnalysisFile(tx, { kind: 'experiment', id: object.id }),
  };
}

function freezeFields(
  row: ExperimentRow,
  { hasProgram, hasData, hasNote }: { hasProgram: boolean; hasData: boolean; hasNote: boolean },
): Experiment {
  const shown = experimentToWire(row);
  const { action, error, iteration_count, verdict, chains_left_out, labels, settings } = row.meta;
  const { started_at, finished_at, elapsed_seconds, moment_match, time_limit_reached } = row.meta;
  const { data_name, data_version } = row.meta;
  // starting values may come from a data object, and draws from another run: their ids are private
  const shownSettings = settings && {
    ...settings,
    inits: typeof settings.inits === 'string' ? '' : settings.inits,
    ...(settings.from === undefined ? {} : { from: '' }),
  };
  delete shown.owner;
  return {
    ...shown,
    meta: {
      // other actions are in progress, or a client's own text
      action: action === 'stopped' || action === 'paused' ? action : '',
      error,
      time_limit_reached,
      iteration_count,
      verdict,
      chains_left_out,
      labels,
      settings: shownSettings,
      started_at,
      finished_at,
      elapsed_seconds,
      ...(moment_match?.state === 'done' ? { moment_match } : {}),
      ...(hasData ? { data_name, data_version } : {}),
      ...(hasNote && row.meta.note ? { note: row.meta.note } : {}),
    },
    model_id: hasProgram ? shown.model_id : '',
    input: null,
    output: null,
    workflow_id: '',
    workflow_name: '',
  };
}
