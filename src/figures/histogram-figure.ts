/** Histograms of sampling draws: all chains in bars, or one stepped outline per chain. */

import { countInBins, histogram } from '../posterior/histogram.ts';
import { shownName } from '../posterior/variable-labels.ts';
import { chainTrace, linesOf } from './chain-lines.ts';
import {
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  pooledDraws,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { withAlpha } from './palette.ts';

export interface HistogramOptions extends FigureOptions {
  /** One outline per chain over the same bins; default all chains in bars. */
  readonly byChain?: boolean;
  readonly maxBins?: number;
}

/** Counts of draws in bins of equal width; draws that are not finite are left out and counted in the notes. */
export function histogramFigure(asked: FigureVariable, options: HistogramOptions): DrawnFigure {
  const { chains } = asked;
  const { palette, byChain = false, maxBins } = options;
  const shown = shownChains(chains, options);
  const pooled = pooledDraws(shown);
  const { edges, counts } = histogram(pooled, maxBins);
  const lines = byChain
    ? linesOf(shown, false, (draws) => countInBins(draws.filter(Number.isFinite).sort(), edges))
    : [{ name: 'All chains', index: null, counts }];
  const name = plotText(shownName(asked));
  const inBins = counts.reduce((sum, count) => sum + count, 0);
  const figure = {
    data: lines.map((line) =>
      line.index === null
        ? barTrace(edges, line.counts, options)
        : outlineTrace(edges, { ...line, index: line.index }, options),
    ),
    layout: framed(
      {
        bargap: 0,
        xaxis: plainAxis(palette, { line: true }),
        yaxis: plainAxis(palette, { grid: true, rangemode: 'tozero' }),
      },
      { title: `Histogram of ${titleName(asked)}`, x: name, y: 'Draws' },
      options,
    ),
  };
  const lost = pooled.length - inBins;
  return withTable(
    figure,
    () => ({
      columns: [textColumn('chain'), 'from', 'to', 'draws'],
      rows: lines.flatMap((line) =>
        Array.from(line.counts, (count, i) => [line.name, edges[i], edges[i + 1], count]),
      ),
    }),
    lost > 0 ? [`${lost} draws are not finite and not shown`] : [],
  );
}

function barTrace(edges: Float64Array, counts: Float64Array, { palette }: HistogramOptions) {
  return {
    type: 'bar',
    name: 'All chains',
    x: counts.map((_, i) => (edges[i] + edges[i + 1]) / 2),
    y: counts,
    width: counts.map((_, i) => edges[i + 1] - edges[i]),
    marker: {
      color: withAlpha(palette.pooled, 0.45),
      line: { width: 0.5, color: palette.surface },
    },
    hovertemplate: '%{x:.4g}<br>%{y:,d} draws<extra></extra>',
  };
}

function outlineTrace(
  edges: Float64Array,
  line: { readonly name: string; readonly index: number; readonly counts: Float64Array },
  options: HistogramOptions,
) {
  const last = line.counts.length - 1;
  return {
    ...chainTrace(line.index, options, 'hv'),
    x: edges,
    y: Float64Array.from(edges, (_, i) => line.counts[Math.min(i, last)] ?? 0),
    hovertemplate: `${line.name}<br>%{x:.4g}<br>%{y:,d} draws<extra></extra>`,
  };
}
