/** Running means: the mean of each chain's draws so far, over iterations; chains that agree converge to one level. */
import { shownName } from '../posterior/variable-labels.ts';
import { chainTrace } from './chain-lines.ts';
import {
  cell,
  chainLabel,
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  framed,
  plainAxis,
  plotText,
  shorten,
  shownChains,
  textColumn,
  titleName,
  withTable,
} from './figure.ts';
import { lostOnScale, onScale } from './scale.ts';

export interface RunningMeanOptions extends FigureOptions {
  /** Sampling iterations the run will have, so that the axis has its full length from the start. */
  readonly numSamples: number;
  /** Iterations from one saved draw to the next; default 1. */
  readonly step?: number;
  /** Pixels across: a line has at most one point per pixel. Default 300. */
  readonly width?: number;
  /** Only these iterations, both ends included; the means include all earlier draws too. */
  readonly range?: readonly [number, number];
}

/** Of the sampling draws; those that are not finite, or have no value on the variable's scale, are left out. */
export function runningMeanFigure(asked: FigureVariable, options: RunningMeanOptions): DrawnFigure {
  const { palette, step = 1, width = 300 } = options;
  const scaled = onScale(asked);
  const lines = shownChains(scaled.chains, options).map((chain) => ({
    chain,
    ...runningMean(chain.sampling, { step, range: options.range, maxPoints: Math.max(50, width) }),
  }));
  const levels = options.range === undefined ? rangeOfLevels(lines) : null;
  const range = options.range ?? [0, Math.max(2, options.numSamples)];
  const data = lines.map(({ chain, x, y }) => ({
    ...chainTrace(chain.index, options),
    x,
    y,
    hovertemplate: `${chainLabel(chain)}<br>iteration %{x}<br>mean %{y:.4g}<extra></extra>`,
  }));
  const layout = framed(
    {
      xaxis: plainAxis(palette, { line: true, range: [...range], tickformat: ',d' }),
      yaxis: plainAxis(palette, {
        grid: true,
        fixedrange: true,
        ...(levels === null ? {} : { range: levels }),
      }),
    },
    {
      title: `Running mean of ${titleName(scaled)}`,
      x: 'Iteration',
      y: `Mean of ${plotText(shorten(shownName(scaled), 16))}`,
    },
    options,
  );
  return withTable(
    { data, layout },
    () => ({
      columns: [textColumn('chain'), 'iteration', `mean of ${scaled.variable}`],
      rows: lines.flatMap(({ chain, x, y }) =>
        Array.from(x, (at, i) => [chain.name, at, cell(y[i])]),
      ),
    }),
    lostOnScale(asked),
  );
}

/**
 * Range of the means once a twentieth of the draws is in, with a margin: the means of the first few draws would
 * take up the full height. Null if there are too few draws.
 */
function rangeOfLevels(
  lines: readonly { readonly x: readonly number[]; readonly y: readonly number[] }[],
): [number, number] | null {
  const settled = lines.flatMap(({ x, y }) => y.filter((_, i) => x[i] >= (x.at(-1) ?? 0) / 20));
  if (settled.length < 20) return null;
  const low = settled.reduce((least, value) => Math.min(least, value), Infinity);
  const high = settled.reduce((most, value) => Math.max(most, value), -Infinity);
  const room = 0.15 * (high - low);
  return room > 0 && Number.isFinite(room) ? [low - room, high + room] : null;
}

interface Thinning {
  readonly step: number;
  readonly range: readonly [number, number] | undefined;
  readonly maxPoints: number;
}

/** Mean of the finite draws up to evenly spaced iterations, including the last. */
function runningMean(draws: Float64Array, { step, range, maxPoints }: Thinning) {
  const placeOf = (iteration: number) => (iteration - 1) / step;
  const first = range === undefined ? 0 : Math.max(0, Math.ceil(placeOf(range[0])));
  const end =
    range === undefined ? draws.length : Math.min(draws.length, Math.floor(placeOf(range[1])) + 1);
  const stride = Math.max(1, Math.ceil((end - first) / maxPoints));
  const x: number[] = [];
  const y: number[] = [];
  let mean = 0;
  let count = 0;
  for (let i = 0; i < end; i++) {
    if (Number.isFinite(draws[i])) {
      count++;
      // Not a sum divided by a count: that loses digits in long chains far from zero.
      mean += (draws[i] - mean) / count;
    }
    if (i >= first && count > 0 && (end - 1 - i) % stride === 0) {
      x.push(i * step + 1);
      y.push(mean);
    }
  }
  return { x, y };
}
