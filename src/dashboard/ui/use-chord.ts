/** A key pressed with Ctrl (Cmd on a Mac) or Alt, handled before the focused part of the page. */
import { useEffect, useRef } from 'react';

export interface Chord {
  readonly modifier: 'control' | 'alt';
  /** As `KeyboardEvent.key` names it, in lower case; several because keyboards differ. */
  readonly keys: readonly string[];
  /** With Shift; otherwise Shift must be up. */
  readonly hasShift?: boolean;
}

/** `act` null: the key has its usual effect. Open dialogs handle their own keys. */
export function useChord(
  { modifier, keys, hasShift = false }: Chord,
  act: (() => void) | null,
): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const wanted = keys.join(' ');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isControl = event.ctrlKey || event.metaKey;
      const isPressed =
        modifier === 'control' ? isControl && !event.altKey : event.altKey && !isControl;
      if (latest.current === null || !isPressed || event.shiftKey !== hasShift) return;
      if (!wanted.split(' ').includes(event.key.toLowerCase())) return;
      if (document.querySelector('[aria-modal="true"]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) latest.current();
    };
    // The code editor uses some of these keys itself.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [modifier, wanted, hasShift]);
}
