/** The visible rows of the tree: folders first, then by name, without the contents of closed folders. */
import type { Entry, FileTree } from './file-tree.ts';

export interface VisibleRow {
  readonly entry: Entry;
  readonly path: string;
  readonly depth: number;
  readonly parentId: number | null;
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export function visibleRows(
  tree: Pick<FileTree, 'entries'>,
  closed: ReadonlySet<number>,
): VisibleRow[] {
  const rows: VisibleRow[] = [];
  const visit = (
    entries: readonly Entry[],
    folder: string,
    depth: number,
    parentId: number | null,
  ): void => {
    const rank = (entry: Entry) => (entry.kind === 'folder' ? 0 : 1);
    for (const entry of entries.toSorted(
      (a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name),
    )) {
      const path = folder + entry.name;
      rows.push({ entry, path, depth, parentId });
      if (entry.kind === 'folder' && !closed.has(entry.id))
        visit(entry.children, `${path}/`, depth + 1, entry.id);
    }
  };
  visit(tree.entries, '', 0, null);
  return rows;
}
