/** How many draws a run has, chain by chain: the basis of counts on every page, list and card. */
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { formatCount } from '../../ui/numbers.ts';

type Counted = Pick<Experiment, 'n_chains' | 'n_samples' | 'meta'>;

/**
 * Draws by the chain's name, chains without draws included; null when the server gives only the smallest
 * number. A share's summary counts what the share shows, so it takes precedence.
 */
export function drawsByChain(
  { meta }: Counted,
  summary: Summary | null = null,
): ReadonlyMap<string, number> | null {
  const summarised = summary?.chains.map(({ name, n_samples }) => [name, n_samples] as const) ?? [];
  const reported = meta?.progress?.chains.map(({ name, draws }) => [name, draws] as const) ?? [];
  for (const chains of [summarised, reported]) {
    const known = chains.flatMap(([name, draws]) =>
      typeof draws === 'number' ? [[name, draws] as const] : [],
    );
    if (known.length > 0 && known.length === chains.length) return new Map(known);
  }
  return null;
}

/** Draws of all chains together. */
export function totalDraws(experiment: Counted, summary: Summary | null = null): number {
  const counts = drawsByChain(experiment, summary);
  if (counts === null) return experiment.n_chains * experiment.n_samples;
  return [...counts.values()].reduce((total, draws) => total + draws, 0);
}

/** "201 608 draws in 3 of 4 chains" if chains have different lengths; null if all have the same. */
export function unevenDraws(experiment: Counted, summary: Summary | null = null): string | null {
  const parts = unevenParts(experiment, summary);
  return parts && `${parts.total} draws in ${parts.chains} chains`;
}

/** "201 608 in 3 of 4", under a head that says what is counted; null if all have the same. */
export function unevenCount(experiment: Counted): string | null {
  const parts = unevenParts(experiment, null);
  return parts && `${parts.total} in ${parts.chains}`;
}

function unevenParts(experiment: Counted, summary: Summary | null) {
  const counts = [...(drawsByChain(experiment, summary)?.values() ?? [])];
  if (new Set(counts).size <= 1) return null;
  const numWith = counts.filter((draws) => draws > 0).length;
  const chains = numWith < counts.length ? `${numWith} of ${counts.length}` : String(numWith);
  return { total: formatCount(totalDraws(experiment, summary)), chains };
}
