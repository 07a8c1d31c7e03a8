/** One project for its page: refetched while one of its runs continues, and every change to it. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { UpdatePayload } from '../../../contract/objects.ts';
import type { Project, ProjectEntry } from '../../../contract/project.ts';
import { unlessGone } from '../../objects/gone.ts';
import { isLiveStatus } from '../../objects/live-status.ts';
import { objectQueryOptions } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { type Saving, saveRunNote } from '../../objects/run-note.ts';
import { runAction, showFailure } from '../../objects/use-action.ts';
import { useClient } from '../../objects/use-client.ts';
import { showToast } from '../../ui/toasts.tsx';

const keys = objectKeys('project');

/** Between refetches of a project with a run in progress. */
const lookEveryMs = 5000;

/** The current project. `loaded`: what the route loaded. */
export function useProject(loaded: Project): Project {
  const client = useClient();
  const query = useQuery({
    ...objectQueryOptions(client, 'project', loaded.short_id),
    initialData: loaded,
    refetchInterval: ({ state }) => (state.data?.members?.some(isRunning) ? lookEveryMs : false),
    refetchIntervalInBackground: false,
  });
  return unlessGone(query).data;
}

function isRunning({ object }: NonNullable<Project['members']>[number]): boolean {
  return object.object_type === 'experiment' && isLiveStatus(object.status);
}

type Change = Extract<UpdatePayload, { object_type: 'project' | 'project.entry' }>;

export interface ProjectWriting {
  readonly rename: (name: string) => Promise<void>;
  /** `before`: the existing note. */
  readonly saveNote: (before: string, text: string, base: number) => Promise<Saving<number>>;
  readonly addMembers: (ids: readonly string[]) => Promise<void>;
  readonly removeMember: (id: string, name: string) => Promise<void>;
  readonly addEntry: (text: string) => Promise<Saving<number>>;
  readonly saveEntry: (entry: ProjectEntry, text: string, base: number) => Promise<Saving<number>>;
  readonly removeEntry: (entry: ProjectEntry) => Promise<void>;
  readonly saveRunNote: (run: Experiment, text: string, base: string) => Promise<Saving<string>>;
}

/** Each change immediately shows the server's answer; its toast offers *Undo* if possible. */
export function useProjectWriting(id: string): ProjectWriting {
  const client = useClient();
  const queryClient = useQueryClient();
  return writing({ client, queryClient, id });
}

interface Place {
  readonly client: Client;
  readonly queryClient: QueryClient;
  readonly id: string;
}

function writing(place: Place): ProjectWriting {
  const send = (payload: Change) => sendChange(place, payload);
  const attempt = async (failed: string, act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      showFailure(failed, error);
    }
  };
  return {
    rename: (name) => attempt('Not renamed', () => send({ object_type: 'project', name })),
    saveNote: (before, note, base) =>
      save(place, {
        payload: { object_type: 'project', note, base_version: base },
        theirs: (project) => ({ text: project.note, base: project.version }),
        done: 'Note saved.',
        undo: ({ version }) => ({ object_type: 'project', note: before, base_version: version }),
      }),
    addMembers: (ids) =>
      attempt('Not added', () => send({ object_type: 'project', add: [...ids] })),
    removeMember: (member, name) =>
      attempt('Not removed', async () => {
        await send({ object_type: 'project', remove: [member] });
        showToast({
          message: `${name} is no longer in this project.`,
          undo: () => send({ object_type: 'project', add: [member] }),
        });
      }),
    addEntry: (text) =>
      save(place, {
        payload: { object_type: 'project.entry', text },
        theirs: () => null,
        done: 'Entry added.',
        undo: ({ entries = [] }) => {
          const newest = Math.max(...entries.map((entry) => entry.id));
          return { object_type: 'project.entry', entry_id: newest, deleted: true };
        },
      }),
    saveEntry: ({ id: entryId, text: before }, text, base) =>
      save(place, {
        payload: { object_type: 'project.entry', entry_id: entryId, text, base_version: base },
        theirs: ({ entries = [] }) => {
          const entry = entries.find((one) => one.id === entryId);
          return entry === undefined ? null : { text: entry.text, base: entry.version };
        },
        done: 'Entry saved.',
        undo: ({ entries = [] }) => ({
          object_type: 'project.entry',
          entry_id: entryId,
          text: before,
          base_version: entries.find((one) => one.id === entryId)?.version,
        }),
      }),
    removeEntry: ({ id: entryId }) =>
      attempt('Not deleted', async () => {
        const set = (deleted: boolean) =>
          send({ object_type: 'project.entry', entry_id: entryId, deleted });
        await set(true);
        showToast({ message: 'Entry deleted.', undo: () => set(false) });
      }),
    saveRunNote: (run, text, base) => writeRunNote(place, run, { text, base }),
  };
}

/** A run's note belongs to the run, wherever it is shown. */
async function writeRunNote(
  { client, queryClient, id }: Place,
  { short_id: runId, meta }: Experiment,
  change: { readonly text: string; readonly base: string },
): Promise<Saving<string>> {
  const saving = await saveRunNote(client, runId, change);
  if (saving.kind === 'failed') return saving;
  const changed = [keys.detail(id), objectKeys('experiment').all];
  const refetch = () =>
    Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  await refetch();
  const before = meta?.note ?? '';
  const undo = async () => {
    const undone = await saveRunNote(client, runId, { text: before, base: change.text });
    await refetch();
    if (undone.kind !== 'saved')
      throw new ApiError(
        'http',
        undone.kind === 'failed' ? undone.message : 'It was changed again.',
      );
  };
  if (saving.kind === 'saved') showToast({ message: 'Note saved.', undo });
  return saving;
}

/** Returns the updated project. Throws `ApiError`. */
async function sendChange({ client, queryClient, id }: Place, payload: Change): Promise<Project> {
  const act = async () =>
    expectKind(await client.updateObject({ params: { objid: id }, body: { payload } }), 'project');
  // a fetch that began before the change would restore the old project
  await queryClient.cancelQueries({ queryKey: keys.detail(id) });
  const project = await runAction(queryClient, act, [keys.lists]);
  queryClient.setQueryData(keys.detail(id), project);
  return project;
}

interface Text {
  readonly text: string;
  readonly base: number;
}

interface Attempt {
  readonly payload: Change;
  /** The current text; null: it is gone. */
  readonly theirs: (project: Project) => Text | null;
  readonly done: string;
  /** The change that undoes it, unless somebody has changed it again; `project`: its state afterwards. */
  readonly undo: (project: Project) => Change;
}

async function save(place: Place, attempt: Attempt): Promise<Saving<number>> {
  const { payload, theirs, done, undo } = attempt;
  try {
    const project = await sendChange(place, payload);
    showToast({ message: done, undo: () => sendChange(place, undo(project)) });
    return { kind: 'saved' };
  } catch (error) {
    const { code, message } = ApiError.from(error);
    if (code !== 'CONFLICT') return { kind: 'failed', message };
    const text = await readAnew(place, theirs);
    return text === null ? { kind: 'failed', message } : { kind: 'changed', ...text };
  }
}

async function readAnew(place: Place, of: Attempt['theirs']): Promise<Text | null> {
  const { client, queryClient, id } = place;
  try {
    const options = objectQueryOptions(client, 'project', id);
    return of(await queryClient.fetchQuery({ ...options, staleTime: 0 }));
  } catch {
    return null;
  }
}
