/** What can be done with one row of a list. Opened by being shown. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconPencil, IconShare3, IconTag, IconTrash } from '@tabler/icons-react';

export interface RowMenuProps {
  readonly name: string;
  readonly onRename?: () => void;
  readonly onTags?: () => void;
  readonly onShare?: () => void;
  readonly onDelete?: () => void;
}

export function RowMenu({ name, onRename, onTags, onShare, onDelete }: RowMenuProps) {
  const icon = { size: 16 } as const;
  return (
    <Menu defaultOpened position="bottom-end" width={160} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Actions on ${name}`}>
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
