/** SVG → PNG with a bundled font, so that pictures are the same on every machine. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { renderAsync } from '@resvg/resvg-js';
import type { SvgGrid } from '../../figures/svg-grid.ts';

/** Largest number of pixels; a larger picture is drawn more coarsely. */
const maxPixels = 24_000_000;
const wantedScale = 2;

export interface Png {
  readonly base64: string;
  readonly width: number;
  readonly height: number;
}

const require = createRequire(import.meta.url);

function fontFiles(): string[] {
  const folder = path.dirname(require.resolve('dejavu-fonts-ttf/package.json'));
  return ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => path.join(folder, 'ttf', name));
}

/** The renderer draws in its own thread. */
export async function renderPng({ svg, width, height }: SvgGrid): Promise<Png> {
  const scale = Math.min(wantedScale, Math.sqrt(maxPixels / (width * height)));
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      loadSystemFonts: false,
      fontFiles: fontFiles(),
      defaultFontFamily: 'DejaVu Sans',
      sansSerifFamily: 'DejaVu Sans',
    },
  });
  return {
    base64: image.asPng().toString('base64'),
    width: image.width,
    height: image.height,
  };
}
