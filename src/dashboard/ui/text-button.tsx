/** A button that reads like a link: an action within text. */
import type { ComponentProps } from 'react';
import classes from './text-button.module.css';

export function TextButton(props: Omit<ComponentProps<'button'>, 'type' | 'className'>) {
  return <button type="button" className={classes.button} {...props} />;
}
