/** What can be done with the content of the page: pages offer it, the palette lists it. */
import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface PageAction {
  readonly label: string;
  readonly detail: string;
  /** Keys that trigger it without the palette. */
  readonly keys: readonly string[];
}

export interface OfferedAction extends PageAction {
  readonly run: () => void;
}

let offered: readonly OfferedAction[] = [];
const listeners = new Set<() => void>();

function setOffered(next: readonly OfferedAction[]): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Offers an action while it is mounted and `run` is not null; the newest `run` is called. */
export function usePageAction(action: PageAction, run: (() => void) | null): void {
  useOfferedActions(run === null ? [] : [{ ...action, run }]);
}

/** The same for several, in their order; labels differ. */
export function useOfferedActions(actions: readonly OfferedAction[]): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const texts = JSON.stringify(actions, ['label', 'detail', 'keys']);
  useEffect(() => {
    const own = (JSON.parse(texts) as PageAction[]).map(
      (text): OfferedAction => ({
        ...text,
        run: () => latest.current.find(({ label }) => label === text.label)?.run(),
      }),
    );
    setOffered([...offered, ...own]);
    return () => setOffered(offered.filter((other) => !own.includes(other)));
  }, [texts]);
}

export function usePageActions(): readonly OfferedAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
}
