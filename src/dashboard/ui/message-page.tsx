/** A page that only says something: failures, dead ends. */
import type { ReactNode } from 'react';
import classes from './message-page.module.css';

export function MessagePage({
  title,
  message,
  children,
  centred = false,
}: {
  title: string;
  message: string;
  children?: ReactNode;
  /** When there is no page around it. */
  centred?: boolean;
}) {
  return (
    <section className={classes.message} data-centred={centred || undefined} role="alert">
      <h1>{title}</h1>
      <p>{message}</p>
      {children !== undefined && <div className={classes.actions}>{children}</div>}
    </section>
  );
}
