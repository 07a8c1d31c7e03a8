/** Short messages bottom right, with *Undo*; the library is loaded after the first paint. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import { importWithRetry } from './import-with-retry.ts';
import type { Toast } from './toast.ts';

const loadNotifications = () => importWithRetry(() => import('./notifications.tsx'));
const Container = lazy(() =>
  loadNotifications().then((module) => ({ default: module.NotificationsContainer })),
);

/** Mounts the toast container once the page is idle. */
export function Toasts() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  return ready ? (
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        <Container />
      </Suspense>
    </ErrorBoundary>
  ) : null;
}

export function showToast(toast: Toast): void {
  void loadNotifications().then((module) => module.show(toast));
}
