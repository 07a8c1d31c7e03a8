/** Looking at one object, or at one of its variants, as the flags of the query say. */
import { kindOfId } from '../../contract/common.ts';
import type { View } from '../../contract/objects.ts';
import type { Operation } from '../../contract/permissions.ts';
import { invariant } from '../../shared/invariant.ts';
import { plotFunctionId } from '../analysis/analysis-ids.ts';
import { viewAnalysis } from '../analysis/view-analysis.ts';
import type { WebContext } from '../context.ts';
import { listRuns, viewCallback, viewEvent } from '../events/fire-event.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound, notSupported } from '../http/service-error.ts';
import { authorize, authorizeBuiltin, authorizeLive } from '../policy/authorize.ts';
import { builtinToWire } from '../policy/builtin-functions.ts';
import { hasSharedData } from '../policy/share-snapshot.ts';
import { findData, findDataVersion } from '../repositories/data.ts';
import { findExperiment } from '../repositories/experiments.ts';
import { findModel } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { findWorkflow } from '../repositories/workflows.ts';
import { experimentToWire } from '../results/experiment-view.ts';
import { entriesOf } from './list-objects.ts';
import { viewPlatformLog, viewRunInfo, viewStdlog } from './logs.ts';
import { requestSampledata } from './sampledata.ts';
import { viewShare } from './shares.ts';
import { frozenProgramView, readModelContent, snapshotView } from './snapshots.ts';
import type { ViewQuery } from './view-query.ts';
import { dataToWire, modelToWire, workflowToWire } from './views.ts';

export interface ViewCall {
  readonly objid: string;
  readonly query: ViewQuery;
  readonly viewer: Viewer;
  readonly baseUrl: string;
}

export async function viewObject(context: WebContext, call: ViewCall): Promise<View> {
  const { objid, query } = call;
  const kind = kindOfId(objid);
  if (kind === null) throw notFound();
  if (query.object_type !== '' && query.object_type !== kind)
    throw invalidParameter(
      `object_type is ${query.object_type.slice(0, 40)}, the id names a ${kind}.`,
      {
        field: 'object_type',
      },
    );
  const builtin = authorizeBuiltin({ objid, operation: 'view', viewer: call.viewer });
  if (builtin !== null) return builtinToWire(builtin);
  if (kind === 'share') return viewShare(context, objid);
  if (query['view-analyzer'] && (kind === 'workflow' || kind === 'experiment'))
    return viewAnalysis(context, { ...call, shareId: query.share_id });
  if (kind === 'experiment') return viewExperiment(context, call);
  return viewPlain(context, call, query.version > 0 ? 'view_version' : 'view');
}

async function viewExperiment(context: WebContext, call: ViewCall): Promise<View> {
  const { objid, query, viewer, baseUrl } = call;
  if (query.sampledata) return requestSampledata(context, { objid, query, viewer, baseUrl });
  if (query.plot_func !== '')
    throw notSupported(
      `Plots are made by the function ${plotFunctionId}: call it by /invoke with these parameters.`,
    );
  const runOf = (operation: Operation) => authorizeLive(context, { objid, operation, viewer });
  const batch = { batchId: query.batch_id, runId: query.run_id };
  if (query.cloudwatch_log) return viewPlatformLog(context, await runOf('cloudwatch_log'), batch);
  if (query.stdlog) return viewStdlog(context, await runOf('stdlog'), batch);
  if (query.batch_id !== '' && query.run_id !== '')
    return viewRunInfo(context, await runOf('run_info'), batch);
  return viewPlain(context, call, 'view');
}

async function viewPlain(context: WebContext, call: ViewCall, operation: Operation): Promise<View> {
  const { objid, query, viewer } = call;
  const access = await authorize(context, { objid, operation, viewer, shareId: query.share_id });
  if (access.mode === 'program') return frozenProgramView(context, access.share);
  if (access.mode === 'live') return liveView(context, access.object, call);
  const view = await snapshotView(context, access.share);
  if (view.object_type !== 'experiment' || !hasSharedData(access.share)) return view;
  const grant = { kind: 'frozen_data', experiment: objid, share: access.share.short_id } as const;
  const data = call.baseUrl + context.signer.sign(grant, 'data');
  return { ...view, meta: { ...view.meta, data_path: data } };
}

async function liveView(
  context: WebContext,
  object: ObjectRow,
  { query, baseUrl, viewer }: ViewCall,
): Promise<View> {
  const { pool } = context;
  switch (object.kind) {
    case 'model': {
      const row = await findModel(pool, object.short_id);
      if (row === null) throw notFound();
      const content = await readModelContent(pool, row.id, query.version);
      if (content === null && query.version > 0) throw notFound('There is no such version.');
      const version = query.version || row.version;
      const view = modelToWire({ ...row, version }, content ?? undefined);
      if (!row.tags.includes('code')) return view;
      return { ...view, runs: await listRuns(context, row.short_id, viewer) };
    }
    case 'data': {
      const row = await findData(pool, object.short_id);
      const found = row && (await findDataVersion(pool, row.id, query.version));
      if (row === null || found === null) throw notFound('There is no such version.');
      const { version, fmt, size } = found as NonNullable<typeof found>;
      const grant = { kind: 'data', id: row.short_id, version } as const;
      return dataToWire(
        { ...row, version, fmt, size },
        baseUrl + context.signer.sign(grant, row.name),
      );
    }
    case 'experiment': {
      const row = await findExperiment(pool, object.short_id);
      if (row === null) throw notFound();
      return experimentToWire(row);
    }
    case 'workflow': {
      const row = await findWorkflow(pool, object.short_id);
      if (row === null) throw notFound();
      return workflowToWire(row);
    }
    case 'event':
      return viewEvent(context, object, viewer);
    case 'callback':
      return viewCallback(context, object, viewer);
    default: {
      const [entry] = await entriesOf(context, [object]);
      invariant(entry !== undefined, 'an object has the row of its kind');
      return entry as View;
    }
  }
}
