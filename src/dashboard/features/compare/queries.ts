/** Queries of compared experiments. */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { isLiveStatus } from '../../objects/live-status.ts';
import { objectQueryOptions } from '../../objects/object-queries.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { DrawsStore } from '../live/draws-store.ts';
import { SampleFileLoader } from '../live/sample-file.ts';
import { totalDraws } from '../status/draw-counts.ts';

/** How often a running run is refetched; this page does not watch runs, it only keeps up. */
const runningMs = 5000;

/** Uses the query that all pages share for an experiment. */
export function comparedExperimentQueryOptions(client: Client, id: string) {
  return queryOptions({
    ...objectQueryOptions(client, 'experiment', id),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isLiveStatus(state.data.status) ? runningMs : false,
  });
}

/** The statistics of a run, and the draws too if both came from a file. */
export interface ComparedSummary {
  readonly summary: Summary;
  readonly store: DrawsStore | null;
  /** The run's progress: a different mark means that there is more to fetch. */
  readonly mark: string;
}

/** The numbers for a given count of draws never change: they are fetched again once the run has more. */
function keptWhile(mark: string) {
  return {
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }: { state: { data?: ComparedSummary } }) =>
      state.data !== undefined && state.data.mark !== mark ? 1000 : (false as const),
  };
}

/** The server's summary. */
export function comparedSummaryQueryOptions(client: Client, experiment: Experiment) {
  const { short_id, status } = experiment;
  const mark = `${status} ${totalDraws(experiment)}`;
  return queryOptions({
    queryKey: objectKeys('experiment').part(short_id, ['compared', 'summary']),
    queryFn: async ({ signal }): Promise<ComparedSummary> => ({
      summary: await client.viewSummary({ params: { objid: short_id }, signal }),
      store: null,
      mark,
    }),
    ...keptWhile(mark),
  });
}

/** The documented way: the entire file of draws, read once, and again when the run has ended. */
export function comparedFileQueryOptions(client: Client, experiment: Experiment) {
  const { short_id, n_samples, meta } = experiment;
  const ended = !isLiveStatus(experiment.status);
  const depth = meta?.settings?.max_treedepth;
  const mark = ended ? 'ended' : 'running';
  return queryOptions({
    queryKey: objectKeys('experiment').part(short_id, ['compared', 'file']),
    queryFn: async ({ signal }): Promise<ComparedSummary> => {
      const store = new DrawsStore();
      const loader = new SampleFileLoader(client, short_id, {}, store);
      const maxTreedepth = typeof depth === 'number' ? depth : null;
      const summary = await loader.load({ numSamples: n_samples, ended, maxTreedepth }, signal);
      return { summary, store, mark };
    },
    ...keptWhile(mark),
  });
}
