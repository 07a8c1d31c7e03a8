/** Identifies a file without reading it: by its time and the bytes at both ends. */
import { crc32 } from './crc32.ts';

const ENDS_BYTES = 2 ** 20;

export interface FingerprintedFile {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  slice(from: number, to: number): Blob | Promise<Blob>;
}

export async function fingerprintOf(file: FingerprintedFile): Promise<string> {
  const sumOf = async (from: number, to: number) =>
    crc32(new Uint8Array(await (await file.slice(from, to)).arrayBuffer())).toString(16);
  const start = await sumOf(0, Math.min(file.size, ENDS_BYTES));
  const end = await sumOf(Math.max(0, file.size - ENDS_BYTES), file.size);
  return `${Math.round(file.modified)}-${start}-${end}`;
}
