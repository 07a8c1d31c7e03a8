/** The views of lists that a user saved. */
import type { SavedView, SavedViews } from '../../contract/views.ts';
import type { CoreContext } from '../context.ts';
import type { User } from '../http/call.ts';
import { invalidParameter } from '../http/service-error.ts';
import { findViews, storeViews } from '../repositories/saved-views.ts';

const lists: ReadonlySet<string> = new Set(
  'models data workflows experiments functions shares events callbacks relations'.split(' '),
);

function checkedName(list: string): string {
  if (lists.has(list)) return list;
  throw invalidParameter(`list must be one of: ${[...lists].join(', ')}.`, { parameter: 'list' });
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
  await storeViews(pool, { userId: user.id, list: checkedName(list) }, views);
  return { views: [...views] };
}
