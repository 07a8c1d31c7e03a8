/** Text and numbers of an SVG: escaped, without characters that XML forbids, numbers formatted as in the dashboard. */
import { plainText } from './figure.ts';

/** Text of a figure escaped for use as content or attribute value. */
export function escapeXml(text: string): string {
  return (
    text
      // Characters not allowed in XML 1.0, and marks that change the reading direction of the following text.
      .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
  );
}

export interface TextStyle {
  readonly size: number;
  readonly color: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly weight?: number;
  /** Degrees, around the text's own point. */
  readonly rotate?: number;
}

/** One line of text at its baseline. `text` is Plotly's: entities of `plotText` are resolved, nothing else is. */
export function textElement(x: number, y: number, text: string, style: TextStyle): string {
  const { size, color, anchor = 'start', weight, rotate } = style;
  const attributes = [
    `x="${pixel(x)}"`,
    `y="${pixel(y)}"`,
    `font-size="${size}"`,
    `fill="${escapeXml(color)}"`,
    ...(anchor === 'start' ? [] : [`text-anchor="${anchor}"`]),
    ...(weight === undefined ? [] : [`font-weight="${weight}"`]),
    ...(rotate === undefined ? [] : [`transform="rotate(${rotate} ${pixel(x)} ${pixel(y)})"`]),
  ];
  return `<text ${attributes.join(' ')}>${escapeXml(plainText(text))}</text>`;
}

/** Approximate width of text in pixels: no font is at hand, so it uses a mean width, rather too large. */
export function textWidth(text: string, size: number): number {
  return Array.from(plainText(text)).length * size * 0.6;
}

/** Two decimals: a fiftieth of what a screen can show, and half the bytes. */
export function pixel(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const narrowSpace = '\u202f';

/**
 * A tick's number: as many decimals as the tick spacing needs, U+2212 for minus, narrow spaces between
 * thousands; powers of ten if it would be longer than seven digits.
 */
export function tickNumber(value: number, step: number): string {
  const size = Math.abs(value);
  const sign = value < 0 && size > 0 ? '\u2212' : '';
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) {
    const exponent = Math.floor(Math.log10(size) + 1e-12);
    const factor = Number((size / 10 ** exponent).toPrecision(6));
    return `${sign}${factor}e${exponent < 0 ? '\u2212' : ''}${Math.abs(exponent)}`;
  }
  const decimals = Math.min(8, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
  const needed = step * 10 ** decimals;
  // A step of 2.5 needs one decimal more than one of 2.
  const exact = Math.abs(needed - Math.round(needed)) < 1e-6 ? decimals : decimals + 1;
  const [whole, fraction] = size.toFixed(exact).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, narrowSpace) : whole;
  return sign + (fraction === undefined ? grouped : `${grouped}.${fraction}`);
}
