/** The table of the summary: only rows in view are mounted; bad cells are marked by icon and text. */

import { ActionIcon, Popover, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconInfoCircle,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { decimalsForMcse } from '../../../../posterior/decimals.ts';
import { kindLabels, type VariableKind } from '../../../../posterior/variable-kinds.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import { essFigure, rhatFigure } from '../../../../posterior/verdict-limits.ts';
import { itemAt } from '../../../../shared/items.ts';
import { helpTopics } from '../../../ui/help-topics.ts';
import { type Scale, scaleOf } from '../../../ui/interval-scale.ts';
import { formatCount, formatNumber } from '../../../ui/numbers.ts';
import { usePrinting } from '../../../ui/printing.ts';
import type { SummarySort } from '../run/experiment-search.ts';
import { Interval, IntervalAxis } from './interval.tsx';
import { checksOf, type SummaryColumn, type TableRow, toneOf } from './summary-columns.ts';
import { mostPrinted, type SectionHead, type TableEntry } from './summary-sections.ts';
import classes from './summary-table.module.css';

const rowHeight = 36;

export interface SummaryTableProps {
  readonly entries: readonly TableEntry[];
  readonly columns: readonly SummaryColumn[];
  readonly numChains: number;
  readonly sort: SummarySort;
  readonly selected: string;
  readonly onSort: (sort: SummarySort) => void;
  readonly onSelect: (variable: string) => void;
  readonly onFold: (kind: VariableKind) => void;
}

/** Columns before and after the interval plot. */
function sides(columns: readonly SummaryColumn[]) {
  const isAfter = ({ key }: SummaryColumn) => key === 'rhat' || key.startsWith('ess_');
  return {
    before: columns.filter((column) => !isAfter(column)),
    after: columns.filter(isAfter),
  };
}

export function SummaryTable(props: SummaryTableProps) {
  const { entries, columns, numChains, sort, selected, onSort, onSelect, onFold } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // The log density is on a different scale, far from the parameters': it would squeeze them.
  const scale = useMemo(
    () => scaleOf(entries.flatMap(({ row }) => (row && row.variable !== 'lp__' ? [row] : []))),
    [entries],
  );
  // oxlint-disable-next-line react/incompatible-library -- no compiler caches what it returns here
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
  });
  const hasMore = useMoreAtRight(scroller);
  const isWhole = usePrinting() && entries.length <= mostPrinted;
  const virtualItems = virtual.getVirtualItems();
  const items = isWhole ? [...entries.keys()] : virtualItems.map(({ index }) => index);
  const above = isWhole ? 0 : (virtualItems[0]?.start ?? 0);
  const below = isWhole ? 0 : virtual.getTotalSize() - (virtualItems.at(-1)?.end ?? 0);
  const { before, after } = useMemo(() => sides(columns), [columns]);
  const toggle = (column: SummaryColumn) =>
    onSort(sort === `-${column.key}` ? column.key : `-${column.key}`);
  const head = (column: SummaryColumn) => (
    <Head key={column.key} column={column} sort={sort} onSort={toggle} />
  );
  return (
    <div ref={scroller} className={classes.tableCard} data-more={hasMore || undefined}>
      <table className={classes.table} aria-rowcount={entries.length + 1}>
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
          {items.map((index) => {
            const { head: section, row } = itemAt(entries, index);
            if (section !== undefined)
              return (
                <SectionRow
                  key={section.kind}
                  rowIndex={index + 2}
                  section={section}
                  span={columns.length + 3}
                  onFold={onFold}
                />
              );
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

/** Whether columns are out of sight on the right, where the table then fades out. */
function useMoreAtRight(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () =>
      setMore(element.scrollWidth - element.scrollLeft - element.clientWidth > 2);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller]);
  return hasMore;
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
  // A dozen unopened popovers would account for most of the table's work.
  if (!isOpen) return icon;
  return (
    <Popover opened onChange={toggle} width={280} position="bottom" withArrow trapFocus>
      <Popover.Target>{icon}</Popover.Target>
      <Popover.Dropdown>
        <div className={classes.definition}>
          <strong>{column.title}</strong>
          <p>{column.meaning}</p>
          {column.help !== undefined && (
            <Link to="/help/$page" params={{ page: helpTopics[column.help] }} hash={column.help}>
              What to do about it
            </Link>
          )}
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
  /** Its position in the entire table, counting the head as 1: most rows are not in the page. */
  readonly rowIndex: number;
  readonly row: TableRow;
  readonly before: readonly SummaryColumn[];
  readonly after: readonly SummaryColumn[];
  readonly scale: Scale | null;
  readonly numChains: number;
  readonly isSelected: boolean;
  readonly onSelect: (variable: string) => void;
}

/** Memoized because the table renders again once measured. */
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
          <code>{shownName(row)}</code>
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

interface SectionRowProps {
  readonly rowIndex: number;
  readonly section: SectionHead;
  readonly span: number;
  readonly onFold: (kind: VariableKind) => void;
}

/** Maximum number of arrays named in the head of a section. */
const mostNamed = 6;

function SectionRow({ rowIndex, section, span, onFold }: SectionRowProps) {
  const { kind, count, arrays, isFolded } = section;
  const Chevron = isFolded ? IconChevronRight : IconChevronDown;
  const named = arrays.slice(0, mostNamed).join(', ');
  return (
    <tr aria-rowindex={rowIndex} data-section>
      <th scope="rowgroup" colSpan={span}>
        <UnstyledButton aria-expanded={!isFolded} onClick={() => onFold(kind)}>
          <Chevron size={14} aria-hidden="true" />
          <strong>{kindLabels[kind]}</strong> <span>{formatCount(count)}</span>
          {isFolded && (
            <code>
              {named}
              {arrays.length > mostNamed && ' …'}
            </code>
          )}
        </UnstyledButton>
      </th>
    </tr>
  );
}

/** A number with a limit gets enough digits to read as on its side of it. */
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
