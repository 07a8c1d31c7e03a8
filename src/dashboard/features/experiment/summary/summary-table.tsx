/** The table of the summary: only rows in view are mounted; bad cells are marked by icon and text. */

import { ActionIcon, Popover, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef, useState } from 'react';
import { decimalsForMcse } from '../../../../posterior/decimals.ts';
import { essFigure, rhatFigure } from '../../../../posterior/verdict-limits.ts';
import { itemAt } from '../../../../shared/items.ts';
import { formatNumber } from '../../../ui/numbers.ts';
import type { SummarySort } from '../run/experiment-search.ts';
import { Interval, IntervalAxis, type Scale, scaleOf } from './interval.tsx';
import { checksOf, type SummaryColumn, type TableRow, toneOf } from './summary-columns.ts';
import classes from './summary-table.module.css';

const rowHeight = 36;

export interface SummaryTableProps {
  readonly rows: readonly TableRow[];
  readonly columns: readonly SummaryColumn[];
  readonly numChains: number;
  readonly sort: SummarySort;
  readonly selected: string;
  readonly onSort: (sort: SummarySort) => void;
  readonly onSelect: (variable: string) => void;
}

/** Columns before and after the drawn interval. */
function sides(columns: readonly SummaryColumn[]) {
  const isAfter = ({ key }: SummaryColumn) => key === 'rhat' || key.startsWith('ess_');
  return {
    before: columns.filter((column) => !isAfter(column)),
    after: columns.filter(isAfter),
  };
}

export function SummaryTable(props: SummaryTableProps) {
  const { rows, columns, numChains, sort, selected, onSort, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // The log density has its own scale, far from the parameters': it would squeeze them.
  const scale = useMemo(() => scaleOf(rows.filter((row) => row.variable !== 'lp__')), [rows]);
  // oxlint-disable-next-line react/incompatible-library -- no compiler caches what it returns here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const { before, after } = useMemo(() => sides(columns), [columns]);
  const toggle = (column: SummaryColumn) =>
    onSort(sort === `-${column.key}` ? column.key : `-${column.key}`);
  const head = (column: SummaryColumn) => (
    <Head key={column.key} column={column} sort={sort} onSort={toggle} />
  );
  return (
    <div ref={scroller} className={classes.tableCard}>
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            {before.map(head)}
            <th scope="col" className={classes.intervalCell} aria-label="Interval, drawn">
              {scale !== null && <IntervalAxis scale={scale} />}
            </th>
            {after.map(head)}
            <th scope="col" className={classes.checksHead}>
              Checks
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr style={{ height: above }} aria-hidden="true" />}
          {items.map(({ index }) => {
            const row = itemAt(rows, index);
            return (
              <Row
                key={row.variable}
                rowIndex={index + 2}
                row={row}
                before={before}
                after={after}
                scale={scale}
                numChains={numChains}
                isSelected={row.variable === selected}
                onSelect={onSelect}
              />
            );
          })}
          {below > 0 && <tr style={{ height: below }} aria-hidden="true" />}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  readonly column: SummaryColumn;
  readonly sort: SummarySort;
  readonly onSort: (column: SummaryColumn) => void;
}

function Head({ column, sort, onSort }: HeadProps) {
  const direction =
    sort === column.key ? 'ascending' : sort === `-${column.key}` ? 'descending' : undefined;
  const Arrow = direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" aria-sort={direction} className={classes.number}>
      <span className={classes.headCell}>
        <Definition column={column} />
        <UnstyledButton
          data-sorted={direction !== undefined || undefined}
          onClick={() => onSort(column)}
        >
          {column.title}
          {direction !== undefined && <Arrow size={13} aria-hidden="true" />}
        </UnstyledButton>
      </span>
    </th>
  );
}

function Definition({ column }: { column: SummaryColumn }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const toggle = (opened: boolean) => {
    setOpen(opened);
    if (!opened) requestAnimationFrame(() => button.current?.focus());
  };
  const icon = (
    <ActionIcon
      ref={button}
      className={classes.define}
      variant="transparent"
      color="gray"
      size={24}
      aria-label={`What ${column.title} is`}
      aria-expanded={isOpen}
      onClick={() => toggle(!isOpen)}
    >
      <IconInfoCircle size={14} />
    </ActionIcon>
  );
  // A dozen popovers that nobody opens would be most of the work of the whole table.
  if (!isOpen) return icon;
  return (
    <Popover opened onChange={toggle} width={280} position="bottom" withArrow trapFocus>
      <Popover.Target>{icon}</Popover.Target>
      <Popover.Dropdown>
        <div className={classes.definition}>
          <strong>{column.title}</strong>
          <p>{column.meaning}</p>
          {column.source !== undefined && (
            <a href={column.source.href} target="_blank" rel="noreferrer">
              {column.source.label}
            </a>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface RowProps {
  /** Its place in the whole table, the head being 1: most rows are not in the page. */
  readonly rowIndex: number;
  readonly row: TableRow;
  readonly before: readonly SummaryColumn[];
  readonly after: readonly SummaryColumn[];
  readonly scale: Scale | null;
  readonly numChains: number;
  readonly isSelected: boolean;
  readonly onSelect: (variable: string) => void;
}

/** Once measured the table renders again: its rows do not. */
const Row = memo(function Row(props: RowProps) {
  const { rowIndex, row, before, after, scale, numChains, isSelected, onSelect } = props;
  const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
  const checks = checksOf(row, numChains);
  const cell = (column: SummaryColumn) => (
    <Cell key={column.key} column={column} row={row} decimals={decimals} numChains={numChains} />
  );
  return (
    <tr
      aria-rowindex={rowIndex}
      data-selected={isSelected || undefined}
      onClick={() => onSelect(row.variable)}
    >
      <th scope="row">
        <UnstyledButton aria-pressed={isSelected} title={`${row.variable}: show its plots`}>
          <code>{row.variable}</code>
        </UnstyledButton>
      </th>
      {before.map(cell)}
      <td className={classes.intervalCell}>
        {scale !== null && row.variable !== 'lp__' && <Interval row={row} scale={scale} />}
      </td>
      {after.map(cell)}
      <td className={classes.checksCell} data-tone={checks.tone}>
        {checks.tone === 'ok' && <IconCheck size={14} aria-hidden="true" />}
        {(checks.tone === 'warn' || checks.tone === 'bad') && (
          <IconAlertTriangle size={14} aria-hidden="true" />
        )}
        {checks.label}
      </td>
    </tr>
  );
});

/** A number with a limit has digits enough to read as on its side of it. */
function formatCell(column: SummaryColumn, value: number | null, ofRow: number, numChains: number) {
  if (column.key === 'rhat') return rhatFigure(value);
  if (column.key === 'ess_bulk' || column.key === 'ess_tail') return essFigure(value, numChains);
  return formatNumber(value, column.decimals === 'row' ? ofRow : column.decimals);
}

interface CellProps {
  readonly column: SummaryColumn;
  readonly row: TableRow;
  readonly decimals: number;
  readonly numChains: number;
}

function Cell({ column, row, decimals, numChains }: CellProps) {
  const value = row[column.key] ?? null;
  const tone = toneOf(column.key, value, numChains);
  const shown =
    column.key === 'mcse_mean'
      ? Math.max(decimals, value !== null && value < 10 ? 2 : 0)
      : decimals;
  return (
    <td className={classes.number} data-column={column.key} data-tone={tone}>
      {tone !== 'ok' && (
        <IconAlertTriangle
          size={12}
          stroke={1.8}
          role="img"
          aria-label={tone === 'bad' ? 'fails:' : 'needs a look:'}
        />
      )}
      {formatCell(column, value, shown, numChains)}
    </td>
  );
}
