/** Leave-one-out cross-validation, where the program computes `log_lik`. */
import { useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { isLogLik } from '../../../../posterior/variable-kinds.ts';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import { HeavyCard, type HeavyCardProps } from './heavy-card.tsx';

const askLoo: HeavyCardProps['ask'] = (variables, options) => ({ kind: 'loo', variables, options });

export function LooSection({ live, rows }: { live: LiveExperiment; rows: readonly SummaryRow[] }) {
  const observations = useMemo(() => rows.filter(({ variable }) => isLogLik(variable)), [rows]);
  if (observations.length < 2) return null;
  return (
    <section aria-label="Leave-one-out">
      <h2 className={classes.sectionTitle}>Leave-one-out</h2>
      <HeavyCard
        live={live}
        rows={observations}
        name="Pareto k by observation"
        caption={<strong>Pareto k</strong>}
        help="loo"
        hint="How reliable the contribution of each observation is."
        ask={askLoo}
      />
    </section>
  );
}
