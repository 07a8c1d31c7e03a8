/** The contents of an experiment's three-dot menu; loaded when it is first used. */
import { Menu } from '@mantine/core';
import {
  IconFolders,
  IconNote,
  IconPencil,
  IconPrinter,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { printPage } from '../../../ui/printing.ts';
import { ProgramItems } from './new-quantities.tsx';

const icon = { size: 16 } as const;

/** Which part of a run's description is being edited. */
export type RunPart = 'name' | 'tags' | 'note';

export interface MoreActionsProps {
  /** Only for a run that has ended. */
  readonly experiment: Experiment | null;
  readonly hasNote: boolean;
  readonly onEdit: (part: RunPart) => void;
  /** Absent if the server has no projects. */
  readonly onProject?: () => void;
  /** Absent if it cannot be deleted now. */
  readonly onDelete?: () => void;
}

export interface MoreItemsProps extends MoreActionsProps {
  readonly onLogDensity: () => void;
}

export function MoreItems(props: MoreItemsProps) {
  const { experiment, hasNote, onEdit, onProject, onDelete, onLogDensity } = props;
  return (
    <>
      {experiment !== null && <ProgramItems experiment={experiment} onLogDensity={onLogDensity} />}
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
    </>
  );
}
