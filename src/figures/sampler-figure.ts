/** What the sampler reports about itself: tree depths, acceptance and step size, chain by chain. */
import { quantileOfSorted } from '../posterior/quantile.ts';
import {
  cell,
  chainLabel,
  chainOpacity,
  type DrawnFigure,
  type FigureChain,
  type FigureOptions,
  framed,
  plainAxis,
  shownChains,
  textColumn,
  withTable,
} from './figure.ts';
import { chainColor, chainSymbol } from './palette.ts';
import { uprightLine } from './reference-line.ts';

export interface TreedepthOptions extends FigureOptions {
  /** `max_treedepth` of the run, drawn as a dotted line. */
  readonly maxTreedepth?: number;
}

/** Draws by depth of their trajectory's tree, one bar per chain; `chains` have column `treedepth__`. */
export function treedepthFigure(
  chains: readonly FigureChain[],
  options: TreedepthOptions,
): DrawnFigure {
  const { palette, maxTreedepth } = options;
  const shown = shownChains(chains, options).filter((chain) => chain.sampling.length > 0);
  const counted = shown.map((chain) => ({ chain, counts: countWhole(chain.sampling) }));
  const deepest = Math.max(
    maxTreedepth ?? 1,
    ...counted.flatMap(({ counts }) => [...counts.keys()]),
  );
  const depths = Array.from({ length: deepest + 1 }, (_, depth) => depth);
  const width = 0.8 / Math.max(1, shown.length);
  const hits = counted.reduce((sum, { counts }) => sum + (counts.get(maxTreedepth ?? -1) ?? 0), 0);
  const data = counted.map(({ chain, counts }, c) => ({
    type: 'bar',
    name: chainLabel(chain),
    x: depths.map((depth) => depth - 0.4 + (c + 0.5) * width),
    y: depths.map((depth) => counts.get(depth) ?? 0),
    width: depths.map(() => width),
    opacity: chainOpacity(chain.index, options),
    marker: {
      color: chainColor(palette, chain.index),
      line: { width: 0.5, color: palette.surface },
    },
    hovertemplate: `${chainLabel(chain)}<br>%{y:,d} draws<extra></extra>`,
  }));
  const layout = framed(
    {
      barmode: 'overlay',
      margin: { l: 44, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, {
        line: true,
        range: [-0.5, deepest + 0.5],
        tick0: 0,
        dtick: deepest > 6 ? 2 : 1,
      }),
      yaxis: plainAxis(palette, { grid: true, rangemode: 'tozero', tickformat: ',d' }),
      shapes: maxTreedepth === undefined ? [] : [uprightLine(maxTreedepth, palette.bad)],
    },
    { title: 'Tree depth', x: 'Depth', y: 'Draws', inCard: true },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), 'treedepth', 'draws'],
      rows: counted.flatMap(({ chain, counts }) =>
        depths.map((depth) => [chain.name, depth, counts.get(depth) ?? 0]),
      ),
    }),
    hits > 0 ? [`${hits} draws reached the maximum depth, ${maxTreedepth}`] : [],
  );
}

export interface AcceptanceInput {
  /** Columns `accept_stat__` and `stepsize__`; a chain missing from one has no mark there. */
  readonly acceptance: readonly FigureChain[];
  readonly stepSize: readonly FigureChain[];
}

export interface AcceptanceOptions extends FigureOptions {
  /** `adapt_delta` of the run, drawn as a dotted line. */
  readonly target?: number;
}

/** Left: mean acceptance of each chain with the middle 90 % of its draws; right: the step size it adapted to. */
export function acceptanceFigure(
  { acceptance, stepSize }: AcceptanceInput,
  options: AcceptanceOptions,
): DrawnFigure {
  const { palette, target, alone = false } = options;
  const spreads = (chains: readonly FigureChain[]) =>
    shownChains(chains, options).map((chain) => ({ chain, ...spreadOf(chain.sampling) }));
  const [accept, steps] = [spreads(acceptance), spreads(stepSize)];
  const indices = [...new Set([...accept, ...steps].map(({ chain }) => chain.index))].toSorted(
    (a, b) => a - b,
  );
  const yAxis = plainAxis(palette, {
    range: [Math.max(0, ...indices) + 0.6, Math.min(0, ...indices) - 0.6],
    tickvals: indices,
    ticktext: indices.map((index) => chainLabel({ index })),
    fixedrange: true,
  });
  const mark = (chain: FigureChain, x: number, label: string) => ({
    type: 'scatter',
    mode: 'markers',
    name: chainLabel(chain),
    x: [cell(x)],
    y: [chain.index],
    opacity: chainOpacity(chain.index, options),
    marker: { symbol: chainSymbol(chain.index), size: 9, color: chainColor(palette, chain.index) },
    hovertemplate: `${chainLabel(chain)}<br>${label} %{x:.3g}<extra></extra>`,
    showlegend: false,
  });
  const data = [
    ...accept.flatMap(({ chain, mean, low, high }) => [
      {
        type: 'scatter',
        mode: 'lines',
        name: `${chainLabel(chain)}, 90 %`,
        x: [cell(low), cell(high)],
        y: [chain.index, chain.index],
        line: { width: 1.5, color: chainColor(palette, chain.index) },
        opacity: chainOpacity(chain.index, options),
        hoverinfo: 'skip',
        showlegend: false,
      },
      mark(chain, mean, 'acceptance'),
    ]),
    ...steps.map(({ chain, last }) => ({
      ...mark(chain, last, 'step size'),
      xaxis: 'x2',
      yaxis: 'y2',
    })),
  ];
  const caption = (text: string, axis: string) => ({
    xref: `${axis} domain`,
    x: 0,
    xanchor: 'left',
    yref: 'paper',
    y: 1,
    yanchor: 'bottom',
    text,
    showarrow: false,
    font: { size: 11, color: palette.dim },
  });
  const layout = framed(
    {
      margin: { l: 54, r: 14, t: 20, b: 22 },
      xaxis: plainAxis(palette, { grid: true, line: true, range: [0, 1.02], domain: [0, 0.6] }),
      yaxis: yAxis,
      xaxis2: plainAxis(palette, {
        grid: true,
        line: true,
        rangemode: 'tozero',
        domain: [0.68, 1],
        anchor: 'y2',
        nticks: 3,
      }),
      yaxis2: { ...yAxis, anchor: 'x2', showticklabels: false },
      annotations: [caption('Acceptance, 90 % of draws', 'x'), caption('Step size', 'x2')],
      shapes: target === undefined ? [] : [uprightLine(target, palette.dim)],
    },
    { title: 'Acceptance and step size', margin: { l: 64 } },
    options,
  );
  return withTable(
    { data, layout, preferredHeight: (alone ? 120 : 48) + 26 * Math.max(1, indices.length) },
    () => ({
      columns: [
        textColumn('chain'),
        'acceptance_mean',
        'acceptance_q5',
        'acceptance_q95',
        'stepsize',
      ],
      rows: indices.map((index) => {
        const own = accept.find(({ chain }) => chain.index === index);
        const step = steps.find(({ chain }) => chain.index === index);
        return [
          (own ?? step)?.chain.name ?? chainLabel({ index }),
          cell(own?.mean),
          cell(own?.low),
          cell(own?.high),
          cell(step?.last),
        ];
      }),
    }),
  );
}

function spreadOf(values: Float64Array) {
  const sorted = values.filter(Number.isFinite).sort();
  let sum = 0;
  for (const value of sorted) sum += value;
  return {
    mean: sum / sorted.length,
    low: quantileOfSorted(sorted, 0.05),
    high: quantileOfSorted(sorted, 0.95),
    /** After warmup the step size is fixed: its last value is the adapted one. */
    last: values.length === 0 ? NaN : values[values.length - 1],
  };
}

function countWhole(values: Float64Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    // Depths of any sane tree; a corrupt column must not produce a thousand bars.
    if (Number.isInteger(value) && value >= 0 && value <= 64)
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
