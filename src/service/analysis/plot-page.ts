/** A self-contained page of figures. */
import type { DrawnFigure } from '../../figures/figure.ts';
import { pagePalette } from '../../figures/page-palette.ts';
import { figureToSvg } from '../../figures/svg.ts';
import { finished, type Html, html } from './html-text.ts';
import { pageFont, pageStyle } from './page-style.ts';

export interface PlotPage {
  readonly title: string;
  readonly figures: readonly { readonly name: string; readonly figure: DrawnFigure }[];
  readonly notes: readonly string[];
}

export function plotPage({ title, figures, notes }: PlotPage): string {
  const body = html`<h1>${title}</h1>
<div class="grid">
${figures.map(({ name, figure }, i) => figureBlock(figure, name, `f${i}`))}
</div>
${notes.length > 0 && html`<h2>Not shown</h2><ul class="left-out">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}`;
  return pageOf(title, body);
}

/** The complete document around the content of its column. */
export function pageOf(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${finished(pageStyle())}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.markup;
}

/** One picture, followed by what it leaves out; `label` is its text for screen readers. */
export function figureBlock(
  figure: DrawnFigure,
  label: string,
  idPrefix: string,
  isWide = false,
): Html {
  const svg = figureToSvg(figure, {
    width: isWide ? 740 : 400,
    height: figure.preferredHeight ?? 250,
    palette: pagePalette,
    background: 'none',
    fontFamily: pageFont,
    label,
    idPrefix,
  });
  const notes = figure.notes.join('; ');
  return html`<figure class="${isWide ? 'wide' : 'cell'}">${finished(svg)}${notes !== '' && html`<figcaption>${notes}</figcaption>`}</figure>
`;
}
