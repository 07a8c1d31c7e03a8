/** Returns focus to where it was when the element that took it (a dialog mounted open) disappears. */
import { useEffect } from 'react';

export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      // After the dialog has left the page; not if something else has taken the focus since.
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body;
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus();
      }, 0);
    };
  }, []);
}
