/** What a share dialog is opened for. */
import type { SharedKind } from './what-is-seen.tsx';

export interface SharedObject {
  readonly kind: SharedKind;
  readonly id: string;
  readonly name: string;
  /** Of an experiment: the variables that its owner looks at, with which the snapshot opens; empty: the usual ones. */
  readonly shownVariables?: readonly string[];
  /** An experiment with notes, which are shared only on request. */
  readonly hasNote?: boolean;
}
