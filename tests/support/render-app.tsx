/** The full dashboard in happy-dom, at one address, against a fake server. */
import { configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { App } from '../../src/dashboard/app.tsx';
import { createServices } from '../../src/dashboard/services.ts';
import { takeLinkToken } from '../../src/dashboard/session/link-token.ts';
import { takeProviderQuery } from '../../src/dashboard/session/provider-return.ts';
import type { FakeServer } from './fake-server.ts';
import { FakeSocket } from './fake-socket.ts';
import { makeQueriesQuick } from './quick-queries.ts';

// The first page of a file loads and transforms its chunks.
configure({ asyncUtilTimeout: 10_000 });
makeQueriesQuick();

/** Opens `address`; `signedIn` false = nobody has signed in yet. */
export function renderApp(
  server: Pick<FakeServer, 'fetch' | 'token'>,
  address = '/',
  { signedIn = true } = {},
) {
  // Sign-in and data files bypass the services' client.
  vi.stubGlobal('fetch', server.fetch);
  // No socket opens unless the test allows it.
  FakeSocket.opened = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  window.history.replaceState(null, '', address);
  takeProviderQuery(window.location, window.history);
  const linkToken = takeLinkToken(window.location, window.history);
  const services = createServices(server.fetch);
  if (signedIn) services.session.signIn({ server: '', token: server.token }, false);
  const user = userEvent.setup();
  return { services, user, ...render(<App services={services} linkToken={linkToken} />) };
}
