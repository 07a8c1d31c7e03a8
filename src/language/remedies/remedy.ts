/** A change to a program that often fixes a sampling problem and leaves the posterior unchanged. */
import type { Span } from '../source/span.ts';

/** The last two fix nothing: they let a program sample the prior, or simulate the data too. */
export type RemedyKind = 'non-centred' | 'bounds' | 'prior-only' | 'replicated-data';

/** Replaces what the span covers with `text`. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

export interface Remedy {
  readonly kind: RemedyKind;
  /** Name of the parameter whose declaration changes, or of what is declared. */
  readonly parameter: string;
  /** The parameter and those that its prior depends on: problems show in their draws. */
  readonly involved: readonly string[];
  /** "Write `theta` non-centred". */
  readonly title: string;
  /** Why it helps, naming the place. */
  readonly reason: string;
  /** The declaration afterwards, without its semicolon. */
  readonly declaration: string;
  /** Do not overlap. */
  readonly edits: readonly TextEdit[];
}
