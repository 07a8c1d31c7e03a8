/** "Live, updated just now": since when the figures of a run that goes on are as they are. */
import { useEffect, useState } from 'react';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { type Freshness, freshnessText } from '../../live/freshness.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import classes from './live-line.module.css';

/** Nothing where no figure is expected to move: before the start, while it is paused, once it has ended. */
export function LiveLine({ live }: { live: LiveExperiment }) {
  const { experiment, health, freshness } = live;
  const isMoving = isLiveStatus(experiment.status) && experiment.status !== 'NEW';
  const isPaused = experiment.meta?.action === 'paused';
  // A lost connection has its own message, with the time.
  if (!live.isLive || !isMoving || isPaused || health.failures > 0) return null;
  return <Counting freshness={freshness} />;
}

function Counting({ freshness }: { freshness: Freshness }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const text = freshnessText(freshness.at, now);
  return text === null ? null : <span className={classes.line}>{text}</span>;
}
