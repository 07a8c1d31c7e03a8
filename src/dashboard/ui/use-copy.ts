/** Copying text, even if the browser gives scripts no clipboard: on plain http from another machine. */
import { useEffect, useState } from 'react';

/** How long "Copied" is shown, ms. */
const said = 1500;

export interface Copying {
  /** Just copied, or just failed to copy. */
  readonly state: 'idle' | 'copied' | 'failed';
  readonly copy: () => void;
}

export function useCopy(text: string): Copying {
  const [state, setState] = useState<Copying['state']>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), said);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    void copyText(text).then((done) => setState(done ? 'copied' : 'failed'));
  };
  return { state, copy };
}

/** Whether it is on the clipboard now. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** The older way, which needs no secure origin: it replaces what the browser copies. */
function copyByCommand(text: string): boolean {
  let isTaken = false;
  const take = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    isTaken = true;
  };
  document.addEventListener('copy', take, { capture: true });
  try {
    return document.execCommand('copy') && isTaken;
  } catch {
    return false;
  } finally {
    document.removeEventListener('copy', take, { capture: true });
  }
}
