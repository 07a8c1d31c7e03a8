/** Autocorrelation by lag: one dashed line per chain; for independent draws it falls to 0 immediately. */
import { autocorrelation } from '../posterior/autocovariance.ts';
import { chainTrace } from './chain-lines.ts';
import {
  cell,
  chainLabel,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { levelLine } from './reference-line.ts';

export interface AutocorrelationOptions extends FigureOptions {
  /** Largest lag, in saved draws; default 50. */
  readonly maxLag?: number;
}

/** Chains that are constant or not finite have no autocorrelation; the notes name them. */
export function autocorrelationFigure(
  asked: FigureVariable,
  options: AutocorrelationOptions,
): DrawnFigure {
  const { chains } = asked;
  const { palette, maxLag = 50 } = options;
  const lines = shownChains(chains, options)
    .filter((chain) => chain.sampling.length > 1)
    .map((chain) => ({ chain, y: autocorrelation(chain.sampling, maxLag) }));
  const drawn = lines.filter(({ y }) => Number.isFinite(y[0]));
  const data = drawn.map(({ chain, y }) => ({
    ...chainTrace(chain.index, options),
    x: y.map((_, lag) => lag),
    y,
    hovertemplate: `${chainLabel(chain)}<br>lag %{x}<br>%{y:.3f}<extra></extra>`,
  }));
  const lowest = drawn.reduce((low, { y }) => y.reduce((a, b) => Math.min(a, b), low), 0);
  const layout = framed(
    {
      xaxis: plainAxis(palette, { line: true, range: [0, maxLag] }),
      yaxis: plainAxis(palette, { grid: true, range: [Math.min(-0.1, lowest - 0.05), 1.02] }),
      shapes: [levelLine(0, palette.axis)],
    },
    {
      title: `Autocorrelation of ${titleName(asked)}`,
      x: 'Lag',
      y: 'Autocorrelation',
      inCard: true,
    },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), 'lag', 'autocorrelation'],
      rows: drawn.flatMap(({ chain, y }) =>
        Array.from(y, (value, lag) => [chain.name, lag, cell(value)]),
      ),
    }),
    lines
      .filter((line) => !drawn.includes(line))
      .map(({ chain }) => `${chainLabel(chain)} is constant or not finite`),
  );
}
