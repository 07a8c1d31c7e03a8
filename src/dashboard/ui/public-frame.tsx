/** The frame of pages that need no account: the logo and what the page is; it links to nothing else. */
import type { ReactNode } from 'react';
import { ThemeSwitch } from './app-frame.tsx';
import { Logo } from './logo.tsx';
import classes from './public-frame.module.css';

export interface PublicFrameProps {
  /** What the page is, with an icon: "Snapshot", "Help"; false when it is neither. */
  readonly mark: ReactNode;
  readonly children: ReactNode;
}

export function PublicFrame({ mark, children }: PublicFrameProps) {
  return (
    <>
      <header className={classes.bar}>
        <span className={classes.brand}>
          <Logo size={24} /> Ergodic
        </span>
        <span className={classes.brandTools}>
          <ThemeSwitch />
          {mark !== false && <span className={classes.mark}>{mark}</span>}
        </span>
      </header>
      <main className={classes.body}>{children}</main>
    </>
  );
}
