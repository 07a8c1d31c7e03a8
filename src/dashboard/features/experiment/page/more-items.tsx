/** The contents of an experiment's three-dot menu; loaded when it is first used. */
import { IconFolders, IconNote, IconPencil, IconPrinter, IconTag } from '@tabler/icons-react';
import type { Experiment } from '../../../../contract/experiment.ts';
import { DeleteItem, MenuActions } from '../../../ui/menu-actions.tsx';
import { printPage } from '../../../ui/printing.ts';
import { ProgramItems } from './new-quantities.tsx';

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
      <MenuActions
        actions={[
          { label: 'Rename', Icon: IconPencil, act: () => onEdit('name') },
          { label: 'Tags', Icon: IconTag, act: () => onEdit('tags') },
          {
            label: hasNote ? 'Edit notes' : 'Add notes',
            Icon: IconNote,
            act: () => onEdit('note'),
          },
          { label: 'Add to project…', Icon: IconFolders, act: onProject },
          { label: 'Print', Icon: IconPrinter, act: printPage },
        ]}
      />
      {onDelete !== undefined && <DeleteItem act={onDelete} />}
    </>
  );
}
