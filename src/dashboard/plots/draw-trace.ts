/** A trace as the page shows it: brushing zooms along iterations only, so that y always fits what is seen. */
import type { DrawnFigure } from '../../figures/figure.ts';
import { type TraceOptions, type TraceVariable, traceFigure } from '../../figures/trace-figure.ts';

export function drawTrace(variable: TraceVariable, options: TraceOptions): DrawnFigure {
  const figure = traceFigure(variable, options);
  const yaxis = figure.layout.yaxis as Record<string, unknown>;
  return {
    data: figure.data,
    layout: { ...figure.layout, yaxis: { ...yaxis, fixedrange: true } },
    notes: figure.notes,
    get table() {
      return figure.table;
    },
  };
}
