/** The notifications of this person, newest first. */
import { Button, SegmentedControl } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Notification } from '../../../contract/notification.ts';
import { configQueryOptions, hasCapability } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilteredEmpty } from '../../ui/filtered-empty.tsx';
import { Pager } from '../../ui/list-table.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { notificationPath } from './notification-path.ts';
import classes from './notifications.module.css';
import {
  type NotificationFilter,
  notificationListQueryOptions,
  pageSize,
  unreadCountQueryOptions,
} from './queries.ts';
import { type Mark, useMark } from './use-mark.ts';

export interface NotificationsPageProps {
  readonly status: NotificationFilter;
  readonly page: number;
  readonly onChange: (change: { status?: NotificationFilter; page?: number }) => void;
}

const filters: { value: NotificationFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'read', label: 'Read' },
];

export function NotificationsPage(props: NotificationsPageProps) {
  const client = useClient();
  const config = useQuery(configQueryOptions(client));
  if (config.isPending) return <PageSkeleton />;
  if (hasCapability(config.data, 'live')) return <NotificationList {...props} />;
  return (
    <>
      <PageHead title="Notifications" />
      <EmptyState title="This server sends no notifications">
        See Experiments for the state of your runs and Shares for what others shared with you.
      </EmptyState>
    </>
  );
}

function NotificationList({ status, page, onChange }: NotificationsPageProps) {
  const client = useClient();
  const list = useQuery(notificationListQueryOptions(client, status, page));
  const unread = useQuery(unreadCountQueryOptions(client)).data ?? 0;
  const mark = useMark();
  const total = list.data?.total ?? 0;
  const rows = list.data?.objects ?? [];
  return (
    <>
      <PageHead
        title="Notifications"
        count={list.isSuccess ? formatCount(total) : undefined}
        actions={
          <Button
            leftSection={<IconChecks size={16} />}
            disabled={unread === 0}
            onClick={() => void mark.markAll()}
          >
            Mark all read
          </Button>
        }
      />
      <div className={classes.tools}>
        <SegmentedControl
          aria-label="Which notifications"
          data={filters}
          value={status}
          onChange={(value) => onChange({ status: value as NotificationFilter, page: 1 })}
        />
      </div>
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.isSuccess && rows.length === 0 && status === 'all' && page === 1 && (
        <EmptyState title="No notifications yet">
          You are notified here when one of your runs ends or someone shares something with you.
        </EmptyState>
      )}
      {list.isSuccess && rows.length === 0 && (status !== 'all' || page > 1) && (
        <FilteredEmpty onClear={() => onChange({ status: 'all', page: 1 })}>
          {page > 1 ? 'There is no such page.' : `No ${status} notifications.`}
        </FilteredEmpty>
      )}
      {rows.length > 0 && (
        <>
          <Card as="ul" className={classes.list} aria-label="Notifications">
            {rows.map((row) => (
              <Row key={row.id} row={row} mark={mark} />
            ))}
          </Card>
          <Pager
            page={page}
            pageSize={pageSize}
            total={total}
            onPage={(next) => onChange({ page: next })}
          />
        </>
      )}
    </>
  );
}

function Row({ row, mark }: { row: Notification; mark: Mark }) {
  const path = notificationPath(row);
  const isUnread = row.read_at === null;
  const title = row.title || row.event;
  const read = () => {
    if (isUnread) void mark.mark([row.id], 'read', { isQuiet: true });
  };
  return (
    <li className={classes.row} data-unread={isUnread || undefined}>
      <span className={classes.dot} aria-hidden="true" />
      <div className={classes.text}>
        <p className={classes.title}>
          {isUnread && <span className="visually-hidden">Unread: </span>}
          {path === null ? (
            title
          ) : (
            <Link to={path} onClick={read}>
              {title}
            </Link>
          )}
        </p>
        {row.message !== '' && (
          <p className={classes.message}>
            <CodeText>{row.message}</CodeText>
          </p>
        )}
      </div>
      <span className={classes.time}>
        <RelativeTime date={row.created_at} />
      </span>
      <Button
        size="xs"
        aria-label={`Mark “${title}” as ${isUnread ? 'read' : 'unread'}`}
        onClick={() => void mark.mark([row.id], isUnread ? 'read' : 'unread')}
      >
        {isUnread ? 'Mark read' : 'Mark unread'}
      </Button>
    </li>
  );
}
