/** The buttons of a form or a dialog, in one line while they fit. */
import type { ReactNode } from 'react';
import classes from './form-actions.module.css';

export interface FormActionsProps {
  readonly children: ReactNode;
  /** At the end of a dialog. */
  readonly end?: boolean;
  /** Room above, where the parent sets none. */
  readonly apart?: boolean;
  /** Buttons alone, closer together. */
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
