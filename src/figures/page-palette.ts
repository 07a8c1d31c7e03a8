/** A palette for pages that contain SVG: its colours are CSS variables, so one picture serves light, dark and print. */
import { type PlotPalette, plotPalettes } from './palette.ts';

const singles = [
  'text',
  'dim',
  'faint',
  'surface',
  'raised',
  'border',
  'grid',
  'axis',
  'shade',
  'bad',
  'warn',
  'warnText',
  'pooled',
] as const;

const variable = (name: string) => `var(--f-${name})`;

/** Colours by name; {@link pagePaletteCss} defines them. */
export const pagePalette: PlotPalette = {
  ...(Object.fromEntries(singles.map((name) => [name, variable(name)])) as Record<
    (typeof singles)[number],
    string
  >),
  chains: plotPalettes.light.chains.map((_, i) => variable(`chain-${i + 1}`)),
  compared: plotPalettes.light.compared.map((_, i) => variable(`compared-${i + 1}`)),
};

/** The variables: dark if the reader's system is dark, light on paper. */
export function pagePaletteCss(): string {
  return [
    `:root{color-scheme:light dark;${declarations(plotPalettes.light)}}`,
    `@media screen and (prefers-color-scheme:dark){:root{${declarations(plotPalettes.dark)}}}`,
  ].join('\n');
}

function declarations(palette: PlotPalette): string {
  return [
    ...singles.map((name) => `--f-${name}:${palette[name]}`),
    ...palette.chains.map((color, i) => `--f-chain-${i + 1}:${color}`),
    ...palette.compared.map((color, i) => `--f-compared-${i + 1}:${color}`),
  ].join(';');
}
