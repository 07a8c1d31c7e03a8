/** "Live, updated just now": how recent the figures of a running run are. */
import { useEffect, useState } from 'react';
import { isLiveStatus } from '../../../objects/live-status.ts';
import { type Freshness, freshnessText } from '../../live/freshness.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import classes from './live-line.module.css';

/** Renders nothing when no figure is expected to change: before the start, while paused, and after the end. */
export function LiveLine({ live }: { live: LiveExperiment }) {
  const { experiment, health, freshness } = live;
  const isMoving = isLiveStatus(experiment.status) && experiment.status !== 'NEW';
  const isPaused = experiment.meta?.action === 'paused';
  // A lost connection has a separate message, with the time.
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
