/** What can be done with a project as a whole. */
import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconMarkdown,
  IconNote,
  IconPencil,
  IconPrinter,
  IconShare3,
} from '@tabler/icons-react';
import { useRef } from 'react';
import type { Project } from '../../../contract/project.ts';
import { useCanDelete } from '../../objects/use-delete.ts';
import { DeleteItem, MenuActions } from '../../ui/menu-actions.tsx';
import { useOfferedActions } from '../../ui/page-actions.ts';
import { printPage } from '../../ui/printing.ts';
import { useChord } from '../../ui/use-chord.ts';
import { saveNotebook } from './save-notebook.ts';

export interface ProjectActionsProps {
  readonly project: Project;
  readonly onShare: () => void;
  readonly onRename: () => void;
  readonly onNote: () => void;
  readonly onDelete: () => void;
}

const printChord = { modifier: 'control', keys: ['p'] } as const;
const print = () => void printPage();

export function ProjectActions(props: ProjectActionsProps) {
  const { project, onShare, onRename, onNote, onDelete } = props;
  const canDelete = useCanDelete();
  const detail = project.name;
  useOfferedActions([
    { label: 'Share', detail, keys: [], run: onShare },
    { label: 'Export as Markdown', detail, keys: [], run: () => saveNotebook(project) },
    { label: 'Rename', detail, keys: [], run: onRename },
    { label: 'Print', detail, keys: ['Ctrl', 'P'], run: print },
    ...(canDelete ? [{ label: 'Delete', detail, keys: [], run: onDelete }] : []),
  ]);
  useChord(printChord, print);
  // Not before the menu has closed: it returns the focus to its button.
  const next = useRef<(() => void) | null>(null);
  const later = (act: () => void) => () => {
    next.current = act;
  };
  return (
    <>
      <Button leftSection={<IconMarkdown size={16} />} onClick={() => saveNotebook(project)}>
        Export
      </Button>
      <Button variant="filled" leftSection={<IconShare3 size={16} />} onClick={onShare}>
        Share
      </Button>
      <Menu
        onExitTransitionEnd={() => {
          next.current?.();
          next.current = null;
        }}
      >
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuActions
            actions={[
              { label: 'Rename', Icon: IconPencil, act: later(onRename) },
              {
                label: project.note === '' ? 'Add a note' : 'Edit the note',
                Icon: IconNote,
                act: later(onNote),
              },
              { label: 'Print', Icon: IconPrinter, act: print },
            ]}
          />
          {canDelete && <DeleteItem act={onDelete} />}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
