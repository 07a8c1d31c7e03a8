/** The buttons of a form or a dialog, on one line if they fit. */
import type { ReactNode } from 'react';
import classes from './form-actions.module.css';

export interface FormActionsProps {
  readonly children: ReactNode;
  /** At the end of a dialog. */
  readonly end?: boolean;
  /** Margin above, if the parent sets none. */
  readonly apart?: boolean;
  /** Buttons only, closer together. */
  readonly tight?: boolean;
}

export function FormActions({ children, end, apart, tight }: FormActionsProps) {
  return (
    <div
      className={classes.actions}
      data-end={end || undefined}
      data-apart={apart || undefined}
      data-tight={tight || undefined}
    >
      {children}
    </div>
  );
}
