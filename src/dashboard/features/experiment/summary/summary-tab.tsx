/** The summary: every statistic per variable, columns chosen by the user, with a variable's plots next to it. */
import { useMediaQuery } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { VariableKind } from '../../../../posterior/variable-kinds.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import { usageCaption } from '../../status/used-chains.ts';
import { LabelsButton } from '../labels/labels-button.tsx';
import page from '../run/experiment.module.css';
import type { ExperimentSearch } from '../run/experiment-search.ts';
import { NoDraws } from '../run/no-draws.tsx';
import type { TabProps } from '../run/tab-props.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { rowMatcher } from '../run/variable-groups.ts';
import { SummaryCards } from './summary-cards.tsx';
import {
  columnsOf,
  columnsWith,
  shownColumns,
  sortRows,
  type TableRow,
} from './summary-columns.ts';
import { neighboursOf, tableEntries } from './summary-sections.ts';
import classes from './summary-table.module.css';
import { SummaryTable } from './summary-table.tsx';
import { SummaryTools } from './summary-tools.tsx';
import { useIntervals } from './use-intervals.ts';
import { VariableInspector } from './variable-inspector.tsx';

export interface SummaryTabProps extends TabProps {
  /** Whether the labels of dimensions can be changed here. */
  readonly canLabel?: boolean;
}

const noRows: readonly SummaryRow[] = [];
const nobody = { previous: undefined, next: undefined };

export function SummaryTab({ live, search, onSearchChange, canLabel = false }: SummaryTabProps) {
  const { q, sort, selected, interval } = search;
  const { isEmpty, visible, tooMany } = useRows(live, search);
  const columns = useColumns(live, search, visible);
  const { entries, onFold } = useSections(visible, sort === 'model', q !== '');
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, {
    getInitialValueInEffect: false,
  });
  if (isEmpty) return <NoDraws live={live} />;
  const inspected = visible.find((row) => row.variable === selected);
  const { previous, next } = inspected === undefined ? nobody : neighboursOf(entries, inspected);
  const select = (variable: string) =>
    onSearchChange({ selected: variable === selected ? '' : variable });
  const goTo = (row: SummaryRow | undefined) =>
    row === undefined ? undefined : () => onSearchChange({ selected: row.variable });
  return (
    <div className={classes.summary} data-inspector={inspected !== undefined || undefined}>
      <section aria-label="Summary" className={classes.summaryMain}>
        <SummaryTools
          isPhone={isPhone}
          search={q}
          sort={sort}
          interval={interval}
          chosen={search.columns}
          rows={visible}
          columns={columns}
          usage={live.isLive ? null : usageCaption(live.usage)}
          labels={canLabel ? <LabelsButton live={live} /> : undefined}
          fileName={live.experiment.name || live.experiment.short_id}
          onChange={onSearchChange}
        />
        {visible.length === 0 ? (
          <p className={page.empty}>
            No variable matches “{q}”.{' '}
            <TextButton onClick={() => onSearchChange({ q: '' })}>Clear the filter</TextButton>
          </p>
        ) : isPhone ? (
          <SummaryCards
            entries={entries}
            onFold={onFold}
            interval={interval}
            numChains={live.summary?.n_chains ?? 1}
            selected={selected}
            onSelect={select}
          />
        ) : (
          <SummaryTable
            entries={entries}
            onFold={onFold}
            columns={columns}
            numChains={live.summary?.n_chains ?? 1}
            sort={sort}
            selected={selected}
            onSort={(next) => onSearchChange({ sort: next })}
            onSelect={select}
          />
        )}
        <p className={page.note}>
          {visible.length} {visible.length === 1 ? 'variable' : 'variables'}. Thin line 5 to 95 %,
          thick line 25 to 75 %, ring the median; one shared axis.
          {tooMany &&
            ' This interval needs the draws of every variable shown: filter to fewer variables to see it.'}
        </p>
      </section>
      {inspected !== undefined && (
        <VariableInspector
          live={live}
          row={inspected}
          onClose={() => onSearchChange({ selected: '' })}
          onPrevious={goTo(previous)}
          onNext={goTo(next)}
        />
      )}
    </div>
  );
}

/** The chosen columns; by default, once the run has ended, those that contain any values. */
function useColumns(
  { isLive }: LiveExperiment,
  { columns, interval }: ExperimentSearch,
  visible: readonly SummaryRow[],
) {
  return useMemo(() => {
    const shown = new Set(shownColumns(columns));
    const chosen = columnsWith(interval).filter(({ key }) =>
      shown.has(/^(q\d+|low|high)$/.test(key) ? 'interval' : key),
    );
    return columns.length === 0 && !isLive ? columnsOf(chosen, visible) : chosen;
  }, [columns, interval, visible, isLive]);
}

/** The rows that the search finds, in the requested order, with what the page adds to the server's summary. */
function useRows(live: LiveExperiment, { q, sort, interval }: ExperimentSearch) {
  // Rendered in slices: rendering a full screen of rows would block the page for too long.
  const rows = useDeferredValue(live.summary?.variables ?? noRows, noRows);
  const matching = useMemo(() => rows.filter(rowMatcher(q)), [rows, q]);
  const names = useMemo(() => matching.map((row) => row.variable), [matching]);
  const { ends, tooMany } = useIntervals(live, names, interval);
  const seconds = samplingSeconds(live);
  const visible = useMemo(() => {
    const whole = matching.map((row): TableRow => {
      const [low, high] = ends.get(row.variable) ?? [null, null];
      const ess_rate = seconds === null || row.ess_bulk === null ? null : row.ess_bulk / seconds;
      return { ...row, low, high, ess_rate };
    });
    return sortRows(whole, sort);
  }, [matching, ends, seconds, sort]);
  return { isEmpty: rows.length === 0, visible, tooMany };
}

/** Under heads by kind while the rows are in model order; another order has no sections. */
function useSections(rows: readonly TableRow[], isModelOrder: boolean, isFiltered: boolean) {
  const [toggled, setToggled] = useState<ReadonlySet<VariableKind>>(new Set());
  const entries = useMemo(
    () => (isModelOrder ? tableEntries(rows, toggled, isFiltered) : rows.map((row) => ({ row }))),
    [rows, toggled, isModelOrder, isFiltered],
  );
  const onFold = (kind: VariableKind) =>
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(kind)) after.add(kind);
      return after;
    });
  return { entries, onFold };
}

/** Total sampling seconds over all chains; null if a chain does not report them. */
function samplingSeconds({ summary, limit }: LiveExperiment): number | null {
  const chains = summary?.chains ?? [];
  let sum = 0;
  for (const { name, sampling_seconds } of chains) {
    if (limit.leftOut.includes(name)) continue;
    if (sampling_seconds === null) return null;
    sum += sampling_seconds;
  }
  return sum > 0 ? sum : null;
}
