/** The overview of a long trace for the zoomed range; the last one stays until the finer one has loaded. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { objectKeys } from '../../../objects/query-keys.ts';
import { manyDraws, type Overview } from '../../live/thin-draws.ts';
import { totalDraws } from '../../status/draw-counts.ts';
import { longestChain } from '../../status/longest-chain.ts';
import { settingNumber, thinOf } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ZoomRange } from './zoom-range.ts';

export interface TraceOverview {
  readonly warmup: Overview | null;
  readonly sampling: Overview;
}

/** Whether a trace of this run is drawn from an overview: the run is over and long, and the server can thin. */
export function isLong({ experiment, summary, isLive, thin }: LiveExperiment): boolean {
  return thin !== null && !isLive && totalDraws(experiment, summary) > manyDraws;
}

/** First and last saved draw of a phase that `zoom` shows; `offset` iterations precede the phase. */
export function rangeIn(
  zoom: ZoomRange | null,
  { offset, step, count }: { offset: number; step: number; count: number },
): readonly [number, number] | null {
  if (count === 0) return null;
  if (zoom === null) return [1, count];
  const from = Math.max(1, Math.ceil((zoom[0] - offset - 1) / step) + 1);
  const to = Math.min(count, Math.floor((zoom[1] - offset - 1) / step) + 1);
  return from <= to ? [from, to] : null;
}

/** Null while not needed or not loaded; never throws: failures are in `live.drawsError`. */
export function useOverview(
  live: LiveExperiment,
  variable: string,
  { zoom, withWarmup, enabled }: { zoom: ZoomRange | null; withWarmup: boolean; enabled: boolean },
): { readonly overview: TraceOverview | null; readonly error: Error | null } {
  const { experiment, summary, thin, access } = live;
  const step = thinOf(experiment);
  const numWarmup = settingNumber(experiment, 'num_warmup') ?? 0;
  const hasWarmup = withWarmup && experiment.meta?.settings?.save_warmup === true;
  const offset = hasWarmup ? numWarmup : 0;
  const sampling = rangeIn(zoom, { offset, step, count: longestChain(experiment, summary) });
  const warmup = hasWarmup
    ? rangeIn(zoom, { offset: 0, step, count: Math.ceil(numWarmup / step) })
    : null;
  const query = useQuery({
    queryKey: objectKeys('experiment').part(
      experiment.short_id,
      ['overview', variable, sampling, warmup],
      access.shareId,
    ),
    queryFn: async (): Promise<TraceOverview> => {
      if (thin === null) throw new Error('This server does not thin draws.');
      const ask = (phase: 'warmup' | 'sampling', range: readonly [number, number] | null) =>
        range === null ? null : thin.ask(variable, { phase, from: range[0], to: range[1] });
      const [early, late] = await Promise.all([ask('warmup', warmup), ask('sampling', sampling)]);
      return { warmup: early, sampling: late ?? new Map() };
    },
    enabled: enabled && thin !== null,
    // Its draws no longer change; the last few zooms stay cached.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  return { overview: enabled ? (query.data ?? null) : null, error: query.error };
}
