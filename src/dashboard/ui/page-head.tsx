/** Head of a page: title, badge, id, facts separated by middle dots, actions on the right. */
import type { ReactNode } from 'react';
import { CopyableId } from './copyable-id.tsx';
import classes from './page-head.module.css';

export interface PageHeadProps {
  readonly title: ReactNode;
  /** How many there are, dimmed next to the title. */
  readonly count?: ReactNode;
  readonly badge?: ReactNode;
  readonly id?: string;
  readonly facts?: readonly ReactNode[];
  readonly actions?: ReactNode;
  /** The content below is at most 1440 pixels wide; default: lists. */
  readonly narrow?: boolean;
}

export function PageHead({
  title,
  count,
  badge,
  id,
  facts = [],
  actions,
  ...props
}: PageHeadProps) {
  // On phones such a title is in the top bar already.
  const isPlain = badge === undefined && id === undefined && facts.length === 0;
  return (
    <header
      className={classes.head}
      data-plain={isPlain || undefined}
      data-narrow={(props.narrow ?? isPlain) || undefined}
    >
      <div className={classes.titles}>
        <div className={classes.line}>
          <h1 className={classes.title}>{title}</h1>
          {count !== undefined && (
            <span className={classes.count} data-numeric>
              {count}
            </span>
          )}
          {badge}
          {id !== undefined && <CopyableId id={id} />}
        </div>
        {facts.length > 0 && (
          <p className={classes.facts}>
            {facts.map((fact, index) => (
              // facts are identified by position only
              <span key={index}>{fact}</span>
            ))}
          </p>
        )}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
