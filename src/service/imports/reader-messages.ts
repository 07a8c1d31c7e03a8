/** What goes to the thread that reads files, and what comes back. */

import type { DrawFile } from '../../formats/draw-source.ts';
import type { ImportType } from '../../formats/imported-draws.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';
import type { DrawsHead, FedBatch } from './draws-feed.ts';

/** Small files, which are answered as a whole. */
export interface ReaderRequest {
  readonly files: readonly DrawFile[];
  /** Null: guess. */
  readonly type: ImportType | null;
}

export type ReaderAnswer =
  | { readonly content: DrawFilesContent }
  /** For people: which file, and what is wrong with it. */
  | { readonly problem: string };

/** A file where it lies, of any size. */
export interface PlacedFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** Files of any size: their draws come in batches, of which two may be on their way. */
export interface StreamRequest {
  readonly stream: readonly (DrawFile | PlacedFile)[];
  readonly type: ImportType | null;
  /** For the numbers while they are put in order. */
  readonly folder: string;
}

export type StreamMessage =
  /** Bytes of the files that were read so far. */
  | { readonly bytes: number }
  | { readonly head: DrawsHead }
  | { readonly batch: FedBatch }
  | { readonly problem: string }
  | 'done';

/** It is answered `taken` for each batch. */
export const BATCHES_ON_THE_WAY = 2;
