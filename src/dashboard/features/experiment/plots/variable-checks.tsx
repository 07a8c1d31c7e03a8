/** Plots that show whether the chains agree about one variable, and how much its draws are worth. */
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { fadedBy, figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { Caption } from './trace-card.tsx';

type Kind = 'rank-ecdf' | 'rank-histogram' | 'autocorrelation' | 'ess-growth' | 'ess-quantile';

const plots: readonly { kind: Kind; title: string; says: string }[] = [
  {
    kind: 'rank-ecdf',
    title: 'Ranks, ECDF difference',
    says: 'Chains that agree stay within the band.',
  },
  {
    kind: 'rank-histogram',
    title: 'Ranks, counts',
    says: 'Level bars: the chains agree.',
  },
  {
    kind: 'autocorrelation',
    title: 'Autocorrelation',
    says: 'Should fall to 0 quickly.',
  },
  {
    kind: 'ess-growth',
    title: 'ESS by number of draws',
    says: 'Should grow in a straight line.',
  },
  {
    kind: 'ess-quantile',
    title: 'ESS of quantiles',
    says: 'Low values: that quantile is poorly estimated.',
  },
];

export interface VariableChecksProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  readonly row: SummaryRow;
}

export function VariableChecks({ live, focus, row }: VariableChecksProps) {
  const { variable } = row;
  const names = useMemo(() => [variable], [variable]);
  const draws = useDrawsOf(live, names);
  const own = useMemo(
    () => figureVariable(draws, live.chainNames, variable),
    [draws, live.chainNames, variable],
  );
  const faded = useMemo(
    () => fadedBy(focus, live.chainNames.length),
    [focus, live.chainNames.length],
  );
  return (
    <>
      <p className={classes.variableFacts}>
        <code>{variable}</code> <Caption row={row} numChains={live.summary?.n_chains ?? 4} />
      </p>
      <div className={classes.fiveGrid}>
        {plots.map(({ kind, title, says }) => (
          <CheckCard
            key={kind}
            kind={kind}
            name={`${title} of ${variable}`}
            title={title}
            hint={says}
            own={own}
            faded={faded}
            hidden={focus.hidden}
          />
        ))}
      </div>
    </>
  );
}

function CheckCard({
  kind,
  name,
  title,
  hint,
  own,
  faded,
  hidden,
}: {
  kind: Kind;
  name: string;
  title: string;
  hint: string;
  own: ReturnType<typeof figureVariable>;
  faded: ReadonlySet<number>;
  hidden: ReadonlySet<number>;
}) {
  const make = useCallback(
    (options: CardOptions): FigureRequest | null =>
      hasDraws(own) ? { kind, variable: own, options } : null,
    [kind, own],
  );
  return (
    <PlotCard
      name={name}
      caption={<strong>{title}</strong>}
      hint={hint}
      make={make}
      height={180}
      faded={faded}
      hidden={hidden}
    />
  );
}
