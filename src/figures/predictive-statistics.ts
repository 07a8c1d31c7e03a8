/** Test statistics of the data over those of all replicated data sets: one small histogram each. */
import { histogram } from '../posterior/histogram.ts';
import {
  type StatisticName,
  statisticsFor,
  type TestStatistic,
  testStatistics,
} from '../posterior/predictive/test-statistics.ts';
import { formatNumber } from '../shared/readable-numbers.ts';
import {
  cell,
  type DrawnFigure,
  framed,
  heightAxis,
  plainAxis,
  textColumn,
  withTable,
} from './figure.ts';
import {
  observedColor,
  type PredictiveOptions,
  type PredictiveParts,
  replicatedColor,
  titled,
} from './predictive-frame.ts';

/** Below this width in pixels, two panels are side by side instead of three. */
const narrow = 520;
const panelHeight = 132;

const labels: Readonly<Record<StatisticName, string>> = {
  mean: 'Mean',
  sd: 'SD',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  zeros: 'Share of zeros',
};

export function statisticsFigure(parts: PredictiveParts, options: PredictiveOptions): DrawnFigure {
  const { palette, alone = false, width = 600 } = options;
  const found = testStatistics(parts.predictive, statisticsFor(parts.outcome, parts.y));
  const columns = Math.min(found.length, width < narrow ? 2 : 3);
  const rows = Math.ceil(found.length / columns);
  const panels = found.map((statistic, i) => panelOf(statistic, i, { columns, rows }));
  const axes = Object.fromEntries(
    panels.flatMap(({ id, xDomain, yDomain }) => [
      [
        `xaxis${id}`,
        plainAxis(palette, { line: true, nticks: 3, domain: xDomain, anchor: `y${id}` }),
      ],
      [`yaxis${id}`, { ...heightAxis, domain: yDomain, anchor: `x${id}` }],
    ]),
  );
  const layout = framed(
    {
      margin: { l: 12, r: 12, t: 22, b: 22 },
      bargap: 0,
      ...axes,
      shapes: panels.map(({ id, statistic }) => ({
        type: 'line',
        xref: `x${id}`,
        x0: statistic.observed,
        x1: statistic.observed,
        yref: `y${id} domain`,
        y0: 0,
        y1: 1,
        line: { width: 2.5, color: statistic.isUnusual ? palette.bad : observedColor(palette) },
      })),
      annotations: panels.map(({ statistic, xDomain, yDomain }) => ({
        xref: 'paper',
        yref: 'paper',
        x: xDomain[0],
        y: yDomain[1],
        xanchor: 'left',
        yanchor: 'bottom',
        text: `${labels[statistic.name]}, ${probabilityText(statistic.p)}`,
        showarrow: false,
        font: { size: 11, color: statistic.isUnusual ? palette.bad : palette.text },
      })),
    },
    { title: titled('Test statistics', parts), margin: { l: 20, t: 74 }, legendY: 1.08 },
    options,
  );
  const unusual = found.filter(({ isUnusual }) => isUnusual).map(({ name }) => labels[name]);
  return withTable(
    {
      data: panels.flatMap((panel) => tracesOf(panel, options)),
      layout,
      preferredHeight: rows * panelHeight + (alone ? 120 : 20),
    },
    () => ({
      columns: [textColumn('statistic'), 'observed', 'replicated_mean', 'q5', 'q95', 'p'],
      rows: found.map((statistic) => rowOf(statistic)),
    }),
    [
      unusual.length === 0
        ? 'Every statistic of the data is typical of the replicated data'
        : `Unusual under the model: ${unusual.join(', ')}`,
    ],
  );
}

/** Ready for Plotly; no proportion of finitely many draws is shown as 0 or 1. */
function probabilityText(p: number): string {
  if (p < 0.005) return 'p &lt; 0.01';
  return p > 0.995 ? 'p > 0.99' : `p = ${formatNumber(p, 2)}`;
}

interface Panel {
  readonly statistic: TestStatistic;
  /** '' for the first, else '2', '3', …: how Plotly numbers axes. */
  readonly id: string;
  readonly xDomain: readonly [number, number];
  readonly yDomain: readonly [number, number];
}

function panelOf(
  statistic: TestStatistic,
  i: number,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Panel {
  const [column, row] = [i % columns, Math.floor(i / columns)];
  // room for the numbers below a panel and the name above the next
  const [gapX, gapY] = [0.06, rows > 1 ? 0.3 / rows : 0];
  const wide = (1 - gapX * (columns - 1)) / columns;
  const high = (1 - gapY * (rows - 1)) / rows;
  const top = 1 - row * (high + gapY);
  return {
    statistic,
    id: i === 0 ? '' : String(i + 1),
    xDomain: [column * (wide + gapX), column * (wide + gapX) + wide],
    yDomain: [Math.max(0, top - high), top],
  };
}

function tracesOf({ statistic, id }: Panel, { palette }: PredictiveOptions) {
  const { edges, counts } = histogram(statistic.replicated, 24);
  const axes = { xaxis: `x${id}`, yaxis: `y${id}` };
  return [
    {
      type: 'bar',
      ...axes,
      name: `${labels[statistic.name]} of draws`,
      showlegend: false,
      x: counts.map((_, i) => (edges[i] + edges[i + 1]) / 2),
      y: counts,
      width: counts.map((_, i) => edges[i + 1] - edges[i]),
      marker: {
        color: replicatedColor(palette, 0.4),
        line: { width: 0.5, color: palette.surface },
      },
      hovertemplate: '%{x:.4g}<br>%{y:,d} draws<extra></extra>',
    },
    {
      // so that the axis reaches the line, and the pointer can find it
      type: 'scatter',
      mode: 'lines',
      ...axes,
      name: 'Data',
      showlegend: id === '',
      x: [statistic.observed, statistic.observed],
      y: [0, counts.reduce((most, count) => Math.max(most, count), 1)],
      line: { width: 2.5, color: statistic.isUnusual ? palette.bad : observedColor(palette) },
      hovertemplate: 'data %{x:.4g}<extra></extra>',
    },
  ];
}

function rowOf({ name, observed, replicated, p }: TestStatistic) {
  const sorted = replicated.slice().sort();
  const at = (share: number) => cell(sorted[Math.round(share * (sorted.length - 1))]);
  const mean = replicated.reduce((sum, value) => sum + value, 0) / replicated.length;
  return [name, cell(observed), cell(mean), at(0.05), at(0.95), cell(p)];
}
