/** Fires the built-in event for a fact, if its user has bound anything to the event. */
import { assertNever } from '../../shared/assert-never.ts';
import type { Executor } from '../repositories/database.ts';
import { type BuiltinFiring, fireBuiltin } from '../repositories/event-calls.ts';
import type { Fact } from './fact.ts';

/** Characters of a message in an event. */
const maxMessage = 500;

export async function fireEvents(tx: Executor, fact: Fact): Promise<void> {
  const firing = firingOf(fact);
  if (firing !== null) await fireBuiltin(tx, firing);
}

/** Null: the fact has no event. */
function firingOf(fact: Fact): BuiltinFiring | null {
  switch (fact.kind) {
    case 'run_ended': {
      const { experiment, ending } = fact;
      const isFailure = 'failure' in ending;
      const message = isFailure ? ending.failure.slice(0, maxMessage) : '';
      const builtin = isFailure ? 'experiment.failed' : 'experiment.finished';
      return { builtin, userId: experiment.owner_id, object: experiment.short_id, message };
    }
    case 'shared_with_user': {
      const { share, userId } = fact;
      const { object_short_id: object, object_name: message } = share;
      return { builtin: 'share.received', userId, object, message: message || object };
    }
    case 'analysis_ended':
      return null;
    default:
      return assertNever(fact);
  }
}
