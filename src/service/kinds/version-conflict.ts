/** Refuses a change that was made from an older version than the newest. */
import { ServiceError } from '../http/service-error.ts';
import type { ChangeOutcome } from '../repositories/models.ts';

/** Throws CONFLICT with the newest version. */
export function refuseStale(outcome: ChangeOutcome): void {
  if (outcome.kind === 'done') return;
  const { version } = outcome;
  throw new ServiceError('CONFLICT', `It was changed since: version ${version} is the newest.`, {
    details: { version },
  });
}
