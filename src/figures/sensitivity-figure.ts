/** How much each variable depends on the prior and on the likelihood. */
import {
  type Sensitivity,
  sensitivityLimit,
  sensitivityOf,
  type VariableSensitivity,
} from '../posterior/power-scaling.ts';
import { isLogLik, isLogPrior } from '../posterior/variable-kinds.ts';
import { shownName } from '../posterior/variable-labels.ts';
import {
  cell,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  rowsAxis,
  shorten,
  textColumn,
  withTable,
} from './figure.ts';
import { uprightLine } from './reference-line.ts';

/** Most lines in the plot; the table has all. */
const maxLines = 40;

/**
 * Sensitivities of the given variables by power-scaling, the most sensitive to the prior on top. The terms of log prior
 * (`lprior`) and log likelihood (`log_lik`) are found among them by name.
 */
export function sensitivityFigure(
  given: readonly FigureVariable[],
  options: FigureOptions,
): DrawnFigure {
  const drawsOf = ({ chains }: FigureVariable) => chains.map(({ sampling }) => sampling);
  const logPrior = given.filter(({ variable }) => isLogPrior(variable));
  const logLik = given.filter(({ variable }) => isLogLik(variable));
  const others = given.filter((one) => !logPrior.includes(one) && !logLik.includes(one));
  const found = sensitivityOf({
    variables: others.map((one) => ({ variable: shownName(one), chains: drawsOf(one) })),
    logPrior: logPrior.map(drawsOf),
    logLik: logLik.map(drawsOf),
  });
  const rows = found.variables.toSorted((a, b) => rank(b.prior) - rank(a.prior));
  return drawRows(rows, notesOn(found), options);
}

const rank = (value: number) => (Number.isNaN(value) ? -1 : value);

function notesOn({ variables, pareto_k: k, limit }: Sensitivity): string[] {
  const conflicts = variables.filter(({ finding }) => finding === 'prior-data conflict').length;
  const strong = variables.filter(
    ({ finding }) => finding === 'strong prior or weak likelihood',
  ).length;
  const facts = [
    ...(conflicts > 0 ? [`prior-data conflict in ${conflicts} of ${variables.length}`] : []),
    ...(strong > 0 ? [`strong prior or weak likelihood in ${strong} of ${variables.length}`] : []),
  ];
  const unreliable = (['prior', 'likelihood'] as const).filter((part) => !(k[part] <= limit));
  return [
    facts.length > 0 ? facts.join(' · ') : 'No variable is sensitive to the prior',
    ...unreliable.map(
      (part) => `Pareto k of the ${part} is ${k[part].toFixed(2)}: not reliable for it`,
    ),
  ];
}

function drawRows(
  rows: readonly VariableSensitivity[],
  notes: readonly string[],
  options: FigureOptions,
): DrawnFigure {
  const { palette, alone = false } = options;
  const lines = rows.slice(0, maxLines);
  const names = lines.map(({ variable }) => shorten(variable));
  const { left, yaxis } = rowsAxis(palette, names);
  const marks = (part: 'prior' | 'likelihood', name: string, marker: Record<string, unknown>) => ({
    type: 'scatter',
    mode: 'markers',
    name,
    x: lines.map((row) => cell(row[part])),
    y: lines.map((_, i) => i),
    text: lines.map(({ variable, finding }) =>
      plotText(finding === 'none' ? variable : `${variable}: ${finding}`),
    ),
    marker,
    hovertemplate: `%{text}<br>${name} %{x:.3f}<extra></extra>`,
  });
  const data = [
    marks('likelihood', 'Likelihood', {
      symbol: 'circle-open',
      size: 8,
      color: palette.text,
      line: { width: 1.5 },
    }),
    marks('prior', 'Prior', {
      symbol: 'diamond',
      size: 8,
      color: lines.map(({ finding }) => (finding === 'none' ? palette.pooled : palette.bad)),
    }),
  ];
  const largest = Math.max(
    2 * sensitivityLimit,
    ...lines.flatMap(({ prior, likelihood }) => [prior, likelihood].filter(Number.isFinite)),
  );
  const layout = framed(
    {
      margin: { l: left, r: 14, t: 6, b: 22 },
      xaxis: plainAxis(palette, {
        grid: true,
        line: true,
        range: [-0.02 * largest, 1.06 * largest],
      }),
      yaxis,
      shapes: [uprightLine(sensitivityLimit, palette.bad)],
    },
    {
      title: 'Sensitivity to prior and likelihood',
      x: `Change in the posterior per doubling of the power; dotted: ${sensitivityLimit}`,
      margin: { l: left },
    },
    options,
  );
  return withTable(
    { data, layout, preferredHeight: lines.length * 24 + (alone ? 120 : 40) },
    () => ({
      columns: [textColumn('variable'), 'prior', 'likelihood', textColumn('finding')],
      rows: rows.map((row) => [row.variable, cell(row.prior), cell(row.likelihood), row.finding]),
    }),
    [
      ...notes,
      ...(rows.length > lines.length
        ? [`${lines.length} of ${rows.length} variables shown; the table has all`]
        : []),
    ],
  );
}
