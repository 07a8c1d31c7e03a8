/** The summary: every statistic a variable, what is shown chosen by the person, a variable's plots beside it. */
import { useDeferredValue, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import page from '../run/experiment.module.css';
import type { ExperimentSearch } from '../run/experiment-search.ts';
import { NoDraws } from '../run/no-draws.tsx';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { matcher } from '../run/variable-groups.ts';
import { columnsWith, shownColumns, sortRows, type TableRow } from './summary-columns.ts';
import classes from './summary-table.module.css';
import { SummaryTable } from './summary-table.tsx';
import { SummaryTools } from './summary-tools.tsx';
import { useIntervals } from './use-intervals.ts';
import { VariableInspector } from './variable-inspector.tsx';

export interface SummaryTabProps {
  readonly live: LiveExperiment;
  readonly search: ExperimentSearch;
  readonly onChange: (change: Partial<ExperimentSearch>) => void;
}

const noRows: readonly SummaryRow[] = [];

export function SummaryTab({ live, search, onChange }: SummaryTabProps) {
  // Rendered in slices: a screen of rows is more than the page may stand still for.
  const rows = useDeferredValue(live.summary?.variables ?? noRows, noRows);
  const { q, sort, selected, interval } = search;
  const matching = useMemo(() => {
    const matches = matcher(q);
    return rows.filter((row) => matches(row.variable));
  }, [rows, q]);
  const names = useMemo(() => matching.map((row) => row.variable), [matching]);
  const computed = useIntervals(live, names, interval);
  const seconds = samplingSeconds(live);
  const visible = useMemo(() => {
    const whole = matching.map((row): TableRow => {
      const [low, high] = computed.ends.get(row.variable) ?? [null, null];
      const ess_rate = seconds === null || row.ess_bulk === null ? null : row.ess_bulk / seconds;
      return { ...row, low, high, ess_rate };
    });
    return sortRows(whole, sort);
  }, [matching, computed.ends, seconds, sort]);
  const columns = useMemo(() => {
    const shown = new Set(shownColumns(search.columns));
    return columnsWith(interval).filter(({ key }) =>
      shown.has(/^(q\d+|low|high)$/.test(key) ? 'interval' : key),
    );
  }, [search.columns, interval]);
  if (rows.length === 0) return <NoDraws live={live} />;
  const index = visible.findIndex((row) => row.variable === selected);
  const inspected = visible[index];
  const goTo = (row: SummaryRow | undefined) =>
    row === undefined ? undefined : () => onChange({ selected: row.variable });
  return (
    <div className={classes.summary} data-inspector={inspected !== undefined || undefined}>
      <section aria-label="Summary" className={classes.summaryMain}>
        <SummaryTools
          search={q}
          sort={sort}
          interval={interval}
          chosen={search.columns}
          rows={visible}
          columns={columns}
          fileName={live.experiment.name || live.experiment.short_id}
          onChange={onChange}
        />
        {visible.length === 0 ? (
          <p className={page.empty}>
            No variable matches “{q}”.{' '}
            <TextButton onClick={() => onChange({ q: '' })}>Clear the filter</TextButton>
          </p>
        ) : (
          <SummaryTable
            rows={visible}
            columns={columns}
            numChains={live.summary?.n_chains ?? 1}
            sort={sort}
            selected={selected}
            onSort={(next) => onChange({ sort: next })}
            onSelect={(variable) => onChange({ selected: variable === selected ? '' : variable })}
          />
        )}
        <p className={page.note}>
          {visible.length} {visible.length === 1 ? 'variable' : 'variables'}. Thin line 5 to 95 %,
          thick line 25 to 75 %, ring the median; one shared axis.
          {computed.tooMany &&
            ' This interval takes the draws of every variable shown: filter to fewer variables to see it.'}
        </p>
      </section>
      {inspected !== undefined && (
        <VariableInspector
          live={live}
          row={inspected}
          onClose={() => onChange({ selected: '' })}
          onPrevious={goTo(visible[index - 1])}
          onNext={goTo(visible[index + 1])}
        />
      )}
    </div>
  );
}

/** Seconds that all chains sampled; null where a chain does not report them. */
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
