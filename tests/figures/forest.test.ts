/** What distinguishes the lines of a forest. */
import { describe, expect, it } from 'vitest';
import { forestFigure } from '../../src/figures/forest-figure.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { figureToSvg } from '../../src/figures/svg.ts';

const palette = plotPalettes.light;
const numbers = { median: 2, q5: 0, q25: 1, q75: 3, q95: 4 };
const rows = [0, 1, 2, 3, 4, 5].map((index) => ({ variable: `mu ${index}`, ...numbers, index }));

interface Trace {
  readonly name: string;
  readonly line: { readonly dash?: string; readonly color?: string };
  readonly marker: { readonly symbol: string; readonly color: string };
}
const tracesOf = (compared: boolean, name: string) =>
  (forestFigure(rows, { palette, compared }).data as unknown as Trace[]).filter(
    (trace) => trace.name === name,
  );

describe('compared experiments', () => {
  it('have different dashes on the thin line, and none on the thick one', () => {
    const thin = tracesOf(true, '90 % interval').map(({ line }) => line.dash);
    expect(thin.slice(0, 4)).toEqual(['solid', '5px,3px', '2px,2px', '9px,3px,2px,3px']);
    expect(new Set(thin).size).toBe(6);
    expect(tracesOf(true, '50 % interval').every(({ line }) => line.dash === undefined)).toBe(true);
  });

  it('have different symbols: filled, hollow, filled, hollow', () => {
    const marks = tracesOf(true, 'Median').map(({ marker }) => marker);
    expect(new Set(marks.map(({ symbol }) => symbol)).size).toBe(6);
    const hollow = marks.slice(0, 4).map(({ color }) => color === palette.surface);
    expect(hollow).toEqual([false, true, false, true]);
  });

  it('keep their dashes in SVG', () => {
    const figure = forestFigure(rows, { palette, compared: true, alone: true });
    const svg = figureToSvg(figure, { width: 600, height: 400, palette, label: 'x' });
    expect(svg).toContain('stroke-dasharray="5,3"');
    expect(svg).toContain('stroke-dasharray="2,2"');
  });
});

it('a variable of several experiments is named once, with the letter of each at its line', () => {
  const marked = ['mu', 'tau'].flatMap((variable) =>
    ['A', 'B'].map((mark, index) => ({ variable, mark, ...numbers, index })),
  );
  const figure = forestFigure(marked, { palette, compared: true });
  const { ticktext } = (figure.layout as { yaxis: { ticktext: string[] } }).yaxis;
  expect(ticktext).toEqual(['mu  A', 'B', 'tau  A', 'B']);
  const { columns, rows: lines } = figure.table;
  expect(columns.slice(0, 2).map(({ name }) => name)).toEqual(['variable', 'experiment']);
  expect(lines.map(([variable, mark]) => [variable, mark])).toEqual([
    ['mu', 'A'],
    ['mu', 'B'],
    ['tau', 'A'],
    ['tau', 'B'],
  ]);
});

it('chains have solid lines and different symbols', () => {
  expect(tracesOf(false, '90 % interval').every(({ line }) => line.dash === undefined)).toBe(true);
  const symbols = tracesOf(false, 'Median').map(({ marker }) => marker.symbol);
  expect(new Set(symbols).size).toBe(6);
});

it('R-hat has the colours of the summary: amber above 1.01, red above 1.05', () => {
  const judged = [1.005, 1.02, 1.06].map((rhat, i) => ({ variable: `mu ${i}`, ...numbers, rhat }));
  const { annotations } = forestFigure(judged, { palette, showRhat: true }).layout as {
    annotations: { text: string; font: { color: string } }[];
  };
  expect(annotations.slice(1).map(({ text, font }) => [text, font.color])).toEqual([
    ['1.005', palette.dim],
    ['1.020 high', palette.warnText],
    ['1.060 high', palette.bad],
  ]);
});
