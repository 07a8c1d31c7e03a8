/** Signing in, to this server or another. */
import { createFileRoute, redirect, useNavigate } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { SignInPage } from '../features/sign-in/sign-in-page.tsx';
import { hasReturned } from '../session/provider-return.ts';
import { safeRedirect } from '../session/session.ts';

const searchSchema = z.object({ redirect: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute('/sign-in')({
  validateSearch: searchSchema,
  beforeLoad: ({ context, search }) => {
    const isSignedIn = context.services.session.credentials() !== null;
    // a user who links an account comes back signed in
    if (isSignedIn && search.redirect === undefined && !hasReturned()) throw redirect({ to: '/' });
  },
  component: Page,
});

function Page() {
  const { services } = Route.useRouteContext();
  const search = Route.useSearch();
  const navigate = useNavigate();
  return (
    <SignInPage
      session={services.session}
      target={search.redirect}
      onSignedIn={(target) => void navigate({ href: safeRedirect(target), replace: true })}
    />
  );
}
