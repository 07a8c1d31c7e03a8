// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeFunctionServer } from '../../support/fake-function-server.ts';
import { createFakeModel, createFakeWorkflow } from '../../support/fake-objects.ts';
import { renderApp } from '../../support/render-app.tsx';

const created_at = '2026-11-20T07:00:00Z';
const objects = [
  createFakeModel({ name: 'Eight schools' }),
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

  it('starts a new relation by keyboard alone', async () => {
    const user = await open('new rel');
    // Its label is split into pieces, the typed ones bold.
    await screen.findByText('an event calls a function');
    await user.keyboard('{Enter}');
    expect(
      await screen.findByRole('button', { name: 'Create relation', hidden: true }),
    ).toBeTruthy();
  });

  it('keeps known results while the server searches, and shows that it does', async () => {
    const server = new FakeFunctionServer({ objects });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let numSearched = 0;
    const fetch: typeof server.fetch = async (input, init) => {
      if (/[?&]q=[^&]/.test(String(input instanceof Request ? input.url : input))) {
        numSearched++;
        await answered;
      }
      return server.fetch(input, init);
    };
    const { user } = renderApp({ fetch, token: server.token }, '/models');
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('option', { name: /Eight schools/, hidden: true });
    const box = await screen.findByRole('combobox', { hidden: true });
    await user.type(box, 'eight');
    // the debounce after typing is over, and the server is asked
    await waitFor(() => expect(numSearched).toBeGreaterThan(0));
    expect(screen.getByRole('option', { name: /Eight schools/, hidden: true })).toBeTruthy();
    await user.type(box, ' zebras');
    expect(await screen.findByText('Searching…')).toBeTruthy();
    answer();
    expect(await screen.findByText('No matches for “eight zebras”.')).toBeTruthy();
  });
});
