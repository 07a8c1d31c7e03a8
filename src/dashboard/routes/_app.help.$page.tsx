/** A page of help. */
import { createFileRoute, notFound, useLocation } from '@tanstack/react-router';
import { HelpPage } from '../features/help/help-page.tsx';
import { type HelpPage as HelpPageName, helpPages } from '../ui/help-pages.ts';
import { NotFoundPage } from '../ui/not-found-page.tsx';

const isPage = (name: string): name is HelpPageName =>
  (helpPages as readonly string[]).includes(name);

export const Route = createFileRoute('/_app/help/$page')({
  staticData: { title: 'Help' },
  params: {
    parse: ({ page }) => {
      if (!isPage(page)) throw notFound();
      return { page };
    },
  },
  component: Page,
  notFoundComponent: NotFoundPage,
});

function Page() {
  const { page } = Route.useParams();
  const { services } = Route.useRouteContext();
  const topic = useLocation({ select: ({ hash }) => hash });
  const server = services.session.credentials()?.server ?? '';
  return <HelpPage page={page} topic={topic} server={server} />;
}
