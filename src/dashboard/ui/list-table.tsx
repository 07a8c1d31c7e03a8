/** A list of objects: hairline rows, sortable heads, checkboxes, a floating bar for the selection. Knows no resource. */
import { ActionIcon, Checkbox, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconSelector,
} from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useDeferredValue, useState } from 'react';
import { Card } from './card.tsx';
import { lazyPart } from './lazy-part.ts';
import classes from './list-table.module.css';
import { formatCount } from './numbers.ts';
import { type Selection, useSelection } from './use-selection.ts';

// A list is shown before any of its rows is selected.
const SelectionBar = lazyPart(() => import('./selection-bar.tsx'), 'SelectionBar');

export interface ListColumn<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
  /** Place on phones: the title line, next to it, the second line, the third (with its title), or hidden. */
  readonly phone: 'title' | 'aside' | 'below' | 'numbers' | 'hidden';
  /** Left out if the window is narrower than 1024 px. */
  readonly wideOnly?: boolean | 'very';
  /** Takes the remaining width and cuts longer text: a name, two or three words, or a sentence. */
  readonly grow?: true | 'brief' | 'sentence';
  /** Value of `sort` when the list is in this column's order; a leading `-` is descending. */
  readonly sortKey?: string;
  /** The first click puts the smallest first, as for names. */
  readonly sortsUp?: boolean;
  /** Left out until the column is chosen. */
  readonly isExtra?: boolean;
}

/** The rows of the list on other pages. */
export interface OtherPages<T> {
  readonly total: number;
  /** What the list was requested with: a selection of all its rows ends when that changes. */
  readonly asked: string;
  /** All rows of the list, this page included; null when they cannot be loaded. */
  readonly load: () => Promise<readonly T[] | null>;
}

export interface ListTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly ListColumn<T>[];
  readonly idOf: (row: T) => string;
  readonly nameOf: (row: T) => string;
  /** Actions for the selected rows; without it there are no boxes. `keep` leaves only these selected. */
  readonly selectionActions?: (
    rows: readonly T[],
    keep: (ids: readonly string[]) => void,
  ) => ReactNode;
  /** False hides the boxes: the server offers nothing to do with several rows. */
  readonly canSelect?: boolean;
  /** A click on a row, outside its links and boxes. */
  readonly onOpen?: (row: T) => void;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** Only the rows of this page are sorted; the heads say so. */
  readonly sortsPage?: boolean;
  /** A menu at the end of each row. */
  readonly rowActions?: (row: T) => ReactNode;
  /** Offers to select the entire list once a page of it is selected. */
  readonly otherPages?: OtherPages<T>;
}

/** Rows of the first render: as many as most windows show. */
const FIRST_ROWS = 20;

export function ListTable<T>(props: ListTableProps<T>) {
  const { label, rows, columns, idOf, nameOf, selectionActions, onOpen, rowActions } = props;
  const selection = useListSelection(props);
  const { chosen, keep } = selection;
  // What a window shows comes first, the rest without blocking the page.
  const shown = useDeferredValue(rows, rows.length > FIRST_ROWS ? rows.slice(0, FIRST_ROWS) : rows);
  const selectable = selectionActions !== undefined && props.canSelect !== false;
  return (
    <>
      <Card as="div" className={classes.card}>
        <table className={classes.table} aria-label={label}>
          <ListHead {...props} selectable={selectable} selection={selection} />
          <tbody>
            {shown.map((row) => {
              const id = idOf(row);
              return (
                // The name of each row is a link, so the keyboard needs no handler here.
                <tr
                  key={id}
                  data-selected={selection.has(id) || undefined}
                  data-opens={onOpen !== undefined || undefined}
                  onClick={(event) => isBesideControls(event) && onOpen?.(row)}
                >
                  {selectable && (
                    <td className={classes.box}>
                      <RowBox
                        name={nameOf(row)}
                        {...selection.boxProps(id)}
                        onAny={selection.endAll}
                      />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      data-align={column.align}
                      data-phone={column.phone}
                      data-title={column.title}
                      data-grow={column.grow}
                      data-wide={column.wideOnly || undefined}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                  {rowActions !== undefined && (
                    <td className={classes.actions} data-row-actions>
                      {rowActions(row)}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Card>
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          total={props.otherPages?.total}
          onAll={selection.selectAll}
          onClear={() => keep([])}
        >
          {selectionActions?.(chosen, keep)}
        </SelectionBar>
      )}
    </>
  );
}

/** Not on a link or box, nor at the end of a text selection. */
function isBesideControls({ currentTarget, target }: MouseEvent): boolean {
  const element = target as Element;
  return (
    // What a row opens over the page is not part of the row.
    currentTarget.contains(element) &&
    window.getSelection()?.isCollapsed !== false &&
    element.closest('a, button, input, label, [data-row-actions]') === null
  );
}

/** The rows selected on this page, or the entire list once requested; any change of the page's boxes ends that. */
function useListSelection<T>({ rows, idOf, otherPages }: ListTableProps<T>) {
  const selection = useSelection(rows, idOf);
  const [all, setAll] = useState<{ asked: string; rows: readonly T[] } | null>(null);
  const asked = otherPages?.asked ?? '';
  if (all !== null && all.asked !== asked) setAll(null);
  const isPageSelected = selection.chosen.length === rows.length;
  return {
    ...selection,
    chosen: all?.rows ?? selection.chosen,
    endAll: () => setAll(null),
    /** Undefined when there is nothing more to select. */
    selectAll:
      otherPages !== undefined && isPageSelected && all === null
        ? async () => {
            const loaded = await otherPages.load();
            if (loaded !== null) setAll({ asked, rows: loaded });
          }
        : undefined,
    /** Leaves only these selected. */
    keep: (ids: readonly string[]) => {
      selection.setIds(ids);
      if (all === null) return;
      const kept = all.rows.filter((row) => ids.includes(idOf(row)));
      setAll(kept.length === 0 ? null : { asked, rows: kept });
    },
  };
}

interface ListHeadProps<T> extends ListTableProps<T> {
  readonly selectable: boolean;
  readonly selection: ReturnType<typeof useListSelection<T>>;
}

function ListHead<T>(props: ListHeadProps<T>) {
  const { chosen, endAll, setAll } = props.selection;
  const { length } = props.rows;
  return (
    <thead>
      <tr>
        {props.selectable && (
          <th className={classes.box}>
            <Checkbox
              aria-label="Select all"
              checked={length > 0 && chosen.length >= length}
              indeterminate={chosen.length > 0 && chosen.length < length}
              onChange={(event) => {
                endAll();
                setAll(event.currentTarget.checked);
              }}
            />
          </th>
        )}
        {props.columns.map((column) => (
          <HeadCell key={column.key} {...props} column={column} />
        ))}
        {props.rowActions !== undefined && (
          <th className={classes.actions}>
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

interface RowBoxProps extends ReturnType<Selection<never>['boxProps']> {
  readonly name: string;
  readonly onAny: () => void;
}

function RowBox({ name, onAny, onChange, ...box }: RowBoxProps) {
  const change = () => {
    onAny();
    onChange();
  };
  return <Checkbox aria-label={`Select ${name}`} {...box} onChange={change} />;
}

interface HeadCellProps<T> extends Pick<ListTableProps<T>, 'sort' | 'onSort' | 'sortsPage'> {
  readonly column: ListColumn<T>;
}

function HeadCell<T>({ column, sort, onSort, sortsPage }: HeadCellProps<T>) {
  const { sortKey } = column;
  const isSorted = sortKey !== undefined && (sort === sortKey || sort === `-${sortKey}`);
  const isDescending = sort === `-${sortKey}`;
  const isSortable = sortKey !== undefined && onSort !== undefined;
  const direction = isDescending ? 'descending' : 'ascending';
  // An arrow if the list is in this order, otherwise the mark of a sortable head.
  const Mark = !isSorted ? IconSelector : isDescending ? IconArrowDown : IconArrowUp;
  // Names start with A, everything else with the newest or largest.
  const next = isSorted ? (isDescending ? sortKey : `-${sortKey}`) : firstOrder(column);
  const offer = sortsPage ? 'Sort this page by this column' : 'Sort by this column';
  return (
    <th
      scope="col"
      data-align={column.align}
      data-wide={column.wideOnly || undefined}
      aria-sort={isSorted ? direction : isSortable ? 'none' : undefined}
    >
      {!isSortable ? (
        column.title || <span className="visually-hidden">Actions</span>
      ) : (
        <UnstyledButton
          className={classes.sort}
          data-sorted={isSorted || undefined}
          title={isSorted ? `Sorted ${direction}. Click to reverse.` : offer}
          onClick={() => onSort(next)}
        >
          {column.title}
          <Mark size={14} aria-hidden="true" />
        </UnstyledButton>
      )}
    </th>
  );
}

function firstOrder<T>({ sortKey, sortsUp }: ListColumn<T>): string {
  return sortsUp ? `${sortKey}` : `-${sortKey}`;
}

export interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** "1 to 50 of 128", and links to the pages before and after when not everything fits. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  const pages = Math.max(1, Math.ceil(total / pageSize));
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span data-numeric>
        {formatCount(first)} to {formatCount(last)} of {formatCount(total)}
      </span>
      {pages > 1 && (
        <span className={classes.pages} data-numeric>
          <ActionIcon
            variant="default"
            size={28}
            aria-label="Previous page"
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          Page {formatCount(page)} of {formatCount(pages)}
          <ActionIcon
            variant="default"
            size={28}
            aria-label="Next page"
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </span>
      )}
    </nav>
  );
}
