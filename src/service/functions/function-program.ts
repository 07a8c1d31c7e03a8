/** A model read as a function: its files, its entry file, and the language implied by the entry file's suffix. */
import { entranceFile, runtimeOfFile } from '../../formats/entrance-file.ts';
import { invalidParameter, orNotFound } from '../http/service-error.ts';
import type { Executor } from '../repositories/database.ts';
import { findTreeFiles } from '../repositories/model-trees.ts';
import { findModel, findModelVersion } from '../repositories/models.ts';

export interface FunctionProgram {
  readonly modelId: string;
  readonly name: string;
  readonly version: number;
  readonly isSingleInstance: boolean;
  readonly entrance: string;
  /** `javascript`, `python`, `julia`, `r`, or another runtime for files with that suffix; empty when unknown. */
  readonly language: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** `version` 0: the latest. Throws INVALID_PARAMETER when the model is not a function. */
export async function readFunctionProgram(
  db: Executor,
  modelId: string,
  version = 0,
): Promise<FunctionProgram> {
  const model = orNotFound(await findModel(db, modelId), 'There is no such function.');
  if (!model.tags.includes('code'))
    throw invalidParameter(
      `${modelId} is a model, not a cloud function: a function has the tag "code". To sample a model, run a workflow that uses it (run_sample).`,
      { field: 'target' },
    );
  const stored = await findModelVersion(db, model.id, version);
  if (stored === null)
    throw invalidParameter(
      version === 0 ? 'The function has no files.' : `The function has no version ${version}.`,
    );
  const files = await findTreeFiles(db, stored.tree);
  const named = stored.entrance_file || stored.content_meta?.entrance_file || '';
  const entrance = entranceFile(
    named === '' ? null : { ...stored.content_meta, entrance_file: named },
    [...files.keys()],
  );
  if (entrance === null)
    throw invalidParameter(
      named === ''
        ? 'The function has no entrance file: name one, or call it main.js.'
        : `The function has no file ${named}, although its entrance_file names it.`,
    );
  return {
    modelId,
    name: model.name,
    version: stored.version,
    isSingleInstance: model.single_instance,
    entrance,
    language: runtimeOfFile(entrance),
    files,
  };
}
