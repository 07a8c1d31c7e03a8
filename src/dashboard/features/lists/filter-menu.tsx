/** The filters available for a list, behind its button. Mounted open. */
import { Menu, UnstyledButton } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { FieldKey, ListField } from './list-fields.ts';
import classes from './list-filters.module.css';

export interface FilterMenuProps {
  readonly fields: readonly ListField[];
  readonly onChoose: (key: FieldKey) => void;
}

export function FilterMenu({ fields, onChoose }: FilterMenuProps) {
  return (
    <Menu defaultOpened position="bottom-start" width={190} returnFocus>
      <Menu.Target>
        <UnstyledButton className={classes.add} data-filters>
          <IconFilter size={14} aria-hidden="true" />
          Filter
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {fields.map(({ key, label }) => (
          <Menu.Item key={key} onClick={() => onChoose(key)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
