/** Empirical distribution functions: one stepped line per chain, or all chains in one. */
import { shownName } from '../posterior/variable-labels.ts';
import { chainTrace, linesOf } from './chain-lines.ts';
import {
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';

export interface EcdfOptions extends FigureOptions {
  readonly pooled?: boolean;
  /** Most steps of a line (default 400): the order statistics at even ranks, with the lowest and the highest. */
  readonly maxSteps?: number;
}

/** Proportion of draws up to each value. Draws that are not finite are left out. */
export function ecdfFigure(asked: FigureVariable, options: EcdfOptions): DrawnFigure {
  const { variable, chains } = asked;
  const { palette, pooled = false, maxSteps = 400 } = options;
  const shown = shownChains(chains, options);
  const lines = linesOf(shown, pooled, (draws) => stepsOf(draws, maxSteps));
  const name = plotText(shownName(asked));
  const data = lines.map((line) => ({
    ...chainTrace(line.index, options, 'hv'),
    x: line.x,
    y: line.y,
    hovertemplate: `${line.name}<br>%{x:.4g}<br>%{y:.3f}<extra></extra>`,
  }));
  const layout = framed(
    {
      xaxis: plainAxis(palette, { line: true }),
      yaxis: plainAxis(palette, { grid: true, range: [0, 1.02] }),
    },
    {
      title: `Distribution function of ${titleName(asked)}`,
      x: name,
      y: 'Share of draws up to here',
    },
    options,
  );
  const most = lines.reduce((factor, line) => Math.max(factor, line.factor), 1);
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), variable, 'share'],
      rows: lines.flatMap((line) => Array.from(line.x, (at, i) => [line.name, at, line.y[i]])),
    }),
    most > 1.05 ? [`1 in ${most.toFixed(most < 10 ? 1 : 0)} steps shown`] : [],
  );
}

/** The steps at even ranks, and how many there are for each of them. */
export function stepsOf(draws: Float64Array, maxSteps: number) {
  const sorted = draws.filter(Number.isFinite).sort();
  const count = Math.min(sorted.length, maxSteps);
  const rankOf = (i: number) =>
    count < 2 ? sorted.length - 1 : Math.round((i * (sorted.length - 1)) / (count - 1));
  const x = Float64Array.from({ length: count }, (_, i) => sorted[rankOf(i)]);
  const y = Float64Array.from({ length: count }, (_, i) => (rankOf(i) + 1) / sorted.length);
  return { x, y, factor: count === 0 ? 1 : sorted.length / count };
}
