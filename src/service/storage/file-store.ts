/** Where files are: a folder, or a bucket of S3. Each is written whole or not at all, and named by its content. */
import type { Readable } from 'node:stream';

export interface StoredFile {
  /** Relative to the store, with forward slashes. */
  readonly path: string;
  readonly size: number;
}

/** Those of the names that some row refers to. */
export type KnownFiles = (names: readonly string[]) => Promise<ReadonlySet<string>>;

export interface FileStore {
  /** A folder of this machine for what is being read or written. */
  readonly scratch: string;
  /** Bytes that are still coming. */
  readonly uploads: UploadFiles;
  /** The same for all who see the same files. */
  identity(): Promise<string>;
  /** Stores the bytes under `folder/<hash><suffix>`; durable when it returns. */
  put(folder: string, content: Uint8Array | Readable, suffix?: string): Promise<StoredFile>;
  /** Null when there is no such file. */
  open(file: string): Promise<{ readonly stream: Readable; readonly size: number } | null>;
  has(file: string): Promise<boolean>;
  /** An address at which the store itself serves the file for a minute; null: it is served by us only. */
  addressOf(file: string, as: { fileName: string; mediaType: string }): Promise<string | null>;
  remove(file: string): Promise<void>;
  /** A folder with all in it. */
  removeFolder(folder: string): Promise<void>;
  /** Removes what a crash left before `before`: drafts, parts, exports that no row refers to. Gives their number. */
  sweep(before: Date, known: KnownFiles): Promise<number>;
}

/** Files that come piece by piece, each named by the id of its upload. */
export interface UploadFiles {
  /**
   * Writes a piece where it belongs; durable when this returns. What a crash left behind `offset` is overwritten by the
   * pieces that come. False: the file is shorter than `offset`, so what came before is lost.
   */
  write(id: string, piece: UploadPiece): Promise<boolean>;
  /** The whole as a file of this machine, until it is released; null: it is not there as a whole. */
  place(id: string, size: number): Promise<PlacedUpload | null>;
  remove(ids: readonly string[]): Promise<void>;
  /** Ids of all there are. */
  list(): Promise<string[]>;
  /** Bytes that there is room for. */
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

/** Names come from us, yet none may lead out of the store. */
export function checkName(name: string): string {
  for (const segment of name.split('/')) {
    if (segment === '' || segment === '.' || segment === '..' || /[\\:\0]/.test(segment))
      throw new Error(`"${name}" is not the name of a stored file`);
  }
  return name;
}
