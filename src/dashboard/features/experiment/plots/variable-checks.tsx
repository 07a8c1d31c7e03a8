/** Plots that show whether the chains agree about one variable, and how informative its draws are. */
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureVariable } from '../../../../figures/figure.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard, type PlotCardProps } from '../../../plots/plot-card.tsx';
import { usePlotHeight } from '../../../plots/use-plot-height.ts';
import type { HelpTopic } from '../../../ui/help-topics.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { fadedBy, figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { Caption } from './trace-card.tsx';

type Kind = 'rank-ecdf' | 'rank-histogram' | 'autocorrelation' | 'ess-growth' | 'ess-quantile';

const plots: readonly { kind: Kind; title: string; hint: string; help: HelpTopic }[] = [
  {
    kind: 'rank-ecdf',
    title: 'Ranks, ECDF difference',
    hint: 'Chains that agree stay within the band.',
    help: 'ranks',
  },
  {
    kind: 'rank-histogram',
    title: 'Ranks, counts',
    hint: 'Level bars: the chains agree.',
    help: 'ranks',
  },
  {
    kind: 'autocorrelation',
    title: 'Autocorrelation',
    hint: 'Should fall to 0 quickly.',
    help: 'autocorrelation',
  },
  {
    kind: 'ess-growth',
    title: 'ESS by number of draws',
    hint: 'Should grow in a straight line.',
    help: 'ess-plots',
  },
  {
    kind: 'ess-quantile',
    title: 'ESS of quantiles',
    hint: 'Low values: that quantile is poorly estimated.',
    help: 'ess-plots',
  },
];

export interface VariableChecksProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  readonly row: SummaryRow;
}

export function VariableChecks({ live, focus, row }: VariableChecksProps) {
  const { variable, label } = row;
  const name = shownName(row);
  const height = usePlotHeight(180);
  const names = useMemo(() => [variable], [variable]);
  const draws = useDrawsOf(live, names);
  const own = useMemo(
    () => figureVariable(draws, live.chainNames, { variable, label }),
    [draws, live.chainNames, variable, label],
  );
  const faded = useMemo(
    () => fadedBy(focus, live.chainNames.length),
    [focus, live.chainNames.length],
  );
  return (
    <>
      <p className={classes.variableFacts}>
        <code title={variable}>{name}</code>{' '}
        <Caption row={row} numChains={live.summary?.n_chains ?? 4} />
      </p>
      <div className={classes.fiveGrid}>
        {plots.map(({ title, ...card }) => (
          <CheckCard
            key={card.kind}
            {...card}
            name={`${title} of ${name}`}
            caption={<strong>{title}</strong>}
            own={own}
            height={height}
            faded={faded}
            hidden={focus.hidden}
          />
        ))}
      </div>
    </>
  );
}

interface CheckCardProps extends Omit<PlotCardProps, 'make'> {
  readonly kind: Kind | 'density';
  readonly own: FigureVariable;
}

/** One plot of a variable's draws. */
export function CheckCard({ kind, own, ...card }: CheckCardProps) {
  const make = useCallback(
    (options: CardOptions): FigureRequest | null =>
      hasDraws(own) ? { kind, variable: own, options } : null,
    [kind, own],
  );
  return <PlotCard {...card} make={make} />;
}
