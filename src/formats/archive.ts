/** Zip archives of model trees: read with every bound checked before memory is spent, written identically each time. */
import { Inflate, type Zippable, zipSync } from 'fflate';
import { ok, type Result } from '../shared/result.ts';
import { crc32 } from './crc32.ts';
import {
  decodeText,
  decodeUtf8,
  defaultTreeLimits,
  invalid,
  type ModelFile,
  type ModelFiles,
  type TreeLimits,
  type TreeProblem,
  tooLarge,
  withoutContent,
} from './model-tree.ts';
import { noteName, quoteName, type SeenNames, splitPath } from './path-segment.ts';

export interface ArchiveLimits extends TreeLimits {
  /** Uncompressed bytes per compressed byte, for any entry that unpacks to more than a mebibyte. */
  readonly ratio: number;
}

/** In practice, text compresses to a fiftieth at most; a bomb to a thousandth. */
export const defaultArchiveLimits: ArchiveLimits = { ...defaultTreeLimits, ratio: 200 };

export const damaged = invalid('', 'The archive is damaged.');

interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Offset of the local header. */
  readonly offset: number;
}

/**
 * Files of a zip archive. Refused: invalid names (see `segmentProblem`), duplicates, symbolic links and other special
 * files, encryption, multiple disks, zip64, wrong sizes and checksums, and anything beyond a limit. Files that Finder
 * adds (`__MACOSX/`, `.DS_Store`) are left out.
 */
export function readZip(
  bytes: Uint8Array,
  limits: ArchiveLimits = defaultArchiveLimits,
): Result<ModelFiles, TreeProblem> {
  const entries = readDirectory(bytes, limits);
  if (!entries.ok) return entries;
  const files: ModelFile[] = [];
  for (const entry of entries.value) {
    if (entry.isFolder) continue;
    const unpacked = unpack(bytes, entry);
    if (!unpacked.ok) return unpacked;
    const encoding = decodeText(unpacked.value) === null ? 'base64' : 'text';
    files.push({ path: entry.path, bytes: unpacked.value, encoding });
  }
  return ok({ files, emptyFolders: emptyFolders(entries.value) });
}

function emptyFolders(entries: readonly Entry[]): string[] {
  const folders = entries.filter((entry) => entry.isFolder).map((entry) => entry.path);
  return withoutContent(
    folders,
    entries.map((entry) => entry.path),
  );
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;

/** Entries of the central directory, with checked names, kinds, sizes and totals. */
function readDirectory(bytes: Uint8Array, limits: ArchiveLimits): Result<Entry[], TreeProblem> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === -1) return invalid('', 'This is not a zip archive.');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (view.getUint16(end + 8, true) !== count || count === 0xffff || at === 0xffffffff) {
    return invalid('', 'Multi-part archives and zip64 are not supported.');
  }
  if (count > limits.nodes) {
    const message = `The archive has ${count} entries, more than ${limits.nodes}.`;
    return tooLarge('', message, limits.nodes, count);
  }
  const entries: Entry[] = [];
  const used: SeenNames = new Map();
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY_SIGNATURE) return damaged;
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const next = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) return damaged;
    const name = decodeName(bytes.subarray(at + 46, nameEnd));
    const from = at;
    at = next;
    if (isFinderNoise(name)) continue;
    const entry = readEntry(view, from, name, limits);
    if (!entry.ok) return entry;
    const { path, size } = entry.value;
    const double = noteName(used, path);
    if (double !== null) return invalid(path, double);
    total += size;
    if (total > limits.totalBytes) {
      const message = `The archive unpacks to more than ${limits.totalBytes} bytes.`;
      return tooLarge(path, message, limits.totalBytes, total);
    }
    entries.push(entry.value);
  }
  return ok(entries);
}

/** The record at the end, which only a comment may follow; −1 if there is none. */
function findEnd(view: DataView): number {
  const longestComment = 0xffff;
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - longestComment); at--) {
    if (view.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + 22 + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  return -1;
}

/** UTF-8; names in old archives that are not valid UTF-8 are read as Latin-1, so that each byte is one character. */
export function decodeName(bytes: Uint8Array): string {
  const latin1 = () => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return decodeUtf8(bytes) ?? latin1();
}

/** A checked path in an archive; `shown` is how messages name it. */
export function checkPath(
  path: string,
  { depth }: TreeLimits,
  shown = path,
): Result<string, TreeProblem> {
  const segments = splitPath(path);
  if (!segments.ok) return invalid(shown, `The name ${segments.error}.`);
  const { length } = segments.value;
  if (length <= depth) return ok(segments.value.join('/'));
  return tooLarge(shown, `${quoteName(shown)} is deeper than ${depth} levels.`, depth, length);
}

function isFinderNoise(name: string): boolean {
  return name.startsWith('__MACOSX/') || name === '.DS_Store' || name.endsWith('/.DS_Store');
}

function readEntry(
  view: DataView,
  at: number,
  name: string,
  limits: ArchiveLimits,
): Result<Entry, TreeProblem> {
  const isFolder = name.endsWith('/');
  const path = checkPath(isFolder ? name.slice(0, -1) : name, limits, name);
  if (!path.ok) return path;
  if ((view.getUint16(at + 8, true) & 1) !== 0) {
    return invalid(name, `${quoteName(name)} is encrypted.`);
  }
  const entry: Entry = {
    path: path.value,
    isFolder,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: isFolder ? 0 : view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
  if (!isPlain(view, at, isFolder)) {
    return invalid(name, `${quoteName(name)} is a symbolic link or a special file.`);
  }
  if (entry.method !== 0 && entry.method !== 8) {
    return invalid(
      name,
      `${quoteName(name)} is compressed with a method that is not supported (${entry.method}).`,
    );
  }
  if (entry.size > limits.fileBytes) {
    const message = `${quoteName(name)} has ${entry.size} bytes, more than ${limits.fileBytes}.`;
    return tooLarge(name, message, limits.fileBytes, entry.size);
  }
  if (entry.size > 2 ** 20 && entry.size > limits.ratio * entry.packed) {
    const message = `${quoteName(name)} unpacks to more than ${limits.ratio} times its size.`;
    return tooLarge(
      name,
      message,
      limits.ratio,
      Math.floor(entry.size / Math.max(1, entry.packed)),
    );
  }
  return ok(entry);
}

/** A regular file or a folder; archives made on systems other than Unix do not say. */
function isPlain(view: DataView, at: number, isFolder: boolean): boolean {
  const kind = (view.getUint32(at + 38, true) >>> 16) & 0o170000;
  return kind === 0 || kind === (isFolder ? 0o040000 : 0o100000);
}

function unpack(bytes: Uint8Array, entry: Entry): Result<Uint8Array, TreeProblem> {
  const bad = invalid(entry.path, `${quoteName(entry.path)} is damaged.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { offset } = entry;
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL_SIGNATURE) return bad;
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + entry.packed > bytes.length) return bad;
  const packed = bytes.subarray(start, start + entry.packed);
  const unpacked = entry.method === 0 ? packed.slice() : inflateBounded(packed, entry.size);
  if (unpacked === null || unpacked.length !== entry.size || crc32(unpacked) !== entry.crc)
    return bad;
  return ok(unpacked);
}

/** Inflates in small chunks and stops as soon as the output exceeds the announced size; null then and for bad data. */
function inflateBounded(packed: Uint8Array, size: number): Uint8Array | null {
  const out = new Uint8Array(size);
  let length = 0;
  const inflate = new Inflate((chunk) => {
    // Throws if there is no room, which ends it.
    out.set(chunk, length);
    length += chunk.length;
  });
  const bite = 4096;
  try {
    for (let from = 0; from < packed.length; from += bite) {
      inflate.push(packed.subarray(from, from + bite), from + bite >= packed.length);
    }
  } catch {
    return null;
  }
  // The checksum reveals too little output.
  return out;
}

/**
 * A zip archive of checked files (see `buildTree` for the check), with fixed times: equal files give equal bytes.
 * Refused: invalid paths.
 */
export function writeZip({ files, emptyFolders }: ModelFiles): Result<Uint8Array, TreeProblem> {
  // Local time by construction: zip times have no zone, so every machine writes the same.
  const mtime = new Date(1980, 0, 1);
  const entries: Zippable = {};
  const all = [
    ...files,
    ...emptyFolders.map((path) => ({ path: `${path}/`, bytes: new Uint8Array(0) })),
  ];
  for (const { path, bytes } of all) {
    const segments = splitPath(path.endsWith('/') ? path.slice(0, -1) : path);
    if (!segments.ok) return invalid(path, `The name ${segments.error}.`);
    entries[path] = [bytes, { mtime }];
  }
  return ok(zipSync(entries, { level: 6 }));
}
