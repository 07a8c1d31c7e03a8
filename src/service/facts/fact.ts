/** Events in the service that have further consequences. */
import type { LabelledVerdict } from '../../posterior/verdict-label.ts';
import type { ExperimentRow } from '../repositories/experiments.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { ShareRow } from '../repositories/shares.ts';

/** The reason for a failure, or the verdict on the draws of a run that finished or was stopped. */
export type RunEnding = { readonly failure: string } | { readonly verdict: LabelledVerdict };

export interface RunEnded {
  readonly kind: 'run_ended';
  readonly experiment: Pick<ExperimentRow, 'owner_id' | 'name' | 'short_id' | 'meta'>;
  readonly ending: RunEnding;
}

export interface AnalysisEnded {
  readonly kind: 'analysis_ended';
  readonly workflow: Pick<ObjectRow, 'owner_id' | 'name' | 'short_id'>;
  /** The analyzer's last output; null when it finished. */
  readonly failure: string | null;
}

/** Shared with the one user in `userId`. */
export interface SharedWithUser {
  readonly kind: 'shared_with_user';
  readonly share: ShareRow;
  readonly userId: number;
}

export type Fact = RunEnded | AnalysisEnded | SharedWithUser;
