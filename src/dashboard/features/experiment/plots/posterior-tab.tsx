/** The posterior of the chosen variables: a forest of all, or the density, histogram or ECDF of each. */
import { Button, SegmentedControl } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { useInView } from '../../../plots/use-in-view.ts';
import { usePlotHeight } from '../../../plots/use-plot-height.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import type { ChainsShown, PosteriorView } from '../run/experiment-search.ts';
import { fadedBy, figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import { NoDraws } from '../run/no-draws.tsx';
import type { TabProps } from '../run/tab-props.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { groupVariables } from '../run/variable-groups.ts';
import { PlottedVariables, usePlotted } from './plotted-variables.tsx';
import { Caption } from './trace-card.tsx';

/** Initial number of lines in a forest; more are a click away. */
const firstLines = 100;
/** Lines of a forest by chain, which needs the draws of each. */
const mostByChain = 40;
const noRows: readonly SummaryRow[] = [];
const views: readonly { value: PosteriorView; label: string }[] = [
  { value: 'forest', label: 'Forest' },
  { value: 'density', label: 'Density' },
  { value: 'histogram', label: 'Histogram' },
  { value: 'ecdf', label: 'ECDF' },
];

/** By default, a forest pools the chains and curves are drawn by chain. */
export function isPooled(view: PosteriorView, chains: ChainsShown | ''): boolean {
  return chains === '' ? view === 'forest' : chains === 'together';
}

export function PosteriorTab(props: TabProps) {
  const { live, focus, choice, search, onSearchChange } = props;
  const rows = live.summary?.variables ?? noRows;
  const { q, order, view, chains } = search;
  const pooled = isPooled(view, chains);
  const groups = useMemo(() => groupVariables(rows, order, q), [rows, order, q]);
  const { shown, plotted } = usePlotted(groups, rows, choice.vars);
  if (rows.length === 0) return <NoDraws live={live} />;
  return (
    <PlottedVariables
      label="Posterior"
      rows={rows}
      choice={choice}
      groups={groups}
      shown={shown}
      search={q}
      order={order}
      onChange={onSearchChange}
    >
      <div className={classes.toolbar}>
        <SegmentedControl
          aria-label="Kind of plot"
          value={view}
          onChange={(value) => onSearchChange({ view: value as PosteriorView })}
          data={[...views]}
        />
        <SegmentedControl
          aria-label="Chains"
          value={pooled ? 'together' : 'apart'}
          onChange={(value) => onSearchChange({ chains: value as ChainsShown })}
          data={[
            { value: 'apart', label: 'By chain' },
            { value: 'together', label: 'All together' },
          ]}
        />
      </div>
      {plotted.length === 0 ? (
        <p className={classes.dim}>No variable is ticked. Tick one on the left to see it here.</p>
      ) : view === 'forest' ? (
        <Forest live={live} focus={focus} rows={plotted} pooled={pooled} />
      ) : (
        <div className={classes.plotGrid}>
          {plotted.map((row) => (
            <VariableCard
              key={row.variable}
              live={live}
              focus={focus}
              row={row}
              view={view}
              pooled={pooled}
            />
          ))}
        </div>
      )}
    </PlottedVariables>
  );
}

const noNames: readonly string[] = [];

function Forest({
  live,
  focus,
  rows,
  pooled,
}: Pick<TabProps, 'live' | 'focus'> & {
  rows: readonly SummaryRow[];
  pooled: boolean;
}) {
  const [most, setMost] = useState(firstLines);
  const shown = useMemo(() => rows.slice(0, pooled ? most : mostByChain), [pooled, rows, most]);
  const names = useMemo(
    () => (pooled ? noNames : shown.map((row) => row.variable)),
    [pooled, shown],
  );
  const draws = useDrawsOf(live, names);
  const { chainNames } = live;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      if (pooled) {
        const maxRows = shown.length;
        return { kind: 'forest', rows: shown, options: { ...options, showRhat: true, maxRows } };
      }
      const variables = shown.map((row) => figureVariable(draws, chainNames, row)).filter(hasDraws);
      if (variables.length === 0) return null;
      const maxRows = mostByChain * chainNames.length;
      return { kind: 'forest-by-chain', variables, options: { ...options, maxRows } };
    },
    [pooled, shown, draws, chainNames],
  );
  const [only] = rows.length === 1 ? rows : [];
  return (
    <>
      <PlotCard
        name={`Intervals of ${only === undefined ? `${shown.length} variables` : shownName(only)}`}
        caption={<strong>Median, 50 % and 90 % interval</strong>}
        help="forest"
        make={make}
        height={Math.min(600, 60 + 22 * shown.length)}
        faded={fadedBy(focus, chainNames.length)}
        hidden={focus.hidden}
      />
      {!pooled && rows.length > mostByChain && (
        <p className={classes.note}>
          The first {mostByChain} of {rows.length} variables by chain; <em>All together</em> shows
          more.
        </p>
      )}
      {pooled && rows.length > most && (
        <Button onClick={() => setMost(most + firstLines)}>
          Show {Math.min(firstLines, rows.length - most)} more of {rows.length}
        </Button>
      )}
    </>
  );
}

interface VariableCardProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  readonly row: SummaryRow;
  readonly view: Exclude<PosteriorView, 'forest'>;
  readonly pooled: boolean;
}

const titles = { density: 'Density', histogram: 'Histogram', ecdf: 'Distribution function' };
const nameOf = (view: VariableCardProps['view'], row: SummaryRow) =>
  `${titles[view]} of ${shownName(row)}`;

function VariableCard(props: VariableCardProps) {
  const [ref, inView] = useInView<HTMLDivElement>();
  return (
    <div ref={ref} style={{ minHeight: usePlotHeight(118) + 46 }}>
      {inView ? <NearCard {...props} /> : <FarCard {...props} />}
    </div>
  );
}

/** Reserves the space of a plot that is out of view. */
function FarCard({ row, view }: VariableCardProps) {
  return (
    <article className={classes.plotCard} aria-label={nameOf(view, row)} style={{ minHeight: 164 }}>
      <code>{shownName(row)}</code>
    </article>
  );
}

function NearCard({ live, focus, row, view, pooled }: VariableCardProps) {
  const { variable, label, lower, upper } = row;
  const draws = useDrawsOf(
    live,
    useMemo(() => [variable], [variable]),
  );
  const { chainNames } = live;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const own = { ...figureVariable(draws, chainNames, { variable, label }), lower, upper };
      if (!hasDraws(own)) return null;
      if (view === 'histogram')
        return { kind: view, variable: own, options: { ...options, byChain: !pooled } };
      return { kind: view, variable: own, options: { ...options, pooled } };
    },
    [draws, chainNames, variable, label, lower, upper, view, pooled],
  );
  const name = nameOf(view, row);
  return (
    <PlotCard
      name={name}
      label={`${name}, ${pooled ? 'all chains together' : 'one line per chain'}`}
      caption={<code title={variable}>{shownName(row)}</code>}
      help="density"
      facts={<Caption row={row} numChains={live.summary?.n_chains ?? 4} />}
      make={make}
      height={usePlotHeight(118)}
      faded={fadedBy(focus, chainNames.length)}
      hidden={focus.hidden}
    />
  );
}
