/** The list by status, with counts where they are known. A chunk of its own: the list is painted before it. */
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../objects/use-client.ts';
import { formatCount } from '../../ui/numbers.ts';
import { runningCountQueryOptions } from '../lists/running-count.ts';
import { statuses } from './statuses.ts';

export interface StatusChoiceProps {
  readonly status: string;
  /** Of the list as it is narrowed now. */
  readonly total: number;
  readonly onChange: (status: string) => void;
}

export function StatusChoice({ status, total, onChange }: StatusChoiceProps) {
  const client = useClient();
  const running = useQuery(runningCountQueryOptions(client)).data;
  const counts: Record<string, number | undefined> = { RUN: running, [status]: total };
  return (
    <SegmentedControl
      aria-label="Status"
      value={status}
      onChange={onChange}
      data={statuses.map(({ value, label }) => ({
        value,
        label: counts[value] === undefined ? label : `${label} ${formatCount(counts[value])}`,
      }))}
    />
  );
}
