/**
 * Named views of a list (search, filters, order and columns as the address has them), and where this browser keeps them
 * for servers that do not.
 */
import type { SavedView } from '../../../../contract/views.ts';
import { readStored, writeStored } from '../../../ui/stored-text.ts';

/** What the address says of a list, the page left out. */
export type ViewSearch = Readonly<Record<string, string>>;

export type { SavedView };

const keyOf = (list: string) => `ergodic.views.${list}`;

/** `list`: its title. What is not a view is left out. */
export function readViews(list: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(list)) || '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<SavedView>;
  const isText = (one: unknown) => typeof one === 'string';
  return isText(name) && typeof search === 'object' && Object.values(search ?? {}).every(isText);
}

export function writeViews(list: string, views: readonly SavedView[]): void {
  writeStored(keyOf(list), views.length === 0 ? '' : JSON.stringify(views));
}

/** A view of the same name is replaced. */
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
