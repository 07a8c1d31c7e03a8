/** The signed-in user's account. */
import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../features/account/account-page.tsx';

export const Route = createFileRoute('/_app/account')({
  staticData: { title: 'Account' },
  component: Page,
});

function Page() {
  return <AccountPage />;
}
