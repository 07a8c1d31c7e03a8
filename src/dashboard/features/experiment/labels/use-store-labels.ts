/** Stores the labels of an experiment's dimensions, with *Undo*. */
import { useQueryClient } from '@tanstack/react-query';
import type { Experiment } from '../../../../contract/experiment.ts';
import { type DimensionLabels, readLabels } from '../../../../posterior/variable-labels.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { runAction, useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { labelsPatch } from './label-changes.ts';

/** True once the server has stored them. */
export function useStoreLabels(
  experiment: Experiment,
): (after: DimensionLabels) => Promise<boolean> {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = experiment.short_id;
  const { detail, part } = objectKeys('experiment');
  const before = readLabels(experiment.meta?.labels);
  const store = async (from: DimensionLabels, to: DimensionLabels) => {
    const payload = { object_type: 'experiment', meta: { labels: labelsPatch(from, to) } } as const;
    await client.updateObject({ params: { objid: id }, body: { payload } });
    // Its draws stay valid: only their labels have changed.
    const exact = [detail(id), part(id, ['summary'])];
    await Promise.all(
      exact.map((queryKey) => queryClient.invalidateQueries({ queryKey, exact: true })),
    );
  };
  const action = useAction((_, after: DimensionLabels) => store(before, after), {
    failed: 'Labels not saved',
  });
  return async (after) => {
    const isDone = await action.run(after);
    if (isDone)
      showToast({
        message: 'Labels saved.',
        undo: () => runAction(queryClient, () => store(after, before)),
      });
    return isDone;
  };
}
