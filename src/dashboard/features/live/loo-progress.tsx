/** Progress of reading and computing leave-one-out, with a button to cancel. */
import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../ui/numbers.ts';
import { pendingMark } from '../../ui/printing.ts';
import classes from './loo-progress.module.css';

export interface LooProgressProps {
  /** Values loaded so far, and their final number. */
  readonly read: number;
  readonly values: number;
  /** Observations computed so far, and their total. */
  readonly done: number;
  readonly observations: number;
  /** Absent if it takes too little time to cancel. */
  readonly onCancel?: () => void;
}

export function LooProgress(props: LooProgressProps) {
  const { read, values, done, observations, onCancel } = props;
  const isReading = read < values;
  const text = isReading
    ? `Reading ${valuesText(read, values)} values`
    : `Computing ${formatCount(done)} of ${formatCount(observations)} observations`;
  const share = isReading ? read / values : done / Math.max(1, observations);
  return (
    <div className={classes.line} {...pendingMark}>
      <p>{text}…</p>
      <Progress
        className={classes.bar}
        value={100 * share}
        aria-label={isReading ? 'Reading the draws' : 'Computing leave-one-out'}
      />
      {onCancel !== undefined && (
        <Button size="compact-xs" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  );
}

/** "4.1 of 11.2 million", in one unit. */
function valuesText(part: number, whole: number): string {
  if (whole < 1e6) return `${formatCount(part)} of ${formatCount(whole)}`;
  return `${(part / 1e6).toFixed(1)} of ${(whole / 1e6).toFixed(1)} million`;
}

/** Leave-one-out is computed automatically up to this many values. */
const fewValues = 2_000_000;

export interface LooGate {
  readonly isWanted: boolean;
  readonly start: () => void;
  /** Absent if it is computed automatically. */
  readonly cancel: (() => void) | undefined;
}

/** Whether it is computed: automatically if there are few values, otherwise from a click until another cancels it. */
export function useLooGate(values: number): LooGate {
  const [isAsked, setAsked] = useState(false);
  const isFew = values <= fewValues;
  return {
    isWanted: isFew || isAsked,
    start: () => setAsked(true),
    cancel: isFew ? undefined : () => setAsked(false),
  };
}

export function LooStart({ values, onStart }: { values: number; onStart: () => void }) {
  const size = values < 1e6 ? formatCount(values) : `${(values / 1e6).toFixed(1)} million`;
  return (
    <div className={classes.line}>
      <p>{size} values to load.</p>
      <Button size="compact-xs" onClick={onStart}>
        Compute
      </Button>
    </div>
  );
}
