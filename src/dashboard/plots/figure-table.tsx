/** The numbers of a figure, for people who read rather than look: a table that mounts only the rows in view. */

import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { FigureTable } from '../../figures/figure.ts';
import { itemAt } from '../../shared/items.ts';
import { formatCount, missing } from '../ui/numbers.ts';
import classes from './plot-card.module.css';

const rowHeight = 24;

export function FigureTableView({
  table,
  label,
  height,
}: {
  table: FigureTable;
  label: string;
  height: number;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- no compiler caches what it returns here
  const virtual = useVirtualizer({
    count: table.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 300, height },
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      className={classes.tableBox}
      style={{ maxHeight: Math.max(height, 160) }}
      // a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={`Data of: ${label}`}
    >
      <table className={classes.table} aria-rowcount={table.rows.length + 1}>
        <caption>
          {formatCount(table.rows.length)} {table.rows.length === 1 ? 'row' : 'rows'}
        </caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column.name} scope="col" data-number={column.isNumber || undefined}>
                {column.name}
                {column.unit === undefined ? '' : ` (${column.unit})`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} aria-hidden="true" />}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2}>
              {itemAt(table.rows, index).map((value, c) => (
                // a column is identified by its position
                <td key={c} data-number={table.columns[c]?.isNumber || undefined}>
                  {cellText(value)}
                </td>
              ))}
            </tr>
          ))}
          {after > 0 && <tr style={{ height: after }} aria-hidden="true" />}
        </tbody>
      </table>
    </section>
  );
}

function cellText(value: string | number | null): string {
  if (value === null) return missing;
  if (typeof value === 'string') return value;
  return String(Number(value.toPrecision(6))).replace('-', '\u2212');
}
