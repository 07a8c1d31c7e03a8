/** The type of a cloud function's answer: a picture, a figure, HTML, or JSON. */
import type { Figure } from '../../../figures/figure.ts';
import { isRecord } from '../../../shared/items.ts';

export type Answer =
  | { readonly kind: 'image'; readonly source: string }
  | { readonly kind: 'figure'; readonly figure: Figure }
  /** Several figures with their names, as the plotting function returns them. */
  | { readonly kind: 'figures'; readonly figures: readonly NamedFigure[] }
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown };

export interface NamedFigure {
  readonly name: string;
  readonly figure: Figure;
}

const imageTypes: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/**
 * Never HTML that runs: an SVG goes through `<img>`, where scripts and outside addresses are inert; HTML stays text.
 */
export function readAnswer(value: unknown): Answer {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { kind: 'json', value };
  const { svg, base64, html, plots } = value as Record<string, unknown>;
  if (typeof svg === 'string') {
    return { kind: 'image', source: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` };
  }
  const type = typeof base64 === 'string' ? imageTypeOf(base64) : undefined;
  if (type !== undefined) return { kind: 'image', source: `data:${type};base64,${String(base64)}` };
  if (typeof html === 'string') return { kind: 'html', text: html };
  const figure = figureIn(value);
  if (figure !== null) return { kind: 'figure', figure };
  const figures = Array.isArray(plots) ? plots.flatMap(namedFigure) : [];
  if (Array.isArray(plots) && figures.length > 0 && figures.length === plots.length)
    return { kind: 'figures', figures };
  return { kind: 'json', value };
}

/** Null if it is not one that our Plotly draws. */
function figureIn(value: object): Figure | null {
  const { data, layout } = value as Record<string, unknown>;
  if (!Array.isArray(data) || !data.every(isTrace) || !isRecord(layout ?? {})) return null;
  return { data, layout: isRecord(layout) ? layout : {} };
}

function namedFigure(plot: unknown): NamedFigure[] {
  const figure = isRecord(plot) ? figureIn(plot) : null;
  if (!isRecord(plot) || figure === null) return [];
  return [{ name: typeof plot.name === 'string' ? plot.name : 'Plot', figure }];
}

const imageTypeOf = (base64: string) => imageTypes.find(([start]) => base64.startsWith(start))?.[1];

/** Trace types that our Plotly draws; figures with others are shown as JSON. */
const traceTypes = ['scatter', 'bar', 'heatmap', 'histogram'];

function isTrace(trace: unknown): trace is Record<string, unknown> {
  return isRecord(trace) && traceTypes.includes((trace.type ?? 'scatter') as string);
}

export type Parameters =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly problem: string };

/** The parameters of a call: a JSON object; empty text means an empty one. */
export function readParameters(text: string): Parameters {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { ok: true, value };
    return { ok: false, problem: 'Parameters must be one JSON object: {"name": value, …}.' };
  } catch {
    // The box that it is written in shows where.
    return { ok: false, problem: 'Not JSON yet.' };
  }
}
