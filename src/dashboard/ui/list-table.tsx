/** A list of objects: hairline rows, sorting heads, boxes to select, a floating bar for the selection. Knows no resource. */
import { ActionIcon, Button, Checkbox, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconSelector,
  IconX,
} from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { Card } from './card.tsx';
import classes from './list-table.module.css';
import { formatCount } from './numbers.ts';
import { useSelection } from './use-selection.ts';

export interface ListColumn<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
  /** How it behaves on phones: the title line, beside it, the second line, the third (with its title), or not at all. */
  readonly phone: 'title' | 'aside' | 'below' | 'numbers' | 'hidden';
  /** Left out where the window is narrower than 1024 px. */
  readonly wideOnly?: boolean;
  /** Takes what is left and cuts what is longer: a name, two or three words, or a sentence. */
  readonly grow?: true | 'brief' | 'sentence';
  /** What `sort` says when the list is in this column's order; a leading `-` is descending. */
  readonly sortKey?: string;
}

/** The rows of the list that are on other pages. */
export interface OtherPages<T> {
  readonly total: number;
  /** What the list is asked for: a selection of all its rows ends when that changes. */
  readonly asked: string;
  /** All rows of the list, this page included; null when they cannot be had. */
  readonly load: () => Promise<readonly T[] | null>;
}

export interface ListTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly ListColumn<T>[];
  readonly idOf: (row: T) => string;
  readonly nameOf: (row: T) => string;
  /** Actions for the selected rows; without it there are no boxes. */
  readonly selectionActions?: (rows: readonly T[], clear: () => void) => ReactNode;
  /** False hides the boxes: there is nothing the server lets one do with several rows. */
  readonly canSelect?: boolean;
  /** A click beside the links and boxes of a row. */
  readonly onOpen?: (row: T) => void;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** Offers to select the whole list once a page of it is selected. */
  readonly otherPages?: OtherPages<T>;
}

export function ListTable<T>(props: ListTableProps<T>) {
  const { label, rows, columns, idOf, nameOf, selectionActions, onOpen, sort, onSort } = props;
  const selection = useSelection(rows, idOf);
  const { has, setAll, clear, boxProps } = selection;
  const all = useWholeList(props.otherPages, selection.chosen.length === rows.length);
  const chosen = all.rows ?? selection.chosen;
  const open = (event: MouseEvent, row: T) => {
    const target = event.target as Element;
    const isText = window.getSelection()?.isCollapsed === false;
    if (isText || target.closest('a, button, input, label, [data-row-actions]') !== null) return;
    onOpen?.(row);
  };
  const selectable = selectionActions !== undefined && props.canSelect !== false;
  return (
    <>
      <Card as="div" className={classes.card}>
        <table className={classes.table} aria-label={label}>
          <thead>
            <tr>
              {selectable && (
                <th className={classes.box}>
                  <Checkbox
                    aria-label="Select all"
                    checked={rows.length > 0 && chosen.length >= rows.length}
                    indeterminate={chosen.length > 0 && chosen.length < rows.length}
                    onChange={(event) => setAll(event.currentTarget.checked)}
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const id = idOf(row);
              return (
                // The name of each row is a link, so the keyboard needs no handler here.
                <tr
                  key={id}
                  data-selected={has(id) || undefined}
                  data-opens={onOpen !== undefined || undefined}
                  onClick={(event) => open(event, row)}
                >
                  {selectable && (
                    <td className={classes.box}>
                      <Checkbox aria-label={`Select ${nameOf(row)}`} {...boxProps(id)} />
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
                </tr>
              );
            })}
          </tbody>
        </table>
      </Card>
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={clear}>
          {all.offer !== null && (
            <Button size="xs" variant="subtle" loading={all.isLoading} onClick={all.offer}>
              Select all {formatCount(props.otherPages?.total)}
            </Button>
          )}
          {selectionActions?.(chosen, clear)}
        </SelectionBar>
      )}
    </>
  );
}

/** All rows of a list with several pages, selected after the whole page was; any change of the page's boxes ends it. */
function useWholeList<T>(pages: OtherPages<T> | undefined, isPageSelected: boolean) {
  const [loaded, setLoaded] = useState<{ asked: string; rows: readonly T[] } | null>(null);
  const [isLoading, setLoading] = useState(false);
  if (loaded !== null && (!isPageSelected || loaded.asked !== pages?.asked)) setLoaded(null);
  const select = async () => {
    if (pages === undefined) return;
    setLoading(true);
    const rows = await pages.load();
    setLoading(false);
    if (rows !== null) setLoaded({ asked: pages.asked, rows });
  };
  const canOffer = pages !== undefined && isPageSelected && loaded === null;
  return { rows: loaded?.rows ?? null, isLoading, offer: canOffer ? () => void select() : null };
}

interface SelectionBarProps {
  readonly count: number;
  readonly children: ReactNode;
  readonly onClear: () => void;
}

function SelectionBar({ count, children, onClear }: SelectionBarProps) {
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selection">
      <span className={classes.count} role="status">
        {formatCount(count)} selected
      </span>
      {children}
      <span className={classes.rule} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label="Clear the selection"
        onClick={onClear}
      >
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}

interface HeadCellProps<T> {
  readonly column: ListColumn<T>;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
}

function HeadCell<T>({ column, sort, onSort }: HeadCellProps<T>) {
  const { sortKey } = column;
  const isSorted = sortKey !== undefined && (sort === sortKey || sort === `-${sortKey}`);
  const isDescending = sort === `-${sortKey}`;
  const isSortable = sortKey !== undefined && onSort !== undefined;
  const direction = isDescending ? 'descending' : 'ascending';
  // An arrow where the list is in this order, otherwise the mark of a head that sorts.
  const Mark = !isSorted ? IconSelector : isDescending ? IconArrowDown : IconArrowUp;
  // Names begin at A, everything else at the newest or largest.
  const next = isSorted ? (isDescending ? sortKey : `-${sortKey}`) : firstOrder(sortKey);
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
          title={isSorted ? `Sorted ${direction}. Click to reverse.` : 'Sort by this column'}
          onClick={() => onSort(next)}
        >
          {column.title}
          <Mark size={14} aria-hidden="true" />
        </UnstyledButton>
      )}
    </th>
  );
}

function firstOrder(sortKey: string | undefined): string {
  return sortKey === 'name' ? 'name' : `-${sortKey}`;
}

export interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** "1 to 50 of 128", and the pages before and after when not all fits. */
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
