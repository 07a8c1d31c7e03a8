/** Densities: one smooth line a chain, dashed like the chain, or all chains pooled. */
import { type Density, density } from '../posterior/density.ts';
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

export interface DensityOptions extends FigureOptions {
  /** One curve of all chains, filled; default one line a chain. */
  readonly pooled?: boolean;
  /** Declared bounds of the variable; guessed from the draws when absent. */
  readonly lower?: number;
  readonly upper?: number;
}

interface Curve extends Density {
  readonly name: string;
  readonly index: number | null;
}

/** Kernel densities of the sampling draws; chains with fewer than four draws are left out. */
export function densityFigure(
  { variable, chains }: FigureVariable,
  options: DensityOptions,
): DrawnFigure {
  const { palette, pooled = false } = options;
  const bounds = { lower: options.lower, upper: options.upper };
  const shown = shownChains(chains, options).filter((chain) => chain.sampling.length >= 4);
  const curves: Curve[] = pooled
    ? [{ ...density(pooledDraws(shown), bounds), name: 'All chains', index: null }]
    : shown.map((chain) => ({
        ...density(chain.sampling, bounds),
        name: chainLabel(chain),
        index: chain.index,
      }));
  const name = plotText(variable);
  const figure = {
    data: curves.map((curve) => curveTrace(curve, options)),
    layout: framed(
      {
        ...baseLayout(palette),
        margin: { l: 4, r: 4, t: 4, b: 22 },
        xaxis: plainAxis(palette, { grid: true, line: true }),
        yaxis: { visible: false, rangemode: 'tozero', fixedrange: true },
      },
      { title: `Density of ${titleName(variable)}`, x: name, margin: { l: 20 } },
      options,
    ),
  };
  return withTable(figure, () => ({
    columns: [textColumn('chain'), numberColumn(variable), numberColumn('density')],
    rows: curves.flatMap(({ name: chain, x, y }) => Array.from(x, (at, i) => [chain, at, y[i]])),
  }));
}

function curveTrace(curve: Curve, options: DensityOptions): Record<string, unknown> {
  const { palette } = options;
  const { index } = curve;
  const style =
    index === null
      ? {
          line: { width: 1.6, color: palette.pooled, dash: 'solid' },
          fill: 'tozeroy',
          fillcolor: withAlpha(palette.pooled, 0.12),
        }
      : {
          line: { width: 1.6, color: chainColor(palette, index), dash: chainDash(index) },
          opacity: chainOpacity(index, options),
        };
  return {
    type: 'scatter',
    mode: 'lines',
    name: curve.name,
    x: curve.x,
    y: curve.y,
    ...style,
    hovertemplate: `${curve.name}<br>%{x:.4g}<extra></extra>`,
  };
}

/** A colour made see-through: `#RRGGBB`, or in pages a CSS variable. */
export function withAlpha(color: string, alpha: number): string {
  if (!color.startsWith('#')) return `color-mix(in srgb, ${color} ${alpha * 100}%, transparent)`;
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return `rgba(${part(1)},${part(3)},${part(5)},${alpha})`;
}
