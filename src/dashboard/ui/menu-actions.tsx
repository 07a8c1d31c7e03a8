/** The items of a menu, from a table. */
import { Menu, type MenuItemProps } from '@mantine/core';
import { IconTrash, type Icon as TablerIcon } from '@tabler/icons-react';

export interface MenuAction extends Pick<MenuItemProps, 'c' | 'color' | 'rightSection'> {
  readonly label: string;
  readonly Icon?: TablerIcon;
  /** Undefined: the item is left out. */
  readonly act: (() => unknown) | undefined;
}

export function MenuActions({ actions }: { readonly actions: readonly MenuAction[] }) {
  return actions.map(
    ({ label, Icon, act, ...look }) =>
      act !== undefined && (
        <Menu.Item
          key={label}
          leftSection={Icon && <Icon size={16} />}
          onClick={() => void act()}
          {...look}
        >
          {label}
        </Menu.Item>
      ),
  );
}

/** Apart from the others, at the end. */
export function DeleteItem({ act }: Pick<MenuAction, 'act'>) {
  return (
    <>
      <Menu.Divider />
      <MenuActions actions={[{ label: 'Delete', Icon: IconTrash, act, c: 'var(--e-bad)' }]} />
    </>
  );
}
