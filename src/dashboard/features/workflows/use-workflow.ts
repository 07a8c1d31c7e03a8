/** What is edited on a workflow's page and not saved yet, and what can be done with the workflow. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError } from '../../../client/api-error.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { useDelete } from '../../objects/use-delete.ts';
import { saveFile } from '../../ui/save-file.ts';
import { showToast } from '../../ui/toasts.tsx';

/** Texts and ids that the page edits; an empty one detaches. */
export interface WorkflowParts {
  readonly settings: string;
  readonly startup_script: string;
  readonly data_id: string;
  readonly data_script: string;
  readonly analyzer_id: string;
}

const keys = ['settings', 'startup_script', 'data_id', 'data_script', 'analyzer_id'] as const;

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
  /** Only what differs from what is saved. */
  readonly sent: Partial<WorkflowParts>;
  /** After a save: the server's copy is shown again. */
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
  /** What the server said last, when it refused. */
  readonly problem: string | null;
  readonly save: () => Promise<void>;
  /** Saves, then starts. */
  readonly run: () => Promise<void>;
  readonly analyze: () => Promise<void>;
  readonly download: (fmt: 'zip' | 'tar.gz') => Promise<void>;
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
  const client = useClient();
  const queryClient = useQueryClient();
  const removeObjects = useDelete();
  const [busy, setBusy] = useState<WorkflowActions['busy']>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const id = workflow.short_id;
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: objectKeys('workflow').detail(id) });

  const attempt = async (what: WorkflowActions['busy'], task: () => Promise<void>) => {
    setBusy(what);
    setProblem(null);
    try {
      await task();
    } catch (error) {
      setProblem(ApiError.from(error).message);
    } finally {
      setBusy(null);
    }
  };
  const save = async () => {
    if (Object.keys(sent).length === 0) return;
    await client.updateObject({
      params: { objid: id },
      body: { payload: { object_type: 'workflow', ...sent } },
    });
    await refresh();
    forget();
    await queryClient.invalidateQueries({ queryKey: objectKeys('workflow').lists });
  };
  return {
    busy,
    problem,
    save: () => attempt('save', save),
    run: () =>
      attempt('run', async () => {
        await save();
        const answer = await client.invoke({
          body: { target: id, action: 'run_sample', get_response: true },
        });
        await refresh();
        await queryClient.invalidateQueries({ queryKey: objectKeys('experiment').all });
        if (answer.experiment_id !== undefined) onStarted(answer.experiment_id);
      }),
    analyze: () =>
      attempt('analyze', async () => {
        await save();
        await client.invoke({ body: { target: id, action: 'run_analyze' } });
        await refresh();
      }),
    async download(fmt) {
      try {
        const bytes = await client.download({ params: { objid: id }, query: { fmt } });
        const type = fmt === 'zip' ? 'application/zip' : 'application/gzip';
        saveFile(`${workflow.name || id}.${fmt}`, type, new Uint8Array(bytes));
      } catch (error) {
        showToast({ message: `No package: ${ApiError.from(error).message}`, tone: 'bad' });
      }
    },
    remove: () =>
      removeObjects({
        ids: [id],
        words: `${workflow.name || id} deleted.`,
        queryKeys: [objectKeys('workflow').lists],
        onDone: onDeleted,
      }),
  };
}
