/** Short messages bottom right, with *Undo*; the library is loaded after the first paint. */
import { useEffect, useState } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { importWithRetry } from './import-with-retry.ts';
import { lazyPart } from './lazy-part.ts';
import type { Toast } from './toast.ts';

const load = () => import('./notifications.tsx');
const Container = lazyPart(load, 'NotificationsContainer');

/** Mounts the toast container once the page is idle. */
export function Toasts() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  return ready ? (
    <ErrorBoundary fallback={() => null}>
      <Container />
    </ErrorBoundary>
  ) : null;
}

export function showToast(toast: Toast): void {
  void importWithRetry(load).then((module) => module.show(toast));
}
