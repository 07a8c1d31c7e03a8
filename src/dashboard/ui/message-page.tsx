/** A page that only says something: failures, dead ends. */
import type { ReactNode } from 'react';
import classes from './message-page.module.css';

export function MessagePage({
  title,
  words,
  children,
}: {
  title: string;
  words: string;
  children?: ReactNode;
}) {
  return (
    <section className={classes.message} role="alert">
      <h1>{title}</h1>
      <p>{words}</p>
      {children !== undefined && <div className={classes.actions}>{children}</div>}
    </section>
  );
}
