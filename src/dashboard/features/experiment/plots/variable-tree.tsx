/** The searchable tree of variables, worst R-hat first, with three-state boxes. */
import { ActionIcon, Checkbox, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconRefresh, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { rhatFigure, verdictLimits } from '../../../../posterior/verdict-limits.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import page from '../run/experiment.module.css';
import type { VariableGroup, VariableOrder } from '../run/variable-groups.ts';
import classes from './variable-tree.module.css';

export interface VariableTreeProps {
  readonly groups: readonly VariableGroup[];
  readonly total: number;
  readonly shown: ReadonlySet<string>;
  readonly onShownChange: (shown: ReadonlySet<string>) => void;
  readonly search: string;
  readonly onSearchChange: (search: string) => void;
  readonly order: VariableOrder;
  readonly onOrderChange: (order: VariableOrder) => void;
  /** Present while rows stand in the order of earlier numbers. */
  readonly onSortAgain?: () => void;
}

export function VariableTree(props: VariableTreeProps) {
  const { groups, shown, onShownChange } = props;
  const set = (names: readonly string[], on: boolean) => {
    const next = new Set(shown);
    for (const name of names) {
      if (on) next.add(name);
      else next.delete(name);
    }
    onShownChange(next);
  };
  const listed = groups.reduce((sum, group) => sum + group.rows.length, 0);
  return (
    <aside className={classes.tree} aria-label="Variables">
      <TextInput
        aria-label="Filter variables"
        placeholder="Name or /regex/"
        leftSection={<IconSearch size={16} />}
        value={props.search}
        onChange={(event) => props.onSearchChange(event.currentTarget.value)}
      />
      <p className={classes.treeHead}>
        <span className={classes.listed}>
          {listed} of {props.total}
        </span>
        <TextButton
          onClick={() => props.onOrderChange(props.order === 'worst' ? 'model' : 'worst')}
        >
          {props.order === 'worst' ? 'Worst R-hat first' : 'Model order'}
        </TextButton>
        {/* Its place is kept, so that nothing moves when it comes. */}
        <ActionIcon
          variant="subtle"
          size={24}
          aria-label="Sort again"
          title="Sort again: the figures have changed since"
          data-idle={props.onSortAgain === undefined || undefined}
          disabled={props.onSortAgain === undefined}
          className={classes.sortAgain}
          onClick={props.onSortAgain}
        >
          <IconRefresh size={14} />
        </ActionIcon>
      </p>
      {listed === 0 ? (
        <p className={page.dim}>No variable matches “{props.search}”.</p>
      ) : (
        <ul className={classes.treeList}>
          {groups.map((group) => (
            <Group key={group.name} group={group} shown={shown} set={set} />
          ))}
        </ul>
      )}
    </aside>
  );
}

function Group({
  group,
  shown,
  set,
}: {
  group: VariableGroup;
  shown: ReadonlySet<string>;
  set: (names: readonly string[], on: boolean) => void;
}) {
  const [open, setOpen] = useState(group.rows.length <= 12);
  const names = group.rows.map((row) => row.variable);
  const numShown = names.filter((name) => shown.has(name)).length;
  const [only] = group.rows.length === 1 ? group.rows : [];
  if (only !== undefined)
    return <Leaf row={only} checked={numShown === 1} onChange={(on) => set(names, on)} />;
  return (
    <li>
      <div className={classes.treeRow}>
        <UnstyledButton
          aria-label={`${open ? 'Fold' : 'Unfold'} ${group.name}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={classes.chevron}
        >
          {open ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        </UnstyledButton>
        <Checkbox
          size="xs"
          label={
            <>
              <code>{group.name}</code> <span className={page.dim}>{names.length}</span>
            </>
          }
          checked={numShown === names.length}
          indeterminate={numShown > 0 && numShown < names.length}
          onChange={(event) => set(names, event.currentTarget.checked)}
        />
        <Rhat value={group.worstRhat} />
      </div>
      {open && (
        <ul className={classes.treeChildren}>
          {group.rows.map((row) => (
            <Leaf
              key={row.variable}
              row={row}
              checked={shown.has(row.variable)}
              onChange={(on) => set([row.variable], on)}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

function Leaf({
  row,
  checked,
  onChange,
}: {
  row: SummaryRow;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <li className={classes.treeRow} data-leaf>
      <Checkbox
        size="xs"
        label={<code>{row.variable}</code>}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Rhat value={row.rhat} />
    </li>
  );
}

function Rhat({ value }: { value: number | null }) {
  const { warn, bad } = verdictLimits.rhat;
  const tone = value === null || value <= warn ? undefined : value > bad ? 'bad' : 'warn';
  return (
    <span className={classes.treeValue} data-tone={tone} title="R-hat (rank)">
      {rhatFigure(value)}
    </span>
  );
}
