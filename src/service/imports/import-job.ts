/** What the job that reads large imports is told. */
import type { ImportType } from '../../formats/imported-draws.ts';

/** The bytes wait in the database. */
export interface ImportJob {
  readonly experimentId: number;
  /** Null: guess. */
  readonly type: ImportType | null;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
}
