/** Messages to and from the thread that reads files. */

import type { DrawFile } from '../../formats/draw-source.ts';
import type { ImportType } from '../../formats/imported-draws.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';
import type { DrawsHead, FedBatch } from './draws-feed.ts';

/** Small files, which are answered in one message. */
export interface ReaderRequest {
  readonly files: readonly DrawFile[];
  /** Null: detect it. */
  readonly type: ImportType | null;
}

export type ReaderAnswer =
  | { readonly content: DrawFilesContent }
  /** A message for people: which file, and what is wrong with it. */
  | { readonly problem: string };

/** The location of a file of any size. */
export interface PlacedFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** Files of any size: their draws arrive in batches, of which two may be in transit. */
export interface StreamRequest {
  readonly stream: readonly (DrawFile | PlacedFile)[];
  readonly type: ImportType | null;
  /** Holds the numbers while they are being reordered. */
  readonly folder: string;
}

export type StreamMessage =
  /** Bytes of the files that have been read. */
  | { readonly bytes: number }
  | { readonly head: DrawsHead }
  | { readonly batch: FedBatch }
  | { readonly problem: string }
  | 'done';

/** Each batch is acknowledged with `taken`. */
export const BATCHES_ON_THE_WAY = 2;
