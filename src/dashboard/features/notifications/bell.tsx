/** The bell of the top bar: the number of unread notifications, and a link to them. The socket is loaded lazily. */
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCapability } from '../../objects/use-config.ts';
import type { Services } from '../../services.ts';
import { importWithRetry } from '../../ui/import-with-retry.ts';
import classes from './bell.module.css';
import { unreadCountQueryOptions } from './queries.ts';

export interface BellProps {
  readonly services: Services;
  /** False while the page itself is still loading. */
  readonly enabled: boolean;
}

/** Empty on servers without notifications. */
export function Bell({ services, enabled }: BellProps) {
  const { client } = services;
  const router = useRouter();
  const isOffered = useCapability('live');
  const isOn = enabled && isOffered;
  const count = useQuery({ ...unreadCountQueryOptions(client), enabled: isOn }).data ?? 0;
  useEffect(() => {
    if (!isOn || typeof WebSocket === 'undefined') return;
    let stop: (() => void) | null = null;
    let isGone = false;
    void importWithRetry(() => import('./watch-notifications.tsx')).then((module) => {
      const open = (path: string) => void router.navigate({ href: path });
      if (!isGone) stop = module.watchNotifications(services, open);
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, [isOn, services, router]);
  if (!isOffered) return null;
  const label = count === 0 ? 'Notifications' : `Notifications, ${count} unread`;
  return (
    <Link to="/notifications" className={classes.bell} aria-label={label} title={label}>
      <IconBell size={18} />
      {count > 0 && (
        <span className={classes.count} data-numeric aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}
