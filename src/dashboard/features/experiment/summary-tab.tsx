/** The summary table: every statistic a variable, bad cells marked, a variable's plots beside it. */
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconCheck,
  IconFileTypeCsv,
  IconMathFunction,
  IconSearch,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { SummaryRow } from '../../../contract/draws.ts';
import { summaryCsv, summaryLatex } from '../../../formats/summary-csv.ts';
import { decimalsForMcse } from '../../../posterior/decimals.ts';
import { formatNumber } from '../../ui/numbers.ts';
import { saveFile } from '../../ui/save-file.ts';
import classes from './experiment.module.css';
import { Interval, IntervalAxis, type Scale, scaleOf } from './interval.tsx';
import {
  checksOf,
  type SummaryColumn,
  type SummarySort,
  sortRows,
  summaryColumns,
  toneOf,
} from './summary-columns.ts';
import { NoDraws } from './traces-tab.tsx';
import type { LiveExperiment } from './use-live-experiment.ts';
import { matcher } from './variable-groups.ts';
import { VariableInspector } from './variable-inspector.tsx';

export interface SummaryTabProps {
  readonly live: LiveExperiment;
  readonly search: string;
  readonly sort: SummarySort;
  /** Variable in the inspector; empty = none. */
  readonly selected: string;
  readonly onChange: (change: { q?: string; sort?: SummarySort; selected?: string }) => void;
}

const rowHeight = 36;
const noRows: readonly SummaryRow[] = [];

export function SummaryTab({ live, search, sort, selected, onChange }: SummaryTabProps) {
  const rows = live.summary?.variables ?? noRows;
  const visible = useMemo(() => {
    const matches = matcher(search);
    return sortRows(
      rows.filter((row) => matches(row.variable)),
      sort,
    );
  }, [rows, search, sort]);
  if (rows.length === 0) return <NoDraws live={live} />;
  const name = live.experiment.name || live.experiment.short_id;
  const index = visible.findIndex((row) => row.variable === selected);
  return (
    <div className={classes.summary} data-inspector={index >= 0 || undefined}>
      <section aria-label="Summary" className={classes.summaryMain}>
        <div className={classes.toolbar}>
          <TextInput
            aria-label="Filter variables"
            placeholder="Filter variables"
            leftSection={<IconSearch size={16} stroke={1.6} />}
            value={search}
            onChange={(event) => onChange({ q: event.currentTarget.value })}
          />
          <Button
            variant={sort === 'worst' ? 'light' : 'default'}
            aria-pressed={sort === 'worst'}
            onClick={() => onChange({ sort: sort === 'worst' ? 'model' : 'worst' })}
          >
            Worst first
          </Button>
          <span className={classes.toolbarEnd}>
            <Button
              variant="default"
              leftSection={<IconFileTypeCsv size={16} stroke={1.6} />}
              onClick={() => saveFile(`${name}-summary.csv`, 'text/csv', summaryCsv(visible))}
            >
              CSV
            </Button>
            <Button
              variant="default"
              leftSection={<IconMathFunction size={16} stroke={1.6} />}
              onClick={() =>
                saveFile(`${name}-summary.tex`, 'application/x-latex', summaryLatex(visible))
              }
            >
              LaTeX
            </Button>
          </span>
        </div>
        {visible.length === 0 ? (
          <p className={classes.empty}>
            No variable matches “{search}”.{' '}
            <UnstyledButton className={classes.link} onClick={() => onChange({ q: '' })}>
              Clear the filter
            </UnstyledButton>
          </p>
        ) : (
          <SummaryTable
            rows={visible}
            numChains={live.summary?.n_chains ?? 1}
            sort={sort}
            selected={selected}
            onSort={(next) => onChange({ sort: next })}
            onSelect={(variable) => onChange({ selected: variable === selected ? '' : variable })}
          />
        )}
        <p className={classes.note}>
          {visible.length} {visible.length === 1 ? 'variable' : 'variables'}. Thin line 5 to 95 %,
          thick line 25 to 75 %, ring the median; one shared axis.
        </p>
      </section>
      {index >= 0 && (
        <VariableInspector
          live={live}
          row={visible[index]}
          onClose={() => onChange({ selected: '' })}
          onPrevious={
            index > 0 ? () => onChange({ selected: visible[index - 1].variable }) : undefined
          }
          onNext={
            index < visible.length - 1
              ? () => onChange({ selected: visible[index + 1].variable })
              : undefined
          }
        />
      )}
    </div>
  );
}

interface SummaryTableProps {
  readonly rows: readonly SummaryRow[];
  readonly numChains: number;
  readonly sort: SummarySort;
  readonly selected: string;
  readonly onSort: (sort: SummarySort) => void;
  readonly onSelect: (variable: string) => void;
}

function SummaryTable({ rows, numChains, sort, selected, onSort, onSelect }: SummaryTableProps) {
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
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const toggle = (column: SummaryColumn) =>
    onSort(sort === `-${column.key}` ? column.key : `-${column.key}`);
  return (
    <div ref={scroller} className={classes.tableCard}>
      <table className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            {summaryColumns.slice(0, 6).map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={toggle} />
            ))}
            <th scope="col" className={classes.intervalCell} aria-label="Interval">
              {scale !== null && <IntervalAxis scale={scale} />}
            </th>
            {summaryColumns.slice(6).map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={toggle} />
            ))}
            <th scope="col" className={classes.checksHead}>
              Checks
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr style={{ height: before }} aria-hidden="true" />}
          {items.map((item) => (
            <Row
              key={rows[item.index].variable}
              rowIndex={item.index + 2}
              row={rows[item.index]}
              scale={scale}
              numChains={numChains}
              isSelected={rows[item.index].variable === selected}
              onSelect={onSelect}
            />
          ))}
          {after > 0 && <tr style={{ height: after }} aria-hidden="true" />}
        </tbody>
      </table>
    </div>
  );
}

function Head({
  column,
  sort,
  onSort,
}: {
  column: SummaryColumn;
  sort: SummarySort;
  onSort: (column: SummaryColumn) => void;
}) {
  const direction =
    sort === column.key ? 'ascending' : sort === `-${column.key}` ? 'descending' : undefined;
  const Arrow = direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return (
    <th scope="col" aria-sort={direction} className={classes.number}>
      <UnstyledButton
        title={column.meaning}
        data-sorted={direction !== undefined || undefined}
        onClick={() => onSort(column)}
      >
        {column.title}
        {direction !== undefined && <Arrow size={13} stroke={1.6} aria-hidden="true" />}
      </UnstyledButton>
    </th>
  );
}

interface RowProps {
  /** Its place in the whole table, the head being 1: most rows are not in the page. */
  readonly rowIndex: number;
  readonly row: SummaryRow;
  readonly scale: Scale | null;
  readonly numChains: number;
  readonly isSelected: boolean;
  readonly onSelect: (variable: string) => void;
}

function Row({ rowIndex, row, scale, numChains, isSelected, onSelect }: RowProps) {
  const decimals = decimalsForMcse(row.mcse_mean, row.mean ?? 0);
  const checks = checksOf(row, numChains);
  return (
    <tr
      aria-rowindex={rowIndex}
      data-selected={isSelected || undefined}
      onClick={() => onSelect(row.variable)}
    >
      <th scope="row">
        <UnstyledButton aria-pressed={isSelected} title="Show its plots">
          <code>{row.variable}</code>
        </UnstyledButton>
      </th>
      {summaryColumns.slice(0, 6).map((column) => (
        <Cell
          key={column.key}
          column={column}
          row={row}
          decimals={decimals}
          numChains={numChains}
        />
      ))}
      <td className={classes.intervalCell}>
        {scale !== null && row.variable !== 'lp__' && <Interval row={row} scale={scale} />}
      </td>
      {summaryColumns.slice(6).map((column) => (
        <Cell
          key={column.key}
          column={column}
          row={row}
          decimals={decimals}
          numChains={numChains}
        />
      ))}
      <td className={classes.checksCell} data-tone={checks.tone}>
        {checks.tone === 'ok' && <IconCheck size={14} stroke={1.6} aria-hidden="true" />}
        {(checks.tone === 'warn' || checks.tone === 'bad') && (
          <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />
        )}
        {checks.words}
      </td>
    </tr>
  );
}

function Cell({
  column,
  row,
  decimals,
  numChains,
}: {
  column: SummaryColumn;
  row: SummaryRow;
  decimals: number;
  numChains: number;
}) {
  const value = row[column.key];
  const shown =
    column.key === 'mcse_mean'
      ? Math.max(decimals, value !== null && value < 10 ? 2 : 0)
      : decimals;
  return (
    <td
      className={classes.number}
      data-column={column.key}
      data-tone={toneOf(column.key, value, numChains)}
    >
      {formatNumber(value, column.decimals === 'row' ? shown : column.decimals)}
    </td>
  );
}
