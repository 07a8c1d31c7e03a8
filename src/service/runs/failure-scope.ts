/** What the failure of one chain means for its run: whether the others can continue. */
import type { FailureReason } from '../../engine/events.ts';

/**
 * True: program, data or time limit are the same for every chain, so the run ends immediately. False: the cause is this
 * chain's position or its thread, and the others continue.
 */
const endsRun: Readonly<Record<FailureReason, boolean>> = {
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

/** As stored in chains' rows and `meta.error`. */
export const failureCode = (reason: FailureReason): string =>
  reason.replaceAll('-', '_').toUpperCase();

const codes: ReadonlySet<string> = new Set(
  (Object.keys(endsRun) as FailureReason[])
    .filter((reason) => endsRun[reason])
    .map((reason) => failureCode(reason)),
);

/** Whether a chain that failed with this code ends its run. */
export const isFailureOfRun = (code: string | null | undefined): boolean => codes.has(code ?? '');
