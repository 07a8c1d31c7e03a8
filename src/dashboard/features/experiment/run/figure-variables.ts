/** Draws of the store as figures take them. */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureChain, FigureVariable } from '../../../../figures/figure.ts';
import { divergentColumn } from '../../live/draws-loader.ts';
import type { DrawsView } from '../../live/draws-store.ts';
import { limitDraws } from './chain-choice.ts';
import type { ChainFocus } from './chain-strip.tsx';
import type { LiveExperiment } from './use-live-experiment.ts';

/**
 * Wants all of `names` while mounted and renders again when the store changes. The same array while nothing changes.
 * The draws are those that the summary uses: a plot of them agrees with its numbers. `limit` absent: all.
 */
export function useDrawsOf(
  {
    want,
    store,
    limit,
  }: Pick<LiveExperiment, 'store' | 'want'> & Partial<Pick<LiveExperiment, 'limit'>>,
  names: readonly string[],
): DrawsView {
  useEffect(() => {
    const releases = names.map((name) => want(name));
    return () => {
      for (const release of releases) release();
    };
  }, [want, names]);
  const view = useSyncExternalStore(store.subscribe, store.view);
  return useMemo(() => (limit === undefined ? view : limitDraws(view, limit)), [view, limit]);
}

/** A variable, or a column of the sampler; a row of the summary is one. */
export type NamedColumn = Pick<FigureVariable, 'variable' | 'label'>;

/** Sampling draws of one variable, chain by chain; divergences with them where `withDivergent`. */
export function figureVariable(
  draws: DrawsView,
  chainNames: readonly string[],
  { variable, label }: NamedColumn,
  withDivergent = false,
): FigureVariable {
  const chains = chainNames.map(
    (name, index): FigureChain => ({
      index,
      name,
      sampling: draws.read(variable, name, 'sampling'),
      ...(withDivergent ? { divergent: draws.read(divergentColumn, name, 'sampling') } : {}),
    }),
  );
  return { variable, label, chains };
}

/** The declared bounds that came with a row of the summary; none where the server knows none. */
export function boundsOf({ lower, upper }: SummaryRow): Pick<FigureVariable, 'lower' | 'upper'> {
  return { lower, upper };
}

export function hasDraws({ chains }: FigureVariable): boolean {
  return chains.some((chain) => chain.sampling.length > 0);
}

/** The chains that stand back while another is pointed at. */
export function fadedBy({ pointed }: ChainFocus, numChains: number): ReadonlySet<number> {
  if (pointed === null) return nobody;
  return new Set(Array.from({ length: numChains }, (_, i) => i).filter((i) => i !== pointed));
}

const nobody: ReadonlySet<number> = new Set();
