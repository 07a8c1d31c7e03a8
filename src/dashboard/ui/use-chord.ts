/** A key together with Ctrl (Cmd on a Mac) or Alt, taken before the part of the page that has the focus. */
import { useEffect, useRef } from 'react';

export interface Chord {
  readonly modifier: 'control' | 'alt';
  /** As `KeyboardEvent.key` names it, in lower case; several: as keyboards differ. */
  readonly keys: readonly string[];
  /** Together with Shift; without it, Shift must be up. */
  readonly hasShift?: boolean;
}

/** `act` null: the key goes its usual way. Open dialogs keep their keys. */
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
    // The code editor has its own use for some of these keys.
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [modifier, wanted, hasShift]);
}
