/** An address that leads nowhere, in the frame of the person who typed it. */
import { createFileRoute } from '@tanstack/react-router';
import { NotFoundPage } from '../ui/not-found-page.tsx';

export const Route = createFileRoute('/_app/$')({
  staticData: { title: 'Page not found' },
  component: NotFoundPage,
});
