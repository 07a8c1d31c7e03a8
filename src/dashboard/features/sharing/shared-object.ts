/** The object for which a share dialog is opened. */
import type { SharedKind } from './what-is-seen.tsx';

export interface SharedObject {
  readonly kind: SharedKind;
  readonly id: string;
  readonly name: string;
  /** For an experiment: the variables that its owner is viewing, shown first in the snapshot; empty: the default. */
  readonly shownVariables?: readonly string[];
  /** An experiment with notes, which are shared only if selected. */
  readonly hasNote?: boolean;
}
