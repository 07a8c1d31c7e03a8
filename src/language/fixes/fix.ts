/** A change that fixes a diagnostic. */
import type { Diagnostic } from '../diagnostics.ts';
import type { TextEdit } from '../remedies/remedy.ts';

export interface Fix {
  readonly title: string;
  /** Do not overlap. */
  readonly edits: readonly TextEdit[];
  readonly diagnostic: Diagnostic;
}
