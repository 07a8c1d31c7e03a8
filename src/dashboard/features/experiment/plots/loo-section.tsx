/** Leave-one-out cross-validation, if the program computes `log_lik`. */
import { useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import { looRefusal } from '../../../../posterior/loo-refusal.ts';
import { isLogLik } from '../../../../posterior/variable-kinds.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import classes from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

const LooParts = lazyPart(
  () => import('./loo-parts.tsx'),
  'LooParts',
  <p className={classes.dim}>Reading the draws…</p>,
);

export function LooSection({ live, rows }: { live: LiveExperiment; rows: readonly SummaryRow[] }) {
  const observations = useMemo(() => rows.filter(({ variable }) => isLogLik(variable)), [rows]);
  if (observations.length < 2) return null;
  const refusal = looRefusal(live.experiment.meta?.settings?.algorithm);
  return (
    <section aria-label="Leave-one-out">
      <div className={classes.toolbar}>
        <h2 className={classes.sectionTitle}>Leave-one-out</h2>
        <HelpLink topic="loo" of="leave-one-out and Pareto k" />
      </div>
      {refusal === null ? (
        <LooParts live={live} rows={observations} />
      ) : (
        <p className={classes.dim}>Leave-one-out is not possible: {refusal}.</p>
      )}
    </section>
  );
}
