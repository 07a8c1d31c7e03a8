/** The place for files: a folder, or an S3 bucket. Each is written completely or not at all, and named by its content. */
import type { Readable } from 'node:stream';

export interface StoredFile {
  /** Relative to the store, with forward slashes. */
  readonly path: string;
  readonly size: number;
}

/** Returns which of the names are referenced by a row. */
export type KnownFiles = (names: readonly string[]) => Promise<ReadonlySet<string>>;

export interface FileStore {
  /** A folder on this machine for files that are being read or written. */
  readonly scratch: string;
  /** Files that are still being uploaded. */
  readonly uploads: UploadFiles;
  /** The same for all processes that see the same files. */
  identity(): Promise<string>;
  /** Stores the bytes under `folder/<hash><suffix>`; durable when it returns. */
  put(folder: string, content: Uint8Array | Readable, suffix?: string): Promise<StoredFile>;
  /** Null if there is no such file. */
  open(file: string): Promise<{ readonly stream: Readable; readonly size: number } | null>;
  has(file: string): Promise<boolean>;
  /** An address at which the store itself serves the file for a minute; null: only we serve it. */
  addressOf(file: string, as: { fileName: string; mediaType: string }): Promise<string | null>;
  remove(file: string): Promise<void>;
  /** Removes a folder with its content. */
  removeFolder(folder: string): Promise<void>;
  /** Removes leftovers of crashes before `before`: drafts, parts, unreferenced exports. Returns their number. */
  sweep(before: Date, known: KnownFiles): Promise<number>;
}

/** Files that arrive piece by piece, each named by the id of its upload. */
export interface UploadFiles {
  /**
   * Writes a piece at its offset; durable when this returns. Anything a crash left after `offset` is overwritten by
   * the next pieces. False: the file is shorter than `offset`, so earlier pieces were lost.
   */
  write(id: string, piece: UploadPiece): Promise<boolean>;
  /** The complete upload as a file on this machine, until it is released; null: it is missing or incomplete. */
  place(id: string, size: number): Promise<PlacedUpload | null>;
  remove(ids: readonly string[]): Promise<void>;
  /** Ids of all existing uploads. */
  list(): Promise<string[]>;
  /** Free space in bytes. */
  freeBytes(): Promise<number>;
}

export interface UploadPiece {
  readonly offset: number;
  readonly blocks: readonly Uint8Array[];
}

export interface PlacedUpload {
  readonly path: string;
  release(): Promise<void>;
}

/** We choose the names, but still no name may lead out of the store. */
export function checkName(name: string): string {
  for (const segment of name.split('/')) {
    if (segment === '' || segment === '.' || segment === '..' || /[\\:\0]/.test(segment))
      throw new Error(`"${name}" is not the name of a stored file`);
  }
  return name;
}
