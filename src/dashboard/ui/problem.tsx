/** What went wrong with an action, shown where it was started; screen readers announce it immediately. */
import type { ReactNode } from 'react';
import classes from './problem.module.css';

export interface ProblemProps {
  readonly children: ReactNode;
  /** Margin above, or above and below; without it, the parent sets the spacing. */
  readonly gap?: 'above' | 'around';
}

export function Problem({ children, gap }: ProblemProps) {
  return (
    <p role="alert" className={classes.problem} data-gap={gap}>
      {children}
    </p>
  );
}
