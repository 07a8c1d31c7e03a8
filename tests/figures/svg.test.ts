import { describe, expect, it } from 'vitest';
import { pagePalette, pagePaletteCss } from '../../src/figures/page-palette.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { figureToSvg } from '../../src/figures/svg.ts';
import { escapeXml, tickNumber } from '../../src/figures/svg-text.ts';
import { drawnRun, everyFigure } from './every-figure.ts';

const palette = plotPalettes.light;
const margin = { l: 10, r: 10, t: 10, b: 10 };
const draw = (data: Record<string, unknown>[], layout: Record<string, unknown> = {}) =>
  figureToSvg({ data, layout: { margin, ...layout } }, { width: 120, height: 120, palette });
const between = { xaxis: { range: [0, 10] }, yaxis: { range: [0, 10] } };

describe('the renderer', () => {
  it('places lines where their numbers are, with a gap where one is missing', () => {
    const line = { type: 'scatter', mode: 'lines', line: { color: '#123456', width: 1 } };
    const svg = draw([{ ...line, x: [0, 5, null, 10, 10], y: [0, 5, 1, 10, 0] }], between);
    expect(svg).toContain('d="M10 110L60 60M110 10L110 110"');
  });

  it('draws steps, dashes, fills, bars and marks', () => {
    const step = { type: 'scatter', mode: 'lines', line: { shape: 'hv', dash: '7px,3px' } };
    const stepped = draw([{ ...step, x: [0, 5, 10], y: [0, 10, 10] }], between);
    expect(stepped).toContain('d="M10 110H60V10H110"');
    expect(stepped).toContain('stroke-dasharray="7,3"');
    const filled = { type: 'scatter', mode: 'lines', fill: 'tozeroy', x: [0, 10], y: [5, 5] };
    expect(draw([filled], between)).toContain('d="M10 60L110 60L110 110L10 110Z"');
    const bar = { type: 'bar', x: [5], y: [10], width: [2], marker: { color: '#abc' } };
    expect(draw([bar], between)).toContain('d="M50 110V10H70V110Z"');
    const mark = {
      type: 'scatter',
      mode: 'markers',
      x: [5],
      y: [5],
      marker: { size: 4, symbol: 'square' },
    };
    expect(draw([mark], between)).toContain('d="M58.2 58.2L61.8 58.2L61.8 61.8L58.2 61.8Z"');
  });

  it('supports axes that are reversed, take part of the width, or come second', () => {
    const svg = draw(
      [{ type: 'scatter', mode: 'lines', x: [0, 10], y: [0, 10], xaxis: 'x2', yaxis: 'y2' }],
      {
        ...between,
        xaxis2: { range: [0, 10], domain: [0.5, 1], anchor: 'y2' },
        yaxis2: { range: [10, 0], anchor: 'x2' },
      },
    );
    expect(svg).toContain('d="M60 10L110 110"');
  });

  it('leaves out traces of unknown axes, and dashes that are not lengths', () => {
    const line = { dash: '1" onload="x', width: 1 };
    const svg = draw([{ type: 'scatter', mode: 'lines', x: [0, 1], y: [0, 1], line }], between);
    expect(svg).not.toContain('onload');
    expect(draw([{ type: 'scatter', xaxis: 'x9', x: [1], y: [1] }])).not.toContain('<path d="M');
  });

  it('clips traces to the frame of their axes, with the given prefix of ids', () => {
    const figure = {
      data: [{ type: 'scatter', mode: 'lines', x: [0, 1], y: [0, 99] }],
      layout: { margin, ...between },
    };
    const svg = figureToSvg(figure, { width: 120, height: 120, palette, idPrefix: 'p7' });
    expect(svg).toContain('<clipPath id="p7-xy"><rect x="9" y="9" width="102" height="102"/>');
    expect(svg).toContain('clip-path="url(#p7-xy)"');
  });

  it('draws every figure the same each time', () => {
    const all = () =>
      [...everyFigure({ palette }, drawnRun({ numDraws: 80 })).values()].map((figure) =>
        figureToSvg(figure, { width: 300, height: 200, palette }),
      );
    expect(all()).toEqual(all());
  });
});

describe('numbers', () => {
  it.each([
    [0, 1, '0'],
    [-2, 1, '\u22122'],
    [12_000, 4000, '12\u202f000'],
    [1000, 500, '1000'],
    [0.25, 0.25, '0.25'],
    [2.5, 2.5, '2.5'],
    [-0.001, 0.001, '\u22120.001'],
    [1.0000000000000002, 0.2, '1.0'],
    [2e8, 1e8, '2e8'],
    [-3e-7, 1e-7, '\u22123e\u22127'],
  ])('%d at steps of %d is %s on an axis', (value, step, text) => {
    expect(tickNumber(value, step)).toBe(text);
  });
});

describe('text', () => {
  it('keeps letters of all languages and replaces what XML forbids', () => {
    expect(escapeXml('β < "τ" & \'ü\' 🎲')).toBe('β &lt; &quot;τ&quot; &amp; &#39;ü&#39; 🎲');
    expect(escapeXml('a\u0000b\uD800c\u202Ed')).toBe('a\uFFFDb\uFFFDcd');
  });
});

describe('the palette of pages', () => {
  it('uses only colours that its style sheet sets, in both themes', () => {
    const css = pagePaletteCss();
    const used = JSON.stringify(pagePalette).match(/--f-[\w-]+/g) ?? [];
    expect(used.length).toBe(25);
    for (const name of used) expect(css.split(`${name}:`)).toHaveLength(3);
    expect(css).toContain('@media screen and (prefers-color-scheme:dark)');
  });
});
