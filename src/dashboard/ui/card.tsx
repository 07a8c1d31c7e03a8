/** The background of related content: a bordered surface. */
import { createElement, type HTMLAttributes, type Ref } from 'react';
import classes from './card.module.css';

export interface CardProps extends HTMLAttributes<HTMLElement> {
  /** The element; a section by default. */
  readonly as?: 'article' | 'div' | 'form' | 'li' | 'ol' | 'pre' | 'ul';
  /** Padding on all sides. */
  readonly padded?: boolean;
  readonly ref?: Ref<HTMLElement>;
}

export function Card({ as, padded, className, ...rest }: CardProps) {
  return createElement(as ?? 'section', {
    ...rest,
    className: className === undefined ? classes.card : `${classes.card} ${className}`,
    'data-padded': padded || undefined,
  });
}
