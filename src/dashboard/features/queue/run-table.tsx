/** Runs with running chains, then those that wait, in the order in which they will be started. */
import type { QueuedRun } from '../../../contract/queue.ts';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { PersonMark } from '../../ui/person-mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusBadge } from '../status/status-badge.tsx';
import { chainColumns } from './chain-columns.ts';
import { WhichRun } from './which-run.tsx';

const columns: readonly ListColumn<QueuedRun>[] = [
  {
    key: 'state',
    title: 'Status',
    phone: 'below',
    cell: ({ running, place }) => (
      <StatusBadge
        experiment={{ status: running > 0 ? 'RUN' : 'NEW', meta: { queue_place: place } }}
      />
    ),
  },
  {
    key: 'name',
    title: 'Run',
    phone: 'title',
    grow: true,
    cell: (run) => <WhichRun run={run} />,
  },
  {
    key: 'owner',
    title: 'By',
    phone: 'aside',
    cell: ({ owner }) => (owner === '' ? missing : <PersonMark name={owner} />),
  },
  {
    key: 'progress',
    title: 'Done',
    phone: 'numbers',
    align: 'right',
    cell: ({ progress }) => (progress === null ? missing : `${Math.floor(progress * 100)} %`),
  },
  ...chainColumns,
  {
    key: 'priority',
    title: 'Priority',
    phone: 'hidden',
    align: 'right',
    wideOnly: true,
    cell: ({ priority }) => formatCount(priority),
  },
  {
    key: 'location',
    title: 'Runs on',
    phone: 'hidden',
    wideOnly: true,
    cell: (run) => run.run_on || missing,
  },
  {
    key: 'since',
    title: 'Since',
    phone: 'hidden',
    cell: ({ since }) => <RelativeTime date={since} />,
  },
];

export function RunTable({ runs }: { readonly runs: readonly QueuedRun[] }) {
  return (
    <ListTable
      label="Runs"
      rows={runs}
      columns={columns}
      // other people's runs have no id, and only their position tells them apart
      idOf={(run) => run.experiment_id ?? `other ${runs.indexOf(run)}`}
      nameOf={(run) => run.name}
    />
  );
}
