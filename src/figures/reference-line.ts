/** Dotted lines to compare with, and their labels. */

/** From bottom to top of the plot at `x`. */
export function uprightLine(x: number, color: string) {
  return {
    type: 'line',
    xref: 'x',
    x0: x,
    x1: x,
    yref: 'paper',
    y0: 0,
    y1: 1,
    layer: 'below',
    line: { width: 1, dash: 'dot', color },
  };
}

/** Across the plot at height `y`. */
export function levelLine(y: number, color: string, axis = 'y', xref = 'paper') {
  return {
    type: 'line',
    xref,
    x0: 0,
    x1: 1,
    yref: axis,
    y0: y,
    y1: y,
    layer: 'below',
    line: { width: 1, dash: 'dot', color },
  };
}

/** The label of a level line, next to the plot, where no mark can cover it. */
export function levelLabel(y: number, text: string, color: string, axis = 'y', xref = 'paper') {
  return {
    xref,
    x: 1,
    xanchor: 'left',
    xshift: 4,
    yref: axis,
    y,
    yanchor: 'middle',
    text,
    showarrow: false,
    font: { size: 11, color },
  };
}
