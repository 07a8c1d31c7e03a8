/** Which iterations the traces show, and how keys change that. */
import type { ZoomStep } from '../../../plots/plot-card.tsx';

/** First and last iteration shown, as the axis counts them. */
export type ZoomRange = readonly [number, number];

/** The zoom after one key press; a span is halved or doubled about its middle, or moved by a quarter of its length. */
export function zoomStep(zoom: ZoomRange | null, step: ZoomStep, last: number): ZoomRange | null {
  const [low, high] = zoom ?? [1, last];
  const span = high - low;
  switch (step) {
    case 'all':
      return null;
    case 'in': {
      const quarter = Math.round(span / 4);
      return span < 8 ? zoom : zoomWithin([low + quarter, high - quarter], last);
    }
    case 'out':
      return zoomWithin([low - Math.ceil(span / 2), high + Math.ceil(span / 2)], last);
    case 'left':
    case 'right': {
      if (zoom === null) return null;
      const wanted = Math.ceil(span / 4) * (step === 'left' ? -1 : 1);
      const by = Math.max(1 - low, Math.min(last - high, wanted));
      return zoomWithin([low + by, high + by], last);
    }
  }
}

/** The part of `range` on the axis, at least two iterations long; null when that is all of it. */
export function zoomWithin([a, b]: ZoomRange, last: number): ZoomRange | null {
  const low = Math.max(1, Math.min(a, b));
  const high = Math.min(last, Math.max(a, b));
  if (high - low < 2 || (low <= 1 && high >= last)) return null;
  return [low, high];
}
