/** The tree of files: walk and act by keyboard or pointer, move by dragging, letters for what changed. */
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconFilePlus,
  IconFolderPlus,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import {
  type Change,
  createFile,
  createFolder,
  duplicate,
  type Entry,
  type FileTree,
  findEntry,
  insertEntry,
  move,
  nameProblem,
  putFile,
  remove,
  rename,
  setEntrance,
} from '../../editor/file-tree.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import type { TreeChanges } from '../../editor/tree-changes.ts';
import { visibleRows } from '../../editor/visible-rows.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { EditSession } from './edit-session.ts';
import page from './files-tab.module.css';
import { filesOfDrop, filesOfList, type ImportedFiles } from './import-files.ts';
import { NameInput } from './name-input.tsx';
import classes from './tree-panel.module.css';
import { TreeRow } from './tree-row.tsx';

export interface TreePanelProps {
  readonly className: string;
  readonly session: EditSession;
  readonly tree: FileTree;
  readonly changes: TreeChanges;
  readonly problems: readonly Problem[];
  /** Path of the file that is run. */
  readonly entrance: string | null;
  readonly activeId: number | null;
  readonly onOpen: (id: number) => void;
}

/** A name being typed: for a new entry in a folder, or for one that is renamed. */
type Naming =
  | { readonly kind: 'file' | 'folder'; readonly folderId: number | null }
  | { readonly kind: 'rename'; readonly id: number };

const icon = { size: 16 } as const;

export function TreePanel({
  className,
  session,
  tree,
  changes,
  problems,
  entrance,
  activeId,
  onOpen,
}: TreePanelProps) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [picked, setPicked] = useState<number | null>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
  const [dropOn, setDropOn] = useState<number | 'root' | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const upload = useRef<HTMLInputElement>(null);
  const renameNext = useRef<number | null>(null);

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
  const take = async (imported: Promise<ImportedFiles>, into: number | null) => {
    const { files, problems: refused } = await imported;
    for (const words of refused) showToast({ message: words, tone: 'bad' });
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
    else void take(filesOfDrop(event.dataTransfer), target);
  };
  const over = (event: DragEvent, target: number | 'root') => {
    event.preventDefault();
    event.stopPropagation();
    setDropOn(target);
  };
  const focusRow = (id: number) => {
    setPicked(id);
    list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const onKey = (event: KeyboardEvent, entry: Entry) => {
    const index = rows.findIndex((row) => row.entry.id === entry.id);
    const row = rows[index];
    const steps: Record<string, () => void> = {
      ArrowDown: () => index + 1 < rows.length && focusRow(rows[index + 1].entry.id),
      ArrowUp: () => index > 0 && focusRow(rows[index - 1].entry.id),
      Home: () => focusRow(rows[0].entry.id),
      End: () => focusRow(rows[rows.length - 1].entry.id),
      ArrowRight: () => {
        if (entry.kind === 'folder' && closed.has(entry.id)) toggle(entry.id);
        else if (entry.kind === 'folder' && rows[index + 1]?.depth > row.depth)
          focusRow(rows[index + 1].entry.id);
      },
      ArrowLeft: () => {
        if (entry.kind === 'folder' && !closed.has(entry.id)) toggle(entry.id);
        else if (row.parentId !== null) focusRow(row.parentId);
      },
      Enter: () => (entry.kind === 'folder' ? toggle(entry.id) : onOpen(entry.id)),
      ' ': () => (entry.kind === 'folder' ? toggle(entry.id) : onOpen(entry.id)),
      F2: () => setNaming({ kind: 'rename', id: entry.id }),
      Delete: removeSelected,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  };
  const newRow = (target: number | null, depth: number) =>
    naming !== null && naming.kind !== 'rename' && naming.folderId === target ? (
      <li
        role="treeitem"
        aria-level={depth + 1}
        aria-label={naming.kind === 'file' ? 'New file' : 'New folder'}
        tabIndex={-1}
        style={{ paddingLeft: 12 + depth * 16 }}
        className={classes.naming}
      >
        <NameInput
          label={naming.kind === 'file' ? 'Name of the new file' : 'Name of the new folder'}
          initial=""
          problemOf={(name) => nameProblem(tree, target, name)}
          onDone={finishNaming}
        />
      </li>
    ) : null;
  return (
    <section
      className={`${classes.treePanel} ${className}`}
      aria-label="Files"
      data-over={dropOn === 'root' || undefined}
      onDragOver={(event) => over(event, 'root')}
      onDragLeave={() => setDropOn(null)}
      onDrop={(event) => drop(event, null)}
    >
      <header className={classes.treeHead}>
        <h2>Files</h2>
        <Tool label="New file" onClick={() => startNaming('file')}>
          <IconFilePlus {...icon} />
        </Tool>
        <Tool label="New folder" onClick={() => startNaming('folder')}>
          <IconFolderPlus {...icon} />
        </Tool>
        <Tool label="Upload files or a zip" onClick={() => upload.current?.click()}>
          <IconUpload {...icon} />
        </Tool>
        <Menu
          position="bottom-end"
          onExitTransitionEnd={() => {
            // Not before: a menu that closes gives the focus back to its button.
            if (renameNext.current !== null) setNaming({ kind: 'rename', id: renameNext.current });
            renameNext.current = null;
          }}
        >
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label="Actions for the selected file"
              disabled={selected === null}
            >
              <IconDots {...icon} />
            </ActionIcon>
          </Menu.Target>
          {selected !== null && (
            <Menu.Dropdown>
              <Menu.Label>{selected.entry.name}</Menu.Label>
              <Menu.Item
                leftSection={<IconPencil {...icon} />}
                rightSection="F2"
                onClick={() => {
                  renameNext.current = selected.entry.id;
                }}
              >
                Rename
              </Menu.Item>
              <Menu.Item
                leftSection={<IconCopy {...icon} />}
                onClick={() => apply(duplicate(tree, selected.entry.id))}
              >
                Duplicate
              </Menu.Item>
              {selected.parent !== null && (
                <Menu.Item onClick={() => apply(move(tree, selected.entry.id, null))}>
                  Move to the top
                </Menu.Item>
              )}
              {selected.entry.kind === 'file' && selected.path !== entrance && (
                <Menu.Item
                  leftSection={<IconPlayerPlay {...icon} />}
                  onClick={() => session.edit((before) => setEntrance(before, selected.path))}
                >
                  Run this file
                </Menu.Item>
              )}
              <Menu.Item
                c="var(--e-bad)"
                leftSection={<IconTrash {...icon} />}
                rightSection="Del"
                onClick={removeSelected}
              >
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          )}
        </Menu>
        <input
          ref={upload}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={(event) => {
            void take(filesOfList(event.currentTarget.files ?? []), folderId);
            event.currentTarget.value = '';
          }}
        />
      </header>
      <ul ref={list} className={classes.rows} role="tree" aria-label="Files of the model">
        {rows.map((row) => {
          const { entry, path, depth } = row;
          if (naming?.kind === 'rename' && naming.id === entry.id) {
            return (
              <li
                key={entry.id}
                role="treeitem"
                aria-level={depth + 1}
                aria-label={entry.name}
                tabIndex={-1}
                style={{ paddingLeft: 12 + depth * 16 }}
                className={classes.naming}
              >
                <NameInput
                  label={`New name of ${entry.name}`}
                  initial={entry.name}
                  problemOf={(name) => nameProblem(tree, row.parentId, name, entry.id)}
                  onDone={finishNaming}
                />
              </li>
            );
          }
          return [
            <TreeRow
              key={entry.id}
              row={row}
              isOpen={!closed.has(entry.id)}
              isActive={entry.id === activeId}
              isFocusable={entry.id === (selectedId ?? rows[0].entry.id)}
              isOver={dropOn === entry.id}
              mark={changes.marks.get(entry.id) ?? null}
              problems={problems.filter((problem) => problem.path === path)}
              isEntrance={path === entrance}
              onPick={() => {
                setPicked(entry.id);
                if (entry.kind === 'folder') toggle(entry.id);
                else onOpen(entry.id);
              }}
              onFocus={() => setPicked(entry.id)}
              onKeyDown={(event) => onKey(event, entry)}
              onDragStart={(event) => event.dataTransfer.setData(dragType, String(entry.id))}
              onDragOver={(event) =>
                over(event, entry.kind === 'folder' ? entry.id : (row.parentId ?? 'root'))
              }
              onDrop={(event) => drop(event, entry.kind === 'folder' ? entry.id : row.parentId)}
            />,
            entry.kind === 'folder' && newRow(entry.id, depth + 1),
          ];
        })}
        {newRow(null, 0)}
      </ul>
      {rows.length === 0 && naming === null && (
        <p className={page.hint}>No files yet. Make one, or drop files here.</p>
      )}
      {changes.deleted.length > 0 && (
        <p className={classes.deleted}>
          {changes.deleted.length === 1 ? changes.deleted[0] : `${changes.deleted.length} files`}{' '}
          will be deleted when you save.
        </p>
      )}
    </section>
  );
}

const dragType = 'application/x-ergodic-entry';

function Tool({
  label,
  onClick,
  children,
}: {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
