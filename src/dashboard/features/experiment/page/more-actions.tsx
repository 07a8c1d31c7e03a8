/** The rarer actions on an experiment, behind three dots. */
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconFolders,
  IconNote,
  IconPencil,
  IconPrinter,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { Suspense } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { printPage } from '../../../ui/printing.ts';

const NewQuantities = lazyPart(() => import('./new-quantities.tsx'), 'NewQuantities');

/** What of the description of a run is being changed. */
export type RunPart = 'name' | 'tags' | 'note';

export interface MoreActionsProps {
  /** Of a run that has ended. */
  readonly experiment: Experiment | null;
  readonly hasNote: boolean;
  readonly onEdit: (part: RunPart) => void;
  /** Absent where the server has no projects. */
  readonly onProject?: () => void;
  /** Absent where it cannot be deleted now. */
  readonly onDelete?: () => void;
}

const icon = { size: 16 } as const;

export function MoreActions(props: MoreActionsProps) {
  const { experiment, hasNote, onEdit, onProject, onDelete } = props;
  return (
    // What is opened takes the focus, so it must not go back to the dots.
    <Menu position="bottom-end" returnFocus={false}>
      <Menu.Target>
        <ActionIcon variant="default" aria-label="More actions">
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {experiment !== null && (
          <Suspense>
            <NewQuantities experiment={experiment} />
          </Suspense>
        )}
        <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onEdit('name')}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconTag {...icon} />} onClick={() => onEdit('tags')}>
          Tags
        </Menu.Item>
        <Menu.Item leftSection={<IconNote {...icon} />} onClick={() => onEdit('note')}>
          {hasNote ? 'Edit notes' : 'Add notes'}
        </Menu.Item>
        {onProject !== undefined && (
          <Menu.Item leftSection={<IconFolders {...icon} />} onClick={onProject}>
            Add to project…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPrinter {...icon} />} onClick={() => void printPage()}>
          Print
        </Menu.Item>
        {onDelete !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item c="var(--e-bad)" leftSection={<IconTrash {...icon} />} onClick={onDelete}>
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
