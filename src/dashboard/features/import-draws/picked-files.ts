/** Files chosen for import: what they look like, how they go into a request, and what is wrong with them. */
import type { ServerConfig } from '../../../contract/system.ts';
import { toBase64 } from '../../../formats/base64.ts';
import { guessType } from '../../../formats/guess-draws.ts';
import { ImportError, type ImportType } from '../../../formats/imported-draws.ts';
import { formatBytes, formatCount } from '../../ui/numbers.ts';

export interface PickedFile {
  /** Distinguishes files of one name. */
  readonly key: number;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Null: it looks like nothing known, and `problem` says so. */
  readonly type: ImportType | null;
  readonly problem: string | null;
}

/** Types as people read them; `draws csv` has no name in the API and is recognised only. */
export const typeNames: Readonly<Record<ImportType, string>> = {
  'stan csv': 'Stan CSV',
  'turing csv': 'Turing CSV',
  'arviz netcdf': 'ArviZ netCDF',
  'draws csv': 'Table of draws (CSV)',
};

let picked = 0;

export async function pickFile(file: File): Promise<PickedFile> {
  picked += 1;
  const key = picked;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const base = { key, name: file.name, bytes };
  if (bytes.length === 0) return { ...base, type: null, problem: 'The file is empty.' };
  if (isArchive(bytes)) return { ...base, type: 'arviz netcdf', problem: null };
  try {
    return { ...base, type: guessType({ name: file.name, bytes }), problem: null };
  } catch (error) {
    const problem = error instanceof ImportError ? error.message : 'The file cannot be read.';
    return { ...base, type: null, problem };
  }
}

/** What *Download for ArviZ* gives: the server unpacks it. */
function isArchive(bytes: Uint8Array): boolean {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip || String.fromCharCode(...bytes.subarray(257, 262)) === 'ustar';
}

/** As `data_files` takes it: tables as text, the rest as base64. */
export function wireText({ bytes, type }: PickedFile): string {
  return type === 'arviz netcdf' ? toBase64(bytes) : new TextDecoder().decode(bytes);
}

/** Characters the file takes in the request. */
const wireSize = ({ bytes, type }: PickedFile): number =>
  type === 'arviz netcdf' ? Math.ceil(bytes.length / 3) * 4 : bytes.length;

export interface ImportBounds {
  /** Bytes of all files together as they are sent; 0: the server says nothing. */
  readonly bytes: number;
  /** 0: the server says nothing. */
  readonly files: number;
  /** `.csv,.nc`; empty: any. */
  readonly suffixes: string;
}

export function boundsOf(config: ServerConfig | null): ImportBounds {
  return {
    bytes: config?.max_upload_sample_size ?? 0,
    files: config?.max_upload_sample_file ?? 0,
    suffixes: config?.upload_file_types ?? '',
  };
}

/** "At most 10 files, 67 MB together." */
export function boundsText({ bytes, files }: ImportBounds): string {
  const parts = [
    ...(files > 0 ? [`${formatCount(files)} files`] : []),
    ...(bytes > 0 ? [`${formatBytes(bytes)} in total`] : []),
  ];
  return parts.length === 0 ? '' : `At most ${parts.join(', ')}.`;
}

/** Why these cannot be sent as they are; null when they can. */
export function pickedProblem(
  files: readonly PickedFile[],
  numAddresses: number,
  { bytes, files: most }: ImportBounds,
): string | null {
  const count = files.length + numAddresses;
  if (count === 0) return 'Choose a file first.';
  if (files.some((file) => file.problem !== null)) return 'One of the files cannot be imported.';
  if (most > 0 && count > most)
    return `You chose ${formatCount(count)} files; this server accepts at most ${formatCount(most)}.`;
  const size = files.reduce((sum, file) => sum + wireSize(file), 0);
  if (bytes > 0 && size > bytes)
    return `The upload is ${formatBytes(size)}; this server accepts at most ${formatBytes(bytes)}. Thin the draws, or import fewer chains.`;
  const types = new Set(files.map((file) => file.type));
  if (types.size > 1)
    return 'The files have different formats; import the chains of one run at a time.';
  return null;
}

/** Which of the files a server's message is about: it begins with the name. −1: none. */
export function fileOfMessage(message: string, names: readonly string[]): number {
  const byName = names.findIndex((name) => message.startsWith(`${name}: `));
  if (byName !== -1) return byName;
  const number = /^file (\d+): /.exec(message)?.[1];
  return number === undefined ? -1 : Number(number) - 1;
}
