/** The router over the file routes, with the services every loader and page needs. */
import { createRouter } from '@tanstack/react-router';
import { routeTree } from './route-tree.gen.ts';
import type { Services } from './services.ts';
import { PageSkeleton } from './ui/page-skeleton.tsx';
import { RouteError } from './ui/route-error.tsx';

export interface RouterContext {
  readonly services: Services;
}

export function createAppRouter(services: Services) {
  return createRouter({
    routeTree,
    context: { services },
    defaultPreload: 'intent',
    // Query decides what is stale.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
