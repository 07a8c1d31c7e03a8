/** Changes names and tags of rows in place, each change with *Undo*. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import type { ListEntry, UpdatePayload } from '../../../../contract/objects.ts';
import { nameOfEntry } from '../../../objects/object-queries.ts';
import { runAction } from '../../../objects/use-action.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { showToast } from '../../../ui/toasts.tsx';

/** Kinds whose name can be changed. */
export type NamedRow = Extract<
  ListEntry,
  { object_type: 'experiment' | 'model' | 'data' | 'workflow' | 'project' }
>;
/** Kinds that have tags to change. */
export type TaggedRow = Extract<ListEntry, { object_type: 'experiment' | 'model' | 'project' }>;

export function isNamed(row: ListEntry): row is NamedRow {
  return ['experiment', 'model', 'data', 'workflow', 'project'].includes(row.object_type);
}
export function isTagged(row: ListEntry): row is TaggedRow {
  return ['experiment', 'model', 'project'].includes(row.object_type);
}

export function tagsOf(row: TaggedRow): readonly string[] {
  return row.object_type === 'experiment' ? (row.meta?.tags ?? []) : row.tags;
}

export interface Writing {
  readonly client: Client;
  readonly queryClient: QueryClient;
  /** Queries whose results change. */
  readonly changes: readonly QueryKey[];
}

/** Throws `ApiError`. */
export async function renameRow(writing: Writing, row: NamedRow, name: string): Promise<void> {
  const { client, queryClient, changes } = writing;
  const set = (to: string) => {
    const payload: UpdatePayload = { object_type: row.object_type, name: to };
    const params = { objid: row.short_id };
    return runAction(
      queryClient,
      () => client.updateObject({ params, body: { payload } }),
      changes,
    );
  };
  await set(name);
  showToast({ message: `Renamed ${nameOfEntry(row)} to ${name}.`, undo: () => set(row.name) });
}

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Number of parallel requests. */
const atOnce = 6;

/** Reports how many were changed, and which were not. Returns the ids of the latter. */
export async function tagRows(
  writing: Writing,
  rows: readonly TaggedRow[],
  { add, remove }: TagChange,
): Promise<readonly string[]> {
  const { queryClient, changes } = writing;
  const changed = rows
    .map((row) => {
      const before = tagsOf(row);
      const kept = before.filter((tag) => !remove.includes(tag));
      return { row, before, after: [...kept, ...add.filter((tag) => !kept.includes(tag))] };
    })
    .filter(({ before, after }) => before.join('\n') !== after.join('\n'));
  const write = (which: 'before' | 'after', some: typeof changed) => () =>
    setTags(
      writing.client,
      some.map((one) => ({ row: one.row, tags: one[which] })),
    );
  const { failed, reason } = await runAction(queryClient, write('after', changed), changes);
  const done = changed.filter(({ row }) => !failed.includes(row.short_id));
  const undo = async () => {
    const outcome = await runAction(queryClient, write('before', done), changes);
    if (outcome.failed.length > 0) throw outcome.reason;
  };
  const offer = done.length === 0 ? {} : { undo };
  if (failed.length === 0) {
    const what = done.length === 1 ? '1 object' : `${formatCount(done.length)} objects`;
    showToast({ message: `Changed the tags of ${what}.`, ...offer });
  } else {
    showToast({
      ...offer,
      tone: 'bad',
      message: `Tags of ${formatCount(failed.length)} of ${formatCount(changed.length)} not changed: ${ApiError.from(reason).message}`,
    });
  }
  return failed;
}

interface Outcome {
  readonly failed: string[];
  reason: unknown;
}

async function setTags(
  client: Client,
  changes: readonly { readonly row: TaggedRow; readonly tags: readonly string[] }[],
): Promise<Outcome> {
  const outcome: Outcome = { failed: [], reason: null };
  const waiting = [...changes];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { row, tags } = next;
      const payload: UpdatePayload =
        row.object_type === 'experiment'
          ? { object_type: 'experiment', meta: { tags } }
          : { object_type: row.object_type, tags: [...tags] };
      try {
        await client.updateObject({ params: { objid: row.short_id }, body: { payload } });
      } catch (error) {
        outcome.failed.push(row.short_id);
        outcome.reason = error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcome;
}
