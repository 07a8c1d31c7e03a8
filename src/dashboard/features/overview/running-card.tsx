/** A run in progress: its chains, the progress of each, and what can be said so far. */
import { ActionIcon, Button, useComputedColorScheme } from '@mantine/core';
import { IconArrowUpRight, IconHourglass, IconPlayerStop } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ChainProgress, Experiment } from '../../../contract/experiment.ts';
import { chainColor, chainDashArray, plotPalettes } from '../../../figures/palette.ts';
import { essFigure, rhatFigure } from '../../../posterior/verdict-limits.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { Card } from '../../ui/card.tsx';
import { formatDuration } from '../../ui/duration.ts';
import { isFailed } from '../status/is-failed.ts';
import { judgeNumbers } from '../status/judge-numbers.ts';
import { runVerdict } from '../status/run-verdict.ts';
import { ordinal, StatusBadge } from '../status/status-badge.tsx';
import { percentDone } from '../status/verdict-mark.tsx';
import classes from './overview.module.css';

export interface RunningCardProps {
  readonly experiment: Experiment;
  /** The server can stop a run. */
  readonly canControl: boolean;
}

/** Chains listed one by one; more are counted in one line. */
const listedChains = 4;

export function RunningCard({ experiment, canControl }: RunningCardProps) {
  const { short_id: id, name, model_name, meta } = experiment;
  const chains = meta?.progress?.chains ?? [];
  const canStop =
    canControl &&
    experiment.status === 'RUN' &&
    !isFailed(experiment) &&
    meta?.action !== 'stopping';
  const stop = useAction(
    (client) =>
      client.updateObject({
        params: { objid: id },
        body: { payload: { object_type: 'experiment', action: 'stop' } },
      }),
    { failed: 'Not stopped', changes: [objectKeys('experiment').all] },
  );
  return (
    <Card as="article" className={classes.card}>
      <header className={classes.cardHead}>
        <Link to="/experiments/$experimentId" params={{ experimentId: id }}>
          {name || id}
        </Link>
        <StatusBadge experiment={experiment} />
        <span className={classes.cardActions}>
          {canStop && (
            <Button
              size="xs"
              loading={stop.isBusy}
              leftSection={<IconPlayerStop size={14} />}
              onClick={() => void stop.run()}
            >
              Stop
            </Button>
          )}
          <ActionIcon
            component={Link}
            to={`/experiments/${id}`}
            variant="default"
            size={28}
            aria-label={`Open ${name || id}`}
          >
            <IconArrowUpRight size={16} />
          </ActionIcon>
        </span>
      </header>
      <p className={classes.cardFacts}>
        {model_name || 'No model'} · <code>{id}</code>
      </p>
      {chains.length === 0 ? (
        <p className={classes.cardFacts}>
          {meta?.queue_place
            ? `Waiting to start: ${ordinal(meta.queue_place)} in the queue.`
            : 'Not started yet.'}
        </p>
      ) : (
        <ul className={classes.chains}>
          {chains.slice(0, listedChains).map((chain, index) => (
            <ChainLine key={chain.name} chain={chain} index={index} />
          ))}
          {chains.length > listedChains && (
            <li className={classes.dim}>
              and {chains.length - listedChains} more{' '}
              {chains.length - listedChains === 1 ? 'chain' : 'chains'}
            </li>
          )}
        </ul>
      )}
      <footer className={classes.cardFoot}>
        <span>
          <IconHourglass size={16} aria-hidden="true" /> {runVerdict(experiment)?.headline}
        </span>
        <span data-numeric>{soFarText(experiment)}</span>
      </footer>
    </Card>
  );
}

function ChainLine({ chain, index }: { chain: ChainProgress; index: number }) {
  const palette = plotPalettes[useComputedColorScheme('light')];
  const color = chainColor(palette, index);
  const percent = chain.of === 0 ? 0 : Math.floor((100 * chain.iteration) / chain.of);
  return (
    <li>
      <svg width="14" height="8" aria-hidden="true">
        <line
          x1="0"
          x2="14"
          y1="4"
          y2="4"
          stroke={color}
          strokeWidth="2"
          strokeDasharray={chainDashArray(index)}
        />
      </svg>
      Chain {index + 1}
      <span
        className={classes.track}
        role="progressbar"
        aria-label={`Chain ${index + 1}`}
        aria-valuenow={percent}
      >
        <span style={{ width: `${percent}%`, background: color }} />
      </span>
      <span data-numeric className={classes.percent}>
        {percent} %
      </span>
    </li>
  );
}

/** "R-hat 1.013, ESS 354 · 11 s left", as far as the server reports it. */
function soFarText(experiment: Experiment): string {
  const { rhatMax, essMin } = judgeNumbers(experiment);
  const numbers = [
    rhatMax.value === null ? null : `R-hat ${rhatFigure(rhatMax.value)}`,
    essMin.value === null ? null : `ESS ${essFigure(essMin.value, experiment.n_chains)}`,
  ].filter((part) => part !== null);
  const left = secondsLeft(experiment);
  const percent = percentDone(experiment);
  const time =
    left !== null ? `${formatDuration(left)} left` : percent !== null ? `${percent} %` : '';
  return [numbers.join(', '), time].filter((part) => part !== '').join(' · ');
}

/** Based on the slowest chain; null when no chain reports its speed or the run is paused. */
function secondsLeft({ meta }: Experiment): number | null {
  if (meta?.action === 'paused') return null;
  const times = (meta?.progress?.chains ?? [])
    .filter((chain) => chain.phase === 'warmup' || chain.phase === 'sampling')
    .map((chain) =>
      chain.draws_per_second ? (chain.of - chain.iteration) / chain.draws_per_second : null,
    )
    .filter((time) => time !== null);
  return times.length === 0 ? null : Math.max(...times);
}
