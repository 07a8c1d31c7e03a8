/** Letter, colour, dash and symbol of each compared experiment; the same in every plot, table and chip. */
import type { PlotPalette } from '../../../figures/palette.ts';

/** "A" for the first. */
export function letterOf(index: number): string {
  return String.fromCodePoint(65 + index);
}

/** Colours in order. The palette names four; the fifth and sixth are borrowed from chains, which no plot here shows. */
export function comparedColors(palette: PlotPalette): readonly string[] {
  return [...palette.compared, ...palette.chains.slice(2, 4)];
}

/** A palette whose "chains" are the experiments, for builders that draw one thing per chain. */
export function comparedPalette(palette: PlotPalette): PlotPalette {
  return { ...palette, chains: comparedColors(palette) };
}

/** "A and B", "A, B and C". */
export function joinNames(names: readonly string[]): string {
  if (names.length <= 1) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
