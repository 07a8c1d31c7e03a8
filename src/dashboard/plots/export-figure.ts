/** Figures as files: SVG from our own renderer, PNG from it, the numbers as CSV. Light on white, as papers require. */
import { plotPalettes } from '../../figures/palette.ts';
import { tableCsv } from '../../figures/table-csv.ts';
import { saveFile } from '../ui/save-file.ts';
import type { AnsweredFigure, FigureRequest } from './figure-request.ts';
import { askFigure } from './figure-thread.ts';

export type ExportKind = 'png' | 'svg' | 'csv';

export interface ExportNames {
  /** Without its extension. */
  readonly fileName: string;
  readonly label: string;
}

const width = 880;
const shortest = 480;
/** PNG pixels per pixel of the figure: 288 dpi on paper. */
const sharpness = 3;

/** Draws `request` as a standalone figure in light colours and passes it to the browser. Rejects with the reason. */
export async function exportFigure(
  kind: ExportKind,
  request: FigureRequest,
  { fileName, label }: ExportNames,
): Promise<void> {
  const figure = await askFigure(request, kind === 'csv');
  if (kind === 'csv') {
    if (figure.table !== null) saveFile(`${fileName}.csv`, 'text/csv', tableCsv(figure.table));
    return;
  }
  const svg = await svgOf(figure, label);
  if (kind === 'svg') saveFile(`${fileName}.svg`, 'image/svg+xml', svg);
  else saveFile(`${fileName}.png`, 'image/png', await pngOf(svg, heightOf(figure)));
}

function heightOf(figure: AnsweredFigure): number {
  return Math.max(shortest, figure.preferredHeight ?? 0);
}

async function svgOf(figure: AnsweredFigure, label: string): Promise<string> {
  const { figureToSvg } = await import('../../figures/svg.ts');
  return figureToSvg(figure, {
    width,
    height: heightOf(figure),
    palette: plotPalettes.light,
    label,
  });
}

async function pngOf(svg: string, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * sharpness;
  canvas.height = height * sharpness;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('This browser could not make the image.');
  return new Uint8Array(await blob.arrayBuffer());
}
