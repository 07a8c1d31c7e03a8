/** The frame of a snapshot: the logo and that it is one; no way into anything else. */
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ThemeSwitch } from '../../ui/app-frame.tsx';
import { Logo } from '../../ui/logo.tsx';
import classes from './sharing.module.css';

export function SnapshotFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className={classes.bar}>
        <span className={classes.brand}>
          <Logo size={24} /> Ergodic
        </span>
        <span className={classes.brandTools}>
          <ThemeSwitch />
          <span className={classes.mark}>
            <IconLock size={14} aria-hidden="true" /> Snapshot
          </span>
        </span>
      </header>
      <main className={classes.body}>{children}</main>
    </>
  );
}
