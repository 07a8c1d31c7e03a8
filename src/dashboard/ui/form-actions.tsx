/** The buttons of a form or a dialog, on one line if they fit; and the last two of most dialogs. */
import { Button, type ButtonProps } from '@mantine/core';
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

export interface SubmitButtonsProps
  extends Pick<ButtonProps, 'loading' | 'disabled' | 'leftSection'> {
  readonly children: ReactNode;
  readonly onCancel: () => void;
}

/** Cancel, and the button that sends the form. */
export function SubmitButtons({ onCancel, ...submit }: SubmitButtonsProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="filled" type="submit" {...submit} />
    </>
  );
}
