/** What this place is for and the first step, while it is empty. */
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <svg
        width="132"
        height="36"
        viewBox="0 0 132 36"
        aria-hidden="true"
        className={classes.picture}
      >
        <path d="M0 20 6 14 10 24 15 9 19 22 25 17 29 30 34 12 39 20 44 6 49 25 54 16 59 22 64 11 69 27 74 19 79 24 84 8 89 21 94 15 99 28 104 13 109 20 114 17 119 26 124 10 132 19" />
        <path d="M0 16 5 22 11 12 16 26 21 18 26 8 31 21 36 25 41 14 46 19 51 10 56 28 61 17 66 22 71 13 76 20 81 30 86 16 91 23 96 9 101 18 106 25 111 12 116 22 121 15 126 24 132 14" />
      </svg>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}
