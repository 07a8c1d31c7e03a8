/** One Plotly plot in React: loads Plotly when first mounted, draws in order, resizes with its box, cleans up. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Figure } from '../../figures/figure.ts';
import { markPending } from '../ui/printing.ts';
import classes from './plot.module.css';

type Plotly = typeof import('./plotly.ts')['default'];

let loading: Promise<Plotly> | null = null;
/** Starts loading Plotly (once per page); call on intent so that the first plot appears without delay. */
export function loadPlotly(): Promise<Plotly> {
  loading ??= import('./plotly.ts').then(
    (module) => module.default,
    (error: unknown) => {
      // Not cached: the next plot tries again.
      loading = null;
      throw error;
    },
  );
  return loading;
}

let lastTurn: Promise<unknown> = Promise.resolve();
/** Draws one plot per turn: drawing an entire grid in one go would block the page. */
function myTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return lastTurn;
}

const config = {
  displayModeBar: false,
  responsive: false,
  doubleClick: 'reset',
  scrollZoom: false,
  showTips: false,
};
/** When the page itself sets the visible range, Plotly must not remember its own. */
const zoomedByPage = { ...config, doubleClick: false };

export interface PlotProps {
  readonly figure: Figure;
  /** What the plot shows, for people who cannot see it. */
  readonly label: string;
  readonly height: number;
  /** Called with the x range a person zoomed to, null when they reset it. */
  readonly onZoom?: (range: [number, number] | null) => void;
}

export function Plot({ figure, label, height, onZoom }: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  // Plotly.react returns before it has drawn: calls are chained so that an older figure never lands last.
  const drawing = useRef<Promise<unknown>>(Promise.resolve());
  const [failed, setFailed] = useState(false);
  const zoom = useRef(onZoom);
  const used = onZoom === undefined ? config : zoomedByPage;
  useLayoutEffect(() => {
    zoom.current = onZoom;
  });

  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let gone = false;
    markPending(target, true);
    drawing.current = drawing.current
      .then(loadPlotly)
      .then((plotly) => myTurn().then(() => plotly))
      .then((plotly) => (gone ? undefined : plotly.react(target, figure.data, figure.layout, used)))
      .then(() => {
        if (gone) return;
        listenToZoom(target, (range) => zoom.current?.(range));
        setFailed(false);
        markPending(target, false);
      })
      .catch((error: unknown) => {
        console.error('The plot could not be drawn.', error);
        if (gone) return;
        setFailed(true);
        markPending(target, false);
      });
    return () => {
      gone = true;
    };
  }, [figure, used]);

  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let gone = false;
    const observer = new ResizeObserver(() => {
      if (!target.classList.contains('js-plotly-plot') || target.clientWidth === 0) return;
      void loadPlotly().then((plotly) => (gone ? undefined : plotly.Plots.resize(target)));
    });
    observer.observe(target);
    return () => {
      gone = true;
      observer.disconnect();
      drawing.current = drawing.current.then(async () => {
        if (!target.classList.contains('js-plotly-plot')) return;
        (await loadPlotly()).purge(target);
        (target as PlotlyElement).ergodicListens = false;
      });
    };
  }, []);

  return (
    <>
      {failed && (
        <p role="alert" className={classes.failed}>
          The plot could not be drawn. The draws are not affected.
        </p>
      )}
      <div
        ref={element}
        role="img"
        aria-label={label}
        className={classes.plot}
        style={{ height }}
        hidden={failed}
      />
    </>
  );
}

interface PlotlyElement extends HTMLElement {
  on?: (event: string, handler: (update?: Record<string, unknown>) => void) => void;
  ergodicListens?: boolean;
}

function listenToZoom(
  target: PlotlyElement,
  report: (range: [number, number] | null) => void,
): void {
  if (target.ergodicListens || target.on === undefined) return;
  target.ergodicListens = true;
  target.on('plotly_relayout', (update = {}) => {
    const from = update['xaxis.range[0]'];
    const to = update['xaxis.range[1]'];
    if (typeof from === 'number' && typeof to === 'number') report([from, to]);
    else if (update['xaxis.autorange'] === true || Array.isArray(update['xaxis.range']))
      report(null);
  });
  target.on('plotly_doubleclick', () => report(null));
}
