/** Whether an element is near the view, or being printed: distant elements are not mounted. */
import { useIntersection } from '@mantine/hooks';
import type { RefCallback } from 'react';
import { usePrinting } from '../ui/printing.ts';

export function useInView<T extends HTMLElement>(): [RefCallback<T>, boolean] {
  const { ref, entry } = useIntersection<T>({ rootMargin: '200px' });
  const isPrinting = usePrinting();
  return [ref, isPrinting || (entry?.isIntersecting ?? false)];
}
