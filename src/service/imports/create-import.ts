/** Creates an experiment from files of finished draws. */
import { ImportError } from '../../formats/imported-draws.ts';
import type { CoreContext } from '../context.ts';
import { invalidField, invalidParameter } from '../http/service-error.ts';
import { inTransaction } from '../repositories/database.ts';
import {
  type ExperimentRow,
  findExperimentById,
  insertExperiment,
  type NewExperiment,
} from '../repositories/experiments.ts';
import type { ImportFile } from '../repositories/imports.ts';
import { finaliseRun } from '../runs/finalise.handler.ts';
import { requestImport, SMALL_IMPORT_BYTES } from './import-draws.ts';
import { readFiles } from './read-files.ts';
import { collectFiles, type ImportRequest, importLimits } from './request-files.ts';
import { storeDraws } from './store-draws.ts';
import { takeUploads } from './take-uploads.ts';

export type ImportContext = Pick<CoreContext, 'pool' | 'queue' | 'fetcher'>;

/**
 * `FIN` with counts and verdict for small files; `RUN` for larger files and uploads, which are read after the answer.
 * Files without draws are rejected with `INVALID_PARAMETER` if they are read within the call.
 */
export async function createImport(
  context: ImportContext,
  request: ImportRequest,
  experiment: NewExperiment,
  decoded?: readonly ImportFile[],
): Promise<ExperimentRow> {
  const { names, meta } = takeNames(experiment.meta ?? {});
  const { fetcher } = context;
  const files = (await collectFiles(request, importLimits, { fetcher, decoded })).map(
    (file, index) => ({ ...file, name: names[index] ?? file.name }),
  );
  const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const uploads = request.data_uploads ?? [];
  const parts = { files, uploads, type: request.data_file_type ?? null };
  const row =
    total <= SMALL_IMPORT_BYTES && uploads.length === 0
      ? await importNow(context, parts, { ...experiment, meta })
      : await importLater(context, parts, { ...experiment, meta });
  return (await findExperimentById(context.pool, row.id)) ?? row;
}

type ImportParts = {
  readonly files: readonly ImportFile[];
  /** Ids. */
  readonly uploads: readonly string[];
  readonly type: ImportRequest['data_file_type'];
};

async function importNow(
  { pool }: ImportContext,
  { files, type = null }: ImportParts,
  experiment: NewExperiment,
): Promise<ExperimentRow> {
  const content = await readFiles({ files, type }).catch((error: unknown) => {
    if (error instanceof ImportError)
      throw invalidParameter(error.message, { field: 'payload.data_files' });
    throw error;
  });
  const row = await inTransaction(pool, async (tx) => {
    const made = await insertExperiment(tx, { ...experiment, status: 'RUN' });
    await storeDraws(tx, made.id, content, { fileNames: files.map((file) => file.name) });
    return made;
  });
  await finaliseRun(pool, row.id);
  return row;
}

function importLater(
  { pool, queue }: ImportContext,
  { files, uploads: ids, type = null }: ImportParts,
  experiment: NewExperiment,
): Promise<ExperimentRow> {
  return inTransaction(pool, async (tx) => {
    const uploads = await takeUploads(tx, experiment.ownerId, ids);
    const made = await insertExperiment(tx, { ...experiment, status: 'RUN' });
    await requestImport(tx, queue, { experimentId: made.id, files, uploads, type });
    return made;
  });
}

/** `meta.file_names` [ours]: the names of the files, for messages; they are not stored there. */
function takeNames(sent: Readonly<Record<string, unknown>>): {
  names: string[];
  meta: Record<string, unknown>;
} {
  const { file_names: given, ...meta } = sent;
  if (given === undefined) return { names: [], meta };
  if (!Array.isArray(given) || !given.every((name) => typeof name === 'string'))
    throw invalidField('payload.meta.file_names', 'must be a list of names.');
  return { names: given.map((name) => name.slice(0, 200)), meta };
}
