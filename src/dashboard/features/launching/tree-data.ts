/** Files of a model that can serve as its data, and the data objects created from them when a run needs one. */
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
import { runtimeOfFile } from '../../../formats/entrance-file.ts';
import { isRDump } from '../../../formats/r-dump-mark.ts';
import { identify } from '../mapper/mapping-call.ts';
import { dataWithText } from './data-with-text.ts';

export interface TreeFile {
  readonly path: string;
  readonly text: string;
  /** Columns that have to be mapped first. */
  readonly isTable: boolean;
}

const prefix = 'file:';

/** Represents a file wherever ids of data objects are chosen. */
export const choiceOfFile = ({ path }: TreeFile) => `${prefix}${path}`;

/** The chosen file; undefined: a data object was chosen, or the file no longer exists. */
export function chosenFile(files: readonly TreeFile[], choice: string): TreeFile | undefined {
  return files.find((file) => choiceOfFile(file) === choice);
}

export const isFileChoice = (choice: string) => choice.startsWith(prefix);

/** Sorted by path. Excludes packages and settings of other tools, which are JSON too. */
export function treeFilesOf(texts: ReadonlyMap<string, string>): TreeFile[] {
  const files: TreeFile[] = [];
  for (const [path, text] of texts) {
    const name = nameOf(path);
    const isTable = /\.(?:csv|tsv)$/i.test(name);
    const isJson = /\.json$/i.test(name) && !/^(?:package|package-lock|tsconfig)\.json$/.test(name);
    const isDump = /\.(?:r|rdump|dump)$/i.test(name) && isRDump(text);
    if (isTable || isJson || isDump) files.push({ path, text, isTable });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * The file that was stored beside a program as its data: named after it (`cjs.stan`, `cjs.data.json`, `cjs.json`), or
 * called `data`. Undefined: there is none, several could be meant, or the program's runtime reads its own files.
 */
export function dataFileOf(
  files: readonly TreeFile[],
  entrance: string | null,
): TreeFile | undefined {
  if (entrance === null || !['stan', 'jags'].includes(runtimeOfFile(entrance))) return undefined;
  const stem = stemOf(entrance);
  const values = files.filter(({ isTable }) => !isTable);
  const named = (stems: readonly string[]) =>
    values.filter(({ path }) => stems.includes(stemOf(path)));
  const own = named([stem, `${stem}.data`, `${stem}-data`, `${stem}_data`]);
  const found = own.length > 0 ? own : named(['data']);
  return found.length === 1 ? found[0] : undefined;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (path: string) =>
  nameOf(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase();

/** A JSON file name: R dumps have been converted to JSON. */
export const jsonName = (name: string) =>
  /\.json$/i.test(name)
    ? name
    : name.replace(/(?:\.data)?\.(?:r|rdump|dump)$/i, '').concat('.json');

/** Id of a data object with this file's content: an existing one, otherwise a new one. Throws `ApiError`. */
export async function dataOfFile(
  client: Client,
  datas: readonly Data[],
  { path, text }: TreeFile,
): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const given = await identify({ name: path, bytes });
  const content = given.kind === 'values' ? given.text : text;
  const name = given.kind === 'values' ? jsonName(nameOf(path)) : nameOf(path);
  return dataWithText(client, datas, { name, text: content });
}
