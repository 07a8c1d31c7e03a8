/** Divergences at the foot of a trace: a tick a draw, or bars that count them where ticks would run together. */
import { formatCount } from '../shared/readable-numbers.ts';
import { type PlotPalette, withAlpha } from './palette.ts';

export interface RugOptions {
  readonly palette: PlotPalette;
  /** What the axis of iterations shows. */
  readonly range: readonly [number, number];
  /** Whether that is a part that was zoomed into. */
  readonly isPart: boolean;
  /** Pixels across. */
  readonly width: number;
  /** Iterations from one saved draw to the next. */
  readonly step: number;
}

interface Rug {
  /** Null where nothing diverged. It stands on the axis `y2`, from 0 to 1. */
  readonly trace: Record<string, unknown> | null;
  readonly notes: readonly string[];
}

/** Pixels that a tick needs on average, so that one can be counted beside the next. */
const pixelsATick = 4;
const pixelsABar = 4;
/** The highest bar, of the height of the plot. */
const highest = 1 / 6;

/** Of the iterations at which any chain diverged, as the axis counts them, those in range. */
export function divergenceRug(iterations: readonly number[], options: RugOptions): Rug {
  const { range, isPart, width } = options;
  const seen = iterations.filter((at) => at >= range[0] && at <= range[1]);
  if (seen.length === 0) return { trace: null, notes: [] };
  const what = `${formatCount(seen.length)} divergent ${seen.length === 1 ? 'draw' : 'draws'}`;
  const note = isPart ? `${what} in view` : what;
  if (seen.length * pixelsATick <= width) return { trace: ticks(seen, options), notes: [note] };
  const { trace, most } = bars(seen, options);
  return { trace, notes: [`${note}, up to ${formatCount(most)} per bar`] };
}

function ticks(x: readonly number[], { palette }: RugOptions) {
  return {
    type: 'scatter',
    mode: 'markers',
    name: 'Divergent',
    x,
    y: x.map(() => 0.03),
    yaxis: 'y2',
    marker: {
      symbol: 'line-ns-open',
      size: 8,
      color: palette.bad,
      line: { width: 1.25, color: palette.bad },
    },
    hovertemplate: 'divergent<br>iteration %{x}<extra></extra>',
  };
}

/** Bars begin at whole numbers of draws, so that each stands for as many. */
function bars(seen: readonly number[], { palette, range, width, step }: RugOptions) {
  const span = range[1] - range[0];
  const draws = Math.max(1, Math.ceil((span * pixelsABar) / width / step));
  const stretch = draws * step;
  const first = Math.ceil(range[0]);
  const counts = new Map<number, number>();
  for (const at of seen) {
    const k = Math.floor((at - first) / stretch);
    counts.set(k, (counts.get(k) ?? 0) + 1);
  }
  const places = [...counts].toSorted(([a], [b]) => a - b);
  const most = Math.max(...counts.values());
  const trace = {
    type: 'bar',
    name: 'Divergent',
    x: places.map(([k]) => first + (k + 0.5) * stretch - step / 2),
    y: places.map(([, count]) => (highest * count) / most),
    width: places.map(() => 0.7 * stretch),
    yaxis: 'y2',
    marker: { color: withAlpha(palette.bad, 0.75), line: { width: 0 } },
    customdata: places.map(([k, count]) => [
      count,
      first + k * stretch,
      first + (k + 1) * stretch - step,
    ]),
    hovertemplate:
      '%{customdata[0]} divergent<br>iterations %{customdata[1]} to %{customdata[2]}<extra></extra>',
  };
  return { trace, most };
}
