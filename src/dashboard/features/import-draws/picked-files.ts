/** Files chosen for import: their apparent format, how they are put in a request, and what is wrong with them. */
import type { ServerConfig } from '../../../contract/system.ts';
import { toBase64 } from '../../../formats/base64.ts';
import { guessType } from '../../../formats/guess-draws.ts';
import { ImportError, type ImportType } from '../../../formats/imported-draws.ts';
import { formatBytes, formatCount } from '../../ui/numbers.ts';

export interface PickedFile {
  /** Distinguishes files with the same name. */
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** Its bytes; never read in full unless it is sent in one request. */
  readonly file: File;
  /** Null: the server looks into it because it is compressed, or it is not recognised, and `problem` says so. */
  readonly type: ImportType | null;
  readonly problem: string | null;
}

/** Formats by their usual names; `draws csv` has no name in the API and is only recognised. */
const typeNames: Readonly<Record<ImportType, string>> = {
  'stan csv': 'Stan CSV',
  'turing csv': 'Turing CSV',
  'arviz netcdf': 'ArviZ netCDF',
  'draws csv': 'Table of draws (CSV)',
};

let picked = 0;

/** The part by which readers recognise a file. */
const HEAD_BYTES = 2 ** 20;

export async function pickFile(file: File): Promise<PickedFile> {
  picked += 1;
  const base = { key: picked, name: file.name, size: file.size, file };
  if (file.size === 0) return { ...base, type: null, problem: 'The file is empty.' };
  try {
    const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    if (isTar(bytes, file.name)) return { ...base, type: 'arviz netcdf', problem: null };
    if (isGzip(bytes)) return { ...base, type: null, problem: null };
    return { ...base, type: guessType({ name: file.name, bytes }), problem: null };
  } catch (error) {
    const problem = error instanceof ImportError ? error.message : 'The file cannot be read.';
    return { ...base, type: null, problem };
  }
}

/** "Stan CSV"; only the server sees what a compressed file contains. */
export const typeText = ({ type, problem }: PickedFile): string =>
  type === null ? (problem === null ? 'compressed' : '') : typeNames[type];

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What *Download for ArviZ* produces: the server unpacks it. */
function isTar(bytes: Uint8Array, name: string): boolean {
  if (isGzip(bytes)) return /\.(?:tar\.gz|tgz)$/i.test(name);
  return String.fromCharCode(...bytes.subarray(257, 262)) === 'ustar';
}

const isText = ({ type }: PickedFile): boolean => type !== null && type !== 'arviz netcdf';

/** As `data_files` expects it: tables as text, the rest as base64. */
export async function wireText(picked: PickedFile): Promise<string> {
  if (isText(picked)) return picked.file.text();
  return toBase64(new Uint8Array(await picked.file.arrayBuffer()));
}

/** Characters the file adds to the request. */
const wireSize = (picked: PickedFile): number =>
  isText(picked) ? picked.size : Math.ceil(picked.size / 3) * 4;

export interface ImportBounds {
  /** Bytes of all files together as sent; 0: the server does not say. */
  readonly bytes: number;
  /** 0: the server does not say. */
  readonly files: number;
  /** `.csv,.nc`; empty: any. */
  readonly suffixes: string;
}

export function boundsOf(config: ServerConfig | null): ImportBounds {
  const suffixes = config?.upload_file_types ?? '';
  const uploads = uploadLimits(config);
  if (uploads !== null) return { bytes: uploads.totalBytes, files: uploads.files, suffixes };
  return {
    bytes: config?.max_upload_sample_size ?? 0,
    files: config?.max_upload_sample_file ?? 0,
    suffixes,
  };
}

export interface UploadLimits {
  readonly pieceBytes: number;
  readonly totalBytes: number;
  readonly files: number;
}

/** Null: this server accepts files in requests only. */
export function uploadLimits(config: ServerConfig | null): UploadLimits | null {
  const { upload_piece_bytes, upload_bytes, import_uploads } = config?.limits ?? {};
  if (config?.capabilities.includes('uploads') !== true) return null;
  if (!upload_piece_bytes || !upload_bytes || !import_uploads) return null;
  return { pieceBytes: upload_piece_bytes, totalBytes: upload_bytes, files: import_uploads };
}

/** Files of up to this many bytes in total are sent in one request, whose answer is the finished run. */
const SMALL_BYTES = 8 * 2 ** 20;

/** Whether they are sent piece by piece. */
export function needUploads(files: readonly PickedFile[], config: ServerConfig | null): boolean {
  if (uploadLimits(config) === null) return false;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const most = config?.max_upload_sample_file ?? 0;
  return size > SMALL_BYTES || (most > 0 && files.length > most);
}

/** "At most 10 files, 67 MB together." */
export function boundsText({ bytes, files }: ImportBounds): string {
  const parts = [
    ...(files > 0 ? [`${formatCount(files)} files`] : []),
    ...(bytes > 0 ? [`${formatBytes(bytes)} in total`] : []),
  ];
  return parts.length === 0 ? '' : `At most ${parts.join(', ')}.`;
}

/** Why these cannot be sent as they are; null if they can. */
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
  const types = new Set(files.flatMap((file) => file.type ?? []));
  if (types.size > 1)
    return 'The files have different formats; import the chains of one run at a time.';
  return null;
}

/** Which file a server's message is about: the message begins with its name. −1: none. */
export function fileOfMessage(message: string, names: readonly string[]): number {
  const byName = names.findIndex((name) => message.startsWith(`${name}: `));
  if (byName !== -1) return byName;
  const number = /^file (\d+): /.exec(message)?.[1];
  return number === undefined ? -1 : Number(number) - 1;
}
