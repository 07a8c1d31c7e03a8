/** Files of a model that can serve as its data, and the data objects created from them when a run needs one. */
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
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

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

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
