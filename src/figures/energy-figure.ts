/** Energies of a Hamiltonian sampler: how far they spread, how far one transition moves, and E-BFMI by chain. */
import { density } from '../posterior/density.ts';
import { ebfmi } from '../posterior/ebfmi.ts';
import { verdictLimits } from '../posterior/verdict-limits.ts';
import {
  axisTitleOf,
  cardLegend,
  cell,
  chainLabel,
  chainOpacity,
  type DrawnFigure,
  type FigureChain,
  type FigureOptions,
  framed,
  heightAxis,
  plainAxis,
  pooledDraws,
  shownChains,
  textColumn,
  withTable,
} from './figure.ts';
import { chainColor, chainSymbol, withAlpha } from './palette.ts';
import { levelLabel, levelLine } from './reference-line.ts';

/** Pixels for "0.3: low" next to the plot. */
const labelRoom = 56;

/**
 * Left: the density of the energies around their mean (marginal) and of the steps from one draw to the next
 * (transition), all chains together; a transition much narrower than the marginal explores slowly. Right: E-BFMI of
 * each chain with its limit. `chains` have column `energy__`. Source: Betancourt 2016, arXiv 1604.00695.
 */
export function energyFigure(chains: readonly FigureChain[], options: FigureOptions): DrawnFigure {
  const { palette, alone = false } = options;
  const shown = shownChains(chains, options).filter((chain) => chain.sampling.length > 2);
  const curves = [
    {
      name: 'Energy',
      color: palette.pooled,
      dash: 'solid',
      fill: { fill: 'tozeroy', fillcolor: withAlpha(palette.pooled, 0.12) },
      values: centred(shown),
    },
    {
      name: 'Change per step',
      color: palette.warn,
      dash: '7px,3px',
      fill: {},
      values: steps(shown),
    },
  ].map((curve) => ({ ...curve, ...density(curve.values) }));
  const fractions = shown.map((chain) => ({ chain, value: ebfmi(chain.sampling) }));
  const { warn } = verdictLimits.ebfmi;
  const densities = curves.map(({ name, color, dash, fill, x, y }) => ({
    type: 'scatter',
    mode: 'lines',
    name,
    x,
    y,
    line: { width: 1.6, color, dash },
    ...fill,
    hovertemplate: `${name}<br>%{x:.4g}<extra></extra>`,
  }));
  const marks = fractions.map(({ chain, value }) => ({
    type: 'scatter',
    mode: 'markers',
    name: chainLabel(chain),
    x: [chain.index + 1],
    y: [cell(value)],
    xaxis: 'x2',
    yaxis: 'y2',
    opacity: chainOpacity(chain.index, options),
    showlegend: false,
    marker: { symbol: chainSymbol(chain.index), size: 9, color: chainColor(palette, chain.index) },
    hovertemplate: `${chainLabel(chain)}<br>E-BFMI %{y:.2f}<extra></extra>`,
  }));
  const indices = shown.map((chain) => chain.index + 1);
  const layout = framed(
    {
      margin: { l: 8, r: labelRoom, t: 22, b: 22 },
      ...cardLegend(palette),
      xaxis: plainAxis(palette, { grid: true, line: true, domain: [0, 0.66] }),
      yaxis: heightAxis,
      xaxis2: plainAxis(palette, {
        line: true,
        domain: [0.74, 1],
        anchor: 'y2',
        range: [Math.min(1, ...indices) - 0.6, Math.max(1, ...indices) + 0.6],
        tickvals: indices,
        ticktext: indices.map(String),
        title: axisTitleOf('E-BFMI by chain', palette, alone),
        fixedrange: true,
      }),
      yaxis2: plainAxis(palette, {
        grid: true,
        anchor: 'x2',
        rangemode: 'tozero',
        range: [0, 1.1 * Math.max(0.6, ...fractions.map(({ value }) => cell(value) ?? 0))],
        fixedrange: true,
      }),
      shapes: [levelLine(warn, palette.bad, 'y2', 'x2 domain')],
      annotations: [levelLabel(warn, `${warn}: low`, palette.bad, 'y2', 'x2 domain')],
    },
    {
      title: 'Energy',
      x: 'Energy, centred',
      inCard: true,
      margin: { l: 20, r: labelRoom },
    },
    options,
  );
  return withTable({ data: [...densities, ...marks], layout }, () => ({
    columns: [textColumn('series'), 'energy', 'density', 'ebfmi'],
    rows: [
      ...fractions.map(({ chain, value }) => [chain.name, null, null, cell(value)]),
      ...curves.flatMap(({ name, x, y }) => Array.from(x, (at, i) => [name, at, y[i], null])),
    ],
  }));
}

/** Each energy minus the mean of all. */
function centred(chains: readonly FigureChain[]): Float64Array {
  const all = pooledDraws(chains);
  let sum = 0;
  for (const value of all) sum += value;
  return all.map((value) => value - sum / all.length);
}

/** Differences of neighbours within each chain. */
function steps(chains: readonly FigureChain[]): Float64Array {
  return pooledDraws(
    chains.map((chain) => {
      const { sampling } = chain;
      return {
        ...chain,
        sampling: sampling.subarray(1).map((value, i) => value - sampling[i]),
      };
    }),
  );
}
