/** Zoom of all traces by keyboard: from and to which iteration, and back to all. */
import { Button, NumberInput } from '@mantine/core';
import { IconZoomReset } from '@tabler/icons-react';
import classes from './experiment.module.css';
import type { ZoomRange } from './trace-card.tsx';

export interface ZoomToolsProps {
  readonly zoom: ZoomRange | null;
  /** Iterations of the whole axis. */
  readonly last: number;
  readonly onZoom: (zoom: ZoomRange | null) => void;
}

export function ZoomTools({ zoom, last, onZoom }: ZoomToolsProps) {
  const [from, to] = zoom ?? [1, last];
  const set = (low: number, high: number) => onZoom(zoomWithin([low, high], last));
  const field = { size: 'xs', hideControls: true, allowDecimal: false, w: 84 } as const;
  return (
    <span className={classes.zoomTools}>
      <NumberInput
        {...field}
        aria-label="First iteration shown"
        value={Math.round(from)}
        min={1}
        max={last}
        onChange={(value) => typeof value === 'number' && set(value, to)}
      />
      <span aria-hidden="true">to</span>
      <NumberInput
        {...field}
        aria-label="Last iteration shown"
        value={Math.round(to)}
        min={1}
        max={last}
        onChange={(value) => typeof value === 'number' && set(from, value)}
      />
      {zoom !== null && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconZoomReset size={14} stroke={1.6} />}
          onClick={() => onZoom(null)}
        >
          Reset zoom
        </Button>
      )}
    </span>
  );
}

/** The part of `range` on the axis, at least two iterations long; null when that is all of it. */
export function zoomWithin([a, b]: ZoomRange, last: number): ZoomRange | null {
  const low = Math.max(1, Math.min(a, b));
  const high = Math.min(last, Math.max(a, b));
  if (high - low < 2 || (low <= 1 && high >= last)) return null;
  return [low, high];
}
