/** A change to a program that often ends a trouble of sampling, and leaves the posterior as it is. */
import type { Span } from '../source/span.ts';

/** The last two are not cures: a way to sample the prior, and a way to simulate the data too. */
export type RemedyKind = 'non-centred' | 'bounds' | 'prior-only' | 'replicated-data';

/** Puts `text` in the place of what the span covers. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

export interface Remedy {
  readonly kind: RemedyKind;
  /** Name of the parameter whose declaration changes, or of what is declared. */
  readonly parameter: string;
  /** The parameter and those that its prior depends on: trouble shows in their draws. */
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
