/** Divergences at the bottom of a trace: one tick per draw, or bars that count them where ticks would overlap. */
import { formatCount } from '../shared/readable-numbers.ts';
import { type PlotPalette, withAlpha } from './palette.ts';

export interface RugOptions {
  readonly palette: PlotPalette;
  /** The visible range of the iteration axis. */
  readonly range: readonly [number, number];
  /** Whether it is a zoomed-in part. */
  readonly isPart: boolean;
  /** Pixels across. */
  readonly width: number;
  /** Iterations from one saved draw to the next. */
  readonly step: number;
}

interface Rug {
  /** Null if nothing diverged. It is drawn on the axis `y2`, from 0 to 1. */
  readonly trace: Record<string, unknown> | null;
  readonly notes: readonly string[];
}

/** Pixels that a tick needs on average, so that it can be told apart from the next. */
const pixelsATick = 4;
const pixelsABar = 4;
/** The highest bar, as a fraction of the plot's height. */
const highest = 1 / 6;

/** The iterations in range at which any chain diverged, as the axis counts them. */
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

/** Bars begin at whole numbers of draws, so that all cover the same number. */
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
