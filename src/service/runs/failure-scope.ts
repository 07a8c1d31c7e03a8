/** What the failure of one chain means for its run: whether the others can continue. */
import type { FailureReason } from '../../engine/events.ts';
import { endsRun } from '../../engine/failure-scope.ts';

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
