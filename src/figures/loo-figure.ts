/** Leave-one-out: how reliable each observation's estimate is (Pareto k), and models compared. */
import type { Loo, LooComparison } from '../posterior/loo.ts';
import { type ObservationColumn, observationText } from '../posterior/observation-columns.ts';
import {
  cell,
  type DrawnFigure,
  type FigureColumn,
  type FigureOptions,
  framed,
  plainAxis,
  plotText,
  rowsAxis,
  shorten,
  textColumn,
  withTable,
} from './figure.ts';
import { levelLabel, levelLine, uprightLine } from './reference-line.ts';

/** Pixels for "0.70: limit" next to the plot. */
const labelRoom = 66;

export interface ParetoKOptions extends FigureOptions {
  /** Names of the observations, `log_lik[3]`; default their numbers. */
  readonly names?: readonly string[];
  /** The row of data for each observation: shown under the pointer, and in the table. */
  readonly columns?: readonly ObservationColumn[];
  /** Most points (default 4000): all that are too high, and an even sample of the others. */
  readonly maxPoints?: number;
}

/** Pareto k of each observation with its limit. Source: Vehtari et al. 2024, JMLR 25(72). */
export function paretoKFigure(loo: Loo, options: ParetoKOptions): DrawnFigure {
  const { palette, maxPoints = 4000, columns = [] } = options;
  const { pareto_k: k, pareto_k_before: before, threshold } = loo;
  const isHigh = (i: number) => !(k[i] <= threshold);
  const all = Array.from(k, (_, i) => i);
  const step = Math.max(1, Math.ceil(k.length / maxPoints));
  const good = all.filter((i) => !isHigh(i) && i % step === 0);
  const high = all.filter((i) => isHigh(i) && Number.isFinite(k[i])).slice(0, maxPoints);
  const nameOf = (i: number) => options.names?.[i] ?? String(i + 1);
  const trace = (own: readonly number[], name: string, marker: Record<string, unknown>) => ({
    type: 'scatter',
    mode: 'markers',
    name,
    x: own.map((i) => i + 1),
    y: own.map((i) => k[i]),
    text: own.map((i) => plotText(nameOf(i))),
    marker,
    ...(columns.length === 0
      ? { hovertemplate: '%{text}<br>k %{y:.2f}<extra></extra>' }
      : {
          customdata: own.map((i) => plotText(observationText(columns, i))),
          hovertemplate: '%{text}<br>k %{y:.2f}<br>%{customdata}<extra></extra>',
        }),
  });
  const values = Array.from(k).filter(Number.isFinite);
  const hasLimit = Number.isFinite(threshold);
  const top = values.reduce((a, b) => Math.max(a, b), hasLimit ? threshold + 0.1 : 0.8);
  const bottom = values.reduce((a, b) => Math.min(a, b), 0);
  const layout = framed(
    {
      margin: { l: 34, r: labelRoom, t: 6, b: 22 },
      xaxis: plainAxis(palette, { line: true, range: [0, k.length + 1], tickformat: ',d' }),
      yaxis: plainAxis(palette, { grid: true, range: [bottom - 0.05, top + 0.08] }),
      shapes: hasLimit ? [levelLine(threshold, palette.bad)] : [],
      annotations: hasLimit
        ? [levelLabel(threshold, `${threshold.toFixed(2)}: limit`, palette.bad)]
        : [],
    },
    {
      title: 'Pareto k by observation',
      x: 'Observation',
      y: 'Pareto k',
      inCard: true,
      margin: { r: labelRoom },
    },
    options,
  );
  const data = [
    trace(good, 'Reliable', { symbol: 'circle', size: 5, color: palette.pooled }),
    ...(high.length > 0
      ? [trace(high, 'Not reliable', { symbol: 'x', size: 8, color: palette.bad })]
      : []),
  ];
  return withTable(
    { data, layout },
    () => ({
      columns: [
        textColumn('observation'),
        'pareto_k',
        ...(before === undefined ? [] : ['pareto_k_before']),
        'elpd_loo',
        ...columns.map(dataColumn),
      ],
      // those without a k have no points, and are the most important to report
      rows: all
        .filter((i) => isHigh(i) || i % step === 0)
        .map((i) => [
          nameOf(i),
          cell(k[i]),
          ...(before === undefined ? [] : [cell(before[i])]),
          cell(loo.pointwise.elpd_loo[i]),
          ...columns.map(({ values }) => dataCell(values[i])),
        ]),
    }),
    step > 1 ? [`1 in ${step} reliable observations shown`] : [],
  );
}

function dataColumn({ name, values }: ObservationColumn): FigureColumn | string {
  return values.every((value) => typeof value === 'number') ? name : textColumn(name);
}

const dataCell = (value: number | string) => (typeof value === 'number' ? cell(value) : value);

/** Differences of elpd from the best model with one standard error; the first row, on top, is the best. */
export function looCompareFigure(
  rows: readonly LooComparison[],
  options: FigureOptions,
): DrawnFigure {
  const { palette, alone = false } = options;
  const names = rows.map(({ name }) => shorten(name));
  const { left, yaxis } = rowsAxis(palette, names);
  const data = [
    {
      type: 'scatter',
      mode: 'lines',
      name: 'One standard error',
      x: rows.flatMap((row) => [row.elpd_diff - row.se_diff, row.elpd_diff + row.se_diff, null]),
      y: rows.flatMap((_, i) => [i, i, null]),
      line: { width: 1.5, color: palette.text },
      hoverinfo: 'skip',
    },
    {
      type: 'scatter',
      mode: 'markers',
      name: 'Difference in elpd',
      x: rows.map((row) => row.elpd_diff),
      y: rows.map((_, i) => i),
      text: rows.map(({ name }) => plotText(name)),
      marker: {
        symbol: 'circle',
        size: 8,
        color: palette.surface,
        line: { width: 1.5, color: palette.text },
      },
      hovertemplate: '%{text}<br>%{x:.1f}<extra></extra>',
    },
  ];
  const layout = framed(
    {
      margin: { l: left, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, { grid: true, line: true }),
      yaxis,
      shapes: [uprightLine(0, palette.axis)],
    },
    {
      title: 'Models by leave-one-out',
      x: 'Difference in elpd from the best',
      margin: { l: left },
    },
    options,
  );
  return withTable(
    { data, layout, preferredHeight: rows.length * 24 + (alone ? 120 : 40) },
    () => ({
      columns: [
        textColumn('model'),
        'elpd_diff',
        'se_diff',
        'elpd_loo',
        'p_loo',
        'stacking_weight',
      ],
      rows: rows.map((row) => [
        row.name,
        row.elpd_diff,
        row.se_diff,
        row.elpd_loo,
        row.p_loo,
        row.stacking_weight,
      ]),
    }),
  );
}
