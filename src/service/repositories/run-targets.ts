/** The targets of a request to run: a suitable workflow, an experiment that waits for its run. */
import { keepBlobs } from './blobs.ts';
import { type Executor, execute, hasRow, isGiven, json, selectValue, sql } from './database.ts';
import {
  type ExperimentRow,
  findExperimentById,
  type NewExperiment,
  updateExperiment,
} from './experiments.ts';
import { listHashes } from './model-trees.ts';
import type { Tables } from './tables.ts';

/** Id of the owner's newest workflow of this model and these data that has no scripts and no analyzer; null: none. */
export async function findPlainWorkflow(
  db: Executor,
  which: { readonly ownerId: number; readonly modelId: number; readonly dataId: number | null },
): Promise<string | null> {
  return selectValue<Tables['objects']['short_id']>(
    db,
    sql`select o.short_id from objects o join workflows w on w.id = o.id
        where o.kind = 'workflow' and o.owner_id = ${which.ownerId} and o.deleted_at is null
          and w.model_id = ${which.modelId} and w.data_id is not distinct from ${which.dataId}::bigint
          and w.analyzer_id is null and coalesce(w.startup_script, '') = '' and coalesce(w.data_script, '') = ''
        order by o.id desc limit 1`,
  );
}

/** False if it has draws, chains or messages of a runner already, or was made by another request. */
export async function isUntouched(db: Executor, experimentId: number): Promise<boolean> {
  return hasRow(
    db,
    sql`select 1 from experiments e join objects o on o.id = e.id
        where e.id = ${experimentId} and e.settings is null and o.status in ('NEW', 'RUN')
          and not exists (select 1 from experiment_chains c where c.experiment_id = e.id)
          and not exists (select 1 from runner_runs r where r.experiment_id = e.id)`,
  );
}

/** Freezes a run into an existing experiment, whose name and meta do not change. */
export async function fillExperiment(
  tx: Executor,
  id: number,
  run: NewExperiment,
): Promise<ExperimentRow> {
  const { program = null, settings = null, dataHash = null } = run;
  await execute(
    tx,
    sql`update experiments set model_id = ${run.modelId ?? null}, workflow_id = ${run.workflowId ?? null},
          data_id = ${run.dataId ?? null}, model_name = ${run.modelName ?? ''},
          model_version = ${run.modelVersion ?? null}, data_name = ${run.dataName ?? ''},
          data_version = ${run.dataVersion ?? null}, program = ${isGiven(program) ? json(program) : sql`null`},
          data_hash = decode(${dataHash}::text, 'hex'), data_fmt = ${run.dataFmt ?? ''},
          settings = ${isGiven(settings) ? json(settings) : sql`null`}, input_id = ${run.inputId ?? ''},
          run_on = ${run.runOn ?? ''}, n_chains = ${run.numChains ?? 0}
        where id = ${id}`,
  );
  await updateExperiment(tx, id, { status: 'NEW' });
  const hashes = isGiven(program) ? listHashes(program.tree) : [];
  await keepBlobs(tx, id, dataHash === null ? hashes : [...hashes, dataHash]);
  return (await findExperimentById(tx, id)) as ExperimentRow;
}
