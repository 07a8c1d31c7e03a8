// Runs in a window.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeExperiment } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const server = () => new FakeServer({ objects: [createFakeExperiment({ name: 'A run' })] });
const row = () => screen.findByRole('link', { name: 'A run' });

describe('an address', () => {
  it('omits default values', async () => {
    renderApp(server(), '/experiments');
    await row();
    expect(window.location.search).toBe('');
  });

  it('loses defaults and empty values, and keeps the rest', async () => {
    renderApp(server(), '/experiments?q=&sort=-created&status=FIN&page=1');
    await screen.findByRole('columnheader', { name: /Name/ });
    await waitFor(() => expect(window.location.search).toBe('?status=FIN'));
  });

  it('contains a selection, until it is undone', async () => {
    const { user } = renderApp(server(), '/experiments');
    await row();
    const choose = (word: string) =>
      user.click(screen.getByRole('radio', { name: new RegExp(`^${word}`) }));
    await choose('Running');
    await waitFor(() => expect(window.location.search).toBe('?status=RUN'));
    await choose('All');
    await waitFor(() => expect(window.location.search).toBe(''));
  });
});

it('every page with search parameters has short addresses', () => {
  const routes = join(import.meta.dirname, '../../../src/dashboard/routes');
  const long = readdirSync(routes).filter((file) =>
    readFileSync(join(routes, file), 'utf8').includes('validateSearch:'),
  );
  // its only parameter is the address to continue at
  expect(long).toEqual(['sign-in.tsx']);
});
