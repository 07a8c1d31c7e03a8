/** Traces as SVG: lines with gaps and steps, fills, marks, bars. */
import type { Trace } from './figure.ts';
import { type Axis, listOf, membersOf, numberAt, numberOf, textOf } from './svg-layout.ts';
import { escapeXml, pixel } from './svg-text.ts';

export interface Axes {
  readonly x: Axis;
  readonly y: Axis;
}

/** One trace in its axes; kinds that no builder makes are left out. */
export function traceElement(trace: Trace, axes: Axes): string {
  const opacity = numberOf(trace.opacity, 1);
  const body = trace.type === 'bar' ? barElements(trace, axes) : scatterElements(trace, axes);
  if (body === '') return '';
  return opacity === 1 ? body : `<g opacity="${opacity}">${body}</g>`;
}

function scatterElements(trace: Trace, axes: Axes): string {
  const mode = textOf(trace.mode, 'lines');
  return [
    mode.includes('lines') ? lineElement(trace, axes) : '',
    mode.includes('markers') ? markElements(trace, axes) : '',
  ].join('');
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Runs of neighbouring points with both coordinates, in pixels. */
function runsOf(trace: Trace, { x, y }: Axes): Point[][] {
  const xs = listOf(trace.x);
  const ys = listOf(trace.y);
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
    const point = { x: x.place(numberAt(xs, i)), y: y.place(numberAt(ys, i)) };
    if (Number.isFinite(point.x) && Number.isFinite(point.y)) run.push(point);
    else if (run.length > 0) {
      runs.push(run);
      run = [];
    }
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

function lineElement(trace: Trace, axes: Axes): string {
  const line = membersOf(trace.line);
  const runs = runsOf(trace, axes);
  const isStepped = line.shape === 'hv';
  const paths = runs.map((run) => (isStepped ? stepPath(run) : straightPath(run)));
  if (paths.length === 0) return '';
  const width = numberOf(line.width, 2);
  const color = escapeXml(textOf(line.color, '#888'));
  return [
    fillElement(trace, runs, axes.y),
    width === 0
      ? ''
      : `<path d="${paths.join('')}" fill="none" stroke="${color}" stroke-width="${width}"${dashAttribute(line, width)} stroke-linejoin="round"/>`,
  ].join('');
}

function fillElement(trace: Trace, runs: readonly Point[][], y: Axis): string {
  if (trace.fill !== 'tozeroy' && trace.fill !== 'toself') return '';
  const zero = y.place(0);
  const paths = runs.map((run) =>
    trace.fill === 'toself'
      ? `${straightPath(run)}Z`
      : `${straightPath(run)}L${pixel(run[run.length - 1].x)} ${pixel(zero)}L${pixel(run[0].x)} ${pixel(zero)}Z`,
  );
  const color = escapeXml(textOf(trace.fillcolor, 'rgba(128,128,128,.2)'));
  return `<path d="${paths.join('')}" fill="${color}" stroke="none"/>`;
}

function straightPath(run: readonly Point[]): string {
  return run.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${pixel(x)} ${pixel(y)}`).join('');
}

function stepPath(run: readonly Point[]): string {
  return run
    .map(({ x, y }, i) =>
      i === 0
        ? `M${pixel(x)} ${pixel(y)}`
        : `H${pixel(x)}${run[i - 1].y === y ? '' : `V${pixel(y)}`}`,
    )
    .join('');
}

/** ` stroke-dasharray="…"`, or nothing for a solid line. `dot` is Plotly's name for short dashes. */
export function dashAttribute(line: { readonly dash?: unknown }, width: number): string {
  const dash = textOf(line.dash, 'solid');
  if (dash === 'solid') return '';
  const lengths = dash === 'dot' ? `${Math.max(2, width)} 3` : dash.replaceAll('px', '');
  return /^[\d., ]+$/.test(lengths) ? ` stroke-dasharray="${lengths}"` : '';
}

function markElements(trace: Trace, { x, y }: Axes): string {
  const xs = listOf(trace.x);
  const ys = listOf(trace.y);
  const marker = membersOf(trace.marker);
  const paths: string[] = [];
  const radius = numberOf(marker.size, 6) / 2;
  const symbol = textOf(marker.symbol, 'circle');
  for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
    const px = x.place(numberAt(xs, i));
    const py = y.place(numberAt(ys, i));
    if (Number.isFinite(px) && Number.isFinite(py)) paths.push(markPath(symbol, px, py, radius));
  }
  return paths.length === 0 ? '' : `<path d="${paths.join('')}" ${markStyle(marker)}/>`;
}

/** Fill and stroke of a marker: `-open` symbols are outlines of their colour. */
export function markStyle(marker: Readonly<Record<string, unknown>>): string {
  const color = escapeXml(textOf(marker.color, '#888'));
  const line = membersOf(marker.line);
  const isOpen = textOf(marker.symbol, 'circle').endsWith('-open');
  const width = numberOf(line.width, isOpen ? 1 : 0);
  if (isOpen) return `fill="none" stroke="${color}" stroke-width="${width || 1}"`;
  if (width === 0) return `fill="${color}"`;
  return `fill="${color}" stroke="${escapeXml(textOf(line.color, '#888'))}" stroke-width="${width}"`;
}

/** Plotly's symbols by name, around a point; unknown ones are circles. */
export function markPath(symbol: string, x: number, y: number, r: number): string {
  const at = (dx: number, dy: number) => `${pixel(x + dx * r)} ${pixel(y + dy * r)}`;
  const polygon = (...corners: readonly (readonly [number, number])[]) =>
    `M${corners.map(([dx, dy]) => at(dx, dy)).join('L')}Z`;
  switch (symbol.replace(/-open$/, '')) {
    case 'square':
      return polygon([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
    case 'diamond':
      return polygon([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]);
    case 'triangle-up':
      return polygon([0, -1.2], [1.15, 0.8], [-1.15, 0.8]);
    case 'triangle-down':
      return polygon([0, 1.2], [1.15, -0.8], [-1.15, -0.8]);
    case 'cross':
      return turned(at, 0.4, 1.2, 0);
    case 'x':
      return turned(at, 0.3, 1.3, Math.PI / 4);
    case 'x-thin':
      return `M${at(-0.7, -0.7)}L${at(0.7, 0.7)}M${at(-0.7, 0.7)}L${at(0.7, -0.7)}`;
    case 'line-ns':
      return `M${at(0, -1)}L${at(0, 1)}`;
    default: {
      const radius = pixel(r);
      return `M${at(-1, 0)}a${radius} ${radius} 0 1 0 ${pixel(2 * r)} 0a${radius} ${radius} 0 1 0 ${pixel(-2 * r)} 0Z`;
    }
  }
}

/** A cross with arms half as wide as `half` and as long as `reach`, rotated by an angle. */
function turned(
  at: (dx: number, dy: number) => string,
  half: number,
  reach: number,
  angle: number,
): string {
  const corner: [number, number][] = [
    [-half, -reach],
    [half, -reach],
    [half, -half],
    [reach, -half],
    [reach, half],
    [half, half],
    [half, reach],
    [-half, reach],
    [-half, half],
    [-reach, half],
    [-reach, -half],
    [-half, -half],
  ];
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return `M${corner.map(([dx, dy]) => at(dx * cos - dy * sin, dx * sin + dy * cos)).join('L')}Z`;
}

function barElements(trace: Trace, { x, y }: Axes): string {
  const xs = listOf(trace.x);
  const ys = listOf(trace.y);
  const widths = listOf(trace.width);
  const marker = membersOf(trace.marker);
  const zero = y.place(0);
  let path = '';
  for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
    const centre = numberAt(xs, i);
    const half = (numberAt(widths, i) || 0.8) / 2;
    const top = y.place(numberAt(ys, i));
    const left = x.place(centre - half);
    const right = x.place(centre + half);
    if (!Number.isFinite(top + left + right) || numberAt(ys, i) === 0) continue;
    path += `M${pixel(left)} ${pixel(zero)}V${pixel(top)}H${pixel(right)}V${pixel(zero)}Z`;
  }
  return path === '' ? '' : `<path d="${path}" ${markStyle({ ...marker, symbol: 'square' })}/>`;
}
