/** Figures as plain JSON, made by pure builders and drawn by `plot.tsx`; and the layout every figure starts from. */
import type { PlotPalette } from './palette.ts';

export interface Figure {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly layout: Readonly<Record<string, unknown>>;
}

const font = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif";

/** Axis without decoration: ticks and their words only. `grid` draws lines across. */
export function plainAxis(palette: PlotPalette, { grid, line }: { grid: boolean; line: boolean }) {
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
  };
}

/** Transparent, quiet, keeps zoom over updates (`uirevision` never changes). */
export function baseLayout(palette: PlotPalette): Record<string, unknown> {
  return {
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: font, size: 11, color: palette.faint },
    margin: { l: 34, r: 14, t: 6, b: 22 },
    separators: '.\u202f',
    showlegend: false,
    hovermode: 'closest',
    hoverlabel: {
      bgcolor: palette.raised,
      bordercolor: palette.border,
      font: { family: font, size: 12, color: palette.text },
    },
    dragmode: 'zoom',
    uirevision: 'kept',
  };
}
