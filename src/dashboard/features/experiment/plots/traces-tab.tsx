/** Trace plots of the chosen variables, worst first. */
import { Button, Checkbox } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { NoDraws } from '../run/no-draws.tsx';
import { settingNumber, thinOf } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { groupVariables, type VariableOrder } from '../run/variable-groups.ts';
import { PlottedVariables, usePlotted } from './plotted-variables.tsx';
import { TraceCard } from './trace-card.tsx';
import { longestChain } from './use-overview.ts';
import { useSettledOrder } from './use-settled-order.ts';
import { readScale, writeScale } from './variable-scale.tsx';
import { type ZoomRange, ZoomTools, zoomStep, zoomWithin } from './zoom-tools.tsx';

/** Plots mounted at first: more are a click away, so that a model of 1000 variables opens as fast as one of ten. */
const firstPlots = 24;

const noRows: readonly SummaryRow[] = [];

export interface TracesTabProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  readonly search: string;
  readonly order: VariableOrder;
  /** The choice of variables as the address keeps it. */
  readonly vars: readonly string[];
  /** Scales of variables as the address keeps them. */
  readonly scales: readonly string[];
  readonly onSearchChange: (change: {
    q?: string;
    order?: VariableOrder;
    vars?: readonly string[];
    scales?: readonly string[];
  }) => void;
}

export function TracesTab(props: TracesTabProps) {
  const { live, focus, search, order, scales, onSearchChange } = props;
  const { rows, groups, shown, inOrder, onSortAgain } = useTracedRows(props);
  const [zoom, setZoom] = useState<ZoomRange | null>(null);
  const [view, setView] = useState<TraceView>({ showWarmup: true, showDivergences: true });
  const [limit, setLimit] = useState(firstPlots);
  const hasWarmup = live.isLive || live.experiment.meta?.settings?.save_warmup === true;
  const showWarmup = view.showWarmup && hasWarmup;
  const lastIteration = lengthOfAxis(live, showWarmup);
  const changeView = (change: Partial<TraceView>) => {
    // The axis begins elsewhere with or without warmup.
    if (change.showWarmup !== undefined) setZoom(null);
    setView({ ...view, ...change });
  };
  if (rows.length === 0) return <NoDraws live={live} />;
  return (
    <PlottedVariables
      label="Traces"
      rows={rows}
      groups={groups}
      shown={shown}
      search={search}
      order={order}
      onChange={onSearchChange}
      onSortAgain={onSortAgain}
    >
      <TraceTools
        hasWarmup={hasWarmup}
        view={view}
        zoom={zoom}
        last={lastIteration}
        onView={changeView}
        onZoom={setZoom}
      />
      {live.drawsError !== null && (
        <p role="alert" className={classes.empty}>
          Some draws could not be loaded: {live.drawsError.message} They are safe on the server.{' '}
          <TextButton onClick={live.retry}>Try again</TextButton>
        </p>
      )}
      {inOrder.length === 0 ? (
        <p className={classes.dim}>
          {groups.length === 0
            ? 'Nothing to show: no variable matches the filter.'
            : 'No variable is ticked. Tick one on the left to see its trace.'}
        </p>
      ) : (
        <div className={classes.plotGrid}>
          {inOrder.slice(0, limit).map((row) => (
            <TraceCard
              key={row.variable}
              live={live}
              variable={row.variable}
              row={row}
              focus={focus}
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
      {inOrder.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + firstPlots)}>
          Show {Math.min(firstPlots, inOrder.length - limit)} more of {inOrder.length}
        </Button>
      )}
    </PlottedVariables>
  );
}

/** The variables as the tree groups them, and those to plot in the order shown. */
function useTracedRows({ live, order, search, vars }: TracesTabProps) {
  // Rendered in slices, as the summary is.
  const rows = useDeferredValue(live.summary?.variables ?? noRows, noRows);
  const { settled, onSortAgain } = useSettledOrder(rows, order, live.isLive);
  const groups = useMemo(() => groupVariables(settled, 'model', search), [settled, search]);
  const { shown, plotted } = usePlotted(groups, rows, vars);
  const isPlotted = new Set(plotted);
  const inOrder = settled.filter((row) => isPlotted.has(row));
  return { rows, groups, shown, inOrder, onSortAgain };
}

interface TraceView {
  readonly showWarmup: boolean;
  readonly showDivergences: boolean;
}

interface TraceToolsProps {
  readonly hasWarmup: boolean;
  readonly view: TraceView;
  readonly zoom: ZoomRange | null;
  readonly last: number;
  readonly onView: (change: Partial<TraceView>) => void;
  readonly onZoom: (zoom: ZoomRange | null) => void;
}

function TraceTools({ hasWarmup, view, zoom, last, onView, onZoom }: TraceToolsProps) {
  return (
    <div className={classes.toolbar}>
      <Checkbox
        size="xs"
        label={hasWarmup ? 'Warmup' : 'Warmup (not saved)'}
        disabled={!hasWarmup}
        checked={view.showWarmup && hasWarmup}
        onChange={(e) => onView({ showWarmup: e.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Divergences"
        checked={view.showDivergences}
        onChange={(e) => onView({ showDivergences: e.currentTarget.checked })}
      />
      <span className={classes.toolbarNote}>Drag to zoom all, double-click to reset</span>
      <ZoomTools zoom={zoom} last={last} onZoom={onZoom} />
    </div>
  );
}

/** Iterations the axis of all traces has. */
function lengthOfAxis({ experiment, summary }: LiveExperiment, withWarmup: boolean): number {
  const numSamples = Math.max(
    settingNumber(experiment, 'num_samples') ?? 0,
    longestChain(experiment, summary) * thinOf(experiment),
  );
  return Math.max(
    2,
    numSamples + (withWarmup ? (settingNumber(experiment, 'num_warmup') ?? 0) : 0),
  );
}
