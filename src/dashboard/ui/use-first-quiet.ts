/** Lets the frame's own requests wait for those of the page: a list is painted from its own requests. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const quietMs = 300;
const lateMs = 50;

/** False until the page has loaded and no first fetch is in progress; true from then on. */
export function useFirstQuiet(): boolean {
  const queryClient = useQueryClient();
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (isQuiet) return;
    // One request of a page may lead to the next: it is quiet when none has begun for a moment.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const due = performance.now() + quietMs;
      timer = setTimeout(() => {
        if (queryClient.isFetching() > 0 || document.hidden) return;
        // The page's own code may still be loading: it has not requested anything yet.
        const isLoading = document.querySelector('[aria-busy="true"]') !== null;
        // A late timer has waited for the page to render, which may soon request more.
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
