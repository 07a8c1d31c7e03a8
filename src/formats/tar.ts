/** Plain or gzipped tar archives: every bound is checked before memory is spent, and output is identical each time. */
import { gzipSync } from 'fflate';
import { ok, type Result } from '../shared/result.ts';
import {
  type ArchiveLimits,
  checkPath,
  damaged,
  decodeName,
  defaultArchiveLimits,
} from './archive.ts';
import { concat, createGunzip } from './gunzip.ts';
import {
  decodeText,
  invalid,
  type ModelFile,
  type ModelFiles,
  type TreeProblem,
  tooLarge,
  withoutContent,
} from './model-tree.ts';
import { noteName, quoteName, type SeenNames, splitPath } from './path-segment.ts';
import { BLOCK, tarEnd, tarFolder, tarHeader, tarPadding } from './tar-header.ts';

export interface PackTarOptions {
  /** True: `.tar.gz`. */
  readonly gzip?: boolean;
  /** Paths of executable files (mode 755 instead of 644). */
  readonly programs?: ReadonlySet<string>;
}

/** A tar archive with fixed times and no owner: equal files give equal bytes. Refuses bad paths (see `splitPath`). */
export function packTar(
  { files, emptyFolders }: ModelFiles,
  { gzip = false, programs }: PackTarOptions = {},
): Result<Uint8Array, TreeProblem> {
  const parts: Uint8Array[] = [];
  for (const path of [...files.map((file) => file.path), ...emptyFolders]) {
    const segments = splitPath(path);
    if (!segments.ok) return invalid(path, `The name ${segments.error}.`);
  }
  for (const { path, bytes } of files) {
    const isProgram = programs?.has(path) === true;
    parts.push(tarHeader(path, bytes.length, isProgram), bytes, tarPadding(bytes.length));
  }
  for (const path of emptyFolders) parts.push(tarFolder(path));
  const archive = concat([...parts, tarEnd()]);
  return ok(gzip ? gzipSync(archive, { mtime: 0 }) : archive);
}

/**
 * Files of a tar archive; gzip is recognised by its first bytes. Refused: invalid names, duplicates, links and other
 * special files, wrong sizes and checksums, and anything beyond a limit. Folders count as entries.
 */
export function unpackTar(
  bytes: Uint8Array,
  limits: ArchiveLimits = defaultArchiveLimits,
): Result<ModelFiles, TreeProblem> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const archive = isPacked ? gunzipBounded(bytes, limits) : ok(bytes);
  return archive.ok ? readEntries(archive.value, limits) : archive;
}

/** Room for headers in addition to the files' limit. */
const spareBytes = (limits: ArchiveLimits) => (limits.nodes + 4) * 4 * BLOCK;

/** Inflates in small chunks and stops as soon as the output exceeds the size of any valid archive. */
function gunzipBounded(bytes: Uint8Array, limits: ArchiveLimits): Result<Uint8Array, TreeProblem> {
  const most = limits.totalBytes + spareBytes(limits);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const gunzip = createGunzip((chunk) => {
    size += chunk.length;
    chunks.push(chunk);
  });
  const bite = 4096;
  try {
    for (let from = 0; from < bytes.length; from += bite) {
      gunzip.push(bytes.subarray(from, from + bite), from + bite >= bytes.length);
      if (size > most) {
        const message = `The archive unpacks to more than ${limits.totalBytes} bytes.`;
        return tooLarge('', message, limits.totalBytes, size);
      }
      if (size > 2 ** 20 && size > limits.ratio * (from + bite)) {
        const message = `The archive unpacks to more than ${limits.ratio} times its size.`;
        return tooLarge('', message, limits.ratio, Math.floor(size / (from + bite)));
      }
    }
  } catch {
    return invalid('', 'The archive is not a complete gzip file.');
  }
  return ok(concat(chunks));
}

interface Entry {
  readonly name: string;
  /** `0` file, `5` folder, `x`, `g`, `L` records for the next entries; others are refused. */
  readonly kind: string;
  readonly size: number;
}

function readEntries(bytes: Uint8Array, limits: ArchiveLimits): Result<ModelFiles, TreeProblem> {
  const files: ModelFile[] = [];
  const folders: string[] = [];
  const used: SeenNames = new Map();
  let longName: string | null = null;
  let total = 0;
  let count = 0;
  for (let at = 0; ; ) {
    const entry = readHeader(bytes, at);
    if (entry === 'end') break;
    if (entry === null) return at === 0 ? invalid('', 'This is not a tar archive.') : damaged;
    // Records are entries too: otherwise a long row of them could take forever.
    if (++count > 2 * limits.nodes) return tooManyEntries(limits);
    const start = at + BLOCK;
    if (start + entry.size > bytes.length) return damaged;
    const body = bytes.subarray(start, start + entry.size);
    at = start + Math.ceil(entry.size / BLOCK) * BLOCK;
    if (entry.kind === 'g') continue;
    if (entry.kind === 'L' || entry.kind === 'x') {
      longName = entry.kind === 'L' ? cString(body) : (paxPath(body) ?? longName);
      continue;
    }
    const name = (longName ?? entry.name).replace(/^(?:\.\/)+/, '');
    longName = null;
    const isFolder = entry.kind === '5' || name.endsWith('/');
    if (name === '' || name === '.') continue;
    if (entry.kind !== '0' && !isFolder)
      return invalid(name, `${quoteName(name)} is a link or a special file.`);
    const path = checkPath(isFolder ? name.replace(/\/$/, '') : name, limits);
    if (!path.ok) return path;
    const double = noteName(used, path.value);
    if (double !== null) return invalid(name, double);
    if (used.size > limits.nodes) return tooManyEntries(limits);
    if (isFolder) {
      folders.push(path.value);
      continue;
    }
    total += entry.size;
    const problem = sizeProblem(name, entry.size, total, limits);
    if (problem !== null) return problem;
    const encoding = decodeText(body) === null ? 'base64' : 'text';
    files.push({ path: path.value, bytes: new Uint8Array(body), encoding });
  }
  const paths = [...files.map((file) => file.path), ...folders];
  return ok({ files, emptyFolders: withoutContent(folders, paths) });
}

function tooManyEntries(limits: ArchiveLimits) {
  const message = `The archive has more than ${limits.nodes} entries.`;
  return tooLarge('', message, limits.nodes, limits.nodes + 1);
}

function sizeProblem(name: string, size: number, total: number, limits: ArchiveLimits) {
  if (size > limits.fileBytes) {
    const message = `${quoteName(name)} has ${size} bytes, more than ${limits.fileBytes}.`;
    return tooLarge(name, message, limits.fileBytes, size);
  }
  if (total > limits.totalBytes) {
    const message = `The archive unpacks to more than ${limits.totalBytes} bytes.`;
    return tooLarge(name, message, limits.totalBytes, total);
  }
  return null;
}

/** Null if the block is not a header; `end` at the end mark (or at the last byte, since some writers omit the mark). */
function readHeader(bytes: Uint8Array, at: number): Entry | 'end' | null {
  if (at >= bytes.length && at > 0) return 'end';
  if (at + BLOCK > bytes.length) return null;
  const block = bytes.subarray(at, at + BLOCK);
  if (block.every((byte) => byte === 0)) return 'end';
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : block[i];
  const size = octal(block.subarray(124, 136));
  if (octal(block.subarray(148, 156)) !== sum || size === null) return null;
  const kind = block[156] === 0 ? '0' : String.fromCharCode(block[156]);
  const prefix = cString(block.subarray(257, 262)) === 'ustar' ? ustarPrefix(block) : '';
  const name = cString(block.subarray(0, 100));
  // Only files, records and unknown kinds have bytes; links and folders may have a size that means nothing.
  const hasBytes = !['1', '2', '3', '4', '5', '6'].includes(kind);
  return { name: prefix === '' ? name : `${prefix}/${name}`, kind, size: hasBytes ? size : 0 };
}

/** GNU's old format uses these bytes differently, and has another mark after `ustar`. */
function ustarPrefix(block: Uint8Array): string {
  return block[262] === 0 ? cString(block.subarray(345, 500)) : '';
}

/** Null if it is not an octal number; sizes beyond 8 GiB are encoded differently and are too large for us anyway. */
function octal(field: Uint8Array): number | null {
  const text = cString(field).trim();
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : null;
}

/** Up to the first zero. */
function cString(field: Uint8Array): string {
  const end = field.indexOf(0);
  return decodeName(end === -1 ? field : field.subarray(0, end));
}

/** `path` of a PAX record: lines of `length key=value`. */
function paxPath(body: Uint8Array): string | null {
  let found: string | null = null;
  for (let at = 0; ; ) {
    const space = body.indexOf(32, at);
    const length = Number(cString(body.subarray(at, space)));
    if (space === -1 || !Number.isInteger(length) || length <= space - at) return found;
    const line = cString(body.subarray(space + 1, at + length - 1));
    if (line.startsWith('path=')) found = line.slice(5);
    at += length;
  }
}
