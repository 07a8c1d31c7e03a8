/** What happens in the service that sets off more than the act itself. */
import type { ExperimentRow } from '../repositories/experiments.ts';
import type { ObjectRow } from '../repositories/objects.ts';
import type { ShareRow } from '../repositories/shares.ts';

export interface RunEnded {
  readonly kind: 'run_ended';
  readonly experiment: Pick<ExperimentRow, 'owner_id' | 'name' | 'short_id'>;
  /** The reason; null when it finished. */
  readonly failure: string | null;
}

export interface AnalysisEnded {
  readonly kind: 'analysis_ended';
  readonly workflow: Pick<ObjectRow, 'owner_id' | 'name' | 'short_id'>;
  /** What the analyzer printed last; null when it finished. */
  readonly failure: string | null;
}

/** With one user, whom it names. */
export interface SharedWithUser {
  readonly kind: 'shared_with_user';
  readonly share: ShareRow;
  readonly userId: number;
}

export type Fact = RunEnded | AnalysisEnded | SharedWithUser;
