/** Everybody who can see an object: who, what, since and until when, with *Revoke*. */
import { Button, CopyButton } from '@mantine/core';
import { IconCopy, IconShare3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Share } from '../../../contract/share.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { objectSharesQueryOptions, shareLink } from './queries.ts';
import { describeShare } from './share-dialog.tsx';
import classes from './sharing.module.css';

export interface ObjectSharesProps {
  readonly client: Client;
  readonly objectId: string;
  readonly onShare: () => void;
  /** Revokes with an undo toast; absent where the server cannot. */
  readonly onRevoke?: (share: Share) => void;
}

export function ObjectShares({ client, objectId, onShare, onRevoke }: ObjectSharesProps) {
  const shares = useQuery(objectSharesQueryOptions(client, objectId));
  if (shares.isPending) return <PageSkeleton />;
  if (shares.isError) return <QueryProblem query={shares} what="The list of shares" />;
  const create = (
    <Button leftSection={<IconShare3 size={16} stroke={1.6} />} onClick={onShare}>
      Share
    </Button>
  );
  if (shares.data.length === 0)
    return (
      <EmptyState title="Nobody else sees this" action={create}>
        A share shows it as it is at that moment, by a link, with a password, or to one person. You
        can revoke it at any time.
      </EmptyState>
    );
  return (
    <section aria-label="Shares">
      <div className={classes.actions}>{create}</div>
      <ListTable
        label="Shares of this experiment"
        rows={shares.data}
        columns={columnsOf(onRevoke)}
        idOf={(share) => share.short_id}
        nameOf={describeShare}
      />
    </section>
  );
}

function columnsOf(onRevoke: ObjectSharesProps['onRevoke']): ListColumn<Share>[] {
  return [
    { key: 'who', title: 'Who', phone: 'title', grow: true, cell: describeShare },
    { key: 'what', title: 'Sees', phone: 'below', cell: whatIsSeen },
    {
      key: 'since',
      title: 'Since',
      phone: 'below',
      cell: (share) => <RelativeTime date={share.created_at} />,
    },
    {
      key: 'until',
      title: 'Until',
      phone: 'below',
      cell: (share) =>
        share.expires_at ? new Date(share.expires_at).toLocaleDateString() : 'revoked',
    },
    {
      key: 'tries',
      title: 'Wrong passwords',
      phone: 'hidden',
      align: 'right',
      cell: (share) => share.failed_attempts ?? '–',
    },
    {
      key: 'actions',
      title: '',
      phone: 'aside',
      align: 'right',
      cell: (share) => (
        <span className={classes.brandTools}>
          <CopyButton
            value={shareLink(window.location.origin, share.experiment_id, share.short_id)}
          >
            {({ copied, copy }) => (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconCopy size={14} stroke={1.6} />}
                onClick={copy}
              >
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          {onRevoke !== undefined && (
            <Button
              size="xs"
              variant="default"
              className={classes.revoke}
              onClick={() => onRevoke(share)}
            >
              Revoke
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function whatIsSeen({ include = [] }: Share): string {
  const more = include.length > 0 ? `, ${include.join(' and ')}` : '';
  return `Draws, plots, summary${more}`;
}
