/** Actions in the tree of files: select, name, move, add and remove, by keyboard or pointer. */
import { type DragEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import {
  type Change,
  createFile,
  createFolder,
  type Entry,
  type FileTree,
  findEntry,
  insertEntry,
  move,
  putFile,
  remove,
  rename,
} from '../../editor/file-tree.ts';
import { visibleRows } from '../../editor/visible-rows.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { EditSession } from './edit-session.ts';
import { type ImportedFiles, importDrop } from './import-files.ts';

export interface TreeActionsOptions {
  readonly session: EditSession;
  readonly tree: FileTree;
  readonly activeId: number | null;
  readonly onOpen: (id: number) => void;
}

/** A name being typed: for a new entry in a folder, or for an entry being renamed. */
export type Naming =
  | { readonly kind: 'file' | 'folder'; readonly folderId: number | null }
  | { readonly kind: 'rename'; readonly id: number };

export type TreeSelection = ReturnType<typeof useTreeSelection>;
export type TreeNaming = ReturnType<typeof useTreeNaming>;

/** The selected entry, the closed folders, and changes that move the selection. */
export function useTreeSelection({ session, tree, activeId }: TreeActionsOptions) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [picked, setPicked] = useState<number | null>(null);

  const selectedId = picked !== null && findEntry(tree, picked) !== null ? picked : activeId;
  const selected = selectedId === null ? null : findEntry(tree, selectedId);
  const rows = visibleRows(tree, closed);
  const folderId =
    selected === null
      ? null
      : selected.entry.kind === 'folder'
        ? selected.entry.id
        : (selected.parent?.id ?? null);

  const apply = (change: Change): boolean => {
    if (change.ok) {
      session.edit(() => change.value.tree);
      setPicked(change.value.id);
      return true;
    }
    showToast({ message: change.error, tone: 'bad' });
    return false;
  };
  const toggle = (id: number) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const removeSelected = () => {
    if (selected === null) return;
    const { entry, parent, path } = selected;
    session.edit((before) => remove(before, entry.id));
    setPicked(null);
    showToast({
      message: `${path} will be deleted when you save.`,
      undo: async () => session.edit((before) => insertEntry(before, parent?.id ?? null, entry)),
    });
  };
  return { closed, rows, selectedId, selected, folderId, setPicked, toggle, apply, removeSelected };
}

/** Naming a new entry, or renaming one. */
export function useTreeNaming(
  { tree, onOpen }: TreeActionsOptions,
  { folderId, closed, toggle, apply }: TreeSelection,
) {
  const [naming, setNaming] = useState<Naming | null>(null);
  const startNaming = (kind: 'file' | 'folder') => {
    if (folderId !== null && closed.has(folderId)) toggle(folderId);
    setNaming({ kind, folderId });
  };
  const finishNaming = (name: string | null) => {
    setNaming(null);
    if (name === null || naming === null) return;
    if (naming.kind === 'rename') {
      apply(rename(tree, naming.id, name));
      return;
    }
    const made =
      naming.kind === 'file'
        ? createFile(tree, naming.folderId, name)
        : createFolder(tree, naming.folderId, name);
    if (apply(made) && made.ok && naming.kind === 'file') onOpen(made.value.id);
  };
  const startRenaming = (id: number) => setNaming({ kind: 'rename', id });
  return { naming, startNaming, startRenaming, finishNaming };
}

/** Files from outside, and entries dragged inside the tree. */
export function useTreeDrop(
  { session, tree, onOpen }: TreeActionsOptions,
  apply: TreeSelection['apply'],
) {
  const [dropOn, setDropOn] = useState<number | 'root' | null>(null);
  const take = async (imported: Promise<ImportedFiles>, into: number | null) => {
    const { files, problems: refused } = await imported;
    for (const message of refused) showToast({ message, tone: 'bad' });
    const prefix = into === null ? '' : `${findEntry(session.snapshot().tree, into)?.path ?? ''}/`;
    let last: number | null = null;
    session.edit((before) => {
      let next = before;
      for (const { path, bytes } of files) {
        const put = putFile(next, prefix + path, bytes);
        if (!put.ok) {
          showToast({ message: `${path} was not added: ${put.error}`, tone: 'bad' });
          continue;
        }
        next = put.value.tree;
        last = put.value.id;
      }
      return next;
    });
    if (files.length === 1 && last !== null) onOpen(last);
  };
  const drop = (event: DragEvent, target: number | null) => {
    event.preventDefault();
    event.stopPropagation();
    setDropOn(null);
    const dragged = event.dataTransfer.getData(dragType);
    if (dragged !== '') apply(move(tree, Number(dragged), target));
    else void take(importDrop(event.dataTransfer), target);
  };
  const over = (event: DragEvent, target: number | 'root') => {
    event.preventDefault();
    event.stopPropagation();
    setDropOn(target);
  };
  const startDrag = (event: DragEvent, id: number) =>
    event.dataTransfer.setData(dragType, String(id));
  return { dropOn, take, drop, over, startDrag, leave: () => setDropOn(null) };
}

const dragType = 'application/x-ergodic-entry';

/** The keys of a row, as in other trees: arrows, Home, End, Enter, F2 and Delete. */
export function useTreeKeys(
  list: RefObject<HTMLUListElement | null>,
  { rows, closed, toggle, setPicked, removeSelected }: TreeSelection,
  { startRenaming }: TreeNaming,
  onOpen: (id: number) => void,
) {
  /** Does nothing at either end, where there is no such row, or at the top level, which has no parent folder. */
  const focusRow = (id: number | null | undefined) => {
    if (id === undefined || id === null) return;
    setPicked(id);
    list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const onKey = (event: KeyboardEvent, entry: Entry) => {
    const index = rows.findIndex((row) => row.entry.id === entry.id);
    const after = rows[index + 1];
    const steps: Record<string, () => void> = {
      ArrowDown: () => focusRow(after?.entry.id),
      ArrowUp: () => focusRow(rows[index - 1]?.entry.id),
      Home: () => focusRow(rows[0]?.entry.id),
      End: () => focusRow(rows.at(-1)?.entry.id),
      ArrowRight: () => {
        if (entry.kind === 'folder' && closed.has(entry.id)) toggle(entry.id);
        else if (after?.parentId === entry.id) focusRow(after.entry.id);
      },
      ArrowLeft: () => {
        if (entry.kind === 'folder' && !closed.has(entry.id)) toggle(entry.id);
        else focusRow(rows[index]?.parentId);
      },
      Enter: () => (entry.kind === 'folder' ? toggle(entry.id) : onOpen(entry.id)),
      ' ': () => (entry.kind === 'folder' ? toggle(entry.id) : onOpen(entry.id)),
      F2: () => startRenaming(entry.id),
      Delete: removeSelected,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  };
  return onKey;
}
