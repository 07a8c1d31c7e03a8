/** The tree of files: navigate and act by keyboard or pointer, move by dragging, letters for changes. */
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
import { useRef } from 'react';
import {
  duplicate,
  type FileTree,
  move,
  nameProblem,
  setEntrance,
} from '../../editor/file-tree.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import type { TreeChanges } from '../../editor/tree-changes.ts';
import type { VisibleRow } from '../../editor/visible-rows.ts';
import { FileInput } from '../../ui/file-input.tsx';
import type { EditSession } from './edit-session.ts';
import page from './files-tab.module.css';
import { filesOfList } from './import-files.ts';
import { NameInput, type NameInputProps } from './name-input.tsx';
import classes from './tree-panel.module.css';
import { TreeRow } from './tree-row.tsx';
import {
  type TreeNaming,
  type TreeSelection,
  useTreeDrop,
  useTreeKeys,
  useTreeNaming,
  useTreeSelection,
} from './use-tree-actions.ts';

export interface TreePanelProps {
  readonly className?: string;
  readonly session: EditSession;
  readonly tree: FileTree;
  readonly changes: TreeChanges;
  readonly problems: readonly Problem[];
  /** Path of the file that is run. */
  readonly entrance: string | null;
  readonly activeId: number | null;
  readonly onOpen: (id: number) => void;
}

export function TreePanel(props: TreePanelProps) {
  const { className = '', tree, changes, problems, entrance, activeId, onOpen } = props;
  const list = useRef<HTMLUListElement>(null);
  const selection = useTreeSelection(props);
  const { rows, selectedId } = selection;
  const naming = useTreeNaming(props, selection);
  const dropping = useTreeDrop(props, selection.apply);
  const onKey = useTreeKeys(list, selection, naming, onOpen);
  return (
    <section
      className={`${classes.treePanel} ${className}`}
      aria-label="Files"
      data-over={dropping.dropOn === 'root' || undefined}
      onDragOver={(event) => dropping.over(event, 'root')}
      onDragLeave={dropping.leave}
      onDrop={(event) => dropping.drop(event, null)}
    >
      <TreeHead
        {...props}
        selection={selection}
        naming={naming}
        onFiles={(files) => void dropping.take(filesOfList(files), selection.folderId)}
      />
      <ul ref={list} className={classes.rows} role="tree" aria-label="Files of the model">
        {rows.map((row) => {
          const { entry, path, depth, parentId } = row;
          const isFolder = entry.kind === 'folder';
          if (naming.naming?.kind === 'rename' && naming.naming.id === entry.id) {
            return <RenamedRow key={entry.id} row={row} tree={tree} onDone={naming.finishNaming} />;
          }
          return [
            <TreeRow
              key={entry.id}
              row={row}
              isOpen={!selection.closed.has(entry.id)}
              isActive={entry.id === activeId}
              isFocusable={entry.id === (selectedId ?? rows[0]?.entry.id)}
              isOver={dropping.dropOn === entry.id}
              mark={changes.marks.get(entry.id) ?? null}
              problems={problems.filter((problem) => problem.path === path)}
              isEntrance={path === entrance}
              onPick={() => {
                selection.setPicked(entry.id);
                if (isFolder) selection.toggle(entry.id);
                else onOpen(entry.id);
              }}
              onFocus={() => selection.setPicked(entry.id)}
              onKeyDown={(event) => onKey(event, entry)}
              onDragStart={(event) => dropping.startDrag(event, entry.id)}
              onDragOver={(event) =>
                dropping.over(event, isFolder ? entry.id : (parentId ?? 'root'))
              }
              onDrop={(event) => dropping.drop(event, isFolder ? entry.id : parentId)}
            />,
            isFolder && (
              <NewRow key="new" tree={tree} naming={naming} target={entry.id} depth={depth + 1} />
            ),
          ];
        })}
        <NewRow tree={tree} naming={naming} target={null} depth={0} />
      </ul>
      {rows.length === 0 && naming.naming === null && (
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

interface EntryMenuProps {
  readonly session: EditSession;
  readonly tree: FileTree;
  readonly entrance: string | null;
  readonly selection: TreeSelection;
  readonly naming: TreeNaming;
}

function TreeHead({
  onFiles,
  ...menu
}: EntryMenuProps & { onFiles: (files: readonly File[]) => void }) {
  const upload = useRef<HTMLInputElement>(null);
  return (
    <header className={classes.treeHead}>
      <h2>Files</h2>
      <Tool label="New file" onClick={() => menu.naming.startNaming('file')}>
        <IconFilePlus size={16} />
      </Tool>
      <Tool label="New folder" onClick={() => menu.naming.startNaming('folder')}>
        <IconFolderPlus size={16} />
      </Tool>
      <Tool label="Upload files or a zip" onClick={() => upload.current?.click()}>
        <IconUpload size={16} />
      </Tool>
      <EntryMenu {...menu} />
      <FileInput label="Files to upload" inputRef={upload} what="files" onPick={onFiles} />
    </header>
  );
}

function EntryMenu({ session, tree, entrance, selection, naming }: EntryMenuProps) {
  const { selected, apply, removeSelected } = selection;
  const renameNext = useRef<number | null>(null);
  return (
    <Menu
      onExitTransitionEnd={() => {
        // Not earlier: a closing menu returns the focus to its button.
        if (renameNext.current !== null) naming.startRenaming(renameNext.current);
        renameNext.current = null;
      }}
    >
      <Menu.Target>
        <ActionIcon
          size={28}
          aria-label="Actions for the selected file"
          disabled={selected === null}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      {selected !== null && (
        <Menu.Dropdown>
          <Menu.Label>{selected.entry.name}</Menu.Label>
          <Menu.Item
            leftSection={<IconPencil size={16} />}
            rightSection="F2"
            onClick={() => {
              renameNext.current = selected.entry.id;
            }}
          >
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
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
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => session.edit((before) => setEntrance(before, selected.path))}
            >
              Run this file
            </Menu.Item>
          )}
          <Menu.Item
            c="var(--e-bad)"
            leftSection={<IconTrash size={16} />}
            rightSection="Del"
            onClick={removeSelected}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      )}
    </Menu>
  );
}

interface NewRowProps {
  readonly tree: FileTree;
  readonly naming: TreeNaming;
  /** The folder for the new entry; null: the top level. */
  readonly target: number | null;
  readonly depth: number;
}

/** The row for naming a new entry, inside its folder. */
function NewRow({ tree, naming: { naming, finishNaming }, target, depth }: NewRowProps) {
  if (naming === null || naming.kind === 'rename' || naming.folderId !== target) return null;
  const { kind } = naming;
  return (
    <NamedRow
      what={kind === 'file' ? 'New file' : 'New folder'}
      depth={depth}
      label={kind === 'file' ? 'Name of the new file' : 'Name of the new folder'}
      initial=""
      problemOf={(name) => nameProblem(tree, target, name)}
      onDone={finishNaming}
    />
  );
}

interface RenamedRowProps extends Pick<NameInputProps, 'onDone'> {
  readonly row: VisibleRow;
  readonly tree: FileTree;
}

function RenamedRow({ row: { entry, depth, parentId }, tree, onDone }: RenamedRowProps) {
  return (
    <NamedRow
      what={entry.name}
      depth={depth}
      label={`New name of ${entry.name}`}
      initial={entry.name}
      problemOf={(name) => nameProblem(tree, parentId, name, entry.id)}
      onDone={onDone}
    />
  );
}

interface NamedRowProps extends NameInputProps {
  readonly what: string;
  readonly depth: number;
}

function NamedRow({ what, depth, ...input }: NamedRowProps) {
  return (
    <li
      role="treeitem"
      aria-level={depth + 1}
      aria-label={what}
      tabIndex={-1}
      style={{ paddingLeft: 12 + depth * 16 }}
      className={classes.naming}
    >
      <NameInput {...input} />
    </li>
  );
}

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
      <ActionIcon size={28} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
