/** Shows that the server cannot be reached and since when the data are outdated, and retries by itself. */
import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../client/api-error.ts';
import classes from './connection-banner.module.css';
import { formatClock } from './dates.ts';
import { formatDuration } from './duration.ts';

interface Connection {
  readonly isLost: boolean;
  /** Of the last successful answer, milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Milliseconds between tries; the last one repeats. */
const retryDelaysMs = [5000, 10_000, 20_000, 60_000] as const;

function isUnreachable(error: unknown): boolean {
  const { kind } = ApiError.from(error);
  return kind === 'network' || kind === 'timeout';
}

/** Watches every answer of the cache: a success restores the connection, an unreachable server breaks it. */
function useConnection(queryClient: QueryClient): Connection {
  const [connection, setConnection] = useState<Connection>(() => ({
    isLost: !onlineManager.isOnline(),
    updatedAt: Date.now(),
  }));
  useEffect(() => {
    const stopCache = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      if (event.action.type === 'success' && event.action.manual !== true) {
        setConnection({ isLost: false, updatedAt: Date.now() });
      } else if (event.action.type === 'failed' || event.action.type === 'error') {
        if (isUnreachable(event.action.error)) setConnection((now) => ({ ...now, isLost: true }));
      }
    });
    const stopOnline = onlineManager.subscribe((isOnline) => {
      if (isOnline) void queryClient.refetchQueries({ type: 'active' });
      else setConnection((now) => ({ ...now, isLost: true }));
    });
    return () => {
      stopCache();
      stopOnline();
    };
  }, [queryClient]);
  return connection;
}

export function ConnectionBanner() {
  const queryClient = useQueryClient();
  const { isLost, updatedAt } = useConnection(queryClient);
  const [now, setNow] = useState(updatedAt);
  useEffect(() => {
    if (!isLost) return;
    const clock = setInterval(() => setNow(Date.now()), 1000);
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const plan = () => {
      timer = setTimeout(
        () => {
          tries += 1;
          if (!document.hidden) void queryClient.refetchQueries({ type: 'active' });
          plan();
        },
        retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)],
      );
    };
    plan();
    return () => {
      clearInterval(clock);
      clearTimeout(timer);
    };
  }, [isLost, queryClient]);
  if (!isLost) return null;
  const age = Math.max(0, Math.round((Math.max(now, updatedAt) - updatedAt) / 1000));
  return (
    <div className={classes.banner}>
      <IconPlugConnectedX size={18} aria-hidden="true" />
      <p>
        <strong role="status">Connection lost.</strong> Last update{' '}
        {age < 10 ? `${age} s` : formatDuration(age)} ago. Runs continue; this page is from{' '}
        <span data-numeric>{formatClock(new Date(updatedAt))}</span>.
      </p>
      <Button size="xs" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
        Try now
      </Button>
    </div>
  );
}
