/** The list by status, with counts if they are known. A separate chunk: the list is painted before it. */
import { SegmentedControl } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useClient } from '../../objects/use-client.ts';
import { formatCount } from '../../ui/numbers.ts';
import type { ListState } from '../lists/list-props.ts';
import { runningCountQueryOptions } from '../lists/running-count.ts';
import { statuses } from './statuses.ts';

export interface StatusChoiceProps {
  readonly status: string;
  readonly list: ListState<'experiment'>;
  readonly onChange: (status: string) => void;
}

/** How many runs have each status, under the list's other filters; refetched while some are running. */
function statusCountsQueryOptions(client: Client, list: ListState<'experiment'>) {
  const { status: _status, verdict: _verdict, sort: _sort, ...filters } = list.asked;
  return queryOptions({
    queryKey: objectKeys('experiment').list('status-counts', filters),
    queryFn: async ({ signal }) => {
      const query = {
        ...filters,
        object_type: 'experiment',
        page_size: 1,
        with_counts: true,
      } as const;
      return (await client.listObjects({ query, signal })).status_counts ?? null;
    },
    // only after the list
    enabled: list.canSearch && list.query.isSuccess,
    refetchInterval: ({ state }) => (state.data?.RUN ? 5000 : false),
    refetchIntervalInBackground: false,
  });
}

export function StatusChoice({ status, list, onChange }: StatusChoiceProps) {
  const client = useClient();
  const running = useQuery({ ...runningCountQueryOptions(client), enabled: !list.canSearch }).data;
  const known = useQuery(statusCountsQueryOptions(client, list)).data;
  const all = known && known.NEW + known.RUN + known.FIN + known.ERR;
  const counts: Readonly<Record<string, number | undefined>> = known
    ? { ...known, '': all ?? undefined }
    : { RUN: running, [status]: list.total };
  return (
    <SegmentedControl
      aria-label="Status"
      value={status}
      onChange={onChange}
      data={statuses
        .filter(({ value }) => list.canSearch || value !== 'look')
        .map(({ value, label }) => ({
          value,
          label: counts[value] === undefined ? label : `${label} ${formatCount(counts[value])}`,
        }))}
    />
  );
}
