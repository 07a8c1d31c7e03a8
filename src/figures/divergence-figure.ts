/** Divergences in parallel coordinates: each line is a draw across variables; bundled red lines show where it fails. */

import { meanAndSd } from '../posterior/sums.ts';
import { shownName } from '../posterior/variable-labels.ts';
import {
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  numberColumn,
  plainAxis,
  plotText,
  pooledDraws,
  shorten,
  shownChains,
  textColumn,
  withTable,
} from './figure.ts';
import { type DrawPoint, samplePoints } from './point-sample.ts';
import { textWidth } from './svg-text.ts';

export interface DivergenceOptions extends FigureOptions {
  /** Most lines of draws that diverged, and of those that did not; default 200. */
  readonly maxLines?: number;
  /** Most variables; default 30. */
  readonly maxVariables?: number;
}

/** Values are standardised by each variable's mean and sd; a constant lies at 0. */
export function divergenceFigure(
  variables: readonly FigureVariable[],
  options: DivergenceOptions,
): DrawnFigure {
  const { palette, maxLines = 200, maxVariables = 30 } = options;
  const used = variables
    .slice(0, maxVariables)
    .map((variable) => ({ ...variable, chains: shownChains(variable.chains, options) }));
  const scales = used.map((variable) => meanAndSd(pooledDraws(variable.chains)));
  const { points, notes } = samplePoints(used, maxLines);
  const scaled = (point: DrawPoint) =>
    point.values.map((value, v) =>
      scales[v].sd > 0 ? (value - scales[v].mean) / scales[v].sd : 0,
    );
  const names = used.map((variable) => plotText(shorten(shownName(variable), 14)));
  const isCrowded = used.length > 5;
  // the longest name goes as far to the left as down
  const slant = isCrowded ? longest(names) * Math.SQRT1_2 : 0;
  const group = (isDivergent: boolean) => {
    const own = points.filter((point) => point.isDivergent === isDivergent);
    return {
      type: 'scatter',
      mode: 'lines',
      name: isDivergent ? 'Divergent' : 'Not divergent',
      x: own.flatMap(() => [...used.map((_, v) => v), null]),
      y: own.flatMap((point) => [...scaled(point), null]),
      line: { width: isDivergent ? 1.25 : 0.75, color: isDivergent ? palette.bad : palette.pooled },
      // With many lines the bundle should show, not the crowd.
      opacity: isDivergent ? Math.max(0.2, 0.8 * Math.min(1, 20 / own.length) ** 0.5) : 0.25,
      hoverinfo: 'skip',
    };
  };
  const layout = framed(
    {
      margin: { l: Math.max(34, slant), r: 40, t: 6, b: 22 + slant },
      xaxis: plainAxis(palette, {
        grid: true,
        line: true,
        range: [-0.2, Math.max(1, used.length - 1) + 0.2],
        tickvals: used.map((_, v) => v),
        ticktext: names,
        tickangle: isCrowded ? -45 : 0,
      }),
      yaxis: plainAxis(palette, { grid: true }),
    },
    {
      title: 'Divergences across variables',
      y: 'SD from the mean',
      inCard: true,
      margin: { l: Math.max(60, slant), r: 40, b: isCrowded ? 22 + slant : 40 },
    },
    options,
  );
  const left_out = variables.length - used.length;
  const hasDivergence = points.some((point) => point.isDivergent);
  return withTable(
    { data: hasDivergence ? [group(false), group(true)] : [group(false)], layout },
    () => ({
      columns: [
        textColumn('chain'),
        'draw',
        textColumn('divergent'),
        ...used.map(({ variable }) => numberColumn(variable, 'sd from mean')),
      ],
      rows: points.map((point) => [
        point.chain.name,
        point.draw + 1,
        point.isDivergent ? 'yes' : 'no',
        ...scaled(point),
      ]),
    }),
    [
      ...notes,
      ...(hasDivergence ? [] : ['No draw diverged']),
      ...(left_out > 0 ? [`${left_out} more variables are not shown`] : []),
    ],
  );
}

/** Pixels of the longest name, in the size of tick labels. */
const longest = (names: readonly string[]) =>
  Math.ceil(Math.max(...names.map((name) => textWidth(name, 11))));
