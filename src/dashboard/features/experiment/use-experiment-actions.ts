/** What the owner of an experiment can do with it. */
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { useDelete } from '../../objects/use-delete.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { ExperimentActions } from './experiment-page.tsx';

export interface Ways {
  readonly open: (experimentId: string) => void;
  readonly leave: () => void;
}

type OwnActions = Omit<ExperimentActions, 'onShare' | 'canControl' | 'canDelete' | 'hasLogRange'>;

export function useExperimentActions(experiment: Experiment, ways: Ways): OwnActions {
  const client = useClient();
  const queryClient = useQueryClient();
  const remove = useDelete();
  const id = experiment.short_id;
  const refresh = () => queryClient.invalidateQueries({ queryKey: objectKeys('experiment').lists });
  const update = async (payload: Record<string, unknown>, what: string): Promise<boolean> => {
    try {
      await client.updateObject({
        params: { objid: id },
        body: { payload: { object_type: 'experiment', ...payload } },
      });
      await queryClient.invalidateQueries({
        queryKey: objectKeys('experiment').detail(id),
        exact: true,
      });
      return true;
    } catch (error) {
      showToast({ message: `${what}: ${ApiError.from(error).message}`, tone: 'bad' });
      return false;
    }
  };
  return {
    onControl: async (action) => void (await update({ action }, `Could not ${action}`)),
    onExtend: async (draws) => {
      const payload = { action: 'extend', meta: { extend_by: draws } };
      const started = await update(payload, 'No more draws');
      if (started) await refresh();
      return started;
    },
    onRename: async (name) => void (await update({ name }, 'Not renamed')),
    onDelete: () =>
      void remove({
        ids: [id],
        words: `${experiment.name || id} deleted.`,
        queryKeys: [objectKeys('experiment').lists],
        onDone: ways.leave,
      }),
    onRunAgain: (change) => {
      runAgain(client, experiment, change).then(
        async (newId) => {
          await refresh();
          ways.open(newId);
        },
        (error: unknown) =>
          showToast({ message: `Not started: ${ApiError.from(error).message}`, tone: 'bad' }),
      );
    },
  };
}

/** Puts the settings as run, with `change`, on the workflow and runs it. A new seed unless `change` names one. */
async function runAgain(
  client: Client,
  experiment: Experiment,
  change: Record<string, unknown>,
): Promise<string> {
  if (experiment.workflow_id === '') {
    throw new ApiError(
      'schema',
      'this experiment was not made by a workflow, so it cannot be run again',
    );
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
  const started = await client.invoke({
    body: { target: experiment.workflow_id, action: 'run_sample', get_response: true },
  });
  if (started.experiment_id === undefined)
    throw new ApiError('schema', 'the server started it without telling its id');
  return started.experiment_id;
}
