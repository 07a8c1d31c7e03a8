/** What goes to the thread that reads files, and what comes back. */

import type { DrawFile } from '../../formats/draw-source.ts';
import type { ImportType } from '../../formats/imported-draws.ts';
import type { DrawFilesContent } from '../../formats/read-draw-files.ts';

export interface ReaderRequest {
  readonly files: readonly DrawFile[];
  /** Null: guess. */
  readonly type: ImportType | null;
}

export type ReaderAnswer =
  | { readonly content: DrawFilesContent }
  /** For people: which file, and what is wrong with it. */
  | { readonly problem: string };
