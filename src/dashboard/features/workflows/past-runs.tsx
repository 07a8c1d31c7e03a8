/** The newest experiments that a workflow created. */
import { Link } from '@tanstack/react-router';
import type { Experiment } from '../../../contract/experiment.ts';
import { Card } from '../../ui/card.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { VerdictMark } from '../status/verdict-mark.tsx';
import classes from './workflows.module.css';

export interface PastRunsProps {
  /** Undefined: not known yet. */
  readonly runs: { readonly total: number; readonly objects: readonly Experiment[] } | undefined;
}

export function PastRuns({ runs }: PastRunsProps) {
  return (
    <Card className={classes.panel} aria-labelledby="runs">
      <header>
        <h2 id="runs">Past experiments</h2>
        <span className={classes.dim} data-numeric>
          {runs?.total ?? ''}
        </span>
      </header>
      {runs?.total === 0 ? (
        <p className={classes.state}>This workflow has not run yet.</p>
      ) : (
        <ul className={classes.runs}>
          {runs?.objects.map((experiment) => (
            <li key={experiment.short_id}>
              <StatusBadge experiment={experiment} />
              <Link to="/experiments/$experimentId" params={{ experimentId: experiment.short_id }}>
                {experiment.name || experiment.short_id}
              </Link>
              <VerdictMark experiment={experiment} />
              <span className={classes.when}>
                <RelativeTime date={experiment.created_at ?? experiment.sample_update_time} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
