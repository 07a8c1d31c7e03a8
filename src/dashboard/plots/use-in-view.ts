/** Whether an element is near the view: what is far away is not mounted. */
import { useIntersection } from '@mantine/hooks';
import type { RefCallback } from 'react';

export function useInView<T extends HTMLElement>(): [RefCallback<T>, boolean] {
  const { ref, entry } = useIntersection<T>({ rootMargin: '200px' });
  return [ref, entry?.isIntersecting ?? false];
}
