/** What the frame asks for waits for what the page is for: a list is painted by its own requests. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** False until nothing is being fetched for the first time; true from then on. */
export function useFirstQuiet(): boolean {
  const queryClient = useQueryClient();
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (isQuiet) return;
    const look = () => {
      if (queryClient.isFetching() === 0) setQuiet(true);
    };
    // after the effects of the whole page, which start its requests
    const timer = setTimeout(look, 0);
    const stop = queryClient.getQueryCache().subscribe(() => setTimeout(look, 0));
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isQuiet, queryClient]);
  return isQuiet;
}
