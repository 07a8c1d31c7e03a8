/** A figure as JSON that any Plotly can read: plain arrays, null where a number is missing. */
import type { Figure } from './figure.ts';

export interface FigureJson {
  readonly data: readonly Record<string, unknown>[];
  readonly layout: Record<string, unknown>;
}

export function figureJson({ data, layout }: Figure): FigureJson {
  return {
    data: data.map((trace) => plain(trace) as Record<string, unknown>),
    layout: plain(layout) as Record<string, unknown>,
  };
}

function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Float64Array) return Array.from(value, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, plain(member)]));
}
