/** Begins what every plot waits for while the draws are still on their way: Plotly's chunk, the thread of figures. */
import { startFigureThread } from './figure-thread.ts';
import { loadPlotly } from './plot.tsx';

/** `withThread`: the figures to come are drawn by the thread, as all are but traces of few draws. */
export function warmPlots(withThread: boolean): void {
  if (withThread) startFigureThread();
  // A plot that needs it asks again, and says so when it fails.
  loadPlotly().catch(() => undefined);
}
