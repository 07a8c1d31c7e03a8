/** A dim paragraph that explains what is next to it. */
import type { HTMLAttributes } from 'react';
import classes from './note.module.css';

export interface NoteProps extends HTMLAttributes<HTMLParagraphElement> {
  /** Margin above, above and below, or below; without it, the parent sets the spacing. */
  readonly gap?: 'above' | 'around' | 'below';
  readonly small?: boolean;
}

export function Note({ gap, small, ...rest }: NoteProps) {
  return <p {...rest} className={classes.note} data-gap={gap} data-small={small || undefined} />;
}
