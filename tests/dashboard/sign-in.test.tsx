// Runs in a window.
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { SignInWays } from '../../src/contract/single-sign-on.ts';
import { pushUndo, undoLast } from '../../src/dashboard/ui/undo-stack.ts';
import { createFakeConfig, createFakeExperiment, createFakeUser } from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import { renderApp } from '../support/render-app.tsx';

const server = () =>
  new FakeServer({
    password: 'right horse',
    objects: [createFakeExperiment({ name: 'Eight schools' })],
  });

// The choice of sign-in method has the same label.
const passwordBox = () => screen.getByLabelText('Password', { selector: 'input[type="password"]' });
const tokenBox = () => screen.getByLabelText('Token', { selector: 'input[type="password"]' });

describe('signing in', () => {
  it('is required before any page, and leads to the requested page', async () => {
    const { user } = renderApp(server(), '/experiments?status=FIN', { signedIn: false });
    await user.type(await screen.findByLabelText('User name'), 'ada');
    await user.type(passwordBox(), 'right horse');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));

    expect(await screen.findByRole('link', { name: 'Eight schools' })).toBeTruthy();
    expect(window.location.pathname + window.location.search).toContain('/experiments?');
    expect(window.location.search).toContain('status=FIN');
  });

  it('shows that the password is wrong, and keeps the form', async () => {
    const { user } = renderApp(server(), '/', { signedIn: false });
    await user.type(await screen.findByLabelText('User name'), 'ada');
    await user.type(passwordBox(), 'wrong');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));

    expect((await screen.findByRole('alert')).textContent).toContain('Wrong user name or password');
    expect(screen.getByLabelText<HTMLInputElement>('User name').value).toBe('ada');
  });

  it('accepts a pasted token only after the server has accepted it', async () => {
    const { user, services } = renderApp(server(), '/', { signedIn: false });
    await user.click(await screen.findByText('Token'));
    await user.type(tokenBox(), 'erg_unknown');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect((await screen.findByRole('alert')).textContent).toContain('does not know this token');
    expect(services.session.credentials()).toBeNull();

    await user.clear(tokenBox());
    await user.type(tokenBox(), 'erg_good');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(services.session.credentials()?.token).toBe('erg_good'));
  });

  it('is required again when the token has expired, with the page to return to', async () => {
    const fake = server();
    fake.failNext('listObjects', 'UNAUTHORIZED');
    const { services } = renderApp(fake, '/experiments');
    await screen.findByRole('heading', { name: 'Sign in to Ergodic' });
    expect(services.session.credentials()).toBeNull();
    expect(new URL(window.location.href).searchParams.get('redirect')).toContain('/experiments');
  });

  it('never follows a redirect to another origin', async () => {
    const { user } = renderApp(server(), '/sign-in?redirect=//evil.test/', { signedIn: false });
    await user.type(await screen.findByLabelText('User name'), 'ada');
    await user.type(passwordBox(), 'right horse');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeTruthy();
    expect(window.location.pathname).toBe('/');
  });
});

describe('the printed link', () => {
  it('signs in, and its token is removed from the address', async () => {
    const { services } = renderApp(server(), '/models?token=erg_good&page=1', { signedIn: false });
    expect(window.location.search).toBe('?page=1');
    expect(await screen.findByRole('heading', { name: 'Models' })).toBeTruthy();
    expect(services.session.credentials()).toEqual({ server: '', token: 'erg_good' });
    expect(window.location.href).not.toContain('erg_good');
  });

  it('that was already used leaves a session unchanged and shows a message', async () => {
    const { services } = renderApp(server(), '/models?token=erg_stranger');
    await screen.findByRole('heading', { name: 'Models' });
    expect(services.session.credentials()?.token).toBe('erg_good');
    expect((await screen.findByText(/has been used or has expired/)).textContent).toContain(
      'You are still signed in as',
    );
  });
});

describe('an identity provider', () => {
  const withProvider = (ways: Partial<SignInWays> = {}) =>
    new FakeServer({
      config: createFakeConfig({
        sign_in: { provider: 'Lab', passwords: true, problem: null, ...ways },
      }),
      objects: [createFakeExperiment({ name: 'Eight schools' })],
    });
  const button = () => screen.findByRole('button', { name: 'Sign in with Lab' });

  it('comes before the password, is opened in the browser, and leads back to the requested page', async () => {
    const { user, unmount } = renderApp(withProvider(), '/experiments', { signedIn: false });
    const first = await button();
    const password = screen.getByLabelText('User name');
    expect(first.compareDocumentPosition(password)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    await user.click(first);
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://sso.example/authorize'));
    assign.mockRestore();
    unmount();

    const back = '/sign-in/callback?code=c&state=s';
    const server = withProvider();
    const { services } = renderApp(server, back, { signedIn: false });
    expect(window.location.search).toBe('');
    expect(await screen.findByRole('link', { name: 'Eight schools' })).toBeTruthy();
    expect(services.session.credentials()).toEqual({ server: '', token: 'erg_good' });
    expect(window.location.pathname).toBe('/experiments');
    expect(server.callsOf('finishSignIn')[0]?.body).toEqual({
      browser_key: 'of this tab',
      query: '?code=c&state=s',
    });
  });

  it('signs nobody in on a callback that another tab started', async () => {
    const back = '/sign-in/callback?code=theirs&state=theirs';
    const { services } = renderApp(withProvider(), back, { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toContain('begun in another tab');
    expect(services.session.credentials()).toBeNull();
    expect(await button()).toBeTruthy();
  });

  it('that cannot be reached is reported', async () => {
    renderApp(withProvider({ problem: 'Lab cannot be reached.' }), '/', { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toBe('Lab cannot be reached.');
    expect(screen.getByLabelText('User name')).toBeTruthy();
  });

  it('as the only way to sign in leaves tokens for administrators', async () => {
    const { user } = renderApp(withProvider({ passwords: false }), '/', { signedIn: false });
    await button();
    expect(screen.queryByLabelText('User name')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Sign in with a token' }));
    expect(tokenBox()).toBeTruthy();
    expect(screen.queryByLabelText('User name')).toBeNull();
  });
});

it('a member of a team filters lists by it and moves rows there', async () => {
  const server = new FakeServer({
    user: { ...createFakeUser(), super: false, teams: ['lab(@7)'] },
    objects: [createFakeExperiment({ name: 'Eight schools' })],
  });
  const { user } = renderApp(server, '/experiments?owner=lab(@7)');
  expect(await screen.findByText(/^Team lab$/)).toBeTruthy();
  await waitFor(() =>
    expect(server.callsOf('listObjects').some(({ query }) => query.owner === 'lab(@7)')).toBe(true),
  );
  await user.click(await screen.findByRole('button', { name: 'Actions on Eight schools' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move to team…' }));
  await user.click(await screen.findByRole('button', { name: 'Move' }));
  await waitFor(() => expect(server.callsOf('moveObject')[0]?.body).toEqual({ owner: 'lab(@7)' }));
});

it('signing out leaves nothing to undo to the next user', async () => {
  const { services } = renderApp(new FakeServer(), '/models');
  await screen.findByRole('heading', { name: 'Models' });
  pushUndo({ run: () => {} });
  act(() => services.session.signOut());
  expect(undoLast()).toBe(false);
});
