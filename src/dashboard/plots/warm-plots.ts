/** Starts loading what every plot needs while the draws are still on their way: Plotly's chunk, the figure thread. */
import { startFigureThread } from './figure-thread.ts';
import { loadPlotly } from './plot.tsx';

/** `withThread`: the thread will draw the figures, as it does all but traces of few draws. */
export function warmPlots(withThread: boolean): void {
  if (withThread) startFigureThread();
  // A plot that needs it tries again, and reports a failure.
  loadPlotly().catch(() => undefined);
}
