/** The views of lists that a user saved. */
import type { SavedView, SavedViews } from '../../contract/views.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { invalidParameter, limitExceeded } from '../http/service-error.ts';
import { findViews, mostLists, storeViews } from '../repositories/saved-views.ts';

/** The client names the lists: "experiments", "models shared with me". */
const listName = /^[a-z][a-z -]{0,39}$/;

function checkedName(list: string): string {
  if (listName.test(list)) return list;
  throw invalidParameter(
    'list must be the name of a list: up to 40 lower-case letters, spaces and hyphens.',
    { parameter: 'list' },
  );
}

export async function viewSavedViews(
  { pool }: CoreContext,
  user: User,
  list: string,
): Promise<SavedViews> {
  return { views: [...(await findViews(pool, user.id, checkedName(list)))] };
}

/** Replaces all views of the list. */
export async function saveViews(
  { pool }: CoreContext,
  user: User,
  { list, views }: { readonly list: string; readonly views: readonly SavedView[] },
): Promise<SavedViews> {
  const isStored = await storeViews(pool, { userId: user.id, list: checkedName(list) }, views);
  if (!isStored)
    throw limitExceeded(
      `Views are saved for at most ${mostLists} lists. Delete those of another list first.`,
    );
  return { views: [...views] };
}
