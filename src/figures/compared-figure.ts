/** One variable in several experiments: a filled density each, identified by letter, colour and dash. */

import { density } from '../posterior/density.ts';
import { densityLayout } from './density-figure.ts';
import {
  type DrawnFigure,
  type FigureOptions,
  type FigureVariable,
  plotText,
  textColumn,
  withTable,
} from './figure.ts';
import { chainColor, comparedDash, withAlpha } from './palette.ts';

/** Draws of one experiment, all chains together. */
export interface ComparedDraws {
  /** 0-based position among the compared experiments, which determines colour and dash. */
  readonly index: number;
  /** "A". */
  readonly name: string;
  readonly draws: Float64Array;
  /** Bounds that its program declares: another program may declare different ones. */
  readonly lower?: number;
  readonly upper?: number;
}

export interface ComparedDensityOptions extends FigureOptions {
  /** Colours by position; default those of the palette. */
  readonly colors?: readonly string[];
}

/** Kernel densities on one axis; experiments with fewer than four draws, or a constant, have no curve. */
export function comparedDensityFigure(
  asked: Pick<FigureVariable, 'variable' | 'label'>,
  experiments: readonly ComparedDraws[],
  options: ComparedDensityOptions,
): DrawnFigure {
  const { palette, colors = palette.compared } = options;
  const curves = experiments
    .filter(({ draws }) => draws.length >= 4)
    .map(({ index, name, draws, lower, upper }) => ({
      index,
      name,
      ...density(draws, { lower, upper }),
    }));
  const shown = curves.filter(({ x }) => x.length > 0);
  const flat = curves.filter(({ x }) => x.length === 0).map(({ name }) => name);
  const figure = {
    data: shown.map(({ index, name: letter, x, y }) => {
      const color = colors[index] ?? chainColor(palette, index);
      return {
        type: 'scatter',
        mode: 'lines',
        name: plotText(letter),
        x,
        y,
        line: { width: 1.6, color, dash: comparedDash(index) },
        fill: 'tozeroy',
        fillcolor: withAlpha(color, 0.12),
        hovertemplate: `${plotText(letter)}<br>%{x:.4g}<extra></extra>`,
      };
    }),
    layout: densityLayout(asked, options),
  };
  return withTable(
    figure,
    () => ({
      columns: [textColumn('experiment'), asked.variable, 'density'],
      rows: shown.flatMap(({ name: letter, x, y }) => Array.from(x, (at, i) => [letter, at, y[i]])),
    }),
    flat.map((letter) => `${letter} is constant, so it has no density`),
  );
}
