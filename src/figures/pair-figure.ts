/** Pairs: up to eight variables against each other, with histograms, correlations, and divergences on top. */

import { correlation } from '../posterior/correlation.ts';
import { histogram } from '../posterior/histogram.ts';
import { shownName } from '../posterior/variable-labels.ts';
import {
  chainLabel,
  chainOpacity,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  pooledDraws,
  shorten,
  shownChains,
  textColumn,
  withTable,
} from './figure.ts';
import { chainColor, chainSymbol, withAlpha } from './palette.ts';
import { type DrawPoint, samplePoints } from './point-sample.ts';
import { lostOnScale, onScale } from './scale.ts';

export interface PairOptions extends FigureOptions {
  /** Most points in all panels together (default 12 000), and in one (2000). */
  readonly maxPoints?: number;
  /** Pixels across, shared by the names over the panels; default 600. */
  readonly width?: number;
}

export const mostPairVariables = 8;
const gap = 0.016;
const pixelsACharacter = 6.6;
/** Below this width in pixels a panel has room for one label on its axis. */
const narrowPanel = 100;
/** Correlations from this size on are printed darker. */
const strongCorrelation = 0.5;

/**
 * Lower triangle of scatter plots, chains in their colours and symbols, with histograms of all draws on the diagonal
 * and the correlation of all draws above it. Variables are on their scales. More than eight: the first eight.
 */
export function pairFigure(
  variables: readonly FigureVariable[],
  options: PairOptions,
): DrawnFigure {
  const { maxPoints = 12_000 } = options;
  const asked = variables
    .slice(0, mostPairVariables)
    .map((variable) => ({ ...variable, chains: shownChains(variable.chains, options) }));
  const used = asked.map(onScale);
  const size = used.length;
  const panels = Math.max(1, (size * (size - 1)) / 2);
  const { points, notes } = samplePoints(used, Math.min(2000, Math.floor(maxPoints / panels)));
  const axes: Record<string, unknown> = {};
  const data: Record<string, unknown>[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const cell = { row, column, size, id: axisId(row, column, size) };
      Object.assign(axes, panelAxes(cell, used, options));
      if (row === column) data.push(diagonal(cell.id, used[row], options));
      else data.push(...scatters(cell, points, used, options));
    }
  }
  const layout = framed(
    {
      margin: { l: 44, r: 10, t: 22, b: 26 },
      bargap: 0,
      ...axes,
      annotations: [...nameTexts(used, options), ...correlationTexts(used, options)],
    },
    { title: 'Pairs and correlations', margin: { t: 92 }, legendY: 1.04 },
    options,
  );
  const left_out = variables.length - size;
  return withTable(
    { data, layout, preferredHeight: heightOf(size, options) },
    () => ({
      columns: [
        textColumn('chain'),
        'draw',
        textColumn('divergent'),
        ...used.map(({ variable }) => variable),
      ],
      rows: points.map(({ chain, draw, isDivergent, values }) => [
        chain.name,
        draw + 1,
        isDivergent ? 'yes' : 'no',
        ...values,
      ]),
    }),
    [
      ...notes,
      ...asked.flatMap(lostOnScale),
      ...(left_out > 0 ? [`${left_out} more variables are not shown`] : []),
    ],
  );
}

/** Cells half as high as they are wide, within what is readable and fits in one view. */
function heightOf(size: number, { width = 600 }: PairOptions): number {
  return Math.max(280, size * Math.min(240, Math.max(120, Math.round(width / size / 2))));
}

/** The name of each variable over its histogram. */
function nameTexts(used: readonly FigureVariable[], { palette, width = 600 }: PairOptions) {
  const size = used.length;
  const characters = Math.max(5, Math.floor((width - 54) / size / pixelsACharacter));
  return used.map((variable, i) => ({
    xref: 'paper',
    yref: 'paper',
    x: span(i, size)[0],
    y: 1 - span(i, size)[0],
    xanchor: 'left',
    yanchor: 'bottom',
    text: plotText(shorten(shownName(variable), characters)),
    showarrow: false,
    font: { size: 11, color: palette.text },
  }));
}

/** "−0.70"; what rounds to 0 has no sign. */
function correlationText(r: number): string {
  if (Number.isNaN(r)) return '–';
  return r
    .toFixed(2)
    .replace(/^-(?=.*[1-9])/, '\u2212')
    .replace('-', '');
}

/** The correlation of each pair in the mirrored panel: strong ones darker. */
function correlationTexts(used: readonly FigureVariable[], { palette }: PairOptions) {
  const size = used.length;
  const middle = (i: number) => (span(i, size)[0] + span(i, size)[1]) / 2;
  const drawsOf = ({ chains }: FigureVariable) => chains.map(({ sampling }) => sampling);
  return used.flatMap((across, column) =>
    used.slice(0, column).map((down, row) => {
      const r = correlation(drawsOf(across), drawsOf(down));
      const isStrong = Math.abs(r) >= strongCorrelation;
      return {
        xref: 'paper',
        yref: 'paper',
        x: middle(column),
        y: 1 - middle(row),
        xanchor: 'center',
        yanchor: 'middle',
        text: correlationText(r),
        showarrow: false,
        hovertext: `Correlation of ${plotText(shownName(down))} and ${plotText(shownName(across))}`,
        font: { size: isStrong ? 15 : 13, color: isStrong ? palette.text : palette.faint },
      };
    }),
  );
}

interface Panel {
  readonly row: number;
  readonly column: number;
  readonly size: number;
  /** '' for the first, else '2', '3', …: how Plotly numbers axes. */
  readonly id: string;
}

function axisId(row: number, column: number, size: number): string {
  const number = row * size + column + 1;
  return number === 1 ? '' : String(number);
}

/** Start and end of panel `i` on an axis from 0 to 1. */
function span(i: number, size: number): [number, number] {
  const width = (1 - gap * (size - 1)) / size;
  return [i * (width + gap), i * (width + gap) + width];
}

function panelAxes(
  { row, column, size, id }: Panel,
  used: readonly FigureVariable[],
  options: PairOptions,
) {
  const { palette } = options;
  const [from, to] = span(row, size);
  const isDiagonal = row === column;
  const isNarrow = (options.width ?? 600) / size < narrowPanel;
  const frame = { showline: true, linecolor: palette.axis, nticks: isNarrow ? 2 : 3 };
  return {
    [`xaxis${id}`]: plainAxis(palette, {
      grid: true,
      line: true,
      ...frame,
      domain: span(column, size),
      anchor: `y${id}`,
      range: rangeOf(used[column]),
      showticklabels: row === size - 1,
      ...(row === size - 1 ? {} : { matches: `x${axisId(size - 1, column, size)}` }),
    }),
    [`yaxis${id}`]: plainAxis(palette, {
      line: true,
      grid: !isDiagonal,
      ...frame,
      domain: [1 - to, 1 - from],
      anchor: `x${id}`,
      ...(isDiagonal
        ? { rangemode: 'tozero', showticklabels: false, showgrid: false, fixedrange: true }
        : { range: rangeOf(used[row]), showticklabels: column === 0 }),
      ...(isDiagonal || column === 0 ? {} : { matches: `y${axisId(row, 0, size)}` }),
    }),
  };
}

/** The range of a variable's finite draws with a small margin; the same in every panel. */
function rangeOf(variable: FigureVariable): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { sampling } of variable.chains) {
    for (let i = 0; i < sampling.length; i++) {
      const value = sampling[i];
      if (value - value !== 0) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (!(low <= high)) return [0, 1];
  const room = (high - low) * 0.04 || Math.abs(high) * 0.01 || 0.5;
  return [low - room, high + room];
}

function diagonal(id: string, variable: FigureVariable, { palette }: FigureOptions) {
  const { edges, counts } = histogram(pooledDraws(variable.chains), 30);
  return {
    type: 'bar',
    name: plotText(shownName(variable)),
    x: counts.map((_, i) => (edges[i] + edges[i + 1]) / 2),
    y: counts,
    width: counts.map((_, i) => edges[i + 1] - edges[i]),
    xaxis: `x${id}`,
    yaxis: `y${id}`,
    marker: { color: withAlpha(palette.pooled, 0.4), line: { width: 0 } },
    showlegend: false,
    hovertemplate: '%{x:.4g}<br>%{y:,d} draws<extra></extra>',
  };
}

function scatters(
  { row, column, id, size }: Panel,
  points: readonly DrawPoint[],
  used: readonly FigureVariable[],
  options: FigureOptions,
) {
  const { palette } = options;
  const across = plotText(shorten(shownName(used[column])));
  const down = plotText(shorten(shownName(used[row])));
  const isFirst = row === 1 && column === 0 && size > 1;
  const plain = points.filter((point) => !point.isDivergent);
  const chains = [...new Set(points.map((point) => point.chain))];
  const trace = (own: readonly DrawPoint[], name: string, style: Record<string, unknown>) => ({
    type: 'scatter',
    mode: 'markers',
    name,
    x: Float64Array.from(own, (point) => point.values[column]),
    y: Float64Array.from(own, (point) => point.values[row]),
    xaxis: `x${id}`,
    yaxis: `y${id}`,
    showlegend: isFirst,
    text: own.map((point) => `${chainLabel(point.chain)}, draw ${point.draw + 1}`),
    hovertemplate: `%{text}${own[0]?.isDivergent ? ', divergent' : ''}<br>${across} %{x:.4g}<br>${down} %{y:.4g}<extra></extra>`,
    ...style,
  });
  const divergent = points.filter((point) => point.isDivergent);
  return [
    ...chains.map((chain) =>
      trace(
        plain.filter((point) => point.chain === chain),
        chainLabel(chain),
        {
          // Behind divergences they are the background.
          opacity: (divergent.length > 0 ? 0.35 : 0.5) * chainOpacity(chain.index, options),
          marker: {
            symbol: chainSymbol(chain.index),
            size: 4,
            color: chainColor(palette, chain.index),
            line: {
              width: chainSymbol(chain.index).endsWith('-open') ? 1 : 0,
              color: chainColor(palette, chain.index),
            },
          },
        },
      ),
    ),
    ...(divergent.length === 0
      ? []
      : [trace(divergent, 'Divergent', divergentStyle(divergent.length, size, palette.bad))]),
  ];
}

/**
 * Thin crosses over everything, smaller and fainter the more there are and the smaller the panels: a few close
 * together can be counted, and of thousands the densest place is the darkest.
 */
function divergentStyle(count: number, size: number, color: string) {
  const room = Math.min(1, 4 / size);
  const crowd = Math.min(1, (60 / Math.max(1, count)) ** 0.4);
  return {
    opacity: Math.max(0.4, 0.9 * crowd),
    marker: {
      symbol: 'x-thin-open',
      size: Math.max(3, 7 * crowd ** 0.5 * room ** 0.5),
      color,
      line: { width: count > 500 ? 0.8 : 1.2, color },
    },
  };
}
