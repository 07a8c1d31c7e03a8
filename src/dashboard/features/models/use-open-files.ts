/** Which files have a tab, and which one is shown; the address contains the shown one. */
import { useEffect, useState } from 'react';
import {
  type FileTree,
  findEntry,
  findFileByPath,
  type PlacedFile,
} from '../../editor/file-tree.ts';

export interface OpenFiles {
  readonly open: readonly PlacedFile[];
  readonly active: PlacedFile | null;
  readonly show: (id: number) => void;
  readonly close: (id: number) => void;
}

/** `path`: the file in the address; if it does not exist, the first open file is shown. */
export function useOpenFiles(
  tree: FileTree,
  path: string,
  onPath: (path: string) => void,
): OpenFiles {
  const named = findFileByPath(tree, path);
  const [ids, setIds] = useState<readonly number[]>(named === null ? [] : [named.id]);
  const [activeId, setActiveId] = useState<number | null>(named?.id ?? null);

  const fileOf = (id: number): PlacedFile[] => {
    const place = findEntry(tree, id);
    return place?.entry.kind === 'file' ? [{ entry: place.entry, path: place.path }] : [];
  };
  const open = ids.flatMap(fileOf);
  const active = open.find(({ entry }) => entry.id === activeId) ?? open.at(-1) ?? null;

  // The address was changed by hand or by the browser's buttons, or the files have changed.
  const [namedId, setNamedId] = useState(named?.id);
  if (named !== null && named.id !== namedId) {
    setNamedId(named.id);
    setIds(ids.includes(named.id) ? ids : [...ids, named.id]);
    setActiveId(named.id);
  }

  const activePath = active?.path ?? '';
  useEffect(() => {
    // A renamed file keeps its place; the address follows.
    if (activePath !== '' && activePath !== path && activeId === active?.entry.id && named === null)
      onPath(activePath);
  }, [activePath, path, activeId, active?.entry.id, named, onPath]);

  const show = (id: number) => {
    setIds((before) => (before.includes(id) ? before : [...before, id]));
    setActiveId(id);
    const place = findEntry(tree, id);
    if (place !== null && place.path !== path) onPath(place.path);
  };
  const close = (id: number) => {
    const index = ids.indexOf(id);
    const rest = ids.filter((other) => other !== id);
    setIds(rest);
    if (active?.entry.id !== id) return;
    const next = rest[Math.min(index, rest.length - 1)];
    setActiveId(next ?? null);
    const place = next === undefined ? null : findEntry(tree, next);
    if (place !== null) onPath(place.path);
  };
  return { open, active, show, close };
}
