/** Densities: one smooth line a chain, dashed like the chain. */
import { density } from '../../posterior/density.ts';
import { baseLayout, type Figure, plainAxis } from './figure.ts';
import { chainColor, chainDash, type PlotPalette } from './palette.ts';

/** Curves of finished draws by chain; chains with fewer than four draws are left out. */
export function densityFigure(
  chains: readonly { index: number; draws: Float64Array }[],
  palette: PlotPalette,
): Figure {
  const data = chains
    .filter((chain) => chain.draws.length >= 4)
    .map((chain) => {
      const curve = density(chain.draws);
      return {
        type: 'scatter',
        mode: 'lines',
        name: `Chain ${chain.index + 1}`,
        x: curve.x,
        y: curve.y,
        line: { width: 1.6, color: chainColor(palette, chain.index), dash: chainDash(chain.index) },
        hovertemplate: `Chain ${chain.index + 1}<br>%{x:.4g}<extra></extra>`,
      };
    });
  return {
    data,
    layout: {
      ...baseLayout(palette),
      margin: { l: 4, r: 4, t: 4, b: 22 },
      xaxis: { ...plainAxis(palette, { grid: true, line: true }) },
      yaxis: { visible: false, rangemode: 'tozero', fixedrange: true },
    },
  };
}
