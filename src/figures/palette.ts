/** Colours of plots in both themes; the same values as the tokens of the page, as plain text because Plotly needs it. */

export interface PlotPalette {
  readonly text: string;
  readonly dim: string;
  readonly faint: string;
  readonly surface: string;
  readonly raised: string;
  readonly border: string;
  readonly grid: string;
  readonly axis: string;
  /** Warmup, rank bands. */
  readonly shade: string;
  /** Divergences, failed checks. */
  readonly bad: string;
  /** What needs attention: dots and bars, not text. */
  readonly warn: string;
  /** The same colour for text. */
  readonly warnText: string;
  /** All chains together: no chain's colour, and not the accent, which means "act here". */
  readonly pooled: string;
  readonly chains: readonly string[];
  /** Compared experiments A, B, C, D. */
  readonly compared: readonly string[];
}

const light: PlotPalette = {
  text: '#171A21',
  dim: '#545C6A',
  faint: '#656D7B',
  surface: '#FFFFFF',
  raised: '#FFFFFF',
  border: '#E1E4EA',
  grid: '#E9ECF0',
  axis: '#B9C0CB',
  shade: 'rgba(100,110,130,.09)',
  bad: '#C22F2F',
  warn: '#C47B00',
  warnText: '#8F5600',
  pooled: '#545C6A',
  chains: ['#2A4FC0', '#D67A05', '#0B8473', '#6F2A70', '#4E99C2', '#98061C', '#726A27', '#2A2D3D'],
  compared: ['#5455D7', '#171A21', '#545C6A', '#C47B00'],
};

const dark: PlotPalette = {
  text: '#E6E9EF',
  dim: '#A5ADBA',
  faint: '#8A92A0',
  surface: '#15181D',
  raised: '#1D2128',
  border: '#282D36',
  grid: '#222730',
  axis: '#4A5260',
  shade: 'rgba(160,172,195,.08)',
  bad: '#FF8178',
  warn: '#E5A943',
  warnText: '#E5A943',
  pooled: '#A5ADBA',
  chains: ['#5B92FE', '#FF953E', '#31D0B7', '#C765AA', '#9CD6FF', '#D2593A', '#EDE184', '#ECF2FE'],
  compared: ['#989DFB', '#E6E9EF', '#A5ADBA', '#E5A943'],
};

export const plotPalettes = { light, dark } as const;

/** Dashes of smooth curves and legends, so that a chain can be identified without its colour. */
const chainDashes = [
  'solid',
  '7px,3px',
  '2px,2.5px',
  '9px,3px,2px,3px',
  '14px,4px',
  '4px,2px,1px,2px,1px,2px',
  '1px,3px',
  '11px,3px,4px,3px',
] as const;

/** Symbols for chains shown as a mark instead of a line. */
const chainSymbols = [
  'circle',
  'diamond',
  'square',
  'triangle-up',
  'cross',
  'triangle-down',
  'circle-open',
  'diamond-open',
] as const;

/** Dashes and symbols of compared experiments A, B, C, D; from the fifth on they are those of chains. */
const comparedDashes = ['solid', '5px,3px', '2px,2px', '9px,3px,2px,3px'] as const;
const comparedSymbols = ['circle', 'diamond-open', 'square', 'triangle-up-open'] as const;

/** Colour of chain `index` (0-based); from the ninth on they repeat. */
export function chainColor(palette: PlotPalette, index: number): string {
  return palette.chains[index % palette.chains.length];
}

/** Plotly's `dash` of chain `index` (0-based). */
export function chainDash(index: number): string {
  return chainDashes[index % chainDashes.length];
}

/** Plotly's `symbol` of chain `index` (0-based). */
export function chainSymbol(index: number): string {
  return chainSymbols[index % chainSymbols.length];
}

/** The same dash for SVG: numbers in pixels, `none` for solid. */
export function chainDashArray(index: number): string {
  return dashArray(chainDash(index));
}

/** Plotly's `dash` of the compared experiment at `index` (0-based). */
export function comparedDash(index: number): string {
  return comparedDashes[index] ?? chainDash(index);
}

/** Plotly's `symbol` of the compared experiment at `index`; hollow if it ends in `-open`. */
export function comparedSymbol(index: number): string {
  return comparedSymbols[index] ?? chainSymbol(index);
}

/** A dash for SVG: numbers in pixels, `none` for solid. */
export function dashArray(dash: string): string {
  return dash === 'solid' ? 'none' : dash.replaceAll('px', '');
}

/** A colour made translucent: `#RRGGBB`, or in pages a CSS variable. */
export function withAlpha(color: string, alpha: number): string {
  if (!color.startsWith('#')) return `color-mix(in srgb, ${color} ${alpha * 100}%, transparent)`;
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return `rgba(${part(1)},${part(3)},${part(5)},${alpha})`;
}
