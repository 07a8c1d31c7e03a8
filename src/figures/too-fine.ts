/**
 * Values closer together than a plot can scale: a pixel would be less than the smallest number. Plotly fails
 * on such an axis, so the figure says what it cannot show; the table has the numbers.
 */
import type { Figure, Trace } from './figure.ts';

/** If the span is narrower than this, its reciprocal over some thousand pixels overflows. */
const finestSpan = 1e-300;

interface Extent {
  low: number;
  high: number;
}

export interface ShownFigure<F extends Figure> {
  readonly figure: F;
  readonly notes: readonly string[];
}

/** The figure as it is, or without what is on an axis that is too fine. */
export function withoutTooFine<F extends Figure>(figure: F): ShownFigure<F> {
  const extents = extentsOf(figure.data);
  const tooFine = [...extents].filter(([, { low, high }]) => high > low && high - low < finestSpan);
  if (tooFine.length === 0) return { figure, notes: [] };
  const axes = new Set(tooFine.map(([axis]) => axis));
  const isDrawn = (trace: Trace) => !axes.has(axisOf(trace, 'x')) && !axes.has(axisOf(trace, 'y'));
  const data = figure.data.filter(isDrawn);
  const [, { low, high }] = tooFine[0];
  const message = `Values between ${low} and ${high} are too close together to be drawn`;
  const layout: Record<string, unknown> = { ...figure.layout };
  for (const axis of axes) {
    const key = `${axis[0]}axis${axis.slice(1)}`;
    const settings = (layout[key] ?? {}) as Record<string, unknown>;
    layout[key] = { ...settings, range: [0, 1], showticklabels: false };
  }
  if (data.length === 0)
    layout.annotations = [
      { text: message, x: 0.5, y: 0.5, xref: 'paper', yref: 'paper', showarrow: false },
    ];
  return { figure: { ...figure, data, layout }, notes: [message] };
}

function axisOf(trace: Trace, letter: 'x' | 'y'): string {
  const axis = trace[`${letter}axis`];
  return typeof axis === 'string' ? axis : letter;
}

function extentsOf(data: readonly Trace[]): Map<string, Extent> {
  const extents = new Map<string, Extent>();
  for (const trace of data) {
    for (const letter of ['x', 'y'] as const) {
      const values = trace[letter];
      if (!Array.isArray(values) && !ArrayBuffer.isView(values)) continue;
      const axis = axisOf(trace, letter);
      const extent = extents.get(axis) ?? { low: Infinity, high: -Infinity };
      extents.set(axis, extent);
      for (const value of values as Iterable<unknown>)
        if (typeof value === 'number' && Number.isFinite(value)) {
          extent.low = Math.min(extent.low, value);
          extent.high = Math.max(extent.high, value);
        }
    }
  }
  return extents;
}
