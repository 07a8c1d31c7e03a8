/** Shares. */
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { SharesPage } from '../features/shares/shares-page.tsx';

export const Route = createFileRoute('/_app/shares')({
  validateSearch: z.object({
    tab: z.catch(z._default(z.enum(['by-me', 'with-me']), 'by-me'), 'by-me'),
  }),
  staticData: { title: 'Shares' },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const navigate = useNavigate({ from: Route.fullPath });
  return (
    <SharesPage
      client={services.client}
      tab={Route.useSearch().tab}
      onTab={(tab) => void navigate({ search: { tab } })}
      onOpen={(path) => void navigate({ href: path })}
    />
  );
}
