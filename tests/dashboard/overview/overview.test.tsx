// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
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
    await screen.findByRole('heading', { name: /Last experiments/ });
    expect(screen.queryByRole('heading', { name: 'Failed recently' })).toBeNull();
  });

  it('leads to unread notifications by their number', async () => {
    const notifications = [createFakeNotification(), createFakeNotification({ id: 2 })];
    renderApp(new FakeServer({ objects: [createFakeModel()], notifications }), '/');
    const link = await screen.findByRole('link', { name: '2 unread notifications' });
    expect(link.getAttribute('href')).toMatch(/^\/notifications/);
  });

  it('begins with three steps', async () => {
    renderApp(new FakeServer(), '/');
    expect(await screen.findByRole('link', { name: 'Open the gallery' })).toBeTruthy();
  });
});
