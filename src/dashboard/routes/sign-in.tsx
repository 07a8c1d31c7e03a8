/** Signing in, to this server or another. */
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { safeRedirect } from '../session/session.ts';

const searchSchema = z.object({ redirect: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute('/sign-in')({
  validateSearch: searchSchema,
  beforeLoad: ({ context, search }) => {
    if (context.services.session.credentials() !== null && search.redirect === undefined) {
      throw redirect({ to: '/' });
    }
  },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const search = Route.useSearch();
  const navigate = useNavigate();
  const done = () => void navigate({ href: safeRedirect(search.redirect), replace: true });
  return (
    <SignInPage
      session={services.session}
      cameBack={search.redirect !== undefined}
      onSignedIn={done}
    />
  );
}
