/** A list of objects: hairline rows, boxes to select, a floating bar for the selection. Knows no resource. */
import { Button, Checkbox } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import classes from './list-table.module.css';

export interface ListColumn<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly align?: 'right';
  /** How it behaves on phones: the title line, beside it, below, or not at all. */
  readonly phone: 'title' | 'aside' | 'below' | 'hidden';
  /** Takes what is left and cuts long words. */
  readonly grow?: boolean;
}

export interface ListTableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly ListColumn<T>[];
  readonly idOf: (row: T) => string;
  readonly nameOf: (row: T) => string;
  /** Actions for the selected rows; without it there are no boxes. */
  readonly selectionActions?: (rows: readonly T[], clear: () => void) => ReactNode;
}

export function ListTable<T>({
  label,
  rows,
  columns,
  idOf,
  nameOf,
  selectionActions,
}: ListTableProps<T>) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(
    () => rows.filter((row) => selected.has(idOf(row))),
    [rows, selected, idOf],
  );
  const clear = () => setSelected(new Set());
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const selectable = selectionActions !== undefined;
  return (
    <div className={classes.card}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {selectable && (
              <th className={classes.box}>
                <Checkbox
                  size="xs"
                  aria-label="Select all"
                  checked={rows.length > 0 && chosen.length === rows.length}
                  indeterminate={chosen.length > 0 && chosen.length < rows.length}
                  onChange={(event) =>
                    setSelected(new Set(event.currentTarget.checked ? rows.map(idOf) : []))
                  }
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} data-align={column.align} scope="col">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = idOf(row);
            return (
              <tr key={id} data-selected={selected.has(id) || undefined}>
                {selectable && (
                  <td className={classes.box}>
                    <Checkbox
                      size="xs"
                      aria-label={`Select ${nameOf(row)}`}
                      checked={selected.has(id)}
                      onChange={() => toggle(id)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td
                    key={column.key}
                    data-align={column.align}
                    data-phone={column.phone}
                    data-grow={column.grow || undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {chosen.length > 0 && (
        <div className={classes.bar} role="toolbar" aria-label="Selection">
          <strong>{chosen.length} selected</strong>
          {selectionActions?.(chosen, clear)}
          <Button size="xs" variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}

export interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** "1–50 of 128", earlier and later. Nothing when all fits. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  if (total <= pageSize) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  return (
    <nav className={classes.pager} aria-label="Pages">
      <span>
        {first}–{last} of {total}
      </span>
      <Button size="xs" variant="default" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <Button size="xs" variant="default" disabled={last >= total} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </nav>
  );
}
