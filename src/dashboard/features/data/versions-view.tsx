/** Earlier versions of a data object, and the way to look at one. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../../contract/data.ts';
import { useClient } from '../../objects/use-client.ts';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { textColumn } from '../lists/list-columns.tsx';
import { dataVersionsQueryOptions } from './queries.ts';

interface Row {
  readonly version: number;
  readonly created_at: string;
  readonly note?: string;
}

export interface VersionsViewProps {
  readonly data: Data;
  readonly onView: (version: number) => void;
}

export default function VersionsView({ data, onView }: VersionsViewProps) {
  const client = useClient();
  const list = useQuery(dataVersionsQueryOptions(client, data.short_id, data.version));
  if (list.isPending) return <PageSkeleton />;
  if (list.isError) return <QueryProblem query={list} what="The list of versions" />;
  const columns: readonly ListColumn<Row>[] = [
    {
      key: 'version',
      title: 'Version',
      phone: 'title',
      cell: ({ version }) => (version === data.version ? `v${version}, the newest` : `v${version}`),
    },
    {
      key: 'when',
      title: 'Created',
      phone: 'below',
      grow: true,
      cell: ({ created_at, note }) => (
        <>
          <RelativeTime date={created_at} />
          {note ? `, ${note}` : ''}
        </>
      ),
    },
    textColumn({ key: 'who', title: 'By', phone: 'below', text: () => data.owner }),
    {
      key: 'view',
      title: '',
      phone: 'aside',
      align: 'right',
      cell: ({ version }) => (
        <Button
          size="xs"
          aria-label={`View v${version}`}
          onClick={() => onView(version === data.version ? 0 : version)}
        >
          View
        </Button>
      ),
    },
  ];
  return (
    <ListTable
      label="Versions"
      rows={list.data}
      columns={columns}
      idOf={({ version }) => String(version)}
      nameOf={({ version }) => `v${version}`}
    />
  );
}
