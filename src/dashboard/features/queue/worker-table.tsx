/** Workers: what each is running; administrators can drain and retire them. */
import { Button } from '@mantine/core';
import type { QueueWorker } from '../../../contract/queue.ts';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { formatCount, missing } from '../../ui/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './queue.module.css';
import { useChangeWorker } from './use-queue.ts';
import { WhichRun } from './which-run.tsx';

const nameOf = ({ host, pid }: QueueWorker) => `${host}, process ${pid}`;
/** Its chains are run by workers that it submits to a cluster; it runs none itself. */
const isSubmitter = ({ slots }: QueueWorker) => slots === 0;
const chainsOf = ({ runs }: QueueWorker) =>
  runs.reduce((sum, { chains }) => sum + Math.max(1, chains.length), 0);

const columns: readonly ListColumn<QueueWorker>[] = [
  {
    key: 'machine',
    title: 'Machine',
    phone: 'title',
    cell: (worker) => (
      <>
        {worker.host} <span className={classes.dim}>process {worker.pid}</span>
      </>
    ),
  },
  { key: 'state', title: 'State', phone: 'below', cell: stateOf },
  {
    key: 'chains',
    title: 'Chains',
    phone: 'numbers',
    align: 'right',
    cell: (worker) =>
      isSubmitter(worker)
        ? missing
        : `${formatCount(chainsOf(worker))} of ${formatCount(worker.slots)}`,
  },
  {
    key: 'speed',
    title: 'Draws/s',
    phone: 'numbers',
    align: 'right',
    cell: ({ runs }) => {
      const speed = runs.reduce((sum, run) => sum + run.draws_per_second, 0);
      return speed > 0 ? formatCount(Math.round(speed)) : missing;
    },
  },
  {
    key: 'runs',
    title: 'Runs',
    phone: 'below',
    grow: 'sentence',
    cell: (worker) => <Runs {...worker} />,
  },
  {
    key: 'tasks',
    title: 'Other tasks',
    phone: 'hidden',
    align: 'right',
    wideOnly: true,
    cell: ({ tasks }) => formatCount(tasks),
  },
  {
    key: 'pools',
    title: 'Serves',
    phone: 'hidden',
    wideOnly: true,
    cell: ({ pools }) => (pools.length === 0 ? 'any run' : pools.join(', ')),
  },
  {
    key: 'started',
    title: 'Started',
    phone: 'hidden',
    wideOnly: true,
    cell: ({ started_at }) => <RelativeTime date={started_at} />,
  },
];

function stateOf(worker: QueueWorker) {
  const { is_silent: isSilent, heartbeat_at: heartbeat, desired_state } = worker;
  if (isSilent)
    return (
      <span className={classes.bad}>
        Silent, last seen <RelativeTime date={heartbeat} />
      </span>
    );
  switch (desired_state) {
    case 'work':
      return isSubmitter(worker) ? 'Submits jobs' : 'Takes chains';
    case 'drain':
      return <span className={classes.warn}>Drained</span>;
    case 'retire':
      return <span className={classes.warn}>Ending</span>;
  }
}

function Runs({ runs }: Pick<QueueWorker, 'runs'>) {
  if (runs.length === 0) return missing;
  return runs.map((run, index) => (
    <span key={run.experiment_id ?? index}>
      {index > 0 && ', '}
      <WhichRun run={run} />
      {run.chains.length > 0 && (
        <span className={classes.dim}>
          {' '}
          {run.chains.length === 1 ? 'chain' : 'chains'} {run.chains.join(', ')}
        </span>
      )}
    </span>
  ));
}

export interface WorkerTableProps {
  readonly workers: readonly QueueWorker[];
  readonly mayManage: boolean;
}

export function WorkerTable({ workers, mayManage }: WorkerTableProps) {
  const actions: ListColumn<QueueWorker> = {
    key: 'actions',
    title: '',
    phone: 'below',
    align: 'right',
    cell: (worker) => <WorkerActions worker={worker} />,
  };
  return (
    <ListTable
      label="Workers"
      rows={workers}
      columns={mayManage ? [...columns, actions] : columns}
      idOf={({ id }) => String(id)}
      nameOf={nameOf}
    />
  );
}

function changeTitle(worker: QueueWorker, next: 'drain' | 'work'): string {
  if (isSubmitter(worker)) return next === 'drain' ? 'Submit no more jobs' : 'Submit jobs again';
  return next === 'drain'
    ? 'Finish the chains it has and take no others'
    : 'Take chains from the queue again';
}

function WorkerActions({ worker }: { readonly worker: QueueWorker }) {
  const { run, isBusy } = useChangeWorker();
  const { desired_state: state } = worker;
  if (state === 'retire' || worker.is_silent) return null;
  const next = state === 'work' ? 'drain' : 'work';
  return (
    <span className={classes.actions}>
      <Button
        size="xs"
        disabled={isBusy}
        title={changeTitle(worker, next)}
        aria-label={`${next === 'drain' ? 'Drain' : 'Resume'} ${nameOf(worker)}`}
        onClick={() => void run({ worker, desired: next })}
      >
        {next === 'drain' ? 'Drain' : 'Resume'}
      </Button>
      {worker.can_retire && (
        <Button
          size="xs"
          disabled={isBusy}
          title="Hand its chains to other workers now, and end the process"
          aria-label={`Retire ${nameOf(worker)}`}
          onClick={() => void run({ worker, desired: 'retire' })}
        >
          Retire
        </Button>
      )}
    </span>
  );
}
