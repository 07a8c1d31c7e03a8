/** The actions on one row of a list. Mounted open. */
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconFolders,
  IconPencil,
  IconShare3,
  IconTag,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';

export interface RowMenuProps {
  readonly name: string;
  readonly onRename?: () => void;
  readonly onTags?: () => void;
  readonly onProject?: () => void;
  readonly onMove?: () => void;
  readonly onShare?: () => void;
  readonly onDelete?: () => void;
}

export function RowMenu(props: RowMenuProps) {
  const { name, onRename, onTags, onProject, onMove, onShare, onDelete } = props;
  const icon = { size: 16 } as const;
  return (
    <Menu defaultOpened width={160} returnFocus>
      <Menu.Target>
        <ActionIcon size={28} aria-label={`Actions on ${name}`}>
          ⋮
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onRename !== undefined && (
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onRename}>
            Rename
          </Menu.Item>
        )}
        {onTags !== undefined && (
          <Menu.Item leftSection={<IconTag {...icon} />} onClick={onTags}>
            Tags
          </Menu.Item>
        )}
        {onProject !== undefined && (
          <Menu.Item leftSection={<IconFolders {...icon} />} onClick={onProject}>
            Add to project…
          </Menu.Item>
        )}
        {onMove !== undefined && (
          <Menu.Item leftSection={<IconUsers {...icon} />} onClick={onMove}>
            Move to team…
          </Menu.Item>
        )}
        {onShare !== undefined && (
          <Menu.Item leftSection={<IconShare3 {...icon} />} onClick={onShare}>
            Share
          </Menu.Item>
        )}
        {onDelete !== undefined && (
          <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={onDelete}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
