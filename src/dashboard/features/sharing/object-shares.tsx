/** Everyone who can see an object: who, what, since and until when, with *Revoke*. */
import { Button } from '@mantine/core';
import { IconShare3 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../objects/use-client.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListTable } from '../../ui/list-table.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { objectSharesQueryOptions } from './queries.ts';
import type { OnRevoke } from './revoke.tsx';
import { describeShare, shareColumns, whoColumn } from './share-columns.tsx';
import classes from './sharing.module.css';

export interface ObjectSharesProps {
  readonly objectId: string;
  readonly onShare: () => void;
  readonly onRevoke?: OnRevoke;
}

export function ObjectShares({ objectId, onShare, onRevoke }: ObjectSharesProps) {
  const client = useClient();
  const shares = useQuery(objectSharesQueryOptions(client, objectId));
  if (shares.isPending) return <PageSkeleton />;
  if (shares.isError) return <QueryProblem query={shares} what="The list of shares" />;
  const create = (
    <Button variant="filled" leftSection={<IconShare3 size={16} />} onClick={onShare}>
      Share
    </Button>
  );
  if (shares.data.length === 0)
    return (
      <EmptyState title="Nobody else sees this" action={create}>
        A share is a snapshot for anyone with the link, anyone with the link and a password, or one
        person. You can revoke it at any time.
      </EmptyState>
    );
  return (
    <section aria-label="Shares">
      <div className={classes.sharesHead}>{create}</div>
      <ListTable
        label="Shares"
        rows={shares.data}
        columns={[whoColumn('title'), ...shareColumns({ onRevoke })]}
        idOf={(share) => share.short_id}
        nameOf={describeShare}
      />
    </section>
  );
}
