/** `/download`: packs a workflow, a model or an experiment so that it runs elsewhere. */
import { kindOfId } from '../../contract/common.ts';
import { writeZip } from '../../formats/archive.ts';
import { isRDump } from '../../formats/r-dump-mark.ts';
import {
  buildRunPackage,
  type PackedTree,
  type RunPackage,
  type RunPackageInput,
} from '../../formats/run-package.ts';
import { packTar } from '../../formats/tar.ts';
import { withPackageSections } from '../content/package-settings.ts';
import { isLongYaml } from '../content/settings-yaml.ts';
import type { CoreContext } from '../context.ts';
import { dataScriptLanguage } from '../functions/data-script-language.ts';
import { markNumbers, unmarkNumbers } from '../functions/marked-numbers.ts';
import type { Viewer } from '../http/call.ts';
import { invalidParameter, notFound, orNotFound, ServiceError } from '../http/service-error.ts';
import { authorizeLive } from '../policy/authorize.ts';
import type { ReadingThreads } from '../reading/reading-threads.ts';
import { findBlob } from '../repositories/blobs.ts';
import { findData, findDataVersion } from '../repositories/data.ts';
import type { Executor } from '../repositories/database.ts';
import { chainsLeftOut } from '../repositories/experiment-meta.ts';
import { findExperiment, findFrozen } from '../repositories/experiments.ts';
import { findTreeFiles, type StoredNode } from '../repositories/model-trees.ts';
import { findModel, findModelVersion } from '../repositories/models.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import { findWorkflow } from '../repositories/workflows.ts';
import { readProgram, readRunData } from '../runs/program.ts';
import { readSettings } from '../runs/read-settings.ts';

export interface PackageRequest {
  readonly objid: string;
  readonly fmt: 'zip' | 'tar.gz';
  readonly viewer: Viewer;
  /** The service's address, for `workflow.yaml`. */
  readonly baseUrl: string;
}

export interface OpenedPackage {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  readonly mediaType: string;
}

/** Only for owners. Never contains a token or password. Throws INVALID_PARAMETER when there is nothing to pack. */
export async function openPackage(
  context: CoreContext,
  request: PackageRequest,
): Promise<OpenedPackage> {
  const { objid, fmt, viewer, baseUrl } = request;
  const kind = kindOfId(objid);
  if (kind !== null && kind !== 'workflow' && kind !== 'model' && kind !== 'experiment') {
    await authorizeLive(context, { objid, operation: 'view', viewer });
    throw invalidParameter('Only workflows, models and experiments can be packed.', {
      field: 'objid',
    });
  }
  const object = await authorizeLive(context, { objid, operation: 'download', viewer });
  const input = await packers[object.kind as keyof typeof packers](context.pool, object, {
    endpoint: baseUrl,
    reading: context.reading,
  });
  const built = buildRunPackage(input);
  const packed = fmt === 'zip' ? writeZip(built) : packPlain(built);
  if (!packed.ok) throw new ServiceError(packed.error.code, packed.error.message);
  return {
    bytes: packed.value,
    fileName: `${fileNameOf(object)}.${fmt}`,
    mediaType: fmt === 'zip' ? 'application/zip' : 'application/gzip',
  };
}

const packPlain = (built: RunPackage) => packTar(built, { gzip: true, programs: built.programs });

function fileNameOf({ name, short_id: id }: ObjectRow): string {
  const slug = name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return slug === '' ? id : `${slug}-${id}`;
}

interface PackPlace {
  /** The service's address. */
  readonly endpoint: string;
  readonly reading: ReadingThreads;
}

const packers = { workflow: packWorkflow, model: packModel, experiment: packExperiment };

async function packModel(
  db: Executor,
  object: ObjectRow,
  { endpoint }: PackPlace,
): Promise<RunPackageInput> {
  const model = await readModel(db, object.short_id);
  return { name: object.name, ...model, settings: {}, place: { endpoint } };
}

async function packWorkflow(
  db: Executor,
  object: ObjectRow,
  { endpoint, reading }: PackPlace,
): Promise<RunPackageInput> {
  const workflow = orNotFound(await findWorkflow(db, object.short_id));
  if (workflow.model_id === '')
    throw invalidParameter(
      'This workflow has no model (or it was deleted), so there is nothing to pack.',
    );
  const model = await readModel(db, workflow.model_id);
  const data = await readData(db, workflow.data_id);
  const analyzer = workflow.analyzer_id.startsWith('M')
    ? await readModel(db, workflow.analyzer_id).catch(() => null)
    : null;
  const { data_script: script } = workflow;
  return {
    name: workflow.name || object.short_id,
    ...model,
    ...data,
    settings: await settingsOf(workflow.settings, reading),
    settingsText: await packagedText(workflow.settings, reading),
    place: { endpoint, workflow_id: object.short_id },
    dataScript: script?.trim()
      ? { text: script, suffix: dataScriptLanguage(script) === 'javascript' ? 'js' : 'py' }
      : null,
    startupScript: workflow.startup_script,
    analyzer: analyzer?.program ?? null,
  };
}

/** A long text is read in a thread. */
async function packagedText(text: string | null, reading: ReadingThreads): Promise<string> {
  if (text === null || text.trim() === '') return '';
  return isLongYaml(text) ? reading.run('packageSettings', { text }) : withPackageSections(text);
}

/** Includes the seed only if one is given: a drawn seed would differ each time. */
async function settingsOf(
  text: string | null,
  reading: ReadingThreads,
): Promise<Record<string, unknown>> {
  const read = await readSettings(text, reading);
  if (!read.ok) return {};
  const { sampling, stored } = read.value;
  const isGiven = sampling.seed !== undefined && sampling.seed !== null;
  return { ...stored, seed: isGiven ? stored.seed : null };
}

async function packExperiment(
  db: Executor,
  object: ObjectRow,
  { endpoint }: PackPlace,
): Promise<RunPackageInput> {
  const experiment = await findExperiment(db, object.short_id);
  const frozen = await findFrozen(db, object.id);
  if (experiment === null || frozen === null) throw notFound();
  if (frozen.program === null)
    throw invalidParameter(
      'This service did not run the experiment, so its program is unknown and cannot be packed.',
    );
  const { env, tree, entrance_file, content_meta } = frozen.program;
  const bytes = frozen.dataHash === null ? null : await findBlob(db, frozen.dataHash);
  return {
    name: experiment.name || object.short_id,
    env,
    program: await readTree(db, { tree, entrance_file, content_meta }),
    data: bytes,
    dataJson: await readJson(db, { hash: frozen.dataHash, fmt: frozen.dataFmt, bytes }),
    settings: (experiment.settings ?? experiment.meta.settings ?? {}) as Record<string, unknown>,
    place: { endpoint, workflow_id: experiment.workflow_id, experiment_name: experiment.name },
    chainsLeftOut: chainsLeftOut(experiment.meta),
  };
}

async function readModel(
  db: Executor,
  shortId: string,
): Promise<{ env: string; program: PackedTree }> {
  const model = await findModel(db, shortId);
  const version = model === null ? null : await findModelVersion(db, model.id);
  if (model === null) throw notFound('There is no such model.');
  if (version === null)
    throw invalidParameter('The model has no files, so there is nothing to pack.');
  return { env: model.env, program: await readTree(db, version) };
}

interface Stored {
  readonly tree: readonly StoredNode[];
  readonly entrance_file: string;
  readonly content_meta: Parameters<typeof readProgram>[1]['content_meta'];
}

async function readTree(db: Executor, stored: Stored): Promise<PackedTree> {
  const read = await readProgram(db, stored);
  const files = await findTreeFiles(db, stored.tree);
  return {
    entrance: read.ok ? read.value.name : stored.entrance_file,
    files: [...files].map(([path, bytes]) => ({ path, bytes, encoding: 'base64' as const })),
  };
}

async function readData(db: Executor, dataId: string) {
  const data = dataId === '' ? null : await findData(db, dataId);
  const version = data === null ? null : await findDataVersion(db, data.id);
  if (version === null) return {};
  const { hash, fmt } = version;
  const bytes = await findBlob(db, hash);
  return { data: bytes, dataJson: await readJson(db, { hash, fmt, bytes }) };
}

/** JSON as it is; a table as the columns that a run reads; null for anything else. */
async function readJson(
  db: Executor,
  { hash, fmt, bytes }: { hash: string | null; fmt: string; bytes: Buffer | null },
): Promise<string | null> {
  if (hash === null || bytes === null) return null;
  const read = await readRunData(db, hash, fmt);
  if (!read.ok) return null;
  const text = bytes.toString('utf8');
  return fmt === 'csv' || isRDump(text) ? unmarkNumbers(markNumbers(read.value)) : text;
}
