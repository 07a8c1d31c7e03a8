import { Resvg } from '@resvg/resvg-js';
import { describe, expect, it } from 'vitest';
import type { DrawnFigure } from '../../src/figures/figure.ts';
import { figureJson } from '../../src/figures/figure-json.ts';
import { plotPalettes } from '../../src/figures/palette.ts';
import { figureToSvg } from '../../src/figures/svg.ts';
import { tableCsv } from '../../src/figures/table-csv.ts';
import { drawnRun, everyFigure } from './every-figure.ts';

const light = everyFigure({ palette: plotPalettes.light });
const alone = everyFigure({ palette: plotPalettes.dark, alone: true });
const names = [...light.keys()];
const figureOf = (figures: Map<string, DrawnFigure>, name: string) =>
  figures.get(name) as DrawnFigure;

interface Drawn {
  type: string;
  name: string;
  hoverinfo?: string;
  x: (number | null)[];
  y: (number | null)[];
}

/** Figures whose values are on x, since variables, models or chains are rows. */
const lyingDown = [
  'forest',
  'forest-by-chain',
  'acceptance',
  'loo-compare',
  'sensitivity',
  'predictive-statistics',
];
/** Their bars count draws in a panel, which the table of points does not contain. */
const countsInPanels = ['pair', 'predictive-statistics'];
/** Their curves are not chains, so they need a legend. */
const withLegend = ['energy', 'ess-growth'];
const isPredictive = /^predictive-(?!statistics|calibration|loo-pit)/;

describe.each(names)('%s', (name) => {
  const figure = figureOf(light, name);

  it('has a table of complete rows whose numbers are finite or missing', () => {
    const { columns, rows } = figure.table;
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toHaveLength(columns.length);
      row.forEach((value, i) => {
        if (columns[i].isNumber) expect(value === null || Number.isFinite(value)).toBe(true);
        else expect(typeof value).toBe('string');
      });
    }
    expect(tableCsv(figure.table).trimEnd().split('\n')).toHaveLength(rows.length + 1);
  });

  it('shows no number that its table lacks', () => {
    const known = new Set(figure.table.rows.flat());
    const isFoot = (value: number) => name === 'predictive-bars' && value === 0;
    const axis = lyingDown.includes(name) ? 'x' : 'y';
    const { data } = figureJson(figure) as unknown as { data: Drawn[] };
    const values = data
      .filter((trace) => !(trace.type === 'bar' && countsInPanels.includes(name)))
      // The rug of a trace is at the foot, whatever the values are.
      .filter((trace) => !(trace.name === 'Divergent' && name.startsWith('trace')))
      // The ends of a line of one standard error.
      .filter((trace) => trace.name !== 'One standard error')
      // The diagonal of a calibration plot.
      .filter((trace) => trace.name !== 'Right')
      .flatMap((trace) => trace[axis]);
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => value !== null && !known.has(value) && !isFoot(value))).toEqual(
      [],
    );
  });

  it('survives JSON unchanged', () => {
    const json = figureJson(figure);
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json.data.length).toBeGreaterThan(0);
  });

  it.each(['card', 'alone'])('is well-formed SVG that can be drawn (%s)', (form) => {
    const shown = figureOf(form === 'card' ? light : alone, name);
    const palette = plotPalettes[form === 'card' ? 'light' : 'dark'];
    const svg = figureToSvg(shown, { width: 400, height: 260, palette });
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(400);
  });

  it('has a title only if standalone, and a legend if curves are not chains', () => {
    expect(figure.layout.title).toBeUndefined();
    expect(figure.layout.showlegend).toBe(withLegend.includes(name) || isPredictive.test(name));
    const title = figureOf(alone, name).layout.title as { text: string };
    expect(title.text.length).toBeGreaterThan(3);
  });
});

describe('user-supplied names', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '%{y}</text><a href="javascript:alert(1)">x</a>&lt;b&gt;',
    "theta[1]'\u0000\u202E\uD800]]>",
    '&#37;{x}&amp;',
  ];
  const run = drawnRun({ numDraws: 60, names: hostile });
  const figures = everyFigure({ palette: plotPalettes.light, alone: true }, run);

  it.each(names)('are plain text in the SVG of %s', (name) => {
    const svg = figureToSvg(figureOf(figures, name), {
      width: 500,
      height: 300,
      palette: plotPalettes.light,
      label: hostile.join(),
    });
    const tags = svg.replace(/"[^"]*"/g, '""').match(/<[a-zA-Z][^>]*>/g) ?? [];
    const kinds = new Set(tags.map((tag) => /^<(\w+)/.exec(tag)?.[1]));
    for (const kind of kinds)
      expect(['svg', 'defs', 'clipPath', 'g', 'path', 'rect', 'text']).toContain(kind);
    expect(tags.filter((tag) => /\b(?:on\w+|href|style)=/.test(tag))).toEqual([]);
    expect(new Resvg(svg, { font: { loadSystemFonts: false } }).width).toBe(500);
  });

  it.each(names)('contain no tags and no templates in what Plotly reads of %s', (name) => {
    const { data, layout } = figureJson(figureOf(figures, name));
    const texts: string[] = [];
    const gather = (value: unknown, key: string) => {
      if (typeof value === 'string' && key !== 'hovertemplate') texts.push(value);
      else if (Array.isArray(value)) for (const item of value) gather(item, key);
      else if (typeof value === 'object' && value !== null)
        for (const [inner, item] of Object.entries(value)) gather(item, inner);
    };
    gather(layout, '');
    for (const trace of data) gather({ name: trace.name, text: trace.text }, '');
    // Only our own line breaks are allowed in hover text.
    expect(texts.filter((text) => /<(?!br>)|%\{/.test(text))).toEqual([]);
    for (const { hovertemplate } of data as { hovertemplate?: string }[])
      expect(hovertemplate ?? '').not.toMatch(/<(?!br>|extra>|\/extra>)/);
  });

  it('are guarded in CSV', () => {
    const csv = tableCsv({
      columns: [
        { name: '=1+1', isNumber: false },
        { name: 'a,"b"', unit: 'sd', isNumber: true },
      ],
      rows: [
        ['@x', -1.5],
        ['plain', null],
      ],
    });
    expect(csv).toBe(`'=1+1,"a,""b"" (sd)"\n'@x,-1.5\nplain,\n`);
  });
});

describe('a chain', () => {
  interface ChainLine {
    name: string;
    line?: { color: string; dash?: string };
    marker?: { color: string; symbol: string };
  }
  const linesOf = (name: string) => figureOf(light, name).data as unknown as ChainLine[];

  it('has one colour, one dash and one symbol in every figure', () => {
    const looks = new Map<string, Set<string>>();
    const note = (key: string, value: string | undefined) => {
      if (value !== undefined) looks.set(key, (looks.get(key) ?? new Set()).add(value));
    };
    for (const name of names) {
      for (const { name: chain, line, marker } of linesOf(name)) {
        if (!/^Chain \d$/.test(chain)) continue;
        note(`${chain} colour`, line?.color ?? marker?.color);
        // A raw trace is solid: a dash would be noise there.
        if (!name.startsWith('trace')) note(`${chain} dash`, line?.dash);
        note(`${chain} symbol`, marker?.symbol);
      }
    }
    expect(looks.size).toBe(12);
    for (const [key, values] of looks) expect([key, values.size]).toEqual([key, 1]);
  });

  it('that is hidden leaves the others unchanged', () => {
    const hidden = everyFigure({ palette: plotPalettes.light, hidden: new Set([1]) });
    for (const name of ['rank', 'rank-ecdf', 'density', 'autocorrelation']) {
      const before = linesOf(name).filter((line) => line.name !== 'Chain 2');
      const after = figureOf(hidden, name).data;
      expect(after.map((trace) => trace.name)).toEqual(before.map((line) => line.name));
      expect(after.at(-1)).toEqual(before.at(-1));
    }
  });
});
