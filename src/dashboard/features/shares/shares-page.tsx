/** What this person shared, what was shared with them, and opening a link. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Share } from '../../../contract/share.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { objectListQueryOptions } from '../live/object-list.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import classes from './shares.module.css';

export interface SharesPageProps {
  readonly client: Client;
  readonly tab: 'by-me' | 'with-me';
  readonly onTab: (tab: 'by-me' | 'with-me') => void;
  readonly onOpen: (path: string) => void;
}

export function SharesPage({ client, tab, onTab, onOpen }: SharesPageProps) {
  return (
    <>
      <PageHead title="Shares" />
      <div className={classes.tools}>
        <SegmentedControl
          value={tab}
          onChange={(value) => onTab(value as 'by-me' | 'with-me')}
          data={[
            { value: 'by-me', label: 'Shared by me' },
            { value: 'with-me', label: 'Shared with me' },
          ]}
        />
        <OpenLink onOpen={onOpen} />
      </div>
      {tab === 'by-me' ? <SharedByMe client={client} /> : <SharedWithMe client={client} />}
    </>
  );
}

function SharedByMe({ client }: { client: Client }) {
  const list = useQuery(objectListQueryOptions(client, 'share', { page_size: 1000 }));
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  if (list.isPending) return <PageSkeleton />;
  if (list.isError) return <QueryProblem query={list} what="The list" />;
  if (list.data.objects.length === 0) {
    return (
      <EmptyState title="Nothing is shared">
        Open an experiment or a model and press Share: a link, with a password if you like, shows it
        as it is at that moment.
      </EmptyState>
    );
  }
  const columns: ListColumn<Share>[] = [
    {
      key: 'name',
      title: 'What',
      phone: 'title',
      grow: true,
      cell: (row) => (
        <Link to={pathOf(row.experiment_id)}>{row.experiment_name || row.experiment_id}</Link>
      ),
    },
    { key: 'who', title: 'Who', phone: 'below', cell: whoSees },
    {
      key: 'made',
      title: 'Made',
      phone: 'below',
      cell: (row) => <RelativeTime date={row.created_at} />,
    },
    {
      key: 'ends',
      title: 'Ends',
      phone: 'hidden',
      cell: (row) => (row.expires_at ? new Date(row.expires_at).toLocaleDateString() : 'never'),
    },
    {
      key: 'tries',
      title: 'Wrong passwords',
      phone: 'hidden',
      align: 'right',
      cell: (row) => row.failed_attempts ?? '–',
    },
    {
      key: 'actions',
      title: '',
      phone: 'aside',
      align: 'right',
      cell: (row) => (
        <span className={classes.rowActions}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconCopy size={14} stroke={1.6} />}
            onClick={() => {
              void navigator.clipboard
                .writeText(`${window.location.origin}/s/${row.experiment_id}/${row.short_id}`)
                .then(() => {
                  showToast({ message: 'Link copied.' });
                });
            }}
          >
            Copy link
          </Button>
          {canDelete && (
            <Button
              size="xs"
              variant="default"
              className={classes.revoke}
              onClick={() =>
                void remove({
                  ids: [row.short_id],
                  words: 'Share revoked.',
                  queryKeys: [['shares']],
                })
              }
            >
              Revoke
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <ListTable
      label="Shared by me"
      rows={list.data.objects}
      columns={columns}
      idOf={(row) => row.short_id}
      nameOf={(row) => row.experiment_name}
    />
  );
}

/** The owner's own page of a shared object. */
function pathOf(id: string): string {
  const pages: Record<string, string> = { M: 'models', F: 'workflows', D: 'data' };
  return `/${pages[id[0]] ?? 'experiments'}/${id}`;
}

function whoSees(share: Share): string {
  if (share.to_user) return share.to_user;
  return share.password === '' ? 'Anyone with the link' : 'Link and password';
}

const withMeColumns: readonly ListColumn<Experiment>[] = [
  {
    key: 'status',
    title: 'Status',
    phone: 'aside',
    cell: (row) => <StatusBadge experiment={row} />,
  },
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    cell: (row) => <Link to={addressOf(row)}>{row.name || row.short_id}</Link>,
  },
  { key: 'owner', title: 'Owner', phone: 'below', cell: (row) => row.owner ?? '–' },
  {
    key: 'updated',
    title: 'Draws of',
    phone: 'below',
    align: 'right',
    cell: (row) => <RelativeTime date={row.sample_update_time} />,
  },
];

function addressOf(experiment: Experiment): string {
  const share = experiment.share_info?.at(0);
  return share === undefined
    ? `/experiments/${experiment.short_id}`
    : `/s/${experiment.short_id}/${share.short_id}`;
}

function SharedWithMe({ client }: { client: Client }) {
  const list = useQuery(
    objectListQueryOptions(client, 'experiment', { shared_with_me: true, page_size: 200 }),
  );
  if (list.isPending) return <PageSkeleton />;
  if (list.isError) return <QueryProblem query={list} what="The list" />;
  if (list.data.objects.length === 0) {
    return (
      <EmptyState title="Nothing is shared with you">
        What others share with your user name appears here.
      </EmptyState>
    );
  }
  return (
    <ListTable
      label="Shared with me"
      rows={list.data.objects}
      columns={withMeColumns}
      idOf={(row) => row.short_id}
      nameOf={(row) => row.name}
    />
  );
}

function OpenLink({ onOpen }: { onOpen: (path: string) => void }) {
  const [text, setText] = useState('');
  const match = /\/s\/([A-Za-z0-9]{8,9})\/(S[A-Za-z0-9]{7,8})\/?$/.exec(text.trim());
  return (
    <form
      className={classes.open}
      onSubmit={(event) => {
        event.preventDefault();
        if (match !== null) onOpen(`/s/${match[1]}/${match[2]}`);
      }}
    >
      <TextInput
        aria-label="Link to open"
        placeholder="Paste a link to open it"
        leftSection={<IconLink size={16} stroke={1.6} />}
        value={text}
        error={
          text !== '' && match === null
            ? 'A link ends in /s/, an id, and an id that begins with S.'
            : undefined
        }
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={match === null}>
        Open
      </Button>
    </form>
  );
}
