/** Root of all pages: only the outlet, since sign-in and snapshots have no frame. */
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import type { RouterContext } from '../router.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({ component: Outlet });
