/** Reads archives of models. Unpacking runs in a reading thread: one megabyte may expand to sixty. */
import { limits } from '../../contract/limits.ts';
import { type ArchiveLimits, defaultArchiveLimits, readZip } from '../../formats/archive.ts';
import type { ModelFiles } from '../../formats/model-tree.ts';
import { unpackTar } from '../../formats/tar.ts';
import { ServiceError } from '../http/service-error.ts';

const archiveLimits: ArchiveLimits = {
  ...defaultArchiveLimits,
  fileBytes: limits.file_bytes,
  nodes: limits.tree_nodes,
  depth: limits.tree_depth,
};

const isZip = (bytes: Uint8Array) =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isTar = (bytes: Uint8Array) =>
  new TextDecoder('latin1').decode(bytes.subarray(257, 262)) === 'ustar';

/** Recognises a zip, tar or tar.gz archive by its first bytes. */
export const isArchive = (bytes: Uint8Array): boolean =>
  isZip(bytes) || isGzip(bytes) || isTar(bytes);

/** Throws TOO_LARGE and INVALID_PARAMETER naming the file. */
export function readArchive(bytes: Uint8Array): ModelFiles {
  const read = isZip(bytes) ? readZip(bytes, archiveLimits) : unpackTar(bytes, archiveLimits);
  if (read.ok) return read.value;
  const { code, message, path, limit, size } = read.error;
  throw new ServiceError(code, message, { details: { path, limit, size } });
}
