// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeConfig, createFakeToken, createFakeUser } from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import { renderApp } from '../support/render-app.tsx';

describe('the account', () => {
  it('shows a new token in full once, and only its beginning in the list', async () => {
    const { user } = renderApp(new FakeServer(), '/account');
    await user.type(await screen.findByLabelText('Name'), 'script');
    await user.click(screen.getByRole('button', { name: 'Create token' }));
    expect((await screen.findByText(/will not be shown again/)).textContent).toContain(
      'erg_whole_secret',
    );
    expect(await screen.findByText('erg_whole_…')).toBeTruthy();
  });

  it('renames a token in place, and leaves it unchanged on Escape', async () => {
    const server = new FakeServer({ tokens: [createFakeToken({ token_name: 'laptop' })] });
    const { user } = renderApp(server, '/account');
    await user.click(await screen.findByRole('button', { name: 'Rename laptop' }));
    await user.type(screen.getByLabelText('New name of laptop'), ' two{Escape}');
    expect(server.callsOf('updateToken')).toHaveLength(0);

    await user.click(screen.getByRole('button', { name: 'Rename laptop' }));
    await user.type(screen.getByLabelText('New name of laptop'), ' two{Enter}');
    expect(await screen.findByText('laptop two')).toBeTruthy();
    expect(server.callsOf('updateToken')).toHaveLength(1);
  });

  it('revokes a token', async () => {
    const server = new FakeServer({ tokens: [createFakeToken({ token_name: 'laptop' })] });
    const { user } = renderApp(server, '/account');
    await user.click(await screen.findByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(screen.queryByText('laptop')).toBeNull());
  });

  it('does not ask users without a password for their current one', async () => {
    renderApp(new FakeServer({ user: createFakeUser({ has_password: false }) }), '/account');
    expect(await screen.findByRole('heading', { name: 'Set a password' })).toBeTruthy();
    expect(screen.queryByLabelText('Current password')).toBeNull();
  });

  it('marks the field of a new team that the server refused', async () => {
    const server = new FakeServer({ user: createFakeUser({ super: true }) });
    const { user } = renderApp(server, '/account');
    const name = await screen.findByLabelText('Name of a new team');
    await user.type(name, 'lab');
    await user.type(
      screen.getByLabelText('Members', { selector: 'input:not([type=hidden])' }),
      'nobody(@99){Enter}',
    );
    const refusal = 'nobody(@99) is not a user of this service';
    const refuse = (field: string) =>
      server.failNext('createTeam', 'INVALID_PARAMETER', refusal, { field });

    refuse('members');
    await user.click(screen.getByRole('button', { name: 'Create team' }));
    await screen.findByText(refusal);
    expect(name.getAttribute('aria-invalid')).not.toBe('true');
    expect(
      screen
        .getByLabelText('Members', { selector: 'input:not([type=hidden])' })
        .getAttribute('aria-invalid'),
    ).toBe('true');

    refuse('name');
    await user.click(screen.getByRole('button', { name: 'Create team' }));
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    expect(
      screen
        .getByLabelText('Members', { selector: 'input:not([type=hidden])' })
        .getAttribute('aria-invalid'),
    ).not.toBe('true');
  });

  it('lists on one line what the server does not offer', async () => {
    const config = createFakeConfig({ capabilities: ['draws', 'summary'] });
    renderApp(new FakeServer({ config }), '/account');
    expect((await screen.findByText(/does not offer/)).textContent).toContain('search in lists');
  });
});
