/** Deletes several objects as far as possible, and undoes it. A separate chunk: few views begin with a deletion. */
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../client/api-error.ts';
import type { Client } from '../../client/create-client.ts';
import { kindOfId } from '../../contract/common.ts';
import { formatCount } from '../ui/numbers.ts';
import { showToast } from '../ui/toasts.tsx';
import type { Deletion } from './deletion.ts';
import { objectKeys } from './query-keys.ts';
import { runAction, showFailure } from './use-action.ts';

/** Ids are part of the address, whose length is limited. */
const idsAtOnce = 200;

interface Outcome {
  /** They undo it, one per request. */
  readonly keys: string[];
  readonly kept: string[];
  /** Why these are still there. */
  reason: unknown;
}

/** Deletes what can be deleted. One object that cannot be deleted fails its entire request, which is then halved. */
async function deleteAll(client: Client, ids: readonly string[]): Promise<Outcome> {
  const outcome: Outcome = { keys: [], kept: [], reason: null };
  const parts: (readonly string[])[] = [];
  for (let first = 0; first < ids.length; first += idsAtOnce)
    parts.push(ids.slice(first, first + idsAtOnce));
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    try {
      const { deleted_key: key } = await client.deleteObjects({ query: { objids: [...part] } });
      if (key !== null) outcome.keys.push(key);
    } catch (error) {
      outcome.reason = error;
      if (!isOfObjects(error)) {
        outcome.kept.push(...part, ...parts.flat());
        break;
      }
      const half = Math.ceil(part.length / 2);
      if (part.length === 1) outcome.kept.push(...part);
      else parts.unshift(part.slice(0, half), part.slice(half));
    }
  }
  return outcome;
}

/** Whether a request failed because of an object in it, and not because the server cannot answer now. */
function isOfObjects(error: unknown): boolean {
  const { kind, code, status } = ApiError.from(error);
  return kind === 'http' && status < 500 && code !== 'RATE_LIMITED' && code !== 'UNAUTHORIZED';
}

async function undelete(client: Client, keys: readonly string[]): Promise<void> {
  for (const deleted_key of keys) await client.deleteObjects({ query: { deleted_key } });
}

/** "Run 1, Run 2, Run 3 and 4 more". */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${formatCount(names.length - 3)} more` : shown;
}

export interface Place {
  readonly client: Client;
  readonly queryClient: QueryClient;
  readonly router: { readonly invalidate: () => Promise<void> };
}

/** Everything cached of the objects: views, versions, summaries. */
const cachedOf = (ids: readonly string[]) =>
  ids.flatMap((id) => {
    const kind = kindOfId(id);
    return kind === null ? [] : [{ queryKey: objectKeys(kind).one(id) }];
  });

export async function deleteObjects(place: Place, deletion: Deletion): Promise<void> {
  const { client, queryClient } = place;
  const { ids, changes, onDone } = deletion;
  const act = async () => {
    const outcome = await deleteAll(client, ids);
    if (outcome.kept.length === ids.length) throw outcome.reason;
    // Leave the page of a deleted object before it is fetched again.
    onDone?.(outcome.kept);
    // Otherwise Back would show it as if it were still there.
    const gone = ids.filter((id) => !outcome.kept.includes(id));
    for (const cached of cachedOf(gone)) queryClient.removeQueries(cached);
    // Before the lists are fetched: as soon as the deletion is visible, it can be undone.
    announce(place, deletion, outcome);
  };
  try {
    await runAction(queryClient, act, changes);
  } catch (error) {
    showFailure('Not deleted', error);
  }
}

/** Reports what was deleted and what was not, with *Undo* and *Retry*. */
function announce(place: Place, deletion: Deletion, { keys, kept, reason }: Outcome): void {
  const { ids, message, nameOf = (id) => id, changes } = deletion;
  const undo = async () => {
    const { client, queryClient, router } = place;
    await runAction(queryClient, () => undelete(client, keys), changes);
    // A page that was opened in the meantime says that the object is missing.
    await Promise.all(cachedOf(ids).map((cached) => queryClient.resetQueries(cached)));
    await router.invalidate();
  };
  const shown = { undo: keys.length === 0 ? undefined : undo };
  if (kept.length === 0)
    return showToast({ ...shown, message: typeof message === 'string' ? message : message(ids) });
  const names = listNames(kept.map((id) => nameOf(id)));
  showToast({
    ...shown,
    tone: 'bad',
    message: `${formatCount(kept.length)} of ${formatCount(ids.length)} not deleted: ${names}. ${ApiError.from(reason).message}`,
    retry: () => void deleteObjects(place, { ...deletion, ids: kept }),
  });
}
