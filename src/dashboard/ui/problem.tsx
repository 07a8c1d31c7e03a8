/** What went wrong with an action, where it was started; read out by screen readers at once. */
import type { ReactNode } from 'react';
import classes from './problem.module.css';

export interface ProblemProps {
  readonly children: ReactNode;
  /** Room above, or above and below; without it, the parent sets the distances. */
  readonly gap?: 'above' | 'around';
}

export function Problem({ children, gap }: ProblemProps) {
  return (
    <p role="alert" className={classes.problem} data-gap={gap}>
      {children}
    </p>
  );
}
