/**
 * Queries of compared experiments.
 *
 * experiments → details → detail(id) → compared → summary | file
 * models → details → model → compared → version
 */
import { queryOptions } from '@tanstack/react-query';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import type { Model } from '../../../contract/model.ts';
import { DrawsStore } from '../live/draws-store.ts';
import { SampleFileLoader } from '../live/sample-file.ts';

export function isLiveStatus(status: string): boolean {
  return status === 'NEW' || status === 'RUN' || status === 'SAMPLE_FIN';
}

/** How often a run that goes on is looked at; this page does not watch, it only keeps up. */
const runningMs = 5000;
const detail = (id: string) => ['experiments', 'details', id, 'live'] as const;

/** Where every page keeps what the server says of an experiment. */
export function comparedExperimentQueryOptions(client: Client, id: string) {
  return queryOptions({
    queryKey: detail(id),
    queryFn: async ({ signal }) =>
      expectKind(await client.viewObject({ params: { objid: id }, signal }), 'experiment'),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isLiveStatus(state.data.status) ? runningMs : false,
  });
}

/** The statistics of a run, and where they came from a file of draws, the draws too. */
export interface ComparedSummary {
  readonly summary: Summary;
  readonly store: DrawsStore | null;
  /** How far the run was: with another mark there is more to be had. */
  readonly mark: string;
}

/** Numbers of so many draws never change; when the run has more they are asked for again, and stand until then. */
function keptWhile(mark: string) {
  return {
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }: { state: { data?: ComparedSummary } }) =>
      state.data !== undefined && state.data.mark !== mark ? 1000 : (false as const),
  };
}

/** The server's summary. */
export function comparedSummaryQueryOptions(client: Client, experiment: Experiment) {
  const { short_id, status, n_samples } = experiment;
  const mark = `${status} ${n_samples}`;
  return queryOptions({
    queryKey: [...detail(short_id), 'compared', 'summary'],
    queryFn: async ({ signal }): Promise<ComparedSummary> => ({
      summary: await client.viewSummary({ params: { objid: short_id }, signal }),
      store: null,
      mark,
    }),
    ...keptWhile(mark),
  });
}

/** The documented way: the whole file of draws, read once, and once more when the run is over. */
export function comparedFileQueryOptions(client: Client, experiment: Experiment) {
  const { short_id, n_samples, meta } = experiment;
  const ended = !isLiveStatus(experiment.status);
  const depth = meta?.settings?.max_treedepth;
  const mark = ended ? 'ended' : 'running';
  return queryOptions({
    queryKey: [...detail(short_id), 'compared', 'file'],
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

/** The program as an experiment was run with; `version` 0 = as it is now. */
export function programQueryOptions(client: Client, modelId: string, version: number) {
  return queryOptions({
    queryKey: ['models', 'details', modelId, 'compared', version],
    queryFn: async ({ signal }): Promise<Model> =>
      expectKind(
        await client.viewObject({ params: { objid: modelId }, query: { version }, signal }),
        'model',
      ),
    // A version never changes.
    staleTime: version > 0 ? Number.POSITIVE_INFINITY : 5000,
  });
}
