/** The program and data of a run as the engine takes them, read from what was frozen. */
import { parseDataJson } from '../../formats/data-json.ts';
import { entranceFile } from '../../formats/entrance-file.ts';
import { err, ok, type Result } from '../../shared/result.ts';
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

export async function readProgram(
  db: Executor,
  program: Pick<FrozenProgram, 'tree' | 'entrance_file' | 'content_meta'>,
): Promise<Result<RunProgram, string>> {
  const bytes = await findTreeFiles(db, program.tree);
  const paths = [...bytes.keys()];
  const named = program.entrance_file || program.content_meta?.entrance_file;
  const name = entranceFile(
    named ? { ...program.content_meta, entrance_file: named } : null,
    paths,
  );
  if (name === null) {
    return err(
      named ? `The model has no file ${named}.` : 'The model has no file that can be run.',
    );
  }
  const files: Record<string, string> = {};
  for (const [path, content] of bytes) {
    if (path !== name) files[path] = content.toString('utf8');
  }
  return ok({ name, source: (bytes.get(name) as Buffer).toString('utf8'), files });
}

/** No data: an empty object. The message says where the text is at fault. */
export async function readRunData(
  db: Executor,
  hash: string | null,
  fmt: string,
): Promise<Result<Record<string, unknown>, string>> {
  if (hash === null) return ok({});
  const bytes = await findBlob(db, hash);
  return bytes === null ? err('The data of this run no longer exist.') : parseRunData(bytes, fmt);
}

/** Why a run cannot read these data; null: it can. For callers that have no use for the values. */
export function checkRunData(bytes: Uint8Array, fmt: string): string | null {
  const read = parseRunData(bytes, fmt);
  return read.ok ? null : read.error;
}

function parseRunData(bytes: Uint8Array, fmt: string): Result<Record<string, unknown>, string> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (text.trim() === '') return ok({});
  if (fmt === 'csv') return readTable(text);
  const parsed = parseDataJson(text);
  if (!parsed.ok) {
    const { message, line, column } = parsed.error;
    return err(`The data are not valid JSON: ${message} (line ${line}, column ${column}).`);
  }
  const { value } = parsed.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return err('The data must be a JSON object: a value for each variable of the data block.');
  }
  return ok(value as Record<string, unknown>);
}

/** A table of numbers: each column a list by its name, and `N` the number of rows unless a column has that name. */
function readTable(text: string): Result<Record<string, unknown>, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const sign = [',', ';', '\t'].find((candidate) => lines[0]?.includes(candidate)) ?? ',';
  const cells = (line: string) =>
    line.split(sign).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const [header, ...rows] = lines.map(cells);
  if (header === undefined) return ok({});
  const columns: Record<string, unknown> = {};
  for (const [c, name] of header.entries()) {
    const values: number[] = [];
    for (const [r, row] of rows.entries()) {
      const cell = row[c] ?? '';
      const value = /^(NA|NaN)$/i.test(cell) ? Number.NaN : Number(cell);
      if (cell === '' || (Number.isNaN(value) && !/^(NA|NaN)$/i.test(cell))) {
        return err(
          `The data must be numbers: row ${r + 1} of column ${name} reads "${cell.slice(0, 40)}".`,
        );
      }
      values.push(value);
    }
    Object.defineProperty(columns, name, {
      value: values,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  if (!('N' in columns)) columns.N = rows.length;
  return ok(columns);
}
