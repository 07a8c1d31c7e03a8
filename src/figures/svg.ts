/** Figures as SVG text: our own renderer of exactly the part of Plotly's schema that the builders use. */
import { type Figure, figureFont, type Trace } from './figure.ts';
import type { PlotPalette } from './palette.ts';
import {
  type Axis,
  type Frame,
  frameOf,
  listOf,
  type Members,
  membersOf,
  numberOf,
  textOf,
} from './svg-layout.ts';
import { escapeXml, pixel, textElement, textWidth } from './svg-text.ts';
import { dashAttribute, markPath, markStyle, traceElement } from './svg-traces.ts';

export interface SvgOptions {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly palette: PlotPalette;
  /** What the picture shows, for people who cannot see it. */
  readonly label?: string;
  /** Default the palette's surface; `none` shows the background. */
  readonly background?: string;
  /** Default the dashboard's fonts. */
  readonly fontFamily?: string;
  /** Prefix of the ids inside: several pictures on one page need different ones. */
  readonly idPrefix?: string;
}

/**
 * A static picture of the figure: no script, no link, no outside font. Every text and colour of the figure is
 * escaped, so that names may be any text.
 */
export function figureToSvg(figure: Figure, options: SvgOptions): string {
  const { width, height, palette, label, idPrefix = 'f' } = options;
  const frame = frameOf(figure, width, height);
  const parts = [
    background(frame, options.background ?? palette.surface),
    ...shapeElements(figure, frame, true),
    gridLines(frame),
    ...traceElements(figure, frame, idPrefix),
    ...shapeElements(figure, frame, false),
    axisElements(frame),
    ...annotationElements(figure, frame),
    ...titleElements(figure, frame),
    ...legendElements(figure, frame),
  ];
  const font = escapeXml(options.fontFamily ?? figureFont);
  const name = label === undefined ? '' : ` role="img" aria-label="${escapeXml(label)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${font}"${name}>`,
    ...parts.filter((part) => part !== ''),
    '</svg>',
  ].join('\n');
}

function background({ width, height }: Frame, color: string): string {
  if (color === 'none') return '';
  return `<rect width="${width}" height="${height}" fill="${escapeXml(color)}"/>`;
}

function lineElement(
  from: readonly [number, number],
  to: readonly [number, number],
  line: Members,
) {
  const width = numberOf(line.width, 1);
  const color = escapeXml(textOf(line.color, '#888'));
  return `<path d="M${pixel(from[0])} ${pixel(from[1])}L${pixel(to[0])} ${pixel(to[1])}" stroke="${color}" stroke-width="${width}"${dashAttribute(line, width)}/>`;
}

/** The axis perpendicular to an axis, if the frame has it. */
function acrossOf(frame: Frame, axis: Axis): Axis | undefined {
  return frame.axes.get(axis.anchor);
}

function gridLines(frame: Frame): string {
  let path = '';
  const colors = new Map<string, string>();
  for (const axis of frame.axes.values()) {
    const across = acrossOf(frame, axis);
    if (axis.settings.showgrid !== true || across === undefined) continue;
    const color = textOf(axis.settings.gridcolor, '#eee');
    for (const { at } of axis.ticks) {
      path = axis.isX
        ? `M${pixel(at)} ${pixel(across.from)}V${pixel(across.to)}`
        : `M${pixel(across.from)} ${pixel(at)}H${pixel(across.to)}`;
      colors.set(color, (colors.get(color) ?? '') + path);
    }
  }
  return [...colors]
    .map(([color, lines]) => `<path d="${lines}" stroke="${escapeXml(color)}" fill="none"/>`)
    .join('');
}

function axesOfTrace(trace: Trace, frame: Frame) {
  const x = frame.axes.get(textOf(trace.xaxis, 'x'));
  const y = frame.axes.get(textOf(trace.yaxis, 'y'));
  return x === undefined || y === undefined ? null : { x, y };
}

/** Each pair of axes clips what is drawn in it. */
function traceElements({ data }: Figure, frame: Frame, idPrefix: string): string[] {
  const clips = new Map<string, string>();
  const drawn = data.flatMap((trace) => {
    const axes = axesOfTrace(trace, frame);
    const element = axes === null ? '' : traceElement(trace, axes);
    if (axes === null || element === '') return [];
    const { x, y } = axes;
    const id = `${idPrefix}-${x.id}${y.id}`;
    const top = Math.min(y.from, y.to);
    const left = Math.min(x.from, x.to);
    clips.set(
      id,
      // A pixel of room: lines at the very end of their range keep their width.
      `<clipPath id="${escapeXml(id)}"><rect x="${pixel(left - 1)}" y="${pixel(top - 1)}" width="${pixel(Math.abs(x.to - x.from) + 2)}" height="${pixel(Math.abs(y.to - y.from) + 2)}"/></clipPath>`,
    );
    return [`<g clip-path="url(#${escapeXml(id)})">${element}</g>`];
  });
  return clips.size === 0 ? [] : [`<defs>${[...clips.values()].join('')}</defs>`, ...drawn];
}

/** Pixel of a coordinate measured on an axis (`x2`), in its length (`x2 domain`) or in the plot (`paper`). */
function placeOf(frame: Frame, ref: string, value: unknown, isX: boolean): number {
  const share = numberOf(value, 0);
  const { plot } = frame;
  if (ref === 'paper')
    return isX
      ? plot.left + share * (plot.right - plot.left)
      : plot.bottom - share * (plot.bottom - plot.top);
  const axis = frame.axes.get(ref.replace(' domain', ''));
  if (axis === undefined) return NaN;
  return ref.endsWith(' domain') ? axis.from + share * (axis.to - axis.from) : axis.place(share);
}

function shapeElements({ layout }: Figure, frame: Frame, isBelow: boolean): string[] {
  return Array.from(listOf(layout.shapes), membersOf)
    .filter((shape) => (shape.layer === 'below') === isBelow)
    .map((shape) => {
      const xref = textOf(shape.xref, 'x');
      const yref = textOf(shape.yref, 'y');
      const x0 = placeOf(frame, xref, shape.x0, true);
      const x1 = placeOf(frame, xref, shape.x1, true);
      const y0 = placeOf(frame, yref, shape.y0, false);
      const y1 = placeOf(frame, yref, shape.y1, false);
      if (!Number.isFinite(x0 + x1 + y0 + y1)) return '';
      if (shape.type === 'line') return lineElement([x0, y0], [x1, y1], membersOf(shape.line));
      const left = Math.max(frame.plot.left, Math.min(x0, x1));
      const right = Math.min(frame.plot.right, Math.max(x0, x1));
      const fill = escapeXml(textOf(shape.fillcolor, 'none'));
      return `<rect x="${pixel(left)}" y="${pixel(Math.min(y0, y1))}" width="${pixel(Math.max(0, right - left))}" height="${pixel(Math.abs(y1 - y0))}" fill="${fill}"/>`;
    });
}

function axisElements(frame: Frame): string {
  const parts: string[] = [];
  for (const axis of frame.axes.values()) {
    const across = acrossOf(frame, axis);
    const { settings } = axis;
    if (settings.visible === false || across === undefined) continue;
    // The end of the other axis where its numbers start: bottom, left.
    const edge = across.from;
    if (settings.showline === true) {
      const line = { color: textOf(settings.linecolor, '#888'), width: 1 };
      parts.push(
        axis.isX
          ? lineElement([axis.from, edge], [axis.to, edge], line)
          : lineElement([edge, axis.from], [edge, axis.to], line),
      );
    }
    if (settings.showticklabels !== false) parts.push(...tickTexts(axis, edge));
  }
  return parts.join('');
}

function tickTexts({ isX, settings, ticks }: Axis, edge: number): string[] {
  const font = membersOf(settings.tickfont);
  const size = numberOf(font.size, 11);
  const color = textOf(font.color, '#666');
  const angle = numberOf(settings.tickangle, 0);
  return ticks.map(({ at, text }) => {
    if (!isX) return textElement(edge - 5, at + size * 0.36, text, { size, color, anchor: 'end' });
    if (angle === 0)
      return textElement(at, edge + size + 4, text, { size, color, anchor: 'middle' });
    return textElement(at, edge + size + 2, text, { size, color, anchor: 'end', rotate: angle });
  });
}

const anchors: Readonly<Record<string, 'start' | 'middle' | 'end'>> = {
  left: 'start',
  center: 'middle',
  right: 'end',
};

function annotationElements({ layout }: Figure, frame: Frame): string[] {
  return Array.from(listOf(layout.annotations), membersOf).map((note) => {
    const font = membersOf(note.font);
    const size = numberOf(font.size, 11);
    const x = placeOf(frame, textOf(note.xref, 'x'), note.x, true) + numberOf(note.xshift, 0);
    const y = placeOf(frame, textOf(note.yref, 'y'), note.y, false);
    if (!Number.isFinite(x + y)) return '';
    const above = { bottom: -4, top: size + 2 }[textOf(note.yanchor, '')] ?? size * 0.36;
    return textElement(x, y + above, textOf(note.text, ''), {
      size,
      color: textOf(font.color, '#666'),
      anchor: anchors[textOf(note.xanchor, 'center')],
    });
  });
}

function titleElements({ layout }: Figure, frame: Frame): string[] {
  const parts: string[] = [];
  const title = membersOf(layout.title);
  if (typeof title.text === 'string') {
    const font = membersOf(title.font);
    parts.push(
      textElement(16, 24, title.text, {
        size: numberOf(font.size, 14),
        color: textOf(font.color, '#333'),
        weight: 600,
      }),
    );
  }
  const { plot, height } = frame;
  for (const axis of frame.axes.values()) {
    const own = membersOf(axis.settings.title);
    if (typeof own.text !== 'string') continue;
    const font = membersOf(own.font);
    const style = { size: numberOf(font.size, 12), color: textOf(font.color, '#555') };
    const middle = (axis.from + axis.to) / 2;
    parts.push(
      axis.isX
        ? textElement(middle, Math.min(height - 8, plot.bottom + 38), own.text, {
            ...style,
            anchor: 'middle',
          })
        : textElement(16, middle, own.text, { ...style, anchor: 'middle', rotate: -90 }),
    );
  }
  return parts;
}

const swatch = 26;
const legendRow = 16;

/** Above the plot, from the left, in at most two rows; what does not fit is counted. */
function legendElements({ data, layout }: Figure, frame: Frame): string[] {
  if (layout.showlegend !== true) return [];
  const font = membersOf(membersOf(layout.legend).font);
  const size = numberOf(font.size, 12);
  const color = textOf(font.color, '#555');
  const entries = data.filter(
    (trace) => trace.showlegend !== false && typeof trace.name === 'string',
  );
  const { top, bottom } = frame.plot;
  const lift = (numberOf(membersOf(layout.legend).y, 1) - 1) * (bottom - top);
  const { placed, left } = placeEntries(entries, frame, size);
  const rows = placed.length === 0 ? 0 : placed[placed.length - 1].row + 1;
  return placed.map(({ trace, x, row }, i) => {
    const y = top - 12 - lift - (rows - 1 - row) * legendRow;
    const isLast = i === placed.length - 1;
    const name = `${textOf(trace.name, '')}${isLast && left > 0 ? `, ${left} more` : ''}`;
    return swatchElement(trace, x, y - 4) + textElement(x + swatch + 4, y, name, { size, color });
  });
}

function placeEntries(entries: readonly Trace[], { plot }: Frame, size: number) {
  const placed: { trace: Trace; x: number; row: number }[] = [];
  const first = Math.min(plot.left, 16);
  let x = first;
  let row = 0;
  for (const trace of entries) {
    const width = swatch + 16 + textWidth(textOf(trace.name, ''), size);
    if (x > first && x + width > plot.right) {
      if (row === 1) break;
      row += 1;
      x = first;
    }
    placed.push({ trace, x, row });
    x += width;
  }
  return { placed, left: entries.length - placed.length };
}

function swatchElement(trace: Trace, x: number, y: number): string {
  const mode = trace.type === 'bar' ? 'bar' : textOf(trace.mode, 'lines');
  const line = membersOf(trace.line);
  const marker = membersOf(trace.marker);
  const isBand = trace.fill === 'toself' || mode === 'bar';
  const parts: string[] = [];
  if (isBand) {
    const fill = textOf(mode === 'bar' ? marker.color : trace.fillcolor, '#888');
    parts.push(
      `<rect x="${pixel(x + 8)}" y="${pixel(y - 5)}" width="12" height="10" fill="${escapeXml(fill)}"/>`,
    );
  } else if (mode.includes('lines')) {
    parts.push(
      lineElement([x, y], [x + swatch - 2, y], {
        ...line,
        width: Math.max(1.6, numberOf(line.width, 2)),
      }),
    );
  }
  if (mode.includes('markers')) {
    const radius = Math.max(2.5, Math.min(4, numberOf(marker.size, 6) / 2));
    parts.push(
      `<path d="${markPath(textOf(marker.symbol, 'circle'), x + swatch / 2, y, radius)}" ${markStyle(marker)}/>`,
    );
  }
  return parts.join('');
}
