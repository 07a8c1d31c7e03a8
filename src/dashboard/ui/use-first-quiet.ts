/** What the frame asks for waits for what the page is for: a list is painted by its own requests. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const quietMs = 300;
const lateMs = 50;

/** False until the page is there and nothing is being fetched for the first time; true from then on. */
export function useFirstQuiet(): boolean {
  const queryClient = useQueryClient();
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (isQuiet) return;
    // One request of a page may lead to its next: quiet is when none has begun for a moment.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const due = performance.now() + quietMs;
      timer = setTimeout(() => {
        if (queryClient.isFetching() > 0 || document.hidden) return;
        // The page's own code may be what is missing: it has not asked for anything yet.
        const isLoading = document.querySelector('[aria-busy="true"]') !== null;
        // A late timer has waited for the page to be rendered, which may ask for more in a moment.
        const isRendering = performance.now() - due > lateMs;
        if (isLoading || isRendering) look();
        else setQuiet(true);
      }, quietMs);
    };
    look();
    document.addEventListener('visibilitychange', look);
    const stop = queryClient.getQueryCache().subscribe(look);
    return () => {
      clearTimeout(timer);
      stop();
      document.removeEventListener('visibilitychange', look);
    };
  }, [isQuiet, queryClient]);
  return isQuiet;
}
