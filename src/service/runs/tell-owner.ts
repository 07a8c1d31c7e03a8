/** Tells the owner of a run how it ended. */
import { endingOf, type LabelledVerdict } from '../../posterior/verdict-label.ts';
import type { Executor } from '../repositories/database.ts';
import type { ExperimentRow } from '../repositories/experiments.ts';
import { insertNotification } from '../repositories/notifications.ts';

/** Characters of a reason; the whole of it is in the run's log. */
const maxReason = 500;

/** The reason of a failure, or the verdict on the draws of a run that finished or was stopped. */
export type RunEnding = { readonly failure: string } | { readonly verdict: LabelledVerdict };

/** Call in the transaction that writes the end. */
export async function tellOwner(
  tx: Executor,
  experiment: Pick<ExperimentRow, 'owner_id' | 'name' | 'short_id' | 'meta'>,
  ending: RunEnding,
): Promise<void> {
  const { owner_id: userId, short_id: object, meta } = experiment;
  const name = experiment.name || object;
  const verb = 'failure' in ending ? 'failed' : 'finished';
  const title =
    'failure' in ending
      ? `${name} failed`
      : endingOf(name, meta.action === 'stopped' ? 'stopped' : 'finished', ending.verdict);
  await insertNotification(tx, {
    userId,
    event: `experiment_${verb}`,
    title,
    message: 'failure' in ending ? ending.failure.slice(0, maxReason) : '',
    object,
    verb,
  });
}
