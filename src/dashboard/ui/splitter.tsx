/** A line between two parts that is dragged or moved with arrow keys; a double click restores the initial size. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import classes from './splitter.module.css';
import { readStored, writeStored } from './stored-text.ts';

export interface SplitSize {
  readonly initial: number;
  readonly least: number;
  readonly most: number;
}

/** Size of a part in pixels, remembered in this browser under `key`. */
export function useSplitSize(key: string, { initial, least, most }: SplitSize) {
  const storageKey = `ergodic.split.${key}`;
  const [size, setSize] = useState(() => {
    const kept = Number(readStored(storageKey) || Number.NaN);
    return Number.isFinite(kept) ? clamp(kept, least, most) : initial;
  });
  const resize = (wanted: number) => {
    const next = Math.round(clamp(wanted, least, most));
    setSize(next);
    writeStored(storageKey, next === initial ? '' : String(next));
  };
  return { size, resize, range: { initial, least, most } };
}

const clamp = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));

export interface SplitterProps {
  /** "Width of the files". */
  readonly label: string;
  readonly split: ReturnType<typeof useSplitSize>;
  /** Which side of the line the measured part is on. */
  readonly part: 'before' | 'after';
  /** Of the line itself: `vertical` parts left from right. */
  readonly orientation?: 'vertical' | 'horizontal';
  readonly className?: string;
}

const step = 16;

export function Splitter({
  label,
  split: { size, resize, range },
  part,
  orientation = 'vertical',
  className = '',
}: SplitterProps) {
  const [start, setStart] = useState<{ at: number; size: number } | null>(null);
  const isVertical = orientation === 'vertical';
  const sign = part === 'before' ? 1 : -1;
  const at = (event: PointerEvent) => (isVertical ? event.clientX : event.clientY);
  const onKey = (event: KeyboardEvent) => {
    const steps = isVertical ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
    const moved = (steps as Record<string, number | undefined>)[event.key];
    const goal = { Home: range.least, End: range.most, Enter: range.initial }[event.key];
    if (moved === undefined && goal === undefined) return;
    event.preventDefault();
    resize(goal ?? size + sign * (moved ?? 0) * step * (event.shiftKey ? 4 : 1));
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={range.least}
      aria-valuemax={range.most}
      aria-valuetext={`${size} pixels`}
      tabIndex={0}
      title="Drag or use the arrow keys; double-click to reset"
      className={`${classes.splitter} ${className}`}
      data-dragged={start !== null || undefined}
      onKeyDown={onKey}
      onDoubleClick={() => resize(range.initial)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        setStart({ at: at(event), size });
      }}
      onPointerMove={(event) => {
        if (start !== null) resize(start.size + sign * (at(event) - start.at));
      }}
      onPointerUp={() => setStart(null)}
      onPointerCancel={() => setStart(null)}
    />
  );
}
