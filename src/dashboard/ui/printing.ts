/** Paper shows what a screen leaves out: rows and plots out of view, and light colours. */
import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let printing = false;
const listeners = new Set<() => void>();

/** The attribute for the theme, which selects the colour tokens. */
const schemeAttribute = 'data-mantine-color-scheme';
let screenScheme: string | null = null;

function setPrinting(next: boolean): void {
  if (printing === next) return;
  printing = next;
  const root = document.documentElement;
  if (next) {
    screenScheme = root.getAttribute(schemeAttribute);
    root.setAttribute(schemeAttribute, 'light');
  } else if (screenScheme !== null) root.setAttribute(schemeAttribute, screenScheme);
  // The browser takes its picture as soon as its event has been handled.
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}
const begin = () => setPrinting(true);
const end = () => setPrinting(false);

/** True from just before the page is printed until afterwards. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => printing);
}

/** Elements that are still being drawn have this attribute. */
export const pendingMark = { 'data-pending': true } as const;

/** The same attribute, set without a render. */
export function markPending(element: HTMLElement, isPending: boolean): void {
  element.toggleAttribute('data-pending', isPending);
}

/** Longest wait for drawing: after that the page is printed as it is. */
const longestWaitMs = 20_000;

/** Prints the page once every plot on it is drawn, those out of view too. */
export async function printPage(): Promise<void> {
  setPrinting(true);
  const end = performance.now() + longestWaitMs;
  // Twice in a row: what was drawn may have triggered further drawing.
  for (let still = 0; still < 2 && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    still = document.querySelector('[data-pending]') === null ? still + 1 : 0;
  }
  window.print();
  setPrinting(false);
}
