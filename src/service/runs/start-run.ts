/** Makes an experiment from a model, data and settings, all frozen, and queues its chains. */
import type { WireLabels } from '../../contract/experiment.ts';
import { limits } from '../../contract/limits.ts';
import { parseSettings } from '../../engine/settings.ts';
import { isPathfinderInits } from '../../engine/settings-table.ts';
import type { DataLabels, RunDataCheck } from '../content/data-labels.ts';
import type { RunSettings } from '../content/settings-text.ts';
import { ownBuffer, SMALL_BYTES } from '../http/body-reader.ts';
import { invalidParameter, notSupported } from '../http/service-error.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import { findBlob } from '../repositories/blobs.ts';
import { insertChains } from '../repositories/chains.ts';
import { findData, findDataBytes } from '../repositories/data.ts';
import { countScriptsAhead, keepDataScript } from '../repositories/data-scripts.ts';
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
import { noteOrigin } from '../repositories/run-origins.ts';
import { fillExperiment } from '../repositories/run-targets.ts';
import { mayUse } from '../repositories/teams.ts';
import { findWorkflow, updateWorkflow } from '../repositories/workflows.ts';
import { setSpanAttributes } from '../spans.ts';
import { checkProgramFiles } from './check-program.ts';
import { refuseRun } from './end-run.ts';
import { checkRunData, type ProgramFiles, readProgramFiles } from './program.ts';
import { readSettings } from './read-settings.ts';
import { labelsOfRun } from './run-labels.ts';
import { freezeSource, plannedChains } from './source-draws.ts';
import {
  findRunData,
  insertForeignRun,
  isForeign,
  originOf,
  type ProgramRequest,
} from './start-program.ts';

export interface RunRequest {
  /** The workflow's number. */
  readonly workflowId: number;
  readonly ownerId: number;
  /** Who starts it: for a team's run, the member whose turn it uses. Absent: no particular user. */
  readonly startedBy?: number;
  /** Number of an experiment that waits for its run; absent: a new one is made. */
  readonly into?: number;
  /** Receives the job of a data script; without it a worker finds the run in its next round. */
  readonly queue?: JobQueue;
  /** Reads what would block the event loop; absent: it is read here, where nothing else waits. */
  readonly reading?: ReadingThreads;
}

/**
 * Durable when it returns. A program that does not compile makes the experiment `ERR`, with its errors in the log.
 * Programs in other languages run as a worker's process. Throws `ServiceError` if the workflow cannot be run at all.
 */
export async function startRun(
  db: Executor,
  { workflowId, ownerId, startedBy, into, queue, reading }: RunRequest,
): Promise<ExperimentRow> {
  // read before the transaction, which would hold a connection while a thread reads large content
  const request = await readRequest(db, { workflowId, ownerId, into, reading });
  const { model, workflow } = request;
  const run = isForeign(model.env) ? null : await prepareRun(db, request);
  return inTransaction(db, async (tx) => {
    const experiment =
      run === null
        ? await insertForeignRun(tx, {
            ...request,
            make: (made) => makeExperiment(tx, into, made),
          })
        : await insertRun(tx, request, run);
    await noteOrigin(tx, experiment.id, startedBy ?? null);
    setSpanAttributes({ 'ergodic.run.id': experiment.short_id });
    if (experiment.status === 'NEW' && request.dataScript !== null)
      await sendDataScript(tx, queue, experiment);
    await updateWorkflow(tx, workflow.id, { experimentId: experiment.id });
    return experiment;
  });
}

/** Everyone's first script comes before anyone's second. */
async function sendDataScript(
  tx: Executor,
  queue: JobQueue | undefined,
  { id }: ExperimentRow,
): Promise<void> {
  const priority = 0 - (await countScriptsAhead(tx, id));
  await queue?.send('data_script', { experimentId: id }, { tx, key: String(id), priority });
}

async function readRequest(
  db: Executor,
  { workflowId, ownerId, into, reading }: Omit<RunRequest, 'queue' | 'startedBy'>,
): Promise<FrozenRequest> {
  const object = await findObjectById(db, workflowId);
  const workflow = object === null ? null : await findWorkflow(db, object.short_id);
  if (workflow === null) throw invalidParameter('There is no such workflow.');
  const model = await findModel(db, workflow.model_id);
  if (model === null) {
    throw invalidParameter(
      'This workflow has no model (or it was deleted), so there is nothing to run.',
    );
  }
  await checkParts(db, ownerId, { model, dataId: workflow.data_id });
  const read = await readSettings(workflow.settings, reading);
  if (!read.ok) throw invalidParameter(read.error);
  return {
    ownerId,
    into,
    model,
    workflow: { id: workflow.id, name: workflow.name },
    dataId: workflow.data_id,
    reading,
    settings: await freezeSource(db, await resolveInits(db, read.value, ownerId), ownerId),
    dataScript: workflow.data_script?.trim() ? workflow.data_script : null,
  };
}

/** After a member left a team, or an object was moved, a workflow may refer to objects that its owner no longer has. */
async function checkParts(
  db: Executor,
  ownerId: number,
  { model, dataId }: { readonly model: ModelRow; readonly dataId: string },
): Promise<void> {
  const data = dataId === '' ? null : await findData(db, dataId);
  for (const part of [model, data])
    if (part !== null && !(await mayUse(db, ownerId, part.owner_id)))
      throw invalidParameter(
        `${part.short_id} does not have the same owner as this workflow: move it to that owner first.`,
      );
}

interface FrozenRequest extends Omit<ProgramRequest, 'make'> {
  readonly into: number | undefined;
  readonly reading: ReadingThreads | undefined;
}

/** The parts of a run of our own engine, read and checked. */
interface PreparedRun {
  readonly program: FrozenProgram;
  /** Path of the entrance file. */
  readonly name: string;
  readonly columns: Partial<NewExperiment>;
  /** Of its variables, if the data have labels. */
  readonly labels: WireLabels | null;
  /** Why the program cannot run; null: it can. */
  readonly fault: string | null;
}

async function prepareRun(db: Executor, request: FrozenRequest): Promise<PreparedRun> {
  const { model, dataId, dataScript, reading } = request;
  const { frozen, run } = await freezeProgram(db, model);
  const hasScript = dataScript !== null;
  const { columns, labels } = await freezeData(db, request, { isRead: !hasScript });
  const toCheck = { ...run, hasData: dataId !== '' || hasScript };
  const { fault, dimensions } = await checkProgramFiles(toCheck, reading);
  return {
    program: frozen,
    name: run.name,
    columns,
    fault,
    labels: labelsOfRun(dimensions, labels),
  };
}

async function insertRun(
  tx: Executor,
  request: FrozenRequest,
  { program, name, columns, labels, fault }: PreparedRun,
): Promise<ExperimentRow> {
  const { settings } = request;
  const { numChains } = settings.settings;
  const experiment = await makeExperiment(tx, request.into, {
    ...originOf(request),
    ...columns,
    program,
    settings: settings.stored,
    runOn: settings.runOn,
    numChains,
  });
  await writeOpening(tx, experiment.id, request, name);
  if (fault !== null) {
    const [message = ''] = fault.split('\n');
    return refuseRun(tx, experiment, { code: 'PROGRAM_INVALID', message }, fault);
  }
  if (labels !== null) await updateExperiment(tx, experiment.id, { meta: { labels } });
  if (request.dataScript !== null) {
    await keepDataScript(tx, experiment.id, request.dataScript);
    return experiment;
  }
  await insertChains(tx, experiment.id, plannedChains(settings.stored));
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
  db: Executor,
  model: ModelRow,
): Promise<{ frozen: FrozenProgram; run: ProgramFiles }> {
  const version = await findModelVersion(db, model.id);
  if (version === null) throw invalidParameter('The model has no files.');
  const { env, lang } = model;
  const { entrance_file, content_meta, tree } = version;
  const frozen: FrozenProgram = { env: env || 'stan', lang, entrance_file, content_meta, tree };
  const run = await readProgramFiles(db, frozen);
  if (!run.ok) throw invalidParameter(run.error);
  if (!run.value.name.toLowerCase().endsWith('.stan')) {
    throw notSupported(`This server runs Stan programs; ${run.value.name} is not one.`);
  }
  return { frozen, run: run.value };
}

interface FrozenData {
  readonly columns: Partial<NewExperiment>;
  readonly labels: DataLabels;
}

/** `isRead`: the run reads them unchanged, so they must be readable now. */
async function freezeData(
  db: Executor,
  { dataId, reading }: FrozenRequest,
  { isRead }: { isRead: boolean },
): Promise<FrozenData> {
  const data = await findRunData(db, dataId);
  if (data === null) return { columns: {}, labels: {} };
  const { fault, labels } = isRead ? await checkData(db, data.version, reading) : unread;
  if (fault !== null) throw invalidParameter(fault);
  return { columns: data.columns, labels };
}

const unread: RunDataCheck = { fault: null, labels: {} };

/** Large data are read in a thread. */
async function checkData(
  db: Executor,
  { hash, fmt }: { readonly hash: string; readonly fmt: string },
  reading: ReadingThreads | undefined,
): Promise<RunDataCheck> {
  const bytes = await findBlob(db, hash);
  if (bytes === null) return { fault: 'The data of this run no longer exist.', labels: {} };
  if (reading === undefined || bytes.length <= SMALL_BYTES) return checkRunData(bytes, fmt);
  const buffer = ownBuffer(bytes);
  return reading.run('runData', { bytes: new Uint8Array(buffer), fmt }, [buffer]);
}

/** Replaces starting values given as the id of the owner's data by the values themselves. */
async function resolveInits(db: Executor, run: RunSettings, ownerId: number): Promise<RunSettings> {
  const { inits } = run.settings;
  if (typeof inits !== 'string' || isPathfinderInits(inits)) return run;
  const data = await findData(db, inits);
  const isOwn = data !== null && data.owner_id === ownerId;
  const bytes = isOwn ? await findDataBytes(db, data.id) : null;
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

async function writeOpening(
  tx: Executor,
  experimentId: number,
  { model, settings }: FrozenRequest,
  name: string,
): Promise<void> {
  const { stored, unknown } = settings;
  const lines = [
    `Program ${name} of ${model.short_id}, version ${model.version}; seed ${String(stored.seed)}.`,
  ];
  if (unknown.length > 0) {
    lines.push(
      `Settings under sampling that are unknown, or not used by ${settings.settings.algorithm}: ${unknown.join(', ')}.`,
    );
  }
  await appendLog(tx, { experimentId, stream: 'platform', text: `${lines.join('\n')}\n` });
}
