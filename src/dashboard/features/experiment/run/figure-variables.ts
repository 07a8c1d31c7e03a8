/** Draws of the store in the form that figures expect. */
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureChain, FigureVariable } from '../../../../figures/figure.ts';
import { divergentColumn } from '../../live/draws-loader.ts';
import type { DrawsView } from '../../live/draws-store.ts';
import { limitDraws } from './chain-choice.ts';
import type { ChainFocus } from './chain-strip.tsx';
import type { LiveExperiment } from './use-live-experiment.ts';

/**
 * Requests all of `names` while mounted and renders again when the store changes. Returns the same array until then.
 * The draws are those that the summary uses: a plot of them agrees with its numbers. Without `limit`: all.
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

/** A variable, or a column of the sampler; a summary row also fits. */
export type NamedColumn = Pick<FigureVariable, 'variable' | 'label'>;

/** Sampling draws of one variable, chain by chain; with divergences if `withDivergent`. */
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

/** The declared bounds in a row of the summary; none if the server knows none. */
export function boundsOf({ lower, upper }: SummaryRow): Pick<FigureVariable, 'lower' | 'upper'> {
  return { lower, upper };
}

export function hasDraws({ chains }: FigureVariable): boolean {
  return chains.some((chain) => chain.sampling.length > 0);
}

/** The chains to fade while another is pointed at. */
export function fadedBy({ pointed }: ChainFocus, numChains: number): ReadonlySet<number> {
  if (pointed === null) return nobody;
  return new Set(Array.from({ length: numChains }, (_, i) => i).filter((i) => i !== pointed));
}

const nobody: ReadonlySet<number> = new Set();
