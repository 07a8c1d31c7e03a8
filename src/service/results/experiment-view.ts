/** An experiment as the API returns it: its live fields, or those that a share froze. */
import { kindOfId } from '../../contract/common.ts';
import type { Experiment } from '../../contract/experiment.ts';
import { ownerName } from '../auth/user-names.ts';
import { withWholeVerdict } from '../content/whole-verdict.ts';
import type { CoreContext } from '../context.ts';
import type { Viewer } from '../http/call.ts';
import { invalidField, orNotFound } from '../http/service-error.ts';
import { authorize } from '../policy/authorize.ts';
import { grantOf, hasSharedData, snapshotEntry } from '../policy/share-snapshot.ts';
import { type ExperimentRow, findExperiment, hasFrozenData } from '../repositories/experiments.ts';

/** `SAMPLE_FIN` is a brief state of a run; the documented states include it in `RUN`. */
export function statusToWire(status: string | null): string {
  return status === 'SAMPLE_FIN' ? 'RUN' : (status ?? '');
}

export function experimentToWire(row: ExperimentRow): Experiment {
  return withWholeVerdict({
    object_type: 'experiment',
    short_id: row.short_id,
    name: row.name,
    model_name: row.model_name,
    model_id: row.model_id,
    status: statusToWire(row.status),
    meta: row.meta,
    n_chains: row.n_chains,
    n_variables: row.n_variables,
    n_samples: row.n_samples,
    sample_update_time: row.sample_update_time ?? row.created_at,
    run_on: row.run_on,
    // `input_id` keeps the id of data that no longer exist
    input: row.data_id || null,
    output: row.output,
    workflow_id: row.workflow_id,
    workflow_name: row.workflow_name,
    created_at: row.created_at,
    updated_at: row.updated_at,
    owner: ownerName(row),
  });
}

/** Labels of dimensions may be long, and no list shows them. */
export function withoutLabels<T extends { readonly object_type: string }>(entry: T | Experiment) {
  if (!isExperiment(entry) || !entry.meta?.labels) return entry as T;
  const { labels: _, ...meta } = entry.meta;
  return { ...entry, meta } as unknown as T;
}

const isExperiment = (entry: { readonly object_type: string }): entry is Experiment =>
  entry.object_type === 'experiment';

export interface ExperimentRequest {
  readonly objid: string;
  readonly viewer: Viewer;
  /** Empty: the live experiment, or the newest share that admits the viewer. */
  readonly shareId: string;
  /** Prefix of signed addresses. */
  readonly baseUrl: string;
}

/** The caller's view of it. Throws `ServiceError`, also if the id is of another kind. */
export async function viewExperiment(
  context: CoreContext,
  { objid, viewer, shareId, baseUrl }: ExperimentRequest,
): Promise<Experiment> {
  const kind = orNotFound(kindOfId(objid));
  if (kind !== 'experiment')
    throw invalidField('object_type', `is experiment, but the id is of kind ${kind}.`);
  const access = await authorize(context, { objid, operation: 'view', viewer, shareId });
  if (access.mode === 'live') {
    const row = orNotFound(await findExperiment(context.pool, access.object.short_id));
    const shown = experimentToWire(row);
    if (!(await hasFrozenData(context.pool, row.id))) return shown;
    const own = baseUrl + context.signer.sign({ kind: 'frozen_data', experiment: objid }, 'data');
    return { ...shown, meta: { ...shown.meta, data_path: own } };
  }
  const { share } = access;
  const view = snapshotEntry(share) as Experiment;
  if (!hasSharedData(share)) return view;
  const grant = { kind: 'frozen_data', experiment: objid, ...grantOf(share) } as const;
  const data = baseUrl + context.signer.sign(grant, 'data');
  return { ...view, meta: { ...view.meta, data_path: data } };
}
