/** Trace plots of the chosen variables, worst first. */
import { Button } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { NoDraws } from '../run/no-draws.tsx';
import { iterationsOnAxis, settingNumber } from '../run/run-facts.ts';
import type { TabProps } from '../run/tab-props.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { groupVariables } from '../run/variable-groups.ts';
import type { TraceMarks } from './plot-tools.tsx';
import { PlottedVariables, usePlotted } from './plotted-variables.tsx';
import { TraceCard } from './trace-card.tsx';
import { useSettledOrder } from './use-settled-order.ts';
import { readScale, writeScale } from './variable-scale.tsx';
import { type ZoomRange, zoomStep, zoomWithin } from './zoom-range.ts';

const TraceTools = lazyPart(
  () => import('./plot-tools.tsx'),
  'TraceTools',
  <div className={classes.toolbar} style={{ minHeight: 32 }} />,
);

/** Number of plots mounted at first: a model of 1000 variables then opens as fast as one of ten. */
const firstPlots = 24;

const noRows: readonly SummaryRow[] = [];

export interface TracesTabProps extends TabProps {
  readonly onFocusChange: (focus: ChainFocus) => void;
}

export function TracesTab(props: TracesTabProps) {
  const { live, focus, onSearchChange } = props;
  const { q, order, scales, trace } = props.search;
  const { rows, groups, shown, inOrder, onSortAgain } = useTracedRows(props);
  const [zoom, setZoom] = useState<ZoomRange | null>(null);
  const [view, setView] = useState<TraceMarks>({ showWarmup: true, showDivergences: true });
  const [limit, setLimit] = useState(firstPlots);
  const hasWarmup = live.isLive || live.experiment.meta?.settings?.save_warmup === true;
  const showWarmup = trace === 'draws' && view.showWarmup && hasWarmup;
  const lastIteration = lengthOfAxis(live, showWarmup);
  if (rows.length === 0) return <NoDraws live={live} />;
  return (
    <PlottedVariables
      label="Traces"
      rows={rows}
      choice={props.choice}
      groups={groups}
      shown={shown}
      search={q}
      order={order}
      onChange={onSearchChange}
      onSortAgain={onSortAgain}
    >
      <TraceTools
        live={live}
        focus={focus}
        onFocusChange={props.onFocusChange}
        trace={trace}
        onTrace={(next) => {
          setZoom(null);
          onSearchChange({ trace: next });
        }}
        hasWarmup={hasWarmup}
        hasDivergences={live.experiment.meta?.verdict?.divergences !== null}
        view={view}
        zoom={zoom}
        last={lastIteration}
        onView={(change) => {
          // The axis starts elsewhere with or without warmup.
          if (change.showWarmup !== undefined) setZoom(null);
          setView({ ...view, ...change });
        }}
        onZoom={setZoom}
      />
      <DrawsProblem live={live} />
      {inOrder.length === 0 ? (
        <NothingPlotted isFiltered={groups.length === 0} />
      ) : (
        <div className={classes.plotGrid}>
          {inOrder.slice(0, limit).map((row) => (
            <TraceCard
              key={row.variable}
              live={live}
              variable={row.variable}
              row={row}
              focus={focus}
              view={trace}
              showWarmup={showWarmup}
              showDivergences={view.showDivergences}
              zoom={zoom}
              scale={readScale(scales, row.variable)}
              onScale={(scale) =>
                onSearchChange({ scales: writeScale(scales, row.variable, scale) })
              }
              onZoomKey={(step) => setZoom((now) => zoomStep(now, step, lastIteration))}
              onZoom={(range) => setZoom(range === null ? null : zoomWithin(range, lastIteration))}
            />
          ))}
        </div>
      )}
      <MoreTraces
        limit={limit}
        total={inOrder.length}
        onMore={() => setLimit(limit + firstPlots)}
      />
    </PlottedVariables>
  );
}

function NothingPlotted({ isFiltered }: { isFiltered: boolean }) {
  return (
    <p className={classes.dim}>
      {isFiltered
        ? 'Nothing to show: no variable matches the filter.'
        : 'No variable is ticked. Tick one on the left to see its trace.'}
    </p>
  );
}

function MoreTraces(props: { limit: number; total: number; onMore: () => void }) {
  const { limit, total, onMore } = props;
  if (total <= limit) return null;
  return (
    <Button onClick={onMore}>
      Show {Math.min(firstPlots, total - limit)} more of {total}
    </Button>
  );
}

function DrawsProblem({ live: { drawsError, retry } }: { live: LiveExperiment }) {
  if (drawsError === null) return null;
  return (
    <p role="alert" className={classes.empty}>
      Some draws could not be loaded: {drawsError.message} They are safe on the server.{' '}
      <TextButton onClick={retry}>Try again</TextButton>
    </p>
  );
}

/** The variables as the tree groups them, and the ones to plot in the order shown. */
function useTracedRows({ live, search: { q, order }, choice }: TracesTabProps) {
  // Rendered in slices, like the summary.
  const rows = useDeferredValue(live.summary?.variables ?? noRows, noRows);
  const { settled, onSortAgain } = useSettledOrder(rows, order, live.isLive);
  const groups = useMemo(() => groupVariables(settled, 'model', q), [settled, q]);
  const { shown, plotted } = usePlotted(groups, rows, choice.vars);
  const isPlotted = new Set(plotted);
  const inOrder = settled.filter((row) => isPlotted.has(row));
  return { rows, groups, shown, inOrder, onSortAgain };
}

/** Iterations on the axis of all traces. */
function lengthOfAxis(
  { experiment, summary, isLive }: LiveExperiment,
  withWarmup: boolean,
): number {
  const numWarmup = withWarmup ? (settingNumber(experiment, 'num_warmup') ?? 0) : 0;
  return Math.max(2, numWarmup + iterationsOnAxis(experiment, summary, isLive));
}
