/**
 * Named views of a list (search, filters, order and columns as in the address), and their storage in this browser
 * for servers that do not store them.
 */
import type { SavedView } from '../../../../contract/views.ts';
import { isText, readStoredList, writeStoredList } from '../../../ui/stored-list.ts';

/** The list's search parameters, without the page. */
export type ViewSearch = Readonly<Record<string, string>>;

export type { SavedView };

const keyOf = (list: string) => `ergodic.views.${list}`;

/** `list`: its title. Anything that is not a view is ignored. */
export function readViews(list: string): readonly SavedView[] {
  return readStoredList(keyOf(list), isView);
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  return isText(name) && typeof search === 'object' && Object.values(search ?? {}).every(isText);
}

export function writeViews(list: string, views: readonly SavedView[]): void {
  writeStoredList(keyOf(list), views);
}

/** Replaces a view of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
}

/** Whether both show the same list. */
export function isSameView(one: ViewSearch, other: ViewSearch): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => (one[key] ?? '') === (other[key] ?? ''));
}
