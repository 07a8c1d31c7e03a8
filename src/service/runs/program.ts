/** The program and data of a run in the form the engine needs, read from what was frozen. */
import { dataMeta } from '../../formats/data-meta.ts';
import { type DataText, dataTextFault, readDataText } from '../../formats/data-text.ts';
import { entranceFile } from '../../formats/entrance-file.ts';
import { columnsAsData } from '../../mapping/columns-as-data.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { keptLabels, type RunDataCheck } from '../content/data-labels.ts';
import { findBlob } from '../repositories/blobs.ts';
import type { Executor } from '../repositories/database.ts';
import type { FrozenProgram } from '../repositories/experiments.ts';
import { findTreeFiles } from '../repositories/model-trees.ts';

export interface RunProgram {
  /** Path of the entrance file in the model's tree. */
  readonly name: string;
  readonly source: string;
  /** The tree's other text files by path, for `#include`. */
  readonly files: Readonly<Record<string, string>>;
}

/** As stored; a model may contain files of many megabytes that no program reads. */
export interface ProgramFiles {
  /** Path of the entrance file in the model's tree. */
  readonly name: string;
  /** All files of the tree by path, including the entrance file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

type StoredProgram = Pick<FrozenProgram, 'tree' | 'entrance_file' | 'content_meta'>;

export async function readProgramFiles(
  db: Executor,
  program: StoredProgram,
): Promise<Result<ProgramFiles, string>> {
  const files = await findTreeFiles(db, program.tree);
  const named = program.entrance_file || program.content_meta?.entrance_file;
  const name = entranceFile(named ? { ...program.content_meta, entrance_file: named } : null, [
    ...files.keys(),
  ]);
  if (name !== null) return ok({ name, files });
  return err(named ? `The model has no file ${named}.` : 'The model has no file that can be run.');
}

export async function readProgram(
  db: Executor,
  program: StoredProgram,
): Promise<Result<RunProgram, string>> {
  const read = await readProgramFiles(db, program);
  return read.ok ? ok(decodeProgram(read.value)) : read;
}

export function decodeProgram({ name, files: bytes }: ProgramFiles): RunProgram {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const files: Record<string, string> = {};
  let source = '';
  for (const [path, content] of bytes) {
    if (path === name) source = decoder.decode(content);
    else files[path] = decoder.decode(content);
  }
  return { name, source, files };
}

/** No data: an empty object. The error says where the text is at fault. */
export async function readRunData(
  db: Executor,
  hash: string | null,
  fmt: string,
): Promise<Result<Record<string, unknown>, string>> {
  if (hash === null) return ok({});
  const bytes = await findBlob(db, hash);
  return bytes === null ? err('The data of this run no longer exist.') : parseRunData(bytes, fmt);
}

/** For callers that do not need the values. */
export function checkRunData(bytes: Uint8Array, fmt: string): RunDataCheck {
  const read = readText(bytes, fmt);
  return read.ok
    ? { fault: null, labels: keptLabels(read.value.meta) }
    : { fault: read.error, labels: {} };
}

function parseRunData(bytes: Uint8Array, fmt: string): Result<Record<string, unknown>, string> {
  const read = readText(bytes, fmt);
  return read.ok ? ok({ ...read.value.values }) : read;
}

function readText(bytes: Uint8Array, fmt: string): Result<DataText, string> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (fmt === 'csv' && text.trim() !== '') {
    const columns = columnsAsData(text);
    return columns.ok ? ok({ values: columns.value, meta: dataMeta(null) }) : columns;
  }
  const read = readDataText(text);
  return read.ok ? read : err(dataTextFault(read.error));
}
