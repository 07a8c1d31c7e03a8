/** All workflows: a model, its data and settings, ready to run again. */
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Client } from '../../../client/create-client.ts';
import type { Workflow } from '../../../contract/workflow.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type ListColumn, ListTable, Pager } from '../../ui/list-table.tsx';
import { ListTools } from '../../ui/list-tools.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useCanDelete, useDelete } from '../../ui/use-delete.ts';
import { objectListQueryOptions, pageSize } from '../live/object-list.ts';

export interface WorkflowListSearch {
  readonly q: string;
  readonly page: number;
}

export interface WorkflowListPageProps {
  readonly client: Client;
  readonly search: WorkflowListSearch;
  readonly onSearchChange: (change: Partial<WorkflowListSearch>) => void;
}

const columns: readonly ListColumn<Workflow>[] = [
  {
    key: 'name',
    title: 'Name',
    phone: 'title',
    grow: true,
    cell: (row) => (
      <Link to="/workflows/$workflowId" params={{ workflowId: row.short_id }} title={row.name}>
        {row.name || row.short_id}
      </Link>
    ),
  },
  {
    key: 'model',
    title: 'Model',
    phone: 'below',
    grow: true,
    cell: (row) => row.model_name || '–',
  },
  { key: 'data', title: 'Data', phone: 'hidden', grow: true, cell: (row) => row.data_name || '–' },
  {
    key: 'run',
    title: 'Last run',
    phone: 'hidden',
    grow: true,
    cell: (row) => row.experiment_name || row.experiment_id || '–',
  },
  {
    key: 'updated',
    title: 'Updated',
    phone: 'below',
    align: 'right',
    cell: (row) => <RelativeTime date={row.updated_at} />,
  },
];

export function WorkflowListPage({ client, search, onSearchChange }: WorkflowListPageProps) {
  const list = useQuery(
    objectListQueryOptions(client, 'workflow', { q: search.q, page_no: search.page }),
  );
  const remove = useDelete(client);
  const canDelete = useCanDelete(client);
  const clear = () => onSearchChange({ q: '', page: 1 });
  return (
    <>
      <PageHead title="Workflows" />
      {(search.q !== '' || (list.data?.total ?? 0) > 0) && (
        <ListTools
          label="Search names and ids"
          search={search.q}
          onSearch={(q) => onSearchChange({ q, page: 1 })}
        />
      )}
      {list.isPending && <PageSkeleton />}
      {list.isError && <QueryProblem query={list} what="The list" />}
      {list.data?.total === 0 &&
        (search.q !== '' ? (
          <EmptyState
            title="Nothing matches the filter"
            action={
              <Button variant="default" onClick={clear}>
                Clear the filter
              </Button>
            }
          >
            No workflow is called “{search.q}”.
          </EmptyState>
        ) : (
          <EmptyState
            title="No workflow yet"
            action={
              <Button variant="default" component={Link} to="/experiments/new">
                New experiment
              </Button>
            }
          >
            A workflow keeps a model with its data and settings. Running a model makes one; it is
            used again next time.
          </EmptyState>
        ))}
      {list.data !== undefined && list.data.objects.length > 0 && (
        <>
          <ListTable
            label="Workflows"
            rows={list.data.objects}
            columns={columns}
            idOf={(row) => row.short_id}
            nameOf={(row) => row.name || row.short_id}
            canSelect={canDelete}
            selectionActions={(rows, done) => (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} stroke={1.6} />}
                onClick={() =>
                  void remove({
                    ids: rows.map((row) => row.short_id),
                    words:
                      rows.length === 1
                        ? `${rows[0].name || rows[0].short_id} deleted.`
                        : `${rows.length} workflows deleted.`,
                    queryKeys: [['workflows']],
                    then: done,
                  })
                }
              >
                Delete
              </Button>
            )}
          />
          <Pager
            page={search.page}
            pageSize={pageSize}
            total={list.data.total}
            onPage={(page) => onSearchChange({ page })}
          />
        </>
      )}
    </>
  );
}
