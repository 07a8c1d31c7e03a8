/** Tells the owner of a run how it ended. */
import type { Executor } from '../repositories/database.ts';
import type { ExperimentRow } from '../repositories/experiments.ts';
import { insertNotification } from '../repositories/notifications.ts';

/** Characters of a reason; the whole of it is in the run's log. */
const maxReason = 500;

/** `failure`: the reason in words, null when it finished. Call in the transaction that writes the end. */
export async function tellOwner(
  tx: Executor,
  experiment: Pick<ExperimentRow, 'owner_id' | 'name' | 'short_id'>,
  failure: string | null,
): Promise<void> {
  const { owner_id: userId, name, short_id: object } = experiment;
  const verb = failure === null ? 'finished' : 'failed';
  await insertNotification(tx, {
    userId,
    event: `experiment_${verb}`,
    title: `${name || object} ${verb}`,
    message: (failure ?? '').slice(0, maxReason),
    object,
    verb,
  });
}
