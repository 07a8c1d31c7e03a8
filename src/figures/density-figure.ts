/** Densities: one smooth line per chain, dashed like the chain, or all chains pooled. */

import { type Density, density } from '../posterior/density.ts';
import { shownName } from '../posterior/variable-labels.ts';
import { type ChainLine, chainTrace, linesOf } from './chain-lines.ts';
import {
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  heightAxis,
  plainAxis,
  plotText,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { withAlpha } from './palette.ts';

export interface DensityOptions extends FigureOptions {
  /** One filled curve of all chains; default one line per chain. */
  readonly pooled?: boolean;
}

/** Kernel densities of the sampling draws; chains with fewer than four draws are left out. */
export function densityFigure(asked: FigureVariable, options: DensityOptions): DrawnFigure {
  const { variable, chains, lower, upper } = asked;
  const { pooled = false } = options;
  const shown = shownChains(chains, options).filter((chain) => chain.sampling.length >= 4);
  const curves = linesOf(shown, pooled, (draws) => density(draws, { lower, upper }));
  const figure = {
    data: curves.map((curve) => curveTrace(curve, options)),
    layout: densityLayout(asked, options),
  };
  return withTable(figure, () => ({
    columns: [textColumn('chain'), variable, 'density'],
    rows: curves.flatMap(({ name: chain, x, y }) => Array.from(x, (at, i) => [chain, at, y[i]])),
  }));
}

/** The layout of densities of a variable, by chain or by experiment. */
export function densityLayout(
  asked: Pick<FigureVariable, 'variable' | 'label'>,
  options: FigureOptions,
): Record<string, unknown> {
  return framed(
    {
      margin: { l: 12, r: 12, t: 4, b: 22 },
      xaxis: plainAxis(options.palette, { grid: true, line: true }),
      yaxis: heightAxis,
    },
    {
      title: `Density of ${titleName(asked)}`,
      x: plotText(shownName(asked)),
      margin: { l: 20 },
    },
    options,
  );
}

function curveTrace(curve: Density & ChainLine, options: DensityOptions): Record<string, unknown> {
  const { index, name, x, y } = curve;
  const filled = { fill: 'tozeroy', fillcolor: withAlpha(options.palette.pooled, 0.12) };
  return {
    ...chainTrace(index, options),
    x,
    y,
    ...(index === null && filled),
    hovertemplate: `${name}<br>%{x:.4g}<extra></extra>`,
  };
}
