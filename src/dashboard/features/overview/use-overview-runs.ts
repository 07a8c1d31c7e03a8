/** The runs of the overview: those that are running or queued, and those that ended last. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Experiment } from '../../../contract/experiment.ts';
import { isLiveStatus } from '../../objects/live-status.ts';
import { objectListQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';

/** At most this many run cards are shown. */
const shownRunning = 12;
/** Rows of runs that ended. */
export const shownEnded = 8;

export function useOverviewRuns() {
  const client = useClient();
  const recentList = useQuery(objectListQueryOptions(client, 'experiment', { page_size: 50 }));
  const recent = recentList.data?.objects ?? [];
  const numEnded = recent.filter(hasEnded).length;
  // One page that holds every run answers everything.
  const areCovered = recentList.data === undefined || recentList.data.total <= recent.length;
  const runningList = useQuery({
    ...objectListQueryOptions(client, 'experiment', { status: 'RUN', page_size: shownRunning }),
    enabled: !areCovered,
  });
  // Objects that were never started may fill the page of recent changes.
  const endedLists = useQueries({
    queries: (['FIN', 'ERR'] as const).map((status) => ({
      ...objectListQueryOptions(client, 'experiment', {
        status,
        page_size: shownEnded,
      }),
      enabled: numEnded < shownEnded && !areCovered,
    })),
  });
  const more = endedLists.flatMap((list) => list.data?.objects ?? []);
  const running = uniqueRuns(recent, runningList.data?.objects ?? []).filter(isUnderWay);
  const queued = running.filter(({ status }) => status === 'NEW').length;
  return {
    list: recentList,
    running: running.slice(0, shownRunning),
    numRunning: Math.max(running.length, (runningList.data?.total ?? 0) + queued),
    ended: uniqueRuns(recent, more)
      .filter(hasEnded)
      .sort((a, b) => endOf(b) - endOf(a)),
  };
}

/** Running or queued: an object that was never started is neither. */
function isUnderWay({ status, meta }: Experiment): boolean {
  return status === 'NEW' ? Boolean(meta?.queue_place) : isLiveStatus(status);
}

function hasEnded({ status }: Experiment): boolean {
  return !isLiveStatus(status);
}

function endOf({ updated_at: updated, sample_update_time: sampled }: Experiment): number {
  return Date.parse(updated ?? sampled ?? '') || 0;
}

/** Each run once, as the first list that contains it shows it. */
function uniqueRuns(...lists: readonly (readonly Experiment[])[]): Experiment[] {
  const byId = new Map<string, Experiment>();
  for (const run of lists.flat()) if (!byId.has(run.short_id)) byId.set(run.short_id, run);
  return [...byId.values()];
}
