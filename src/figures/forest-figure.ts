/** Forest plots: median with 50 % and 90 % interval of many variables on one axis, and their R-hat as text. */

import { quantileOfSorted } from '../posterior/quantile.ts';
import { rhatOfDraws } from '../posterior/rhat.ts';
import { shownName } from '../posterior/variable-labels.ts';
import { verdictLimits } from '../posterior/verdict-limits.ts';
import {
  cell,
  chainLabel,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  pooledDraws,
  rowsAxis,
  shorten,
  shownChains,
  textColumn,
  withTable,
} from './figure.ts';
import { chainColor, chainSymbol, comparedDash, comparedSymbol } from './palette.ts';

/** What one line shows; a row of the summary fits. Missing numbers are null or NaN. */
export interface ForestRow {
  readonly variable: string;
  /** Shown instead of its name. */
  readonly label?: string;
  /** Letter of its experiment; a variable is then named once, at its first line. */
  readonly mark?: string;
  readonly median: number | null;
  readonly q5: number | null;
  readonly q25: number | null;
  readonly q75: number | null;
  readonly q95: number | null;
  readonly rhat?: number | null;
  /** Its chain, if each chain has its own line. */
  readonly index?: number;
}

export interface ForestOptions extends FigureOptions {
  /** Print R-hat at the right end of each line. */
  readonly showRhat?: boolean;
  /** Row indexes are those of compared experiments: the thin line has their dash, the median their symbol. */
  readonly compared?: boolean;
  /** Most lines (default 100); the notes say how many are left out. */
  readonly maxRows?: number;
}

const rowHeight = 24;

/** Quantiles (and R-hat) of the sampling draws; `byChain`: one row per chain. */
export function forestRows(
  variables: readonly FigureVariable[],
  { byChain = false, hidden }: Pick<FigureOptions, 'hidden'> & { byChain?: boolean } = {},
): ForestRow[] {
  return variables.flatMap(({ variable, label, chains }): ForestRow[] => {
    const shown = shownChains(chains, { hidden });
    if (!byChain) {
      const superchains = shown.flatMap(({ superchain }) => superchain ?? []);
      const rhat = rhatOfDraws({
        chains: shown.map((chain) => chain.sampling),
        ...(superchains.length === shown.length ? { superchains } : {}),
      });
      return [
        {
          variable,
          ...(label === undefined ? {} : { label }),
          ...quantilesOf(pooledDraws(shown)),
          rhat,
        },
      ];
    }
    return shown.map((chain) => ({
      variable: `${variable}, ${chainLabel(chain).toLowerCase()}`,
      ...(label === undefined ? {} : { label: `${label}, ${chainLabel(chain).toLowerCase()}` }),
      ...quantilesOf(chain.sampling),
      index: chain.index,
    }));
  });
}

function quantilesOf(draws: Float64Array) {
  const sorted = Float64Array.from(draws).sort();
  const isFinite = Number.isFinite(sorted[0]) && Number.isFinite(sorted[sorted.length - 1]);
  const at = (probability: number) => (isFinite ? quantileOfSorted(sorted, probability) : null);
  return { median: at(0.5), q5: at(0.05), q25: at(0.25), q75: at(0.75), q95: at(0.95) };
}

/** One line per row, first row on top; lines without numbers keep their position and name. */
export function forestFigure(rows: readonly ForestRow[], options: ForestOptions): DrawnFigure {
  const { palette, maxRows = 100, alone = false } = options;
  const shown = rows.slice(0, maxRows);
  const names = shown.map((row, i) => tickText(row, shown[i - 1]));
  const { left, yaxis } = rowsAxis(palette, names);
  const right = options.showRhat ? 74 : 14;
  const top = options.showRhat && !alone ? 22 : 6;
  const preferredHeight = shown.length * rowHeight + (alone ? 96 : top + 26);
  const layout = framed(
    {
      margin: { l: left, r: right, t: top, b: 22 },
      xaxis: plainAxis(palette, { grid: true, line: true }),
      yaxis,
      shapes: zeroLine(shown, options),
      annotations: options.showRhat ? rhatLabels(shown, options) : [],
    },
    { title: 'Median, 50 % and 90 % interval', margin: { l: left, r: right, b: 32 } },
    options,
  );
  const left_out = rows.length - shown.length;
  return withTable(
    { data: traces(shown, options), layout, preferredHeight },
    () => tableOf(shown, options.showRhat === true),
    left_out > 0 ? [`${left_out} more variables are not shown`] : [],
  );
}

/** "mu"; for compared experiments "mu  A", and "B" below it. */
function tickText(row: ForestRow, before: ForestRow | undefined): string {
  if (row.mark === undefined) return shorten(shownName(row));
  return before?.variable === row.variable ? row.mark : `${shorten(shownName(row))}  ${row.mark}`;
}

function traces(rows: readonly ForestRow[], options: ForestOptions) {
  const { palette } = options;
  // One trace per place: gaps separate the lines of a trace.
  const places = [...new Set(rows.map(({ index }) => index))];
  return places.flatMap((place) => {
    const own = rows.flatMap((row, i) => (row.index === place ? [{ row, i }] : []));
    const color = place === undefined ? palette.text : chainColor(palette, place);
    const isFirst = place === places[0];
    const { dash, marker } = styleOf(place, color, options);
    const band = (low: 'q5' | 'q25', high: 'q75' | 'q95', line: object, name: string) => ({
      type: 'scatter',
      mode: 'lines',
      name,
      x: own.flatMap(({ row }) => [cell(row[low]), cell(row[high]), null]),
      y: own.flatMap(({ i }) => [i, i, null]),
      line: { color, ...line },
      showlegend: isFirst,
      hoverinfo: 'skip',
    });
    const medians = own.filter(({ row }) => cell(row.median) !== null);
    return [
      band('q5', 'q95', { width: 1.5, ...dash }, '90 % interval'),
      band('q25', 'q75', { width: 5 }, '50 % interval'),
      {
        type: 'scatter',
        mode: 'markers',
        name: 'Median',
        x: medians.map(({ row }) => row.median),
        y: medians.map(({ i }) => i),
        marker,
        text: medians.map(({ row }) => hoverText(row)),
        showlegend: isFirst,
        hovertemplate: '%{text}<extra></extra>',
      },
    ];
  });
}

/** Dash of the thin line and mark of the median for a place. */
function styleOf(place: number | undefined, color: string, { palette, compared }: ForestOptions) {
  const hollow = { color: palette.surface, line: { width: 1.5, color } };
  if (place === undefined) return { dash: {}, marker: { symbol: 'circle', size: 8, ...hollow } };
  if (compared !== true)
    return { dash: {}, marker: { symbol: chainSymbol(place), size: 8, ...hollow } };
  const symbol = comparedSymbol(place);
  // The thick line would show through an open symbol.
  const fill = symbol.endsWith('-open')
    ? hollow
    : { color, line: { width: 1.5, color: palette.surface } };
  return {
    dash: { dash: comparedDash(place) },
    marker: { symbol: symbol.replace('-open', ''), size: 9, ...fill },
  };
}

function hoverText(row: ForestRow): string {
  const short = (value: number | null) => (value === null ? '–' : value.toPrecision(4));
  const name = row.mark === undefined ? shownName(row) : `${shownName(row)} ${row.mark}`;
  return `${plotText(name)}<br>median ${short(row.median)}<br>90 % ${short(row.q5)} to ${short(row.q95)}`;
}

function zeroLine(rows: readonly ForestRow[], { palette }: ForestOptions) {
  const ends = rows.flatMap((row) => [cell(row.q5), cell(row.q95)]).filter((end) => end !== null);
  if (!ends.some((end) => end < 0) || !ends.some((end) => end > 0)) return [];
  const line = { width: 1, dash: 'dot', color: palette.axis };
  return [
    { type: 'line', xref: 'x', yref: 'paper', x0: 0, x1: 0, y0: 0, y1: 1, layer: 'below', line },
  ];
}

function rhatLabels(rows: readonly ForestRow[], { palette }: ForestOptions) {
  const { warn, bad } = verdictLimits.rhat;
  const text = { xref: 'paper', x: 1, xanchor: 'left', xshift: 8, showarrow: false };
  const head = {
    ...text,
    yref: 'paper',
    y: 1,
    yanchor: 'bottom',
    text: 'R-hat',
    font: { size: 11, color: palette.faint },
  };
  const labels = rows.map((row, i) => {
    const rhat = cell(row.rhat);
    const isHigh = rhat !== null && rhat > warn;
    const highColor = isHigh && rhat > bad ? palette.bad : palette.warnText;
    return {
      ...text,
      yref: 'y',
      y: i,
      yanchor: 'middle',
      text: rhat === null ? '–' : `${rhat.toFixed(3)}${isHigh ? ' high' : ''}`,
      font: { size: 11, color: isHigh ? highColor : palette.dim },
    };
  });
  return [head, ...labels];
}

function tableOf(rows: readonly ForestRow[], withRhat: boolean) {
  const columns = ['median', 'q5', 'q25', 'q75', 'q95', ...(withRhat ? ['rhat'] : [])] as const;
  const isMarked = rows.some(({ mark }) => mark !== undefined);
  return {
    columns: [textColumn('variable'), ...(isMarked ? [textColumn('experiment')] : []), ...columns],
    rows: rows.map((row) => [
      row.variable,
      ...(isMarked ? [row.mark ?? ''] : []),
      ...columns.map((name) => cell(row[name as keyof ForestRow] as number | null)),
    ]),
  };
}
