/** Every page that needs sign-in, in the frame; help is open to everybody. */
import {
  IconArrowsSplit2,
  IconBolt,
  IconCalendarEvent,
  IconChartLine,
  IconDatabase,
  IconFileCode,
  IconFolders,
  IconHelp,
  IconLayoutDashboard,
  IconLink,
  IconPlayerPlayFilled,
  IconShare3,
  IconStack2,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet, redirect, useRouterState } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { AccountMenu } from '../features/account/account-menu.tsx';
import { runningCountQueryOptions } from '../features/lists/running-count.ts';
import { Bell } from '../features/notifications/bell.tsx';
import { PaletteButton } from '../features/palette/palette-button.tsx';
import { configQueryOptions } from '../objects/server.ts';
import { useCapability } from '../objects/use-config.ts';
import { AppFrame, type RailItem, ThemeSwitch } from '../ui/app-frame.tsx';
import { Breadcrumbs } from '../ui/breadcrumbs.tsx';
import { ConnectionBanner } from '../ui/connection-banner.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useFirstQuiet } from '../ui/use-first-quiet.ts';

const PublicFrame = lazyPart(() => import('../ui/public-frame.tsx'), 'PublicFrame');
const ShortcutHelp = lazyPart(() => import('../ui/shortcut-help.tsx'), 'ShortcutHelp');

export const Route = createFileRoute('/_app')({
  beforeLoad: ({ context, location, matches }) => {
    // Help explains what a share shows, to people without an account too; a dead address is not a secret.
    const isPublic = location.pathname.startsWith('/help') || matches.at(-1)?.routeId === '/_app/$';
    if (context.services.session.credentials() === null && !isPublic) {
      throw redirect({ to: '/sign-in', search: { redirect: location.href } });
    }
  },
  loader: ({ context: { services } }) =>
    services.queryClient.ensureQueryData(configQueryOptions(services.client)),
  component: Layout,
});

function Layout() {
  const { services } = Route.useRouteContext();
  const isHelp = useRouterState({
    select: ({ location }) => location.pathname.startsWith('/help'),
  });
  if (services.session.credentials() !== null) return <AppLayout />;
  return (
    <PublicFrame
      mark={
        isHelp && (
          <>
            <IconHelp size={14} aria-hidden="true" /> Help
          </>
        )
      }
    >
      <Outlet />
    </PublicFrame>
  );
}

function AppLayout() {
  const { services } = Route.useRouteContext();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts(useCallback(() => setHelpOpen(true), []));
  const enabled = useFirstQuiet();
  const running = useQuery({ ...runningCountQueryOptions(services.client), enabled }).data ?? 0;
  const hasProjects = useCapability('projects');
  const hasQueue = useCapability('queue');
  const items: RailItem[] = [
    { to: '/', label: 'Overview', icon: IconLayoutDashboard },
    ...(hasProjects ? [{ to: '/projects', label: 'Projects', icon: IconFolders }] : []),
    { to: '/models', label: 'Models', icon: IconFileCode },
    { to: '/data', label: 'Data', icon: IconDatabase },
    { to: '/workflows', label: 'Workflows', icon: IconArrowsSplit2 },
    {
      to: '/experiments',
      label: 'Experiments',
      icon: IconChartLine,
      mark: running > 0 ? <RunningMark count={running} /> : undefined,
    },
    { to: '/functions', label: 'Functions', icon: IconBolt },
    { to: '/shares', label: 'Shares', icon: IconShare3 },
    { to: '/events', label: 'Events', icon: IconCalendarEvent, startsGroup: true },
    { to: '/callbacks', label: 'Callbacks', icon: IconWebhook },
    { to: '/relations', label: 'Relations', icon: IconLink },
    ...(hasQueue ? [{ to: '/queue', label: 'Queue', icon: IconStack2, startsGroup: true }] : []),
    { to: '/help', label: 'Help', icon: IconHelp, startsGroup: !hasQueue },
  ];
  return (
    <AppFrame
      items={items}
      breadcrumbs={<Breadcrumbs />}
      tools={
        <>
          <PaletteButton services={services} />
          <Bell services={services} enabled={enabled} />
          <ThemeSwitch />
          <AccountMenu services={services} />
        </>
      }
      banner={<ConnectionBanner />}
      needsWidth={isEditor}
    >
      <Outlet />
      {isHelpOpen && <ShortcutHelp onClose={() => setHelpOpen(false)} />}
    </AppFrame>
  );
}

/** The page of one model: its files are edited there. */
function isEditor(path: string): boolean {
  return path.startsWith('/models/M');
}

function RunningMark({ count }: { count: number }) {
  return (
    <>
      <IconPlayerPlayFilled size={12} aria-hidden="true" />
      <span data-numeric>{count}</span>
      <span className="visually-hidden"> running</span>
    </>
  );
}
