// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import { isLoopback, takeLinkToken } from '../../../src/dashboard/session/link-token.ts';
import { type LinkOutcome, openLink } from '../../../src/dashboard/session/open-link.ts';
import { Session } from '../../../src/dashboard/session/session.ts';
import { createFakeUser } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const ada = createFakeUser({ id: 1, username: 'ada(@1)' });
const mallory = createFakeUser({ id: 2, username: 'mallory(@2)' });

/** Accounts by token; `erg_start` is a printed link of Ada's, which works once. */
class Accounts {
  readonly users = new Map([
    ['erg_ada', ada],
    ['erg_start', ada],
    ['erg_mallory', mallory],
  ]);
  knowsAccounts = true;
  knowsLinks = true;

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const pathname = pathOf(input);
    const token = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length) ?? '';
    const user = this.users.get(token);
    if (user === undefined) return refusal(401, 'UNAUTHORIZED');
    if (pathname === '/base/user' && this.knowsAccounts)
      return Response.json({ status: 'ok', data: user });
    if (pathname !== '/base/login-link' || !this.knowsLinks) return refusal(404, 'NOT_FOUND');
    if (token !== 'erg_start') return Response.json({ status: 'ok', data: { tokens: [] } });
    this.users.delete(token);
    this.users.set('erg_own', user);
    return Response.json({ status: 'ok', data: { tokens: ['erg_own'] } });
  };
}

const pathOf = (input: string | URL | Request) =>
  new URL(input instanceof Request ? input.url : input, 'http://fake.test').pathname;

const refusal = (status: number, code: string) =>
  Response.json({ status: 'error', code, message: 'no' }, { status });

afterEach(() => {
  vi.restoreAllMocks();
  sessionStorage.clear();
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});

function open(
  accounts: Accounts,
  token: string,
  { holder = null as string | null, server = '', stay = false } = {},
): { session: Session; outcome: Promise<LinkOutcome> } {
  const session = new Session();
  if (holder !== null) session.signIn({ server, token: holder }, false);
  const client = createClient({
    baseUrl: server,
    token: () => session.credentials()?.token ?? null,
    fetch: accounts.fetch,
  });
  const outcome = openLink({ session, client, token, stay, fetch: accounts.fetch });
  return { session, outcome };
}

describe('a token in the address', () => {
  it('is removed from the address', () => {
    window.history.replaceState({ kept: 1 }, '', '/experiments?q=a&token=erg_x#top');
    expect(takeLinkToken(window.location, window.history)).toBe('erg_x');
    expect(window.location.pathname + window.location.search + window.location.hash).toBe(
      '/experiments?q=a#top',
    );
    expect(window.history.state).toEqual({ kept: 1 });
  });

  it('changes nothing if it is absent', () => {
    const replace = vi.spyOn(window.history, 'replaceState');
    expect(takeLinkToken(window.location, window.history)).toBeNull();
    expect(replace).not.toHaveBeenCalled();
  });

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['[::1]', true],
    ['ergodic.example.org', false],
    ['localhost.example.org', false],
  ])('of %s is kept beyond the tab: %s', async (hostname, stay) => {
    expect(isLoopback({ hostname } as Location)).toBe(stay);
    const { outcome } = open(new Accounts(), 'erg_start', { stay });
    await outcome;
    expect(localStorage.length > 0).toBe(stay);
  });
});

describe('a link that is opened while signed out', () => {
  it('is exchanged for a token of its own, and works once', async () => {
    const accounts = new Accounts();
    const first = open(accounts, 'erg_start');
    expect(await first.outcome).toEqual({ kind: 'done' });
    expect(first.session.credentials()).toEqual({ server: '', token: 'erg_own' });
    const second = open(accounts, 'erg_start');
    expect(await second.outcome).toMatchObject({ kind: 'refused' });
    expect(second.session.credentials()).toBeNull();
  });

  it('returns the name of the account if anyone could have created the link', async () => {
    const { session, outcome } = open(new Accounts(), 'erg_mallory');
    expect(await outcome).toEqual({ kind: 'signed-in', account: 'mallory(@2)' });
    expect(session.credentials()?.token).toBe('erg_mallory');
  });

  it('signs in if the server does not exchange tokens', async () => {
    const accounts = new Accounts();
    accounts.knowsLinks = false;
    const { session, outcome } = open(accounts, 'erg_start');
    expect(await outcome).toEqual({ kind: 'done' });
    expect(session.credentials()?.token).toBe('erg_start');
  });
});

describe('a link that is opened during a session', () => {
  it('asks with the names of both accounts, and changes nothing until accepted', async () => {
    const { session, outcome } = open(new Accounts(), 'erg_mallory', { holder: 'erg_ada' });
    const question = await outcome;
    expect(question).toMatchObject({
      kind: 'ask',
      current: 'ada(@1)',
      offered: 'mallory(@2)',
    });
    expect(session.credentials()?.token).toBe('erg_ada');
    if (question.kind === 'ask') await question.accept();
    expect(session.credentials()?.token).toBe('erg_mallory');
  });

  it('asks as well where the server does not name accounts', async () => {
    const accounts = new Accounts();
    accounts.knowsAccounts = false;
    const { session, outcome } = open(accounts, 'erg_mallory', { holder: 'erg_ada' });
    expect(await outcome).toMatchObject({ kind: 'ask' });
    expect(session.credentials()?.token).toBe('erg_ada');
  });

  it('asks when the session is with another server', async () => {
    const { session, outcome } = open(new Accounts(), 'erg_start', {
      holder: 'erg_ada',
      server: 'https://elsewhere.test',
    });
    expect(await outcome).toMatchObject({ kind: 'ask' });
    expect(session.credentials()?.server).toBe('https://elsewhere.test');
  });

  it('does not ask for the same account, and is used up', async () => {
    const accounts = new Accounts();
    const { session, outcome } = open(accounts, 'erg_start', { holder: 'erg_ada' });
    expect(await outcome).toEqual({ kind: 'done' });
    expect(session.credentials()?.token).toBe('erg_own');
    expect(accounts.users.has('erg_start')).toBe(false);
  });

  it('does not ask if the session has ended', async () => {
    const { session, outcome } = open(new Accounts(), 'erg_start', { holder: 'erg_old' });
    expect(await outcome).toEqual({ kind: 'done' });
    expect(session.credentials()?.token).toBe('erg_own');
  });

  it('leaves the session unchanged if the link has been used', async () => {
    const { session, outcome } = open(new Accounts(), 'erg_spent', { holder: 'erg_ada' });
    expect(await outcome).toEqual({
      kind: 'refused',
      message:
        'This sign-in link has been used or has expired. You are still signed in as ada(@1).',
    });
    expect(session.credentials()?.token).toBe('erg_ada');
  });
});

describe('the question about the account', () => {
  const accounts = () => {
    const server = new FakeServer({ user: ada });
    const offered = new Accounts();
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      const isStranger = headers.get('authorization') === 'Bearer erg_mallory';
      if (isStranger && pathOf(input).startsWith('/base/')) return offered.fetch(input, init);
      // both see the same objects
      if (headers.has('authorization')) headers.set('authorization', `Bearer ${server.token}`);
      return server.fetch(input, { ...init, headers });
    };
    return { fetch, token: server.token };
  };

  it('comes before every page, and staying leads to the page with the same account', async () => {
    const { services, user } = renderApp(accounts(), '/models?token=erg_mallory');
    await screen.findByRole('heading', { name: 'Change account?' });
    expect(screen.queryByRole('heading', { name: 'Models' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Stay signed in as ada(@1)' }));
    await screen.findByRole('heading', { name: 'Models' });
    expect(services.session.credentials()?.token).toBe('erg_good');
  });

  it('can change the account', async () => {
    const { services, user } = renderApp(accounts(), '/models?token=erg_mallory');
    await user.click(await screen.findByRole('button', { name: 'Sign in as mallory(@2)' }));
    await waitFor(() => expect(services.session.credentials()?.token).toBe('erg_mallory'));
  });
});
