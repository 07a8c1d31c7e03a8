/** Whether an element is near the view: what is far away is not mounted. */
import { useCallback, useRef, useState } from 'react';

export function useInView<T extends Element>(): [React.RefCallback<T>, boolean] {
  const [inView, setInView] = useState(false);
  const observer = useRef<IntersectionObserver>(undefined);
  const ref = useCallback((element: T | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    observer.current = new IntersectionObserver(
      (entries) => setInView(entries.some((entry) => entry.isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.current.observe(element);
  }, []);
  return [ref, inView];
}
