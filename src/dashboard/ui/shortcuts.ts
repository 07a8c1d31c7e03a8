/** Keys of the entire app. They are off while somebody types, and ignore Ctrl, Alt and Meta except for Ctrl+Z. */
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { undoLast } from './undo-stack.ts';

export interface Shortcut {
  /** One key, or two in a row. */
  readonly keys: readonly string[];
  readonly label: string;
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** The modifier key of commands. */
export const controlKey = isMac ? '⌘' : 'Ctrl';

/** Second keys after G, and where they go. */
export const goShortcuts: readonly (Shortcut & { readonly to: string })[] = [
  { keys: ['G', 'O'], label: 'Overview', to: '/' },
  { keys: ['G', 'M'], label: 'Models', to: '/models' },
  { keys: ['G', 'D'], label: 'Data', to: '/data' },
  { keys: ['G', 'W'], label: 'Workflows', to: '/workflows' },
  { keys: ['G', 'E'], label: 'Experiments', to: '/experiments' },
  { keys: ['G', 'S'], label: 'Shares', to: '/shares' },
];

/** Milliseconds in which the second key counts. */
const sequenceMs = 1200;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], .monaco-editor, [role="dialog"]',
    ) !== null
  );
}

export function useShortcuts(onHelp: () => void): void {
  const router = useRouter();
  useEffect(() => {
    let goUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        const isUndo = event.key.toLowerCase() === 'z' && !event.shiftKey && !event.repeat;
        if (isUndo && undoLast()) event.preventDefault();
        return;
      }
      const key = event.key.toUpperCase();
      const target = goShortcuts.find(({ keys }) => keys[1] === key)?.to;
      if (event.timeStamp < goUntil && target !== undefined) void router.navigate({ href: target });
      else if (event.key === '?') onHelp();
      else if (event.key === '/') focusSearch(event);
      else {
        goUntil = key === 'G' ? event.timeStamp + sequenceMs : 0;
        return;
      }
      goUntil = 0;
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [router, onHelp]);
}

/** The list's search box, which marks itself as such. */
function focusSearch(event: KeyboardEvent): void {
  const box = document.querySelector<HTMLInputElement>('input[data-shortcut="/"]');
  if (box === null) return;
  event.preventDefault();
  box.focus();
  box.select();
}
