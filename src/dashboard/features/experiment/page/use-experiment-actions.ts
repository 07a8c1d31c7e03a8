/** What the owner of an experiment can do with it. */
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import { expectKind } from '../../../../client/expect-kind.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import { objectKeys } from '../../../objects/query-keys.ts';
import { startRun } from '../../../objects/start-run.ts';
import { useAction } from '../../../objects/use-action.ts';
import { useDelete } from '../../../objects/use-delete.ts';
import type { ExperimentActions } from './experiment-actions.ts';

export interface Ways {
  readonly open: (experimentId: string) => void;
  readonly leave: () => void;
}

type OwnActions = Omit<ExperimentActions, 'onShare' | 'canControl' | 'canDelete' | 'hasLogRange'>;

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
      // Its draws and log stand: only what is said of it has changed.
      await queryClient.invalidateQueries({ queryKey: detail(id), exact: true });
    },
    { failed: ({ failed }) => failed },
  );
  const again = useAction(
    (client, change: Record<string, unknown>) => runAgain(client, experiment, change),
    { failed: 'Not started', changes: [lists], onDone: ways.open },
  );
  return {
    onControl: async (action) => {
      await update.run({ payload: { action }, failed: `Could not ${action}` });
    },
    onExtend: async (draws) => {
      const payload = { action: 'extend', meta: { extend_by: draws } };
      const started = await update.run({ payload, failed: 'No more draws' });
      if (started) await queryClient.invalidateQueries({ queryKey: lists });
      return started;
    },
    onRename: async (name) => {
      await update.run({ payload: { name }, failed: 'Not renamed' });
    },
    onDelete: () =>
      void remove({
        ids: [id],
        words: `${experiment.name || id} deleted.`,
        changes: [lists],
        onDone: ways.leave,
      }),
    onRunAgain: (change) => void again.run(change),
  };
}

interface Update {
  readonly payload: Record<string, unknown>;
  /** What a toast says before the reason of a failure. */
  readonly failed: string;
}

/** Puts the settings as run, with `change`, on the workflow and runs it. A new seed unless `change` names one. */
async function runAgain(
  client: Client,
  experiment: Experiment,
  change: Record<string, unknown>,
): Promise<string> {
  if (experiment.workflow_id === '') {
    throw new ApiError('schema', 'Imported draws cannot be rerun.');
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
