/** Location of this page: the crumbs its routes name in `staticData`, the last one the page's own title. */
import { Link, useMatches } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import classes from './breadcrumbs.module.css';
import { setTitleText } from './page-title.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Parent page: label and address. */
    readonly parent?: { readonly label: string; readonly to: string };
    /** The page's own title, unless the page sets one (`usePageTitle`). */
    readonly title?: string;
  }
}

let pageTitle = '';
const listeners = new Set<() => void>();

/** Names the page in crumbs and tab; `prefix` precedes it in the tab ("66 %"). Null while not known. */
export function usePageTitle(title: string | null, prefix = ''): void {
  useEffect(() => {
    pageTitle = title ?? '';
    for (const listener of listeners) listener();
    setTitleText([prefix, title ?? 'Ergodic'].filter((part) => part !== '').join(' '));
    return () => {
      pageTitle = '';
      for (const listener of listeners) listener();
      setTitleText('Ergodic');
    };
  }, [title, prefix]);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Breadcrumbs() {
  const named = useSyncExternalStore(subscribe, () => pageTitle);
  const data = useMatches({ select: (matches) => matches.at(-1)?.staticData });
  const title = named || data?.title || '';
  return (
    <nav aria-label="Breadcrumbs" className={classes.crumbs}>
      {data?.parent !== undefined && (
        <>
          <Link to={data.parent.to} className={classes.parent}>
            <span className={classes.label}>{data.parent.label}</span>
          </Link>
          {title !== '' && (
            <span className={classes.rule} aria-hidden="true">
              ›
            </span>
          )}
        </>
      )}
      <span className={classes.current}>{title}</span>
    </nav>
  );
}
