/** What the failure of one chain means for the others. */
import type { FailureReason } from './events.ts';

/**
 * True: program and data are the same for every chain, so the run ends immediately. False: the cause is this chain's
 * position, its thread or the time it took, and the others continue.
 */
export const endsRun: Readonly<Record<FailureReason, boolean>> = {
  'program-invalid': true,
  'program-failed': true,
  'no-start': false,
  'no-step-size': false,
  'no-approximation': false,
  'no-simulation': false,
  'budget-exceeded': false,
  'run-timeout': false,
  'iteration-timeout': false,
  'bad-checkpoint': false,
  'worker-failed': false,
};
