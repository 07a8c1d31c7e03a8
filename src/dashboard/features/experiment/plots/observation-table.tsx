/** The observations of a run by Pareto k, each with the row of data it belongs to. */
import { SegmentedControl, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import type { Loo } from '../../../../posterior/loo.ts';
import type { ObservationColumns } from '../../../../posterior/observation-columns.ts';
import { itemAt } from '../../../../shared/items.ts';
import { formatCount, formatNumber, missing } from '../../../ui/numbers.ts';
import own from './loo.module.css';

const rowHeight = 28;
/** Pixels; more rows scroll. */
const mostHeight = 340;

interface Column {
  readonly name: string;
  readonly isNumber: boolean;
  readonly value: (observation: number) => number | string;
  readonly text: (observation: number) => string;
  readonly isHigh?: (observation: number) => boolean;
}

interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface ObservationTableProps {
  readonly loo: Loo;
  readonly names: readonly string[];
  readonly data: ObservationColumns;
}

export function ObservationTable({ loo, names, data }: ObservationTableProps) {
  const [shown, setShown] = useState<'high' | 'all'>('high');
  const [sort, setSort] = useState<Sort>({ column: 'Pareto k', isDescending: true });
  const columns = useMemo(() => columnsOf(loo, names, data), [loo, names, data]);
  const rows = useMemo(() => {
    const all = [...names.keys()].filter((i) => shown === 'all' || isHigh(loo, i));
    const by = columns.find(({ name }) => name === sort.column) ?? itemAt(columns, 0);
    const sign = sort.isDescending ? -1 : 1;
    return all.toSorted((a, b) => sign * compare(by.value(a), by.value(b)) || a - b);
  }, [columns, names, loo, shown, sort]);
  return (
    <section aria-label="Observations">
      <div className={own.tools}>
        <SegmentedControl
          aria-label="Observations shown"
          value={shown}
          onChange={(value) => setShown(value === 'all' ? 'all' : 'high')}
          data={[
            {
              value: 'high',
              label: Number.isNaN(loo.threshold)
                ? `Not reliable: ${formatCount(loo.num_high_k)}`
                : `Above ${loo.threshold.toFixed(2)}: ${formatCount(loo.num_high_k)}`,
            },
            { value: 'all', label: `All: ${formatCount(names.length)}` },
          ]}
        />
        {data.omitted > 0 && (
          <span className={own.note}>{formatCount(data.omitted)} more columns of the data</span>
        )}
      </div>
      {rows.length === 0 ? (
        <p className={own.note}>No observation has a Pareto k above {loo.threshold.toFixed(2)}.</p>
      ) : (
        <Rows rows={rows} columns={columns} sort={sort} onSort={setSort} />
      )}
    </section>
  );
}

const isHigh = ({ pareto_k: k, threshold }: Loo, i: number) => !(itemAt(k, i) <= threshold);

function columnsOf(loo: Loo, names: readonly string[], data: ObservationColumns): Column[] {
  const number = (name: string, values: Float64Array, decimals: number): Column => ({
    name,
    isNumber: true,
    value: (i) => itemAt(values, i),
    text: (i) => formatNumber(itemAt(values, i), decimals),
  });
  return [
    { name: 'Observation', isNumber: false, value: (i) => i, text: (i) => itemAt(names, i) },
    { ...number('Pareto k', loo.pareto_k, 2), isHigh: (i) => isHigh(loo, i) },
    ...(loo.pareto_k_before === undefined
      ? []
      : [number('k before matching', loo.pareto_k_before, 2)]),
    number('elpd', loo.pointwise.elpd_loo, 2),
    ...data.columns.map(({ name, values }): Column => {
      const isNumber = values.every((value) => typeof value === 'number');
      return {
        name,
        isNumber,
        value: (i) => itemAt(values, i),
        text: (i) => dataText(itemAt(values, i)),
      };
    }),
  ];
}

function dataText(value: number | string): string {
  if (typeof value === 'string') return value;
  return Number.isNaN(value)
    ? missing
    : String(Number(value.toPrecision(6))).replace('-', '\u2212');
}

/** Undefined numbers sort as the largest. */
function compare(a: number | string, b: number | string): number {
  if (typeof a === 'string' || typeof b === 'string') return String(a).localeCompare(String(b));
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : a - b;
}

interface RowsProps {
  readonly rows: readonly number[];
  readonly columns: readonly Column[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

function Rows({ rows, columns, sort, onSort }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- no compiler caches what it returns here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 600, height: mostHeight },
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      className={own.box}
      style={{ maxHeight: mostHeight }}
      // a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label="Observations by Pareto k"
    >
      <table className={own.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} aria-hidden="true" />}
          {items.map(({ index }) => {
            const observation = itemAt(rows, index);
            return (
              <tr key={observation} aria-rowindex={index + 2}>
                {columns.map(({ name, isNumber, text, isHigh: isBad }) => (
                  <td
                    key={name}
                    data-number={isNumber || undefined}
                    data-bad={isBad?.(observation) || undefined}
                  >
                    {text(observation)}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} aria-hidden="true" />}
        </tbody>
      </table>
    </section>
  );
}

function Head({ column, sort, onSort }: { column: Column } & Pick<RowsProps, 'sort' | 'onSort'>) {
  const isSorted = sort.column === column.name;
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp;
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      data-number={column.isNumber || undefined}
      aria-sort={isSorted ? direction : undefined}
    >
      <UnstyledButton
        className={own.head}
        onClick={() =>
          onSort({
            column: column.name,
            isDescending: isSorted ? !sort.isDescending : column.isNumber,
          })
        }
      >
        {column.name}
        {isSorted && <Arrow size={13} aria-hidden="true" />}
      </UnstyledButton>
    </th>
  );
}
