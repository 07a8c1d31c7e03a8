// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
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
  const { user } = renderApp(new FakeFunctionServer({ objects }), '/callbacks');
  await screen.findByRole('heading', { level: 1 });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { hidden: true }), text);
  return user;
}

describe('the palette', () => {
  it('finds workflows and events by name', async () => {
    await open('nightly');
    expect(await screen.findByRole('option', { name: /Nightly flow/, hidden: true })).toBeTruthy();
    expect(
      await screen.findByRole('option', { name: /nightly.*fired by you/, hidden: true }),
    ).toBeTruthy();
  });

  it('opens an id of any kind', async () => {
    const user = await open('C0000007');
    await screen.findByRole('option', { name: /C0000007.*open this callback/, hidden: true });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(window.location.pathname).toBe('/callbacks'));
    expect(window.location.search).toContain('id=C0000007');
  });

  it('begins a relation by keys alone', async () => {
    const user = await open('new rel');
    // Its words stand in pieces, the typed ones bold.
    await screen.findByText('an event calls a function');
    await user.keyboard('{Enter}');
    expect(
      await screen.findByRole('button', { name: 'Create relation', hidden: true }),
    ).toBeTruthy();
  });
});
