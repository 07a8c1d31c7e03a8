/** Makes an experiment of a program in another language, with its data and settings, all frozen, and queues its run. */
import { randomBytes } from 'node:crypto';
import { settingsTable } from '../../engine/settings-table.ts';
import { jagsKeys, jagsRows, jagsSampler, readJagsSettings } from '../../formats/jags-settings.ts';
import type { RunSettings } from '../content/settings-text.ts';
import { invalidParameter } from '../http/service-error.ts';
import { wakeWorkers } from '../repositories/chains.ts';
import { findData, findDataVersion } from '../repositories/data.ts';
import { type Executor, isGiven } from '../repositories/database.ts';
import {
  type ExperimentRow,
  type FrozenProgram,
  type NewExperiment,
  updateExperiment,
} from '../repositories/experiments.ts';
import { appendLog } from '../repositories/logs.ts';
import { findModelVersion, type ModelRow } from '../repositories/models.ts';
import { insertProgramRun } from '../repositories/program-runs.ts';
import { refuseRun } from './end-run.ts';
import { readProgramFiles } from './program.ts';

export interface ProgramRequest {
  readonly ownerId: number;
  readonly model: ModelRow;
  readonly workflow: { readonly id: number; readonly name: string };
  /** Short id; empty: no data. */
  readonly dataId: string;
  readonly settings: RunSettings;
  /** Prepares the data before the chains begin, for programs in Stan only. */
  readonly dataScript: string | null;
  /** Makes the experiment, or fills the existing one. */
  readonly make: (run: NewExperiment) => Promise<ExperimentRow>;
}

/** What a worker can run in a separate process. */
const processes = ['python', 'julia', 'r', 'jags'];

/** What to do instead, by `env`. */
const instead: Readonly<Record<string, string>> = {
  cmdstan:
    'This server does not run CmdStan. Its own engine runs Stan programs: set the model’s env to stan.',
  javascript:
    'This server does not sample with JavaScript programs. JavaScript is for cloud functions: give the model the tag "code" and call it.',
};

/** Whether a model runs in a separate process instead of our engine. */
export const isForeign = (env: string) => env !== '' && env !== 'stan';

/**
 * Durable with its transaction. A runtime that this server does not support makes the experiment `ERR` immediately,
 * with a message that says what to do; one that is only not installed does so when a worker takes it. Throws
 * INVALID_PARAMETER for a workflow that cannot be frozen.
 */
export async function insertForeignRun(
  tx: Executor,
  request: ProgramRequest,
): Promise<ExperimentRow> {
  const { model, settings } = request;
  const program = await freezeProgram(tx, model);
  const data = await findRunData(tx, request.dataId);
  const [batchId, runId] = [newRunnerId(), newRunnerId()];
  const read = settingsOf(model.env, settings);
  const experiment = await request.make({
    ...originOf(request),
    // unchanged: the program reads them itself
    ...data?.columns,
    program,
    runOn: settings.runOn,
  });
  // not the column `settings`: that is for runs of our own engine, the only ones that can pause and extend
  const info = { batch_id: batchId, run_id: runId };
  const asked = model.env === 'jags' ? { iteration_count: keptIterations(read) } : {};
  await updateExperiment(tx, experiment.id, {
    meta: { settings: read, runtime: model.env, run_info: info, ...asked },
  });
  await writeOpening(tx, experiment.id, { request, entrance: program.entrance_file, read });
  if (!processes.includes(model.env)) return refuse(tx, experiment, model.env);
  const run = { experimentId: experiment.id, runtime: model.env, batchId, runId, settings: read };
  await insertProgramRun(tx, run);
  await wakeWorkers(tx);
  return experiment;
}

/** The settings that the program finds and the run's page shows. Throws INVALID_PARAMETER if JAGS cannot read them. */
function settingsOf(env: string, { stored, sampling }: RunSettings): Record<string, unknown> {
  if (env !== 'jags') return { ...stored, ...sampling, seed: stored.seed };
  const read = readJagsSettings({ ...sampling, ...stored }, 1);
  if (!read.ok) throw invalidParameter(`sampling.${read.error}`);
  const common = Object.entries(stored).filter(
    ([key]) => jagsKeys.includes(key) || key === 'priority',
  );
  const { adapt, monitor, modules } = read.value;
  const named = { monitor: monitor.join(', '), modules: modules.join(', ') };
  const own = Object.entries({ num_adapt: adapt, ...named }).filter(([, value]) => value !== '');
  return Object.fromEntries([['sampler', jagsSampler], ...common, ...own]);
}

/** Given settings that JAGS does not read; every other program finds all of them, and reads what it likes. */
function unusedByJags({ sampling, unknown }: RunSettings): string[] {
  const own = jagsRows.map(({ key }) => key);
  const ofStan = settingsTable
    .filter(({ key }) => !jagsKeys.includes(key))
    .flatMap(({ key, alias = key }) => [key, alias]);
  return Object.keys(sampling).filter(
    (key) =>
      isGiven(sampling[key]) &&
      !own.includes(key) &&
      (ofStan.includes(key) || unknown.includes(key)),
  );
}

/** A user's program makes as many draws as it likes; ours for JAGS makes these. */
const keptIterations = ({ num_samples: samples, thin }: Readonly<Record<string, unknown>>) =>
  Math.floor(Number(samples) / Number(thin));

interface Opening {
  readonly request: ProgramRequest;
  readonly entrance: string;
  readonly read: Readonly<Record<string, unknown>>;
}

async function writeOpening(
  tx: Executor,
  experimentId: number,
  { request, entrance, read }: Opening,
): Promise<void> {
  const { model, dataScript, settings } = request;
  const lines = [
    `Program ${entrance} of ${model.short_id}, version ${model.version}, for ${model.env}; seed ${String(read.seed)}.`,
  ];
  if (dataScript !== null)
    lines.push(
      'The data script of the workflow is for programs in Stan: this program reads the data unchanged.',
    );
  const unused = model.env === 'jags' ? unusedByJags(settings) : [];
  if (unused.length > 0)
    lines.push(
      `Settings under sampling that are unknown, or not used by JAGS: ${unused.join(', ')}.`,
    );
  await appendLog(tx, { experimentId, stream: 'platform', text: `${lines.join('\n')}\n` });
}

async function freezeProgram(tx: Executor, model: ModelRow): Promise<FrozenProgram> {
  const version = await findModelVersion(tx, model.id);
  if (version === null) throw invalidParameter('The model has no files.');
  const { entrance_file, content_meta, tree } = version;
  const read = await readProgramFiles(tx, { entrance_file, content_meta, tree });
  if (!read.ok) throw invalidParameter(read.error);
  return { env: model.env, lang: model.lang, entrance_file: read.value.name, content_meta, tree };
}

/** Columns of a run: its name, and the model and workflow it was made of. */
export const originOf = ({
  ownerId,
  model,
  workflow,
  settings,
}: Pick<ProgramRequest, 'ownerId' | 'model' | 'workflow' | 'settings'>) => ({
  ownerId,
  name: settings.experimentName || workflow.name || model.name,
  modelId: model.id,
  modelName: model.name,
  modelVersion: model.version,
  workflowId: workflow.id,
});

/** The data of a run as its columns have them, and the version they are; null: a run without data. */
export async function findRunData(tx: Executor, dataId: string) {
  if (dataId === '') return null;
  const data = await findData(tx, dataId);
  const version = data === null ? null : await findDataVersion(tx, data.id);
  if (data === null || version === null)
    throw invalidParameter('The data of this workflow no longer exist.');
  const columns = {
    dataId: data.id,
    dataName: data.name,
    dataVersion: version.version,
    dataHash: version.hash,
    dataFmt: version.fmt,
    inputId: data.short_id,
  };
  return { columns, version };
}

function refuse(tx: Executor, experiment: ExperimentRow, env: string): Promise<ExperimentRow> {
  const message = instead[env] ?? `This server has no runtime called ${env}.`;
  return refuseRun(tx, experiment, { code: 'RUNTIME_MISSING', message });
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 22 characters of base 62, as runners make them. */
function newRunnerId(): string {
  return Array.from(randomBytes(44), (byte) => byte)
    .filter((byte) => byte < 248)
    .slice(0, 22)
    .map((byte) => letters[byte % 62])
    .join('');
}
