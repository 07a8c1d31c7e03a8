/** Tabs of the open files: a dot marks edited ones, arrows move, Delete or the cross closes. */

import { IconX } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { itemAt } from '../../../shared/items.ts';
import type { PlacedFile } from '../../editor/file-tree.ts';
import type { FileMark } from '../../editor/tree-changes.ts';
import { FileIcon } from '../../ui/file-icon.tsx';
import classes from './editor-tabs.module.css';

export interface EditorTabsProps {
  readonly open: readonly PlacedFile[];
  readonly activeId: number | null;
  readonly marks: ReadonlyMap<number, FileMark>;
  readonly onShow: (id: number) => void;
  readonly onClose: (id: number) => void;
  readonly tools: ReactNode;
}

export function EditorTabs({ open, activeId, marks, onShow, onClose, tools }: EditorTabsProps) {
  const onKey = (event: KeyboardEvent<HTMLButtonElement>, index: number, id: number) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      const next = itemAt(open, (index + step + open.length) % open.length);
      onShow(next.entry.id);
      const tabs = event.currentTarget
        .closest('[role=tablist]')
        ?.querySelectorAll<HTMLElement>('[role=tab]');
      tabs?.[open.indexOf(next)]?.focus();
    }
    if (event.key === 'Delete') onClose(id);
  };
  return (
    <div className={classes.tabs}>
      <div className={classes.tabList} role="tablist" aria-label="Open files">
        {open.map(({ entry, path }, index) => {
          const isActive = entry.id === activeId;
          const mark = marks.get(entry.id);
          return (
            <span
              key={entry.id}
              className={classes.fileTab}
              data-active={isActive || undefined}
              role="presentation"
            >
              <button
                type="button"
                role="tab"
                aria-selected={isActive}
                aria-controls="editor-file"
                tabIndex={isActive ? 0 : -1}
                title={path}
                onClick={() => onShow(entry.id)}
                onAuxClick={(event) => event.button === 1 && onClose(entry.id)}
                onKeyDown={(event) => onKey(event, index, entry.id)}
              >
                <FileIcon name={entry.name} />
                <span className={classes.fileName}>{entry.name}</span>
                {mark !== undefined && (
                  <span className={classes.dot} title="Not saved yet">
                    <span className="visually-hidden">, not saved yet</span>
                  </span>
                )}
              </button>
              <button
                type="button"
                className={classes.closeTab}
                // For the mouse only, since a tab list may contain nothing else: on the keyboard, Delete closes.
                tabIndex={-1}
                aria-hidden="true"
                title={`Close ${entry.name}`}
                onClick={() => onClose(entry.id)}
              >
                <IconX size={14} />
              </button>
            </span>
          );
        })}
      </div>
      <div className={classes.tabTools}>{tools}</div>
    </div>
  );
}
