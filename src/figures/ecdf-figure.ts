/** Empirical distribution functions: one stepped line a chain, or all chains in one. */
import {
  baseLayout,
  chainLabel,
  chainOpacity,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  numberColumn,
  plainAxis,
  plotText,
  pooledDraws,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { chainColor, chainDash } from './palette.ts';

export interface EcdfOptions extends FigureOptions {
  readonly pooled?: boolean;
  /** Steps a line has at most (default 400): the order statistics at even ranks, with the lowest and the highest. */
  readonly maxSteps?: number;
}

/** Share of draws up to each value. Draws that are not finite are left out. */
export function ecdfFigure(
  { variable, chains }: FigureVariable,
  options: EcdfOptions,
): DrawnFigure {
  const { palette, pooled = false, maxSteps = 400 } = options;
  const shown = shownChains(chains, options);
  const lines = pooled
    ? [{ name: 'All chains', index: null, ...stepsOf(pooledDraws(shown), maxSteps) }]
    : shown.map((chain) => ({
        name: chainLabel(chain),
        index: chain.index,
        ...stepsOf(chain.sampling, maxSteps),
      }));
  const name = plotText(variable);
  const data = lines.map((line) => ({
    type: 'scatter',
    mode: 'lines',
    name: line.name,
    x: line.x,
    y: line.y,
    line: {
      shape: 'hv',
      width: 1.6,
      color: line.index === null ? palette.pooled : chainColor(palette, line.index),
      dash: line.index === null ? 'solid' : chainDash(line.index),
    },
    opacity: line.index === null ? 1 : chainOpacity(line.index, options),
    hovertemplate: `${line.name}<br>%{x:.4g}<br>%{y:.3f}<extra></extra>`,
  }));
  const layout = framed(
    {
      ...baseLayout(palette),
      xaxis: plainAxis(palette, { grid: false, line: true }),
      yaxis: { ...plainAxis(palette, { grid: true, line: false }), range: [0, 1.02] },
    },
    {
      title: `Distribution function of ${titleName(variable)}`,
      x: name,
      y: 'Share of draws up to here',
    },
    options,
  );
  const most = lines.reduce((factor, line) => Math.max(factor, line.factor), 1);
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), numberColumn(variable), numberColumn('share')],
      rows: lines.flatMap((line) => Array.from(line.x, (at, i) => [line.name, at, line.y[i]])),
    }),
    most > 1.05 ? [`1 in ${most.toFixed(most < 10 ? 1 : 0)} steps shown`] : [],
  );
}

function stepsOf(draws: Float64Array, maxSteps: number) {
  const sorted = draws.filter(Number.isFinite).sort();
  const count = Math.min(sorted.length, maxSteps);
  const rankOf = (i: number) =>
    count < 2 ? sorted.length - 1 : Math.round((i * (sorted.length - 1)) / (count - 1));
  const x = Float64Array.from({ length: count }, (_, i) => sorted[rankOf(i)]);
  const y = Float64Array.from({ length: count }, (_, i) => (rankOf(i) + 1) / sorted.length);
  return { x, y, factor: count === 0 ? 1 : sorted.length / count };
}
