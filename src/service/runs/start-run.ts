/** Makes an experiment of a model, data and settings, all frozen, and queues its chains. */
import { limits } from '../../contract/system.ts';
import { parseSettings } from '../../engine/settings.ts';
import type { RunSettings } from '../content/settings-text.ts';
import { publish } from '../facts/publish.ts';
import { ownBuffer, SMALL_BYTES } from '../http/body-reader.ts';
import { invalidParameter, notSupported } from '../http/service-error.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import { findBlob } from '../repositories/blobs.ts';
import { insertChains, publishLive } from '../repositories/chains.ts';
import { findData, findDataBytes, findDataVersion } from '../repositories/data.ts';
import { keepDataScript } from '../repositories/data-scripts.ts';
import { type Executor, inTransaction } from '../repositories/database.ts';
import {
  type ExperimentRow,
  type FrozenProgram,
  insertExperiment,
  type NewExperiment,
  updateExperiment,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { findModel, findModelVersion, type ModelRow } from '../repositories/models.ts';
import { findObjectById } from '../repositories/objects.ts';
import { fillExperiment } from '../repositories/run-targets.ts';
import { findWorkflow, updateWorkflow } from '../repositories/workflows.ts';
import { checkRunData, type RunProgram, readProgram } from './program.ts';
import { readSettings } from './read-settings.ts';
import { insertForeignRun, isForeign } from './start-program.ts';

export interface RunRequest {
  /** The workflow's number. */
  readonly workflowId: number;
  readonly ownerId: number;
  /** Number of an experiment that waits for its run; absent: one is made. */
  readonly into?: number;
  /** Takes the job of a data script; without it a worker finds the run in its next round. */
  readonly queue?: JobQueue;
  /** Reads what would hold others up; absent: it is read here, where nobody waits. */
  readonly reading?: ReadingThreads;
}

/**
 * Durable when it returns. A program that does not compile gives an experiment that is `ERR` at once, with the places
 * of the errors in its log. A program in another language is a process of a worker's. Throws `ServiceError` when the workflow cannot be run at all.
 */
export async function startRun(
  db: Executor,
  { workflowId, ownerId, into, queue, reading }: RunRequest,
): Promise<ExperimentRow> {
  return inTransaction(db, async (tx) => {
    const object = await findObjectById(tx, workflowId);
    const workflow = object === null ? null : await findWorkflow(tx, object.short_id);
    if (workflow === null) throw invalidParameter('There is no such workflow.');
    const model = await findModel(tx, workflow.model_id);
    if (model === null) {
      throw invalidParameter(
        'This workflow has no model (or it was deleted), so there is nothing to run.',
      );
    }
    const read = await readSettings(workflow.settings, reading);
    if (!read.ok) throw invalidParameter(read.error);
    const request: FrozenRequest = {
      ownerId,
      into,
      model,
      workflow: { id: workflow.id, name: workflow.name },
      dataId: workflow.data_id,
      reading,
      settings: await resolveInits(tx, read.value, ownerId),
      dataScript: workflow.data_script?.trim() ? workflow.data_script : null,
    };
    const experiment = isForeign(model.env)
      ? await insertForeignRun(tx, {
          ...request,
          make: (run) => makeExperiment(tx, into, run),
        })
      : await insertRun(tx, request);
    if (experiment.status === 'NEW' && request.dataScript !== null)
      await queue?.send(
        'data_script',
        { experimentId: experiment.id },
        { tx, key: String(experiment.id) },
      );
    await updateWorkflow(tx, workflow.id, { experimentId: experiment.id });
    return experiment;
  });
}

interface FrozenRequest {
  readonly ownerId: number;
  readonly into: number | undefined;
  readonly model: ModelRow;
  readonly workflow: { readonly id: number; readonly name: string };
  /** Short id; empty: no data. */
  readonly dataId: string;
  readonly settings: RunSettings;
  /** Prepares the data before the chains begin. */
  readonly dataScript: string | null;
  readonly reading: ReadingThreads | undefined;
}

async function insertRun(tx: Executor, request: FrozenRequest): Promise<ExperimentRow> {
  const { ownerId, model, workflow, settings } = request;
  const program = await freezeProgram(tx, model);
  const hasScript = request.dataScript !== null;
  const data = await freezeData(tx, request, { isRead: !hasScript });
  const { num_chains: numChains } = settings.stored as { num_chains: number };
  const experiment = await makeExperiment(tx, request.into, {
    ownerId,
    name: settings.experimentName || workflow.name || model.name,
    modelId: model.id,
    modelName: model.name,
    modelVersion: model.version,
    workflowId: workflow.id,
    ...data,
    program: program.frozen,
    settings: settings.stored,
    runOn: settings.runOn,
    numChains,
  });
  await writeOpening(tx, experiment.id, request, program.run);
  const fault = await findFault(program.run, request.dataId !== '' || hasScript);
  if (fault !== null) return refuseRun(tx, experiment, fault);
  if (request.dataScript !== null) {
    await keepDataScript(tx, experiment.id, request.dataScript);
    return experiment;
  }
  const { numWarmup, numSamples } = settings.settings;
  await insertChains(tx, experiment.id, { count: numChains, iterations: numWarmup + numSamples });
  return experiment;
}

function makeExperiment(
  tx: Executor,
  into: number | undefined,
  run: NewExperiment,
): Promise<ExperimentRow> {
  return into === undefined ? insertExperiment(tx, run) : fillExperiment(tx, into, run);
}

async function freezeProgram(
  tx: Executor,
  model: ModelRow,
): Promise<{ frozen: FrozenProgram; run: RunProgram }> {
  const version = await findModelVersion(tx, model.id);
  if (version === null) throw invalidParameter('The model has no files.');
  const { env, lang } = model;
  const { entrance_file, content_meta, tree } = version;
  const frozen: FrozenProgram = { env: env || 'stan', lang, entrance_file, content_meta, tree };
  const run = await readProgram(tx, frozen);
  if (!run.ok) throw invalidParameter(run.error);
  if (!run.value.name.toLowerCase().endsWith('.stan')) {
    throw notSupported(`This server runs Stan programs; ${run.value.name} is not one.`);
  }
  return { frozen, run: run.value };
}

/** `isRead`: they are read as they are, so they must be readable now. */
async function freezeData(
  tx: Executor,
  { dataId, reading }: FrozenRequest,
  { isRead }: { isRead: boolean },
) {
  if (dataId === '') return {};
  const data = await findData(tx, dataId);
  const version = data === null ? null : await findDataVersion(tx, data.id);
  if (data === null || version === null)
    throw invalidParameter('The data of this workflow no longer exist.');
  const fault = isRead ? await findDataFault(tx, version, reading) : null;
  if (fault !== null) throw invalidParameter(fault);
  return {
    dataId: data.id,
    dataName: data.name,
    dataVersion: version.version,
    dataHash: version.hash,
    dataFmt: version.fmt,
    inputId: data.short_id,
  };
}

/** Why a run cannot read these data; null: it can. Large ones are read in a thread. */
async function findDataFault(
  tx: Executor,
  { hash, fmt }: { readonly hash: string; readonly fmt: string },
  reading: ReadingThreads | undefined,
): Promise<string | null> {
  const bytes = await findBlob(tx, hash);
  if (bytes === null) return 'The data of this run no longer exist.';
  if (reading === undefined || bytes.length <= SMALL_BYTES) return checkRunData(bytes, fmt);
  const buffer = ownBuffer(bytes);
  return reading.run('runData', { bytes: new Uint8Array(buffer), fmt }, [buffer]);
}

/** Starting values given as the id of data of the owner's own become the values themselves. */
async function resolveInits(tx: Executor, run: RunSettings, ownerId: number): Promise<RunSettings> {
  const { inits } = run.settings;
  if (typeof inits !== 'string') return run;
  const data = await findData(tx, inits);
  const isOwn = data !== null && data.owner_id === ownerId;
  const bytes = isOwn ? await findDataBytes(tx, data.id) : null;
  if (bytes === null)
    throw invalidParameter(`sampling.inits names ${inits}, but there is no such data object.`);
  if (bytes.length > limits.inits_bytes)
    throw invalidParameter(
      `sampling.inits names ${inits}, which has ${bytes.length} bytes, more than inits_bytes allows (${limits.inits_bytes}).`,
    );
  let values: unknown;
  try {
    values = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw invalidParameter(`sampling.inits names ${inits}, which is not valid JSON.`);
  }
  if (typeof values !== 'object' || values === null || !parseSettings({ inits: values }).ok) {
    throw invalidParameter(`sampling.inits names ${inits}, which is not an object of values.`);
  }
  return {
    ...run,
    settings: { ...run.settings, inits: values as Record<string, unknown> },
    stored: { ...run.stored, inits: values },
  };
}

/** Why a program cannot run, its errors rendered, or null. The compiler is loaded when the first run needs it. */
async function findFault(program: RunProgram, hasData: boolean): Promise<string | null> {
  if (program.source.trim() === '') return `${program.name} is empty: there is no program to run.`;
  const { checkProgram } = await import('../../language/check.ts');
  const { hasErrors, render } = await import('../../language/diagnostics.ts');
  const main = { name: program.name, text: program.source };
  const include = (name: string) => program.files[name] ?? null;
  const { program: tree, diagnostics, files } = checkProgram(main, { include });
  if (!hasErrors(diagnostics)) return hasData ? null : missingData(tree.data);
  return diagnostics
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic) => render(diagnostic, files))
    .join('\n\n');
}

function missingData(declared: readonly { readonly name: { readonly name: string } }[]) {
  if (declared.length === 0) return null;
  const names = declared.slice(0, 8).map((declaration) => declaration.name.name);
  if (declared.length > names.length) names.push('…');
  return `The program reads data (${names.join(', ')}) but this run has none: choose data for the workflow.`;
}

async function refuseRun(
  tx: Executor,
  experiment: ExperimentRow,
  fault: string,
): Promise<ExperimentRow> {
  const [message = ''] = fault.split('\n');
  await appendLog(tx, { experimentId: experiment.id, stream: 'stdlog', text: `${fault}\n` });
  const error = { code: 'PROGRAM_INVALID', message };
  await updateExperiment(tx, experiment.id, {
    status: 'ERR',
    meta: { error, run_info: { status: 'ERR' } },
  });
  await publishLive(tx, experiment.short_id, 'status');
  await publish(tx, { kind: 'run_ended', experiment, ending: { failure: message } });
  return { ...experiment, status: 'ERR' };
}

async function writeOpening(
  tx: Executor,
  experimentId: number,
  { model, settings }: FrozenRequest,
  program: RunProgram,
): Promise<void> {
  const { stored, unknown } = settings;
  const lines = [
    `Program ${program.name} of ${model.short_id}, version ${model.version}; seed ${String(stored.seed)}.`,
  ];
  if (unknown.length > 0) {
    lines.push(`Unknown settings under sampling, stored but not used: ${unknown.join(', ')}.`);
  }
  await appendLog(tx, { experimentId, stream: 'platform', text: `${lines.join('\n')}\n` });
}
