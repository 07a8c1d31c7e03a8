/** One row of the tree. */
import { Tooltip } from '@mantine/core';
import {
  IconAlertCircleFilled,
  IconAlertTriangleFilled,
  IconChevronDown,
  IconChevronRight,
  IconFolder,
  IconFolderOpen,
  IconPlayerPlay,
} from '@tabler/icons-react';
import type { DragEventHandler, KeyboardEventHandler } from 'react';
import { type FileEntry, fileBytes, fileText } from '../../editor/file-tree.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import type { FileMark } from '../../editor/tree-changes.ts';
import type { VisibleRow } from '../../editor/visible-rows.ts';
import { FileIcon } from '../../ui/file-icon.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import page from './files-tab.module.css';
import classes from './tree-panel.module.css';

export interface TreeRowProps {
  readonly row: VisibleRow;
  readonly isOpen: boolean;
  /** Its file is shown in the editor. */
  readonly isActive: boolean;
  readonly isFocusable: boolean;
  /** Something is being dragged over it. */
  readonly isOver: boolean;
  readonly mark: FileMark | null;
  readonly problems: readonly Problem[];
  readonly isEntrance: boolean;
  readonly onPick: () => void;
  readonly onFocus: () => void;
  readonly onKeyDown: KeyboardEventHandler;
  readonly onDragStart: DragEventHandler;
  readonly onDragOver: DragEventHandler;
  readonly onDrop: DragEventHandler;
}

const markText = { M: 'Edited', A: 'New' };

export function TreeRow(props: TreeRowProps) {
  const { row, isOpen, isActive, isFocusable, isOver, mark, problems, isEntrance } = props;
  const { entry, depth } = row;
  const isFolder = entry.kind === 'folder';
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const Folder = isOpen ? IconFolderOpen : IconFolder;
  return (
    <li role="none">
      <div
        role="treeitem"
        data-id={entry.id}
        className={classes.row}
        style={{ paddingLeft: 12 + depth * 16 }}
        tabIndex={isFocusable ? 0 : -1}
        aria-level={depth + 1}
        aria-expanded={isFolder ? isOpen : undefined}
        aria-selected={isActive}
        data-active={isActive || undefined}
        data-over={isOver || undefined}
        draggable
        onClick={props.onPick}
        onFocus={props.onFocus}
        onKeyDown={props.onKeyDown}
        onDragStart={props.onDragStart}
        onDragOver={props.onDragOver}
        onDrop={props.onDrop}
      >
        <span className={classes.chevron}>
          {isFolder && <Chevron size={14} aria-hidden="true" />}
        </span>
        {isFolder ? <Folder size={16} aria-hidden="true" /> : <FileIcon name={entry.name} />}
        <span className={classes.rowName}>{entry.name}</span>
        {isEntrance && (
          <Tooltip label="Entrance: this file is run">
            <IconPlayerPlay
              size={14}
              className={classes.entrance}
              role="img"
              aria-label="entrance"
            />
          </Tooltip>
        )}
        {!isFolder && <FileFacts file={entry} mark={mark} problems={problems} />}
      </div>
    </li>
  );
}

function FileFacts({
  file,
  mark,
  problems,
}: {
  file: FileEntry;
  mark: FileMark | null;
  problems: readonly Problem[];
}) {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.filter(({ severity }) => severity === 'warning').length;
  return (
    <span className={classes.rowFacts}>
      {fileText(file) === null && (
        <span className={page.dim}>{formatBytes(fileBytes(file).length)}</span>
      )}
      {mark !== null && (
        <Tooltip label={markText[mark]}>
          <span data-mark={mark}>
            {mark}
            <span className="visually-hidden"> {markText[mark].toLowerCase()}</span>
          </span>
        </Tooltip>
      )}
      {errors > 0 && (
        <span data-severity="error">
          <IconAlertCircleFilled size={14} aria-hidden="true" />
          {errors}
          <span className="visually-hidden"> {errors === 1 ? 'error' : 'errors'}</span>
        </span>
      )}
      {errors === 0 && warnings > 0 && (
        <span data-severity="warning">
          <IconAlertTriangleFilled size={14} aria-hidden="true" />
          {warnings}
          <span className="visually-hidden"> {warnings === 1 ? 'warning' : 'warnings'}</span>
        </span>
      )}
    </span>
  );
}
