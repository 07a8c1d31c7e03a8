// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { FakeFunctionServer } from '../../support/fake-function-server.ts';
import { createFakeModel, createFakeWorkflow } from '../../support/fake-objects.ts';
import { renderApp } from '../../support/render-app.tsx';

const created_at = '2026-11-20T07:00:00Z';
const objects = [
  createFakeModel(),
  createFakeWorkflow({ name: 'Nightly flow' }),
  { object_type: 'event' as const, name: 'nightly', short_id: 'E0000001', created_at },
];
async function open(text: string) {
  const { user } = renderApp(new FakeFunctionServer({ objects }), '/account');
  installBrowserParts();
  await screen.findByRole('heading', { level: 1 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), text);
  return user;
}

describe('the palette', () => {
  it('finds workflows and events by name', async () => {
    await open('nightly');
    expect(await screen.findByRole('option', { name: /Nightly flow/ })).toBeTruthy();
    expect(await screen.findByRole('option', { name: /nightly.*fired by you/ })).toBeTruthy();
  });

  it('opens an id of any kind', async () => {
    const user = await open('C0000007');
    await screen.findByRole('option', { name: /C0000007.*open this callback/ });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/callbacks'));
    expect(window.location.search).toContain('id=C0000007');
  });

  it('begins a relation by keys alone', async () => {
    const user = await open('new rel');
    await screen.findByRole('option', { name: /New relation/ });
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'Create relation' })).toBeTruthy();
  });
});
