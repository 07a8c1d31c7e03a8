/** Changes parameters in the address of the open page; the others stay as they are. */
import { useNavigate } from '@tanstack/react-router';

export interface SearchChangeOptions {
  /** Not a step that the browser's back button returns to, and the page stays where it is scrolled to. */
  readonly inPlace?: boolean;
}

export function useSearchChange<Search extends object>({ inPlace }: SearchChangeOptions = {}) {
  const navigate = useNavigate();
  return (change: Partial<Search>) =>
    // The route's schema checks what the address then says.
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...change }),
      ...(inPlace && { replace: true, resetScroll: false }),
    });
}
