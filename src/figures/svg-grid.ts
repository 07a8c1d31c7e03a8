/** Several figures in one picture, in columns of equal width, each at its own height. */
import { type DrawnFigure, figureFont } from './figure.ts';
import type { PlotPalette } from './palette.ts';
import { figureToSvg } from './svg.ts';
import { escapeXml } from './svg-text.ts';

export interface GridOptions {
  readonly palette: PlotPalette;
  /** Size of one figure in pixels; the height is for figures that have none of their own. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly columns: number;
  readonly fontFamily?: string;
}

export interface SvgGrid {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

const gap = 12;

/** Row by row; a row is as high as its tallest figure. */
export function figuresToSvg(figures: readonly DrawnFigure[], options: GridOptions): SvgGrid {
  const { palette, cellWidth, cellHeight, fontFamily } = options;
  const columns = Math.max(1, Math.min(options.columns, figures.length));
  const width = columns * cellWidth + (columns - 1) * gap;
  const parts: string[] = [];
  let top = 0;
  for (let first = 0; first < figures.length; first += columns) {
    const row = figures.slice(first, first + columns);
    const heights = row.map((figure) => figure.preferredHeight ?? cellHeight);
    row.forEach((figure, i) => {
      const svg = figureToSvg(figure, {
        width: cellWidth,
        height: heights[i],
        palette,
        fontFamily,
        idPrefix: `f${first + i}`,
      });
      parts.push(`<g transform="translate(${i * (cellWidth + gap)} ${top})">${svg}</g>`);
    });
    top += Math.max(...heights) + gap;
  }
  const height = Math.max(1, top - gap);
  const font = escapeXml(fontFamily ?? figureFont);
  const background = `<rect width="${width}" height="${height}" fill="${escapeXml(palette.surface)}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${font}">\n${background}\n${parts.join('\n')}\n</svg>`;
  return { svg, width, height };
}
