/** The axes of a figure placed on an SVG: the pixels each axis covers, and its first and last number. */
import { scaleLinear } from 'd3-scale';
import type { Figure, Trace } from './figure.ts';
import { tickNumber } from './svg-text.ts';

export type Members = Readonly<Record<string, unknown>>;

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Tick {
  readonly value: number;
  readonly at: number;
  readonly text: string;
}

export interface Axis {
  /** `x`, `y2`: as traces name it. */
  readonly id: string;
  readonly isX: boolean;
  readonly settings: Members;
  readonly anchor: string;
  /** Pixels of its two ends: left and right, or bottom and top. */
  readonly from: number;
  readonly to: number;
  place(value: number): number;
  readonly ticks: readonly Tick[];
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The plot, without margins. */
  readonly plot: Box;
  readonly axes: ReadonlyMap<string, Axis>;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}
export function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
export function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
/** Array or typed array; anything else is empty. */
export function listOf(value: unknown): ArrayLike<unknown> {
  return Array.isArray(value) || value instanceof Float64Array ? value : [];
}
/** Member `i` as a number, NaN if there is none. */
export function numberAt(values: ArrayLike<unknown>, i: number): number {
  const value = values[i];
  return typeof value === 'number' ? value : NaN;
}

/** Places all axes of the figure in a picture of the given size (pixels). */
export function frameOf(figure: Figure, width: number, height: number): Frame {
  const { layout } = figure;
  const margin = membersOf(layout.margin);
  const plot = {
    left: numberOf(margin.l, 60),
    right: Math.max(numberOf(margin.l, 60) + 1, width - numberOf(margin.r, 20)),
    top: numberOf(margin.t, 20),
    bottom: Math.max(numberOf(margin.t, 20) + 1, height - numberOf(margin.b, 40)),
  };
  const names = Object.keys({ xaxis: 0, yaxis: 0, ...layout }).filter((name) =>
    /^[xy]axis\d*$/.test(name),
  );
  const axes = new Map<string, Axis>();
  for (const name of names) {
    const axis = axisOf(name, figure, plot);
    axes.set(axis.id, axis);
  }
  return { width, height, plot, axes };
}

function axisOf(name: string, figure: Figure, plot: Box): Axis {
  const isX = name.startsWith('x');
  const number = name.slice('xaxis'.length);
  const id = (isX ? 'x' : 'y') + number;
  const settings = membersOf(figure.layout[name]);
  const under = textOf(settings.overlaying, '');
  const placed = under === '' ? settings : membersOf(figure.layout[nameOf(under)]);
  const domain = listOf(placed.domain);
  const start = numberOf(domain[0], 0);
  const end = numberOf(domain[1], 1);
  const across = (share: number) =>
    isX
      ? plot.left + share * (plot.right - plot.left)
      : plot.bottom - share * (plot.bottom - plot.top);
  const from = across(start);
  const to = across(end);
  const [low, high] = rangeOf(id, isX, settings, figure.data);
  const place = (value: number) => from + ((value - low) / (high - low)) * (to - from);
  const ticks = settings.visible === false ? [] : ticksOf(settings, [low, high], place);
  const anchor = textOf(settings.anchor, (isX ? 'y' : 'x') + (under === '' ? number : ''));
  return { id, isX, settings, anchor, from, to, place, ticks };
}

/** `y2` → `yaxis2`. */
function nameOf(id: string): string {
  return `${id[0]}axis${id.slice(1)}`;
}

/** The given range, or that of the axis' traces with a margin of a twentieth if points are not at the ends. */
function rangeOf(
  id: string,
  isX: boolean,
  settings: Members,
  data: readonly Trace[],
): [number, number] {
  const given = listOf(settings.range);
  if (given.length === 2) return apart(numberAt(given, 0), numberAt(given, 1));
  let low = Infinity;
  let high = -Infinity;
  let room = 0;
  const see = (value: number) => {
    if (value - value !== 0) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  };
  for (const trace of data) {
    if (textOf(isX ? trace.xaxis : trace.yaxis, isX ? 'x' : 'y') !== id) continue;
    const values = listOf(isX ? trace.x : trace.y);
    const widths = listOf(trace.width);
    const isBar = trace.type === 'bar';
    for (let i = 0; i < values.length; i++) {
      const half = isBar && isX ? numberAt(widths, i) / 2 || 0 : 0;
      see(numberAt(values, i) - half);
      see(numberAt(values, i) + half);
    }
    if (!isX && (isBar || trace.fill === 'tozeroy')) see(0);
    // Lines may end at the frame; marks at the ends would be cut.
    if (!isX || textOf(trace.mode, '').includes('markers')) room = 0.05;
  }
  if (settings.rangemode === 'tozero') see(0);
  if (!(low <= high)) return [0, 1];
  const more = room * (high - low);
  const stays = settings.rangemode === 'tozero';
  return apart(stays && low === 0 ? 0 : low - more, stays && high === 0 ? 0 : high + more);
}

function apart(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  if (low !== high) return [low, high];
  const room = Math.abs(low) * 0.05 || 0.5;
  return [low - room, low + room];
}

function ticksOf(
  settings: Members,
  [low, high]: readonly [number, number],
  place: (value: number) => number,
): Tick[] {
  const least = Math.min(low, high);
  const most = Math.max(low, high);
  const given = listOf(settings.tickvals);
  if (given.length > 0) {
    const texts = listOf(settings.ticktext);
    return Array.from(given, (_, i) => ({
      value: numberAt(given, i),
      at: place(numberAt(given, i)),
      text: textOf(texts[i], String(given[i])),
    })).filter(({ value }) => value >= least && value <= most);
  }
  const isWhole = settings.tickformat === ',d';
  const values = evenTicks(settings, least, most).filter(
    (value) => !isWhole || Number.isInteger(value),
  );
  const step = values.length > 1 ? values[1] - values[0] : Math.abs(values[0] ?? 1) || 1;
  return values.map((value) => ({ value, at: place(value), text: tickNumber(value, step) }));
}

function evenTicks(settings: Members, least: number, most: number): number[] {
  const step = numberOf(settings.dtick, 0);
  if (!(step > 0) || (most - least) / step > 100)
    return scaleLinear().domain([least, most]).ticks(numberOf(settings.nticks, 5));
  const start = numberOf(settings.tick0, 0);
  const first = Math.ceil((least - start) / step - 1e-9);
  const count = Math.floor((most - start) / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => start + (first + i) * step);
}
