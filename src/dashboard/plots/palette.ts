/** Colours of plots in both themes; the same values as the tokens of the page, as plain text because Plotly wants them so. */

export interface PlotPalette {
  readonly text: string;
  readonly faint: string;
  readonly surface: string;
  readonly raised: string;
  readonly border: string;
  readonly grid: string;
  readonly axis: string;
  /** Warmup, rank bands. */
  readonly shade: string;
  /** Divergences. */
  readonly bad: string;
  readonly chains: readonly string[];
}

const light: PlotPalette = {
  text: '#171A21',
  faint: '#656D7B',
  surface: '#FFFFFF',
  raised: '#FFFFFF',
  border: '#E1E4EA',
  grid: '#E9ECF0',
  axis: '#B9C0CB',
  shade: 'rgba(100,110,130,.09)',
  bad: '#C22F2F',
  chains: ['#2A4FC0', '#D67A05', '#0B8473', '#6F2A70', '#4E99C2', '#98061C', '#726A27', '#2A2D3D'],
};

const dark: PlotPalette = {
  text: '#E6E9EF',
  faint: '#8A92A0',
  surface: '#15181D',
  raised: '#1D2128',
  border: '#282D36',
  grid: '#222730',
  axis: '#4A5260',
  shade: 'rgba(160,172,195,.08)',
  bad: '#FF8178',
  chains: ['#5B92FE', '#FF953E', '#31D0B7', '#C765AA', '#9CD6FF', '#D2593A', '#EDE184', '#ECF2FE'],
};

export const plotPalettes = { light, dark } as const;

/** Dashes of smooth curves and legends, so that a chain is known without its colour. */
export const chainDashes = [
  'solid',
  '7px,3px',
  '2px,2.5px',
  '9px,3px,2px,3px',
  '14px,4px',
  '4px,2px,1px,2px,1px,2px',
  '1px,3px',
  '11px,3px,4px,3px',
] as const;

/** Colour of chain `index` (0-based); from the ninth on they repeat. */
export function chainColor(palette: PlotPalette, index: number): string {
  return palette.chains[index % palette.chains.length];
}

/** Plotly's `dash` of chain `index` (0-based). */
export function chainDash(index: number): string {
  return chainDashes[index % chainDashes.length];
}

/** The same dash for SVG: numbers in pixels, `none` for solid. */
export function chainDashArray(index: number): string {
  const dash = chainDash(index);
  return dash === 'solid' ? 'none' : dash.replaceAll('px', '');
}
