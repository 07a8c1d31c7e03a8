/** A plot of many variables at once: computed automatically if there are few values, otherwise on a click. */
import { Button } from '@mantine/core';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureVariable } from '../../../../figures/figure.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import type { HelpTopic } from '../../../ui/help-topics.ts';
import { formatCount } from '../../../ui/numbers.ts';
import classes from '../run/experiment.module.css';
import { figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

/** Maximum number of values computed automatically. */
const fewValues = 2_000_000;

export interface HeavyCardProps {
  readonly live: LiveExperiment;
  readonly rows: readonly SummaryRow[];
  readonly name: string;
  readonly caption: ReactNode;
  readonly help: HelpTopic;
  readonly hint: string;
  /** Must be the same function while nothing changes. */
  readonly ask: (variables: readonly FigureVariable[], options: CardOptions) => FigureRequest;
}

export function HeavyCard(props: HeavyCardProps) {
  const { live, rows } = props;
  const size = rows.length * live.experiment.n_chains * live.experiment.n_samples;
  const [isWanted, setWanted] = useState(false);
  if (isWanted || size <= fewValues) return <Computed {...props} />;
  return (
    <p className={classes.dim}>
      {formatCount(rows.length)} variables, {formatCount(size)} values to load.{' '}
      <Button size="xs" onClick={() => setWanted(true)}>
        Compute
      </Button>
    </p>
  );
}

function Computed({ live, rows, ask, ...card }: HeavyCardProps) {
  const names = useMemo(() => rows.map(({ variable }) => variable), [rows]);
  const draws = useDrawsOf(live, names);
  const { chainNames } = live;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const variables = rows.map((row) => figureVariable(draws, chainNames, row));
      return variables.every(hasDraws) ? ask(variables, options) : null;
    },
    [rows, draws, chainNames, ask],
  );
  return <PlotCard {...card} make={make} height={200} />;
}
