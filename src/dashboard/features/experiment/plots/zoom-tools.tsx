/** Zoom of all traces by keyboard: the first and last iteration to show, and a reset. */
import { Button, NumberInput } from '@mantine/core';
import { IconZoomReset } from '@tabler/icons-react';
import classes from '../run/experiment.module.css';
import { type ZoomRange, zoomWithin } from './zoom-range.ts';

export interface ZoomToolsProps {
  readonly zoom: ZoomRange | null;
  /** Number of iterations on the entire axis. */
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
        <Button size="xs" leftSection={<IconZoomReset size={14} />} onClick={() => onZoom(null)}>
          Reset zoom
        </Button>
      )}
    </span>
  );
}
