/** The files of an import request: decoded, fetched, and checked against the limits of `/sys/config`. */

import { limits } from '../../contract/limits.ts';
import { fromBase64 } from '../../formats/base64.ts';
import { type ImportType, importTypes } from '../../formats/imported-draws.ts';
import { sniffNetcdf } from '../../formats/netcdf-mark.ts';
import type { Fetcher } from '../fetching/fetcher.ts';
import { readGalleryFile } from '../gallery/gallery-draws.ts';
import { invalidField, invalidParameter, limitExceeded, tooLarge } from '../http/service-error.ts';
import type { ImportFile } from '../repositories/imports.ts';

export interface ImportLimits {
  /** Total bytes of all files: `max_upload_sample_size`. */
  readonly totalBytes: number;
  /** `max_upload_sample_file`. */
  readonly files: number;
}

/** What `/sys/config` says. */
export const importLimits: ImportLimits = { totalBytes: limits.body_bytes, files: 10 };

export interface ImportRequest {
  readonly data_file_type?: ImportType | null;
  readonly data_files?: readonly string[] | null;
  readonly data_uris?: readonly string[] | null;
  readonly data_uploads?: readonly string[] | null;
}

/** The type that a request names; undefined if it is unknown. */
export const importTypeOf = (type: unknown): ImportType | undefined =>
  importTypes.find((known) => known === type);

/** Throws INVALID_PARAMETER naming the file. */
export function decodeFiles(
  texts: readonly string[],
  type: ImportType | null | undefined,
): ImportFile[] {
  return texts.map((text, index) => decodeFile(text, index, type));
}

/** True when the request is for an experiment with finished draws. */
export function isImport(request: ImportRequest): boolean {
  const { data_files: texts, data_uris: addresses, data_uploads: uploads } = request;
  const count = (texts?.length ?? 0) + (addresses?.length ?? 0) + (uploads?.length ?? 0);
  return count > 0 || (request.data_file_type ?? null) !== null;
}

/**
 * `decoded`: the files sent, if they were already read. Throws `INVALID_PARAMETER`, `LIMIT_EXCEEDED`, `TOO_LARGE`, or
 * the fetcher's errors.
 */
export async function collectFiles(
  request: ImportRequest,
  bounds: ImportLimits,
  { fetcher, decoded }: { readonly fetcher: Fetcher; readonly decoded?: readonly ImportFile[] },
): Promise<ImportFile[]> {
  const texts = request.data_files ?? [];
  const addresses = request.data_uris ?? [];
  const count = texts.length + addresses.length;
  const numUploads = request.data_uploads?.length ?? 0;
  if (numUploads > limits.import_uploads)
    throw limitExceeded(
      `An import takes at most ${limits.import_uploads} uploads (import_uploads); this one has ${numUploads}.`,
      { limit: 'import_uploads', allowed: limits.import_uploads },
    );
  if (count + numUploads === 0)
    throw invalidField(
      'payload.data_files',
      'or payload.data_uris must contain at least one file.',
    );
  if (count > bounds.files)
    throw limitExceeded(
      `An import takes at most ${bounds.files} files (max_upload_sample_file); this one has ${count}.`,
      { limit: 'max_upload_sample_file', allowed: bounds.files },
    );
  let total = 0;
  const add = (file: ImportFile): ImportFile => {
    total += file.bytes.length;
    if (total > bounds.totalBytes)
      throw tooLarge(
        `Together the files are larger than ${bounds.totalBytes} bytes (max_upload_sample_size).`,
        { limit: 'max_upload_sample_size', allowed: bounds.totalBytes },
      );
    return file;
  };
  const files = (decoded ?? decodeFiles(texts, request.data_file_type)).map(add);
  for (const address of addresses) {
    const { bytes, fileName } =
      (await readGalleryFile(address)) ??
      (await fetcher.fetch(address, { maxBytes: bounds.totalBytes - total }));
    files.push(add({ name: fileName, bytes }));
  }
  return files;
}

/** NetCDF and archives arrive as base64, tables as text. */
function decodeFile(text: string, index: number, type: ImportType | null | undefined): ImportFile {
  const name = `file ${index + 1}`;
  if (text === '') throw invalidParameter(`payload.data_files.${index} is empty.`);
  const isBinary = type === 'arviz netcdf' || (!type && looksLikeBase64(text));
  if (!isBinary) return { name, bytes: new TextEncoder().encode(text) };
  const bytes = fromBase64(text);
  if (bytes === null)
    throw invalidField(`payload.data_files.${index}`, 'must be netCDF in base64.');
  return { name, bytes };
}

/** A single base64 word that decodes to netCDF, gzip or tar; tables contain commas or line breaks. */
function looksLikeBase64(text: string): boolean {
  const start = text.slice(0, 2048).replace(/\s+/g, '');
  const head = /^[A-Za-z0-9+/]+/.exec(start)?.[0] ?? '';
  if (head.length < Math.min(start.replace(/=+$/, '').length, 1024)) return false;
  const bytes = fromBase64(head.slice(0, head.length - (head.length % 4)));
  if (bytes === null) return false;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const isTar = String.fromCharCode(...bytes.subarray(257, 262)) === 'ustar';
  return sniffNetcdf(bytes) !== null || isGzip || isTar;
}
