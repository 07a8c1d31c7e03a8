/** What the failure of one chain means for its run: whether the others can continue. */
import type { FailureReason } from '../../engine/events.ts';
import { endsRun } from '../../engine/failure-scope.ts';
import { chainText } from '../../posterior/verdict-label.ts';
import type { ChainRow } from '../repositories/chains.ts';

/** As `meta.error` has it. */
export interface RunError {
  readonly code: string;
  readonly message: string;
}

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

/**
 * Why a run failed: the failure of the run, or the first failed chain's reason and how many failed; otherwise null.
 * Chains that are left out do not count.
 */
export function runFailure(all: readonly ChainRow[], leftOut: readonly string[]): RunError | null {
  const chains = all.filter(({ name }) => !leftOut.includes(name));
  const failed = chains.filter((chain) => chain.state === 'failed');
  const whole = failed.find((chain) => isFailureOfRun(chain.error_code));
  const first = whole ?? failed[0];
  if (first === undefined) return null;
  const code = first.error_code ?? 'CHAIN_FAILED';
  const reason = first.error_message ?? 'The chain failed.';
  if (whole !== undefined || failed.length === chains.length) return { code, message: reason };
  const name = chainText(first.name).replace(/^c/, 'C');
  return {
    code,
    message: `${failed.length} of ${chains.length} chains failed. ${name}: ${reason}`,
  };
}
