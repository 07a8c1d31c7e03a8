/** What the failure of one chain means for the others. */
import type { FailureReason } from './events.ts';

/**
 * True: program, data or time limit are the same for every chain, so the run ends immediately. False: the cause is this
 * chain's position or its thread, and the others continue.
 */
export const endsRun: Readonly<Record<FailureReason, boolean>> = {
  'program-invalid': true,
  'program-failed': true,
  'run-timeout': true,
  'no-start': false,
  'no-step-size': false,
  'no-approximation': false,
  'no-simulation': false,
  'budget-exceeded': false,
  'iteration-timeout': false,
  'bad-checkpoint': false,
  'worker-failed': false,
};
