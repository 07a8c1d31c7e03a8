/** What runs and what waits, on which machines; for administrators also each user's share of them. */
import { useQuery } from '@tanstack/react-query';
import type { Queue } from '../../../contract/queue.ts';
import { hasCapability } from '../../objects/server.ts';
import { useClient } from '../../objects/use-client.ts';
import { useConfig } from '../../objects/use-config.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Note } from '../../ui/note.tsx';
import { formatCount } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import classes from './queue.module.css';
import { RunTable } from './run-table.tsx';
import { ShareSection } from './share-section.tsx';
import { queueQueryOptions } from './use-queue.ts';
import { WorkerTable } from './worker-table.tsx';

export function QueuePage() {
  const config = useConfig();
  if (config === undefined) return <PageSkeleton />;
  if (hasCapability(config, 'queue')) return <QueueNow />;
  return (
    <>
      <PageHead title="Queue" />
      <EmptyState title="This server does not show its queue">
        See Experiments for the state of your own runs.
      </EmptyState>
    </>
  );
}

function QueueNow() {
  const queue = useQuery(queueQueryOptions(useClient()));
  if (queue.isPending) return <PageSkeleton />;
  if (queue.data === undefined) return <QueryProblem query={queue} what="The queue" />;
  const { runs, total, workers, users, may_manage: mayManage } = queue.data;
  return (
    <div className={classes.page}>
      <PageHead title="Queue" facts={factsOf(queue.data)} />
      {queue.isError && <QueryProblem query={queue} what="The current state of the queue" />}
      <section aria-labelledby="queue-runs">
        <h2 id="queue-runs">
          Runs <HelpLink topic="turns" of="whose turn it is" />
        </h2>
        {runs.length === 0 ? <Note>Nothing is running or waiting.</Note> : <RunTable runs={runs} />}
        {total.runs > runs.length && (
          <Note gap="above" small>
            The first {formatCount(runs.length)} of {formatCount(total.runs)} runs.
          </Note>
        )}
      </section>
      <section aria-labelledby="queue-workers">
        <h2 id="queue-workers">Workers</h2>
        {workers.length === 0 ? (
          <Note>
            No worker is connected, so nothing runs. Start one with <code>ergodic worker</code> on
            any machine that can reach the database.
          </Note>
        ) : (
          <WorkerTable workers={workers} mayManage={mayManage} />
        )}
      </section>
      {mayManage && <ShareSection users={users} />}
    </div>
  );
}

function factsOf({ total, workers }: Queue): string[] {
  const slots = workers
    .filter((worker) => !worker.is_silent && worker.desired_state === 'work')
    .reduce((sum, worker) => sum + worker.slots, 0);
  return [
    `${countOf(total.running, 'chain')} running`,
    `${formatCount(total.waiting)} waiting`,
    `room for ${formatCount(slots)}`,
  ];
}

function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
