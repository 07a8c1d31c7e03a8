/** A number in the tone of its judgement. */

import type { JudgedNumber } from './judge-numbers.ts';
import classes from './status.module.css';

export interface JudgedValueProps {
  readonly number: JudgedNumber;
  readonly format: (value: number) => string;
}

export function JudgedValue({ number: { value, tone }, format }: JudgedValueProps) {
  if (value === null) return <span className={classes.none}>–</span>;
  return (
    <span className={classes.value} data-tone={tone}>
      {format(value)}
    </span>
  );
}
