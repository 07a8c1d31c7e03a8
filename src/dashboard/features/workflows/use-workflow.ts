/** Unsaved edits on a workflow's page, and the actions on the workflow. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { startRun } from '../../objects/start-run.ts';
import { useAction } from '../../objects/use-action.ts';
import { useDelete } from '../../objects/use-delete.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Texts and ids that the page edits; an empty one detaches. */
export interface WorkflowParts {
  readonly settings: string;
  readonly startup_script: string;
  readonly data_id: string;
  readonly data_script: string;
  readonly analyzer_id: string;
}

const keys = ['settings', 'startup_script', 'data_id', 'data_script', 'analyzer_id'] as const;

/** For a new workflow. */
export const emptyParts: WorkflowParts = {
  settings: '',
  startup_script: '',
  data_id: '',
  data_script: '',
  analyzer_id: '',
};

function partsOf(workflow: Workflow): WorkflowParts {
  return Object.fromEntries(
    keys.map((key) => [key, workflow[key] ?? '']),
  ) as unknown as WorkflowParts;
}

export interface WorkflowEdits {
  /** As saved, with the edits. */
  readonly parts: WorkflowParts;
  readonly isEdited: boolean;
  readonly edit: (change: Partial<WorkflowParts>) => void;
  /** Only what differs from the saved workflow. */
  readonly sent: Partial<WorkflowParts>;
  /** After a save: shows the server's copy again. */
  readonly forget: () => void;
}

export function useWorkflowEdits(workflow: Workflow): WorkflowEdits {
  const [edits, setEdits] = useState<Partial<WorkflowParts>>({});
  const saved = useMemo(() => partsOf(workflow), [workflow]);
  const sent = Object.fromEntries(
    keys.flatMap((key) =>
      edits[key] !== undefined && edits[key] !== saved[key] ? [[key, edits[key]]] : [],
    ),
  ) as Partial<WorkflowParts>;
  return {
    parts: { ...saved, ...edits },
    isEdited: Object.keys(sent).length > 0,
    edit: (change) => setEdits((before) => ({ ...before, ...change })),
    sent,
    forget: () => setEdits({}),
  };
}

export interface WorkflowActions {
  readonly busy: 'save' | 'run' | 'analyze' | null;
  /** The server's last message, if it refused. */
  readonly problem: string | null;
  readonly save: () => Promise<unknown>;
  /** Saves, then starts. */
  readonly run: () => Promise<unknown>;
  readonly analyze: () => Promise<unknown>;
  readonly download: (fmt: 'zip' | 'tar.gz') => Promise<unknown>;
  readonly remove: () => Promise<void>;
}

export interface Ways {
  readonly sent: Partial<WorkflowParts>;
  readonly forget: () => void;
  readonly onStarted: (experimentId: string) => void;
  readonly onDeleted: () => void;
}

export function useWorkflowActions(
  workflow: Workflow,
  { sent, forget, onStarted, onDeleted }: Ways,
): WorkflowActions {
  const queryClient = useQueryClient();
  const removeObjects = useDelete();
  const id = workflow.short_id;
  const workflows = objectKeys('workflow');
  const refresh = () => queryClient.invalidateQueries({ queryKey: workflows.detail(id) });

  const save = async (client: Client) => {
    if (Object.keys(sent).length === 0) return;
    await client.updateObject({
      params: { objid: id },
      body: { payload: { object_type: 'workflow', ...sent } },
    });
    await refresh();
    forget();
    await queryClient.invalidateQueries({ queryKey: workflows.lists });
  };
  const tasks = {
    save,
    run: async (client: Client) => {
      await save(client);
      const experiment = await startRun(client, workflow);
      await refresh();
      await queryClient.invalidateQueries({ queryKey: objectKeys('experiment').all });
      onStarted(experiment);
    },
    analyze: async (client: Client) => {
      await save(client);
      await client.invoke({ body: { target: id, action: 'run_analyze' } });
      await refresh();
    },
  };
  const task = useAction((client, name: keyof typeof tasks) => tasks[name](client));
  const download = useAction(
    async (client, fmt: 'zip' | 'tar.gz') => {
      const bytes = await client.download({ params: { objid: id }, query: { fmt } });
      const type = fmt === 'zip' ? 'application/zip' : 'application/gzip';
      saveFile(`${workflow.name || id}.${fmt}`, type, new Uint8Array(bytes));
    },
    { failed: 'No package' },
  );
  return {
    busy: task.isBusy ? (task.input ?? null) : null,
    problem: task.problem,
    save: () => task.run('save'),
    run: () => task.run('run'),
    analyze: () => task.run('analyze'),
    download: download.run,
    remove: () =>
      removeObjects({
        ids: [id],
        message: `Deleted ${workflow.name || id}.`,
        changes: [workflows.lists],
        onDone: onDeleted,
      }),
  };
}
