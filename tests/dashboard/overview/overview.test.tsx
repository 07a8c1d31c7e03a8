// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  createFakeExperiment,
  createFakeModel,
  createFakeNotification,
} from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

describe('the overview', () => {
  it('says why runs failed', async () => {
    const error = { code: 'MODEL_ERROR', message: 'y: 7 values, 8 declared\nat line 3' };
    const objects = [
      createFakeModel(),
      createFakeExperiment({ name: 'Broken', status: 'ERR', meta: { error } }),
    ];
    renderApp(new FakeServer({ objects }), '/');
    const list = within(
      (await screen.findByRole('heading', { name: 'Failed recently' })).closest(
        'section',
      ) as HTMLElement,
    );
    expect(list.getByText('y: 7 values, 8 declared')).toBeTruthy();
    expect(list.getByRole('link', { name: 'Broken' })).toBeTruthy();
  });

  it('has no place for failures while there are none', async () => {
    renderApp(new FakeServer({ objects: [createFakeModel(), createFakeExperiment()] }), '/');
    await screen.findByRole('heading', { name: /Recent experiments/ });
    expect(screen.queryByRole('heading', { name: 'Failed recently' })).toBeNull();
  });

  it('shows the number of unread notifications as a link', async () => {
    const notifications = [createFakeNotification(), createFakeNotification({ id: 2 })];
    renderApp(new FakeServer({ objects: [createFakeModel()], notifications }), '/');
    const link = await screen.findByRole('link', { name: '2 unread notifications' });
    expect(link.getAttribute('href')).toMatch(/^\/notifications/);
  });

  it('lists running and waiting runs under “Running now”, not those never started', async () => {
    const objects = [
      createFakeExperiment({ short_id: 'X0000001', name: 'Untouched', status: 'NEW' }),
      createFakeExperiment({
        short_id: 'X0000002',
        name: 'Waiting',
        status: 'NEW',
        meta: { queue_place: 2 },
      }),
      createFakeExperiment({ short_id: 'X0000003', name: 'Sampling', status: 'RUN' }),
      createFakeExperiment({ short_id: 'X0000004', name: 'Done' }),
    ];
    renderApp(new FakeServer({ objects }), '/');
    const heading = await screen.findByRole('heading', { name: 'Running now 2' });
    const cards = within(heading.closest('section') as HTMLElement).getAllByRole('article');
    expect(cards.map((card) => within(card).getAllByRole('link')[0].textContent)).toEqual([
      'Waiting',
      'Sampling',
    ]);
    const ended = within(await screen.findByRole('table')).getAllByRole('link');
    expect(ended.map((link) => link.textContent)).toEqual(['Done']);
  });

  it('lists active and ended runs behind any number of objects that were never started', async () => {
    const untouched = Array.from({ length: 60 }, (_, i) =>
      createFakeExperiment({ short_id: `X00001${10 + i}`, name: `New ${i}`, status: 'NEW' }),
    );
    const objects = [
      ...untouched,
      createFakeExperiment({ short_id: 'X0000003', name: 'Sampling', status: 'RUN' }),
      createFakeExperiment({
        short_id: 'X0000004',
        name: 'Earlier',
        updated_at: '2026-11-20T07:00:00Z',
      }),
      createFakeExperiment({
        short_id: 'X0000005',
        name: 'Later',
        status: 'ERR',
        updated_at: '2026-11-20T08:00:00Z',
      }),
    ];
    renderApp(new FakeServer({ objects }), '/');
    await screen.findByRole('heading', { name: 'Running now 1' });
    const table = await screen.findByRole('table');
    await within(table).findByRole('link', { name: 'Later' });
    await waitFor(() =>
      expect(
        within(table)
          .getAllByRole('link')
          .map((link) => link.textContent),
      ).toEqual(['Later', 'Earlier']),
    );
  });

  it('shows the first steps to a new user', async () => {
    renderApp(new FakeServer(), '/');
    expect(await screen.findByRole('link', { name: 'Open the gallery' })).toBeTruthy();
  });
});
