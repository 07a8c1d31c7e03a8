/** How much the posterior depends on prior and likelihood, if the program computes both. */
import { useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { firstLook, isLogLik, isLogPrior } from '../../../../posterior/variable-kinds.ts';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { HeavyCard, type HeavyCardProps } from './heavy-card.tsx';

/** Maximum number of variables examined, parameters first. */
const maxVariables = 200;

const askSensitivity: HeavyCardProps['ask'] = (variables, options) => ({
  kind: 'sensitivity',
  variables,
  options,
});

export interface SensitivitySectionProps {
  readonly live: LiveExperiment;
  readonly rows: readonly SummaryRow[];
}

export function SensitivitySection({ live, rows }: SensitivitySectionProps) {
  const { prior, likelihood, looked, all } = useMemo(() => splitRows(rows), [rows]);
  if (likelihood.length === 0 || looked.length === 0) return null;
  return (
    <section aria-label="Sensitivity">
      <h2 className={classes.sectionTitle}>Sensitivity</h2>
      {prior.length === 0 ? (
        <p className={classes.dim}>
          To see how much the posterior depends on the prior, compute the log density of the priors
          as <code>lprior</code> in <code>transformed parameters</code> and add it with{' '}
          <code>target += lprior;</code>
        </p>
      ) : (
        <HeavyCard
          live={live}
          rows={all}
          name="Sensitivity to prior and likelihood"
          caption={<strong>Sensitivity to prior and likelihood</strong>}
          help="sensitivity"
          hint="Diamonds: prior, circles: likelihood. Above 0.05 for both: prior and data disagree. For the prior alone: a strong prior, or data that say little."
          ask={askSensitivity}
        />
      )}
    </section>
  );
}

function splitRows(rows: readonly SummaryRow[]) {
  const isFirst = firstLook(rows);
  const prior = rows.filter(({ variable }) => isLogPrior(variable));
  const likelihood = rows.filter(({ variable }) => isLogLik(variable));
  const looked = rows
    .filter((row) => isFirst(row) && !row.constant && !prior.includes(row))
    .slice(0, maxVariables);
  return { prior, likelihood, looked, all: [...prior, ...likelihood, ...looked] };
}
