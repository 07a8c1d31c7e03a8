/** What a share freezes, and how that is shown: fields and bounds, never logs, inputs, or ids of other objects. */
import type { Experiment } from '../../contract/experiment.ts';
import type { Model, ModelContent } from '../../contract/model.ts';
import type { Workflow } from '../../contract/workflow.ts';
import { contentMetaToWire } from '../content/model-content.ts';
import type { CoreContext } from '../context.ts';
import { notFound, ServiceError } from '../http/service-error.ts';
import { type Snapshot, snapshotOf } from '../policy/share-snapshot.ts';
import { findAnalysisFile } from '../repositories/analyses.ts';
import { listChains } from '../repositories/chains.ts';
import { countIterations } from '../repositories/count-draws.ts';
import type { Executor } from '../repositories/database.ts';
import { listBounds } from '../repositories/draws.ts';
import { type ExperimentRow, findExperimentById, findFrozen } from '../repositories/experiments.ts';
import { findWireTree } from '../repositories/model-trees.ts';
import { findModel, findModelVersion, type ModelRow } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { ShareRow } from '../repositories/shares.ts';
import { findWorkflow, type WorkflowRow } from '../repositories/workflows.ts';
import { experimentToWire } from '../results/experiment-view.ts';
import { modelToWire, workflowToWire } from './views.ts';

/** To be called in the transaction that makes the share. Throws NOT_FOUND. */
export async function takeSnapshot(
  db: Executor,
  object: ObjectRow,
  include: readonly string[],
): Promise<Record<string, unknown>> {
  let frozen: Snapshot;
  if (object.kind === 'experiment') {
    const row = present(await findExperimentById(db, object.id));
    const kept = await findFrozen(db, object.id);
    const hasProgram = include.includes('program') && kept?.program !== null;
    const bounds = await listBounds(db, object.id);
    const counts = await countIterations(db, object.id);
    const saved = bounds.map(({ name }) => counts.get(name) ?? 0);
    const view = freezeExperiment(row, hasProgram);
    frozen = {
      // draws may have come since the row was read
      view: saved.length === 0 ? view : { ...view, n_samples: Math.min(...saved) },
      ...(hasProgram ? { model_id: row.model_id } : {}),
      has_data: include.includes('data') && kept !== null && kept.dataHash !== null,
      bounds,
      chains: await listChains(db, object.id),
      revision: row.revision,
      analysis: await findAnalysisFile(db, { kind: 'experiment', id: object.id }),
    };
  } else if (object.kind === 'model') {
    const row = present(await findModel(db, object.short_id));
    frozen = { view: freezeModel(row), version: row.version };
  } else {
    const row = present(await findWorkflow(db, object.short_id));
    frozen = {
      view: freezeWorkflow(row, include.includes('program')),
      analysis: await findAnalysisFile(db, { kind: 'workflow', id: object.id }),
    };
  }
  return { ...frozen };
}

/** It may have been deleted since the caller was let in. */
function present<Row>(row: Row | null): Row {
  if (row === null) throw notFound();
  return row;
}

function freezeExperiment(row: ExperimentRow, hasProgram: boolean): Experiment {
  const view = experimentToWire(row);
  const { iteration_count, verdict, started_at, finished_at, elapsed_seconds, settings } = row.meta;
  // starting values may come from a data object, whose id is nobody else's business
  const shown = settings && {
    ...settings,
    inits: typeof settings.inits === 'string' ? '' : settings.inits,
  };
  delete view.owner;
  return {
    ...view,
    meta: {
      action: '',
      iteration_count,
      verdict,
      settings: shown,
      started_at,
      finished_at,
      elapsed_seconds,
    },
    model_id: hasProgram ? view.model_id : '',
    input: null,
    output: null,
    workflow_id: '',
    workflow_name: '',
  };
}

function freezeModel(row: ModelRow): Model {
  const view = modelToWire(row);
  delete view.owner;
  return { ...view, meta: {} };
}

function freezeWorkflow(row: WorkflowRow, hasProgram: boolean): Workflow {
  const view = workflowToWire(row);
  delete view.owner;
  const scripts = hasProgram ? {} : { startup_script: null, data_script: null };
  const ids = { model_id: '', data_id: '', experiment_id: '', analyzer_id: '' };
  // what an analyzer printed on its way is the owner's business
  return { ...view, ...ids, ...scripts, analyzer_result: null };
}

/** The frozen object; a model comes with its tree. */
export async function snapshotView(
  { pool }: CoreContext,
  share: ShareRow,
): Promise<Experiment | Model | Workflow> {
  const { view, version = 0 } = snapshotOf(share);
  if (view.object_type !== 'model') return view;
  const content = await readModelContent(pool, share.object_id, version);
  return content === null ? view : { ...view, content };
}

/** A version's tree as it was sent; null when the model has none. */
export async function readModelContent(
  pool: CoreContext['pool'],
  id: number,
  version: number,
): Promise<ModelContent | null> {
  const stored = await findModelVersion(pool, id, version);
  if (stored === null) return null;
  const tree = await findWireTree(pool, stored.tree);
  return { meta: contentMetaToWire(stored.content_meta, stored.entrance_file), tree };
}

/** The program of a shared experiment, in the form of a model. */
export async function frozenProgramView({ pool }: CoreContext, share: ShareRow): Promise<Model> {
  const kept = await findFrozen(pool, share.object_id);
  const experiment = snapshotOf(share).view as Experiment;
  if (!kept?.program) throw new ServiceError('NOT_FOUND', 'This share holds no program.');
  const { tree, content_meta: meta, entrance_file: entrance, env, lang } = kept.program;
  return {
    object_type: 'model',
    id: 0,
    short_id: experiment.model_id ?? '',
    name: experiment.model_name,
    meta: {},
    tags: ['model'],
    content: { meta: contentMetaToWire(meta, entrance), tree: await findWireTree(pool, tree) },
    env,
    lang,
  };
}
