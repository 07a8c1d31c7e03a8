/** Figures as plain JSON in Plotly's schema, made by pure builders; their tables, and the layout shared by all. */
import { shownName } from '../posterior/variable-labels.ts';
import type { PlotPalette } from './palette.ts';
import { withoutTooFine } from './too-fine.ts';

export type Trace = Readonly<Record<string, unknown>>;

export interface Figure {
  readonly data: readonly Trace[];
  readonly layout: Readonly<Record<string, unknown>>;
}

export interface FigureColumn {
  readonly name: string;
  readonly unit?: string;
  readonly isNumber: boolean;
}

/** The numbers a figure shows, for people who read rather than look, and for its CSV. Missing numbers are null. */
export interface FigureTable {
  readonly columns: readonly FigureColumn[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** A table as builders write it. */
interface TableDraft extends Pick<FigureTable, 'rows'> {
  /** A name alone is a column of numbers. */
  readonly columns: readonly (string | FigureColumn)[];
}

/** What every builder returns. */
export interface DrawnFigure extends Figure {
  /** Built when first read: a grid of live plots never needs it. */
  readonly table: FigureTable;
  /** What is not shown, as text: "1 in 250 shown, extremes kept". */
  readonly notes: readonly string[];
  /** Height it needs in pixels, if that depends on its content (rows of a forest). */
  readonly preferredHeight?: number;
}

/** Draws of one variable in one chain. Iterations count from 1 within their phase. */
export interface FigureChain {
  /** 0-based position of the chain in the run, which determines its colour, dash and symbol. */
  readonly index: number;
  readonly name: string;
  /** The chains that started from one warmup; absent: each has its own. */
  readonly superchain?: number;
  readonly warmup?: Float64Array;
  readonly sampling: Float64Array;
  /** 1 where the draw of that sampling iteration was divergent; empty or absent when not recorded. */
  readonly divergent?: Float64Array;
}

/** How traces and pairs show a draw: unchanged, its logarithm or log odds, or on the scale of Stan's sampler. */
export const variableScales = ['natural', 'log', 'logit', 'unconstrained'] as const;
export type VariableScale = (typeof variableScales)[number];

/** A variable, or a column of the sampler, with its chains. */
export interface FigureVariable {
  /** `theta[1]`: any text; it is escaped when it is drawn. */
  readonly variable: string;
  /** Shown instead of its name if its dimensions have labels: `theta[School C]`; tables keep the name. */
  readonly label?: string;
  readonly chains: readonly FigureChain[];
  /** Its declared bounds, if known: densities end there. */
  readonly lower?: number;
  readonly upper?: number;
  /** How traces and pairs show it; absent: unchanged. */
  readonly scale?: VariableScale;
}

/** Options of every builder. */
export interface FigureOptions {
  readonly palette: PlotPalette;
  /** The figure stands alone or is exported: it gets a title, axis titles and a legend. Default false. */
  readonly alone?: boolean;
  /** Chains to draw faintly (because another is pointed at), and those not to draw, by index. */
  readonly faded?: ReadonlySet<number>;
  readonly hidden?: ReadonlySet<number>;
}

export const figureFont = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif";

interface AxisOptions extends Readonly<Record<string, unknown>> {
  /** Draws lines across; default false. */
  readonly grid?: boolean;
  /** Draws the axis itself; default false. */
  readonly line?: boolean;
}

/** Axis without decoration: ticks and their labels only, and what Plotly's other `settings` ask for. */
export function plainAxis(
  palette: PlotPalette,
  { grid = false, line = false, ...settings }: AxisOptions,
): Record<string, unknown> {
  return {
    showgrid: grid,
    gridcolor: palette.grid,
    zeroline: false,
    showline: line,
    linecolor: palette.axis,
    ticks: '',
    nticks: 4,
    tickfont: { size: 11, color: palette.faint },
    automargin: false,
    fixedrange: false,
    ...settings,
  };
}

/** The y axis of densities and small histograms, whose heights are compared but not read. */
export const heightAxis = { visible: false, rangemode: 'tozero', fixedrange: true } as const;

/** For a figure with one line per row, the first on top: its y axis with their names, and the room that these take. */
export function rowsAxis(palette: PlotPalette, names: readonly string[]) {
  return {
    left: Math.min(200, 14 + 6.6 * Math.max(3, ...names.map((name) => name.length))),
    yaxis: plainAxis(palette, {
      range: [names.length - 0.4, -0.6],
      tickvals: names.map((_, i) => i),
      ticktext: names.map(plotText),
    }),
  };
}

/** Transparent, unobtrusive, keeps zoom over updates (`uirevision` never changes). */
function baseLayout(palette: PlotPalette): Record<string, unknown> {
  return {
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: figureFont, size: 11, color: palette.faint },
    margin: { l: 34, r: 14, t: 6, b: 22 },
    separators: '.\u202f',
    showlegend: false,
    hovermode: 'closest',
    hoverlabel: {
      bgcolor: palette.raised,
      bordercolor: palette.border,
      font: { family: figureFont, size: 12, color: palette.text },
    },
    dragmode: 'zoom',
    uirevision: 'kept',
  };
}

export interface FigureLabels {
  readonly title: string;
  /** Titles of the first x and y axis. */
  readonly x?: string;
  readonly y?: string;
  /** Shows the axis titles in a card too: its axes are not what the card is named after. Default false. */
  readonly inCard?: boolean;
  /** Vertical position of the legend, 1 = on the plot; higher if captions are in between. */
  readonly legendY?: number;
  /** Margins that a standalone figure needs, if not the default ones. */
  readonly margin?: {
    readonly l?: number;
    readonly r?: number;
    readonly t?: number;
    readonly b?: number;
  };
}

/** Pixels that the title of an axis takes up in a card. */
const titleRoom = 14;

/** The title of an axis, next to its tick labels: smaller in a card than in a standalone figure. */
export function axisTitleOf(text: string, palette: PlotPalette, alone: boolean) {
  return alone
    ? { text, standoff: 8, font: { size: 12, color: palette.dim } }
    : { text, standoff: 2, font: { size: 11, color: palette.faint } };
}

/**
 * The layout of a figure: as `own` says in a card, perhaps with small axis titles; standalone, with title, axis titles, a legend above the
 * plot, and the margins they need.
 */
export function framed(
  own: Record<string, unknown>,
  labels: FigureLabels,
  { palette, alone = false }: FigureOptions,
): Record<string, unknown> {
  const layout: Record<string, unknown> = { ...baseLayout(palette), ...own };
  const axisTitle = (text: string | undefined) =>
    text === undefined ? {} : { title: axisTitleOf(text, palette, alone) };
  const xaxis = layout.xaxis as Record<string, unknown>;
  const yaxis = layout.yaxis as Record<string, unknown>;
  if (!alone) {
    if (labels.inCard !== true) return layout;
    const { l = 0, b = 0, ...margin } = layout.margin as { l?: number; b?: number };
    return {
      ...layout,
      margin: {
        ...margin,
        l: labels.y === undefined ? l : l + titleRoom,
        b: labels.x === undefined ? b : b + titleRoom,
      },
      xaxis: { ...xaxis, ...axisTitle(labels.x) },
      yaxis: { ...yaxis, ...axisTitle(labels.y) },
    };
  }
  return {
    ...layout,
    title: {
      text: labels.title,
      x: 0,
      xref: 'container',
      xanchor: 'left',
      pad: { l: 16 },
      font: { size: 14, color: palette.text },
    },
    margin: { l: 60, r: 20, t: 64, b: 48, ...labels.margin },
    showlegend: true,
    legend: {
      orientation: 'h',
      x: 0,
      xanchor: 'left',
      y: labels.legendY ?? 1,
      yanchor: 'bottom',
      font: { size: 12, color: palette.dim },
    },
    xaxis: { ...xaxis, nticks: 6, ...axisTitle(labels.x) },
    yaxis: { ...yaxis, nticks: 5, ...axisTitle(labels.y) },
  };
}

/** A legend over the plot of a card, whose top margin has room for it. */
export function cardLegend(palette: PlotPalette): Record<string, unknown> {
  return {
    showlegend: true,
    legend: {
      orientation: 'h',
      x: 0,
      xanchor: 'left',
      y: 1,
      yanchor: 'bottom',
      font: { size: 11, color: palette.dim },
    },
  };
}

/** Combines figure and table, and leaves out what cannot be drawn; the table is built when first read. */
export function withTable<F extends Figure>(
  figure: F,
  makeTable: () => TableDraft,
  notes: readonly string[] = [],
): F & DrawnFigure {
  let table: FigureTable | null = null;
  const shown = withoutTooFine(figure);
  return {
    ...shown.figure,
    notes: [...notes, ...shown.notes],
    get table() {
      if (table === null) {
        const { columns, rows } = makeTable();
        table = {
          columns: columns.map((column) =>
            typeof column === 'string' ? numberColumn(column) : column,
          ),
          rows,
        };
      }
      return table;
    },
  };
}

/** Text for Plotly, which interprets tags, entities and `%{…}` in names: they are escaped here. */
export function plotText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('%{', '&#37;{');
}

/** Plotly's text as plain text: the inverse of {@link plotText}. */
export function plainText(text: string): string {
  return text.replaceAll('&#37;', '%').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

/** "Chain 3": the name of a chain everywhere. */
export function chainLabel(chain: { readonly index: number }): string {
  return `Chain ${chain.index + 1}`;
}

/** Chains to draw. */
export function shownChains(
  chains: readonly FigureChain[],
  { hidden }: Pick<FigureOptions, 'hidden'>,
): readonly FigureChain[] {
  return chains.filter((chain) => !hidden?.has(chain.index));
}

/** 0.15 for a chain in the background, otherwise 1. */
export function chainOpacity(index: number, { faded }: Pick<FigureOptions, 'faded'>): number {
  return faded?.has(index) ? 0.15 : 1;
}

/** All sampling draws, chain after chain. */
export function pooledDraws(chains: readonly FigureChain[]): Float64Array {
  let size = 0;
  for (const chain of chains) size += chain.sampling.length;
  const pooled = new Float64Array(size);
  let at = 0;
  for (const chain of chains) {
    pooled.set(chain.sampling, at);
    at += chain.sampling.length;
  }
  return pooled;
}

/** A number for a table: null if it is not finite. */
export function cell(value: number | null | undefined): number | null {
  return value === null || value === undefined || !Number.isFinite(value) ? null : value;
}

export function textColumn(name: string): FigureColumn {
  return { name, isNumber: false };
}

export function numberColumn(name: string, unit?: string): FigureColumn {
  return unit === undefined ? { name, isNumber: true } : { name, unit, isNumber: true };
}

/** Long names keep both ends, where the indices are. */
export function shorten(name: string, most = 28): string {
  const characters = Array.from(name);
  if (characters.length <= most) return name;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join('')}…${characters.slice(-tail).join('')}`;
}

/** A variable's name shortened to fit a title, ready for Plotly; axis and table have the full name. */
export function titleName(variable: Pick<FigureVariable, 'variable' | 'label'>): string {
  return plotText(shorten(shownName(variable), 20));
}
