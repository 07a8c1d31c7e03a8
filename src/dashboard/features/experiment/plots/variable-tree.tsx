/** The searchable tree of variables, worst R-hat first, with three-state boxes. */
import { ActionIcon, Checkbox, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconRefresh, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { kindLabels } from '../../../../posterior/variable-kinds.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import { rhatFigure, verdictLimits } from '../../../../posterior/verdict-limits.ts';
import { formatCount } from '../../../ui/numbers.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import page from '../run/experiment.module.css';
import {
  sectionsOf,
  type VariableGroup,
  type VariableOrder,
  type VariableSection,
} from '../run/variable-groups.ts';
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
  /** Present while rows are ordered by earlier numbers. */
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
        {/* Its space is reserved, so that nothing moves when it appears. */}
        <ActionIcon
          color="accent"
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
        <Sections
          sections={sectionsOf(groups)}
          shown={shown}
          set={set}
          isFiltered={props.search !== ''}
        />
      )}
    </aside>
  );
}

type SetShown = (names: readonly string[], on: boolean) => void;

interface Ticks {
  readonly shown: ReadonlySet<string>;
  readonly set: SetShown;
}

interface SectionsProps extends Ticks {
  readonly sections: readonly VariableSection[];
  /** Sections found by a search are unfolded. */
  readonly isFiltered: boolean;
}

function Sections({ sections, ...rest }: SectionsProps) {
  const [only] = sections.length === 1 ? sections : [];
  if (only !== undefined) return <Groups groups={only.groups} {...rest} />;
  return sections.map((section) => (
    <Section key={`${section.kind} ${rest.isFiltered}`} section={section} {...rest} />
  ));
}

interface SectionProps extends Omit<SectionsProps, 'sections'> {
  readonly section: VariableSection;
}

function Section({ section: { kind, groups }, shown, set, isFiltered }: SectionProps) {
  const names = groups.flatMap(({ rows }) => rows.map((row) => row.variable));
  const numShown = names.filter((name) => shown.has(name)).length;
  // Hundreds of unselected replicated values would hide what comes before and after them.
  const [open, setOpen] = useState(isFiltered || numShown > 0);
  const title = kindLabels[kind];
  return (
    <section aria-label={title} className={classes.section}>
      <div className={classes.sectionHead}>
        <Fold name={title} open={open} onOpen={setOpen} />
        <Boxes label={title} names={names} numShown={numShown} set={set} />
      </div>
      {open && <Groups groups={groups} shown={shown} set={set} />}
    </section>
  );
}

function Groups({ groups, ...ticks }: Ticks & { readonly groups: readonly VariableGroup[] }) {
  return (
    <ul className={classes.treeList}>
      {groups.map((group) => (
        <Group key={group.name} group={group} {...ticks} />
      ))}
    </ul>
  );
}

function Fold({
  name,
  open,
  onOpen,
}: {
  name: string;
  open: boolean;
  onOpen: (open: boolean) => void;
}) {
  return (
    <UnstyledButton
      aria-label={`${open ? 'Fold' : 'Unfold'} ${name}`}
      aria-expanded={open}
      onClick={() => onOpen(!open)}
      className={classes.chevron}
    >
      {open ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
    </UnstyledButton>
  );
}

/** One box for many variables: all, some or none of them. */
function Boxes({
  label,
  names,
  numShown,
  set,
}: {
  label: ReactNode;
  names: readonly string[];
  numShown: number;
  set: SetShown;
}) {
  return (
    <Checkbox
      label={
        <>
          {label} <span className={page.dim}>{formatCount(names.length)}</span>
        </>
      }
      checked={numShown === names.length}
      indeterminate={numShown > 0 && numShown < names.length}
      onChange={(event) => set(names, event.currentTarget.checked)}
    />
  );
}

function Group({ group, shown, set }: Ticks & { readonly group: VariableGroup }) {
  const [open, setOpen] = useState(group.rows.length <= 12);
  const names = group.rows.map((row) => row.variable);
  const numShown = names.filter((name) => shown.has(name)).length;
  const [only] = group.rows.length === 1 ? group.rows : [];
  if (only !== undefined)
    return <Leaf row={only} checked={numShown === 1} onChange={(on) => set(names, on)} />;
  return (
    <li>
      <div className={classes.treeRow}>
        <Fold name={group.name} open={open} onOpen={setOpen} />
        <Boxes label={<code>{group.name}</code>} names={names} numShown={numShown} set={set} />
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
        label={<code title={row.variable}>{shownName(row)}</code>}
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
