/** What the owner of an experiment can do with it. */
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import { expectKind } from '../../../../client/expect-kind.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import { chainsText } from '../../../../posterior/verdict-label.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { startRun } from '../../../objects/start-run.ts';
import { runAction, useAction } from '../../../objects/use-action.ts';
import { useClient } from '../../../objects/use-client.ts';
import { useDelete } from '../../../objects/use-delete.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { notRerunText } from '../../status/program-absence.ts';
import { chainsLeftOut } from '../../status/used-chains.ts';
import type { ExperimentActions } from './experiment-actions.ts';

export interface Ways {
  readonly open: (experimentId: string) => void;
  readonly leave: () => void;
}

type OwnActions = Omit<ExperimentActions, 'onShare' | 'canControl' | 'canDelete' | 'hasLogRange'>;

/** A function that leaves chains out of summary and plots, with *Undo*. */
function useLeaveOut(experiment: Experiment): ExperimentActions['onLeaveOut'] {
  const client = useClient();
  const queryClient = useQueryClient();
  const id = experiment.short_id;
  const { lists, detail, part } = objectKeys('experiment');
  const store = async (names: readonly string[]) => {
    const payload = { object_type: 'experiment', meta: { chains_left_out: [...names] } } as const;
    await client.updateObject({ params: { objid: id }, body: { payload } });
    // Its draws and log stay valid: only metadata has changed, and the page shows it in one step.
    const exact = [detail(id), part(id, ['summary'])];
    await Promise.all(
      exact.map((queryKey) => queryClient.invalidateQueries({ queryKey, exact: true })),
    );
  };
  const action = useAction((_, names: readonly string[]) => store(names), {
    failed: 'The chains were not changed',
    changes: [lists],
  });
  return async (names) => {
    const before = chainsLeftOut(experiment);
    const isDone = await action.run(names);
    if (isDone)
      showToast({
        message: leftOutMessage(names),
        undo: () => runAction(queryClient, () => store(before), [lists]),
      });
    return isDone;
  };
}

function leftOutMessage(names: readonly string[]): string {
  if (names.length === 0) return 'Summary and plots use all chains.';
  const chains = chainsText(names);
  const verb = names.length === 1 ? 'is' : 'are';
  return `${chains.charAt(0).toUpperCase()}${chains.slice(1)} ${verb} left out of summary and plots.`;
}

export function useExperimentActions(experiment: Experiment, ways: Ways): OwnActions {
  const queryClient = useQueryClient();
  const remove = useDelete();
  const id = experiment.short_id;
  const { lists, detail } = objectKeys('experiment');
  const update = useAction(
    async (client, { payload }: Update) => {
      await client.updateObject({
        params: { objid: id },
        body: { payload: { object_type: 'experiment', ...payload } },
      });
      // Its draws and log stay valid: only metadata has changed.
      await queryClient.invalidateQueries({ queryKey: detail(id), exact: true });
    },
    { failed: ({ failed }) => failed },
  );
  const onLeaveOut = useLeaveOut(experiment);
  const again = useAction(
    (client, change: Record<string, unknown>) => runAgain(client, experiment, change),
    { failed: 'Not started', changes: [lists], onDone: ways.open },
  );
  /** Also invalidates what lists show of it. */
  const describe = async (change: Update) => {
    const isDone = await update.run(change);
    if (isDone) await queryClient.invalidateQueries({ queryKey: lists });
    return isDone;
  };
  return {
    onControl: async (action) => {
      await update.run({ payload: { action }, failed: `Could not ${action}` });
    },
    onExtend: async (draws) => {
      const payload = { action: 'extend', meta: { extend_by: draws } };
      const started = await update.run({ payload, failed: 'Sampling not continued' });
      if (started) await queryClient.invalidateQueries({ queryKey: lists });
      return started;
    },
    onRetryChains: async (names) => {
      const payload = { action: 'retry', meta: { retry_chains: [...names] } };
      const started = await update.run({ payload, failed: 'The chain was not started again' });
      if (started) await queryClient.invalidateQueries({ queryKey: lists });
      return started;
    },
    onRename: (name) => describe({ payload: { name }, failed: 'Not renamed' }),
    onTags: (tags) =>
      describe({ payload: { meta: { tags: [...tags] } }, failed: 'The tags were not saved' }),
    onDelete: () =>
      void remove({
        ids: [id],
        message: `Deleted ${experiment.name || id}.`,
        changes: [lists],
        onDone: ways.leave,
      }),
    onRunAgain: (change) => void again.run(change),
    onLeaveOut,
  };
}

interface Update {
  readonly payload: Record<string, unknown>;
  /** The toast's text before the reason of a failure. */
  readonly failed: string;
}

/** Stores the settings as run, with `change`, in the workflow and runs it. A new seed unless `change` has one. */
async function runAgain(
  client: Client,
  experiment: Experiment,
  change: Record<string, unknown>,
): Promise<string> {
  if (experiment.workflow_id === '') {
    throw new ApiError('schema', notRerunText(experiment));
  }
  const { stringify, parseDocument } = await import('yaml');
  const view = await client.viewObject({ params: { objid: experiment.workflow_id } });
  const workflow = expectKind(view, 'workflow');
  const document = parseDocument(workflow.settings ?? '');
  const before: unknown = document.toJS() ?? {};
  const { seed: _seed, ...used } = experiment.meta?.settings ?? {};
  const settings = stringify({
    ...(typeof before === 'object' ? before : {}),
    sampling: { ...used, ...change },
  });
  await client.updateObject({
    params: { objid: experiment.workflow_id },
    body: { payload: { object_type: 'workflow', settings } },
  });
  return startRun(client, workflow);
}
