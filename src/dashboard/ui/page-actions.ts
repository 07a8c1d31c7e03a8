/** What can be done with what is on the page: pages offer it, the palette lists it. */
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface PageAction {
  readonly label: string;
  readonly detail: string;
  /** Keys that do it without the palette. */
  readonly keys: readonly string[];
}

interface Offered extends PageAction {
  readonly run: () => void;
}

let offered: readonly Offered[] = [];
const listeners = new Set<() => void>();

function setOffered(next: readonly Offered[]): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Offers an action while it is mounted and `run` is not null; the newest `run` is called. */
export function usePageAction(action: PageAction, run: (() => void) | null): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const isOffered = run !== null;
  const { label, detail } = action;
  const keys = action.keys.join(' ');
  useEffect(() => {
    if (!isOffered) return;
    const own: Offered = {
      label,
      detail,
      keys: keys.split(' '),
      run: () => latest.current?.(),
    };
    setOffered([...offered, own]);
    return () => setOffered(offered.filter((other) => other !== own));
  }, [isOffered, label, detail, keys]);
}

export function usePageActions(): readonly Offered[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
}
