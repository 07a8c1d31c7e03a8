/** The compared experiments: mark, name, state, verdict, facts; remove one, or make it the baseline. */
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { counted } from '../../../posterior/verdict-label.ts';
import { isLiveStatus } from '../../objects/live-status.ts';
import { Card } from '../../ui/card.tsx';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { formatDuration } from '../../ui/duration.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { unevenDraws } from '../status/draw-counts.ts';
import { StatusBadge, statusOf } from '../status/status-badge.tsx';
import { usageCaption, usageOfRun } from '../status/used-chains.ts';
import { RunVerdict } from './checks-card.tsx';
import classes from './compare.module.css';
import { Mark } from './mark.tsx';
import type { ComparedRun } from './use-compared.ts';

export interface RunCardsProps {
  readonly runs: readonly ComparedRun[];
  readonly baseId: string;
  readonly onRemove: (id: string) => void;
  readonly onBase: (id: string) => void;
}

export function RunCards({ runs, baseId, onRemove, onBase }: RunCardsProps) {
  return (
    <ul className={classes.cards} aria-label="Compared experiments">
      {runs.map((run) => (
        <Card key={run.id} as="li" className={classes.runCard}>
          <div className={classes.runLine}>
            <Mark index={run.index} />
            <strong>{run.letter}</strong>
            {run.experiment === null ? (
              <code className={classes.runName}>{run.id}</code>
            ) : (
              <>
                <Link
                  to="/experiments/$experimentId"
                  params={{ experimentId: run.id }}
                  className={classes.runName}
                  title={run.experiment.name}
                >
                  {run.experiment.name || run.id}
                </Link>
                <CopyableId id={run.id} />
              </>
            )}
            <ActionIcon
              className={classes.remove}
              size={24}
              aria-label={`Remove ${run.letter} from the comparison`}
              title={`Remove ${run.letter}`}
              onClick={() => onRemove(run.id)}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
          <RunState run={run} />
          {run.experiment !== null && (
            <div className={classes.baseLine}>
              {run.id === baseId ? (
                <span className={classes.baseline}>Baseline: the others are compared with it</span>
              ) : (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  color="gray"
                  onClick={() => onBase(run.id)}
                >
                  Make {run.letter} the baseline
                </Button>
              )}
            </div>
          )}
        </Card>
      ))}
    </ul>
  );
}

function RunState({ run }: { run: ComparedRun }) {
  const { experiment, problem } = run;
  if (problem !== null) {
    const isGone = problem.code === 'NOT_FOUND';
    return (
      <p className={classes.problem} role="alert">
        {isGone
          ? 'No such experiment: it was deleted, or the id is mistyped.'
          : `Could not be loaded: ${problem.message}`}{' '}
        {!isGone && (
          <Button size="compact-xs" onClick={run.retry}>
            Try again
          </Button>
        )}
      </p>
    );
  }
  if (experiment === null) return <p className={classes.facts}>Loading…</p>;
  return (
    <div className={classes.facts}>
      {statusOf(experiment).label !== 'Finished' && <StatusBadge experiment={experiment} />}
      <RunVerdict run={run} />
      <span>{factsOf(experiment, run.summary)}</span>
      <span>
        <RelativeTime date={experiment.updated_at ?? experiment.sample_update_time} />
      </span>
      {run.summaryError !== null && (
        <span className={classes.bad} role="alert">
          Its draws could not be read: {run.summaryError.message}{' '}
          <Button size="compact-xs" onClick={run.retry}>
            Try again
          </Button>
        </span>
      )}
    </div>
  );
}

function factsOf(experiment: Experiment, summary: Summary | null): string {
  const { n_chains, n_samples, meta, model_name, status } = experiment;
  const chains = counted(
    n_chains,
    meta?.settings?.algorithm === 'calibration' ? 'simulation' : 'chain',
  );
  const none = isLiveStatus(status) ? 'no draws yet' : 'no draws';
  const draws =
    unevenDraws(experiment, summary) ??
    (n_samples === 0 ? none : `${chains} × ${counted(n_samples, 'draw')}`);
  return [
    draws,
    usageCaption(usageOfRun(experiment, summary)) ?? '',
    meta?.elapsed_seconds ? formatDuration(meta.elapsed_seconds) : '',
    model_name,
  ]
    .filter(Boolean)
    .join(' · ');
}
