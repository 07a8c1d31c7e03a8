/** Rank plots: the ranks of each chain's draws among all draws; chains that agree have the same distribution. */
import { rankEcdf, rankHistogram } from '../posterior/rank-ecdf.ts';
import { chainTrace } from './chain-lines.ts';
import {
  chainLabel,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { bandTrace } from './predictive-uniform.ts';
import { levelLine } from './reference-line.ts';

export interface RankHistogramOptions extends FigureOptions {
  /** Default 20. */
  readonly bins?: number;
}

export interface RankEcdfOptions extends FigureOptions {
  /** Probability that all chains stay in the band if they agree; default 0.95. */
  readonly probability?: number;
  /** Points of evaluation; default 100. */
  readonly points?: number;
}

const oneChain = 'Ranks need two chains and only finite draws';

/**
 * Stepped counts of each chain's ranks in equal bins, the expected count dotted. Source: Vehtari et al. 2021,
 * arXiv 1903.08008, section 5.
 */
export function rankHistogramFigure(
  asked: FigureVariable,
  options: RankHistogramOptions,
): DrawnFigure {
  const { chains } = asked;
  const { palette, bins = 20 } = options;
  // Ranks are among all chains, whichever are hidden: hiding one must not move the others.
  const usable = chains.filter((chain) => chain.sampling.length > 0);
  const counts = rankHistogram(
    usable.map((chain) => chain.sampling),
    bins,
  );
  const shown = shownChains(usable, options);
  const countsOf = (index: number) => counts?.[usable.findIndex((c) => c.index === index)];
  const length = Math.min(...usable.map((chain) => chain.sampling.length));
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => i / bins);
  const data = shown.flatMap((chain) => {
    const own = countsOf(chain.index);
    if (own === undefined) return [];
    return [
      {
        ...chainTrace(chain.index, options, 'hv'),
        x: edges,
        y: Float64Array.from(edges, (_, i) => own[Math.min(i, bins - 1)]),
        hovertemplate: `${chainLabel(chain)}<br>%{y} draws<extra></extra>`,
      },
    ];
  });
  const expected = length / bins;
  const layout = framed(
    {
      xaxis: plainAxis(palette, { line: true, range: [0, 1] }),
      yaxis: plainAxis(palette, { grid: true, rangemode: 'tozero' }),
      shapes: counts === null ? [] : [levelLine(expected, palette.axis)],
    },
    {
      title: `Ranks of ${titleName(asked)}`,
      x: 'Rank among all draws',
      y: 'Draws of the chain',
      inCard: true,
    },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), 'rank_from', 'rank_to', 'draws', 'expected'],
      rows: shown.flatMap((chain) =>
        Array.from(countsOf(chain.index) ?? [], (count, i) => [
          chain.name,
          edges[i],
          edges[i + 1],
          count,
          expected,
        ]),
      ),
    }),
    counts === null ? [oneChain] : [],
  );
}

/**
 * ECDF of each chain's fractional ranks minus the diagonal, with the band in which all chains stay with the
 * given probability if they agree. Source: Säilynoja, Bürkner & Vehtari 2022, arXiv 2103.10522.
 */
export function rankEcdfFigure(asked: FigureVariable, options: RankEcdfOptions): DrawnFigure {
  const { chains } = asked;
  const { palette, probability = 0.95, points } = options;
  const usable = chains.filter((chain) => chain.sampling.length > 0);
  const ecdf = rankEcdf(
    usable.map((chain) => chain.sampling),
    { probability, points },
  );
  const shown = shownChains(usable, options);
  const lines = shown.flatMap((chain) => {
    const y = ecdf?.differences[usable.indexOf(chain)];
    return y === undefined ? [] : [{ chain, y }];
  });
  const data =
    ecdf === null
      ? []
      : [
          bandTrace(ecdf.z, ecdf, `${Math.round(probability * 100)} % band`, palette),
          ...lines.map(({ chain, y }) => ({
            ...chainTrace(chain.index, options),
            x: ecdf.z,
            y,
            hovertemplate: `${chainLabel(chain)}<br>rank %{x:.2f}<br>%{y:.3f}<extra></extra>`,
          })),
        ];
  const layout = framed(
    {
      xaxis: plainAxis(palette, { line: true, range: [0, 1] }),
      yaxis: plainAxis(palette, { grid: true }),
      shapes: [levelLine(0, palette.axis)],
    },
    {
      title: `Rank ECDF difference of ${titleName(asked)}`,
      x: 'Rank among all draws',
      y: 'Difference',
      inCard: true,
    },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), 'rank', 'difference', 'band_low', 'band_high'],
      rows: lines.flatMap(({ chain, y }) =>
        Array.from(y, (difference, i) => [
          chain.name,
          ecdf?.z[i] ?? null,
          difference,
          ecdf?.low[i] ?? null,
          ecdf?.high[i] ?? null,
        ]),
      ),
    }),
    ecdf === null ? [oneChain] : [],
  );
}
