/** The draws that the plots of a page show. */
import type { DrawsView } from '../../live/draws-store.ts';

export interface DrawsLimit {
  readonly leftOut: readonly string[];
  /** Number of draws read from each chain; null: all. */
  readonly common: number | null;
}

/** The draws that a plot shows, matching the summary: without the chains left out, and cut to length. */
export function limitDraws(view: DrawsView, { leftOut, common }: DrawsLimit): DrawsView {
  if (leftOut.length === 0 && common === null) return view;
  return {
    read(variable, chain, phase) {
      if (leftOut.includes(chain)) return none;
      const draws = view.read(variable, chain, phase);
      return common === null || phase !== 'sampling' ? draws : draws.subarray(0, common);
    },
  };
}

const none = new Float64Array(0);
