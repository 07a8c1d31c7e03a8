/** Leave-one-out cross-validation, where the program computes `log_lik`. */
import { Button } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { formatCount } from '../../../ui/numbers.ts';
import classes from '../run/experiment.module.css';
import { figureVariable, hasDraws, useDrawsOf } from '../run/figure-variables.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { baseName } from '../run/variable-groups.ts';

/** Draws up to which it is computed unasked. */
const fewDraws = 2_000_000;

export function LooSection({ live, rows }: { live: LiveExperiment; rows: readonly SummaryRow[] }) {
  const names = useMemo(
    () => rows.map((row) => row.variable).filter((name) => baseName(name) === 'log_lik'),
    [rows],
  );
  const size = names.length * live.experiment.n_chains * live.experiment.n_samples;
  const [wanted, setWanted] = useState(false);
  if (names.length < 2) return null;
  return (
    <section aria-label="Leave-one-out">
      <h2 className={classes.sectionTitle}>Leave-one-out</h2>
      {wanted || size <= fewDraws ? (
        <LooCard live={live} names={names} />
      ) : (
        <p className={classes.dim}>
          {formatCount(names.length)} observations, {formatCount(size)} values to load.{' '}
          <Button size="xs" variant="default" onClick={() => setWanted(true)}>
            Compute
          </Button>
        </p>
      )}
    </section>
  );
}

function LooCard({ live, names }: { live: LiveExperiment; names: readonly string[] }) {
  const draws = useDrawsOf(live, names);
  const { chainNames } = live;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      const variables = names.map((name) => figureVariable(draws, chainNames, name));
      return variables.every(hasDraws) ? { kind: 'loo', variables, options } : null;
    },
    [names, draws, chainNames],
  );
  return (
    <PlotCard
      name="Pareto k by observation"
      caption={<strong>Pareto k</strong>}
      hint="How reliable the contribution of each observation is."
      make={make}
      height={200}
    />
  );
}
