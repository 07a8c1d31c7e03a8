/** Help opens with the diagnostics. */
import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/help/')({
  beforeLoad: () => {
    throw redirect({ to: '/help/$page', params: { page: 'diagnostics' }, replace: true });
  },
});
