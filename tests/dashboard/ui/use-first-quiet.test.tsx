// Runs in a window.
/** The frame's requests wait until the page has been painted. */
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PageSkeleton } from '../../../src/dashboard/ui/page-skeleton.tsx';
import { useFirstQuiet } from '../../../src/dashboard/ui/use-first-quiet.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Frame({ isLoading }: { isLoading: boolean }) {
  return (
    <>
      <p>{useFirstQuiet() ? 'quiet' : 'busy'}</p>
      {isLoading && <PageSkeleton />}
    </>
  );
}

function open(client: QueryClient, isLoading: boolean) {
  const page = (loading: boolean) => (
    <MantineProvider>
      <QueryClientProvider client={client}>
        <Frame isLoading={loading} />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(page(isLoading));
  return () => rerender(page(false));
}
const pass = (milliseconds: number) =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });

it('a page is quiet shortly after the last fetch', async () => {
  open(new QueryClient(), false);
  await pass(200);
  expect(screen.getByText('busy')).toBeTruthy();
  await pass(200);
  expect(screen.getByText('quiet')).toBeTruthy();
});

it('a page is not quiet while its code is loading', async () => {
  const arrive = open(new QueryClient(), true);
  await pass(5000);
  expect(screen.getByText('busy')).toBeTruthy();
  arrive();
  await pass(700);
  expect(screen.getByText('quiet')).toBeTruthy();
});

it('a page is not quiet while something is fetched', async () => {
  const client = new QueryClient();
  let answer: (value: string) => void = () => undefined;
  void client.fetchQuery({
    queryKey: ['slow'],
    queryFn: () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  });
  open(client, false);
  await pass(5000);
  expect(screen.getByText('busy')).toBeTruthy();
  answer('here');
  await pass(700);
  expect(screen.getByText('quiet')).toBeTruthy();
});
