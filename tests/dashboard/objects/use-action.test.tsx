// Runs in a window.
/** An action that is requested twice before the page renders again runs once. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeServer } from '../../support/fake-server.ts';
import '../../support/browser-parts.ts';
import { renderApp } from '../../support/render-app.tsx';

it('two clicks at once create one token', async () => {
  const server = new FakeServer();
  const { user } = renderApp(server, '/account');
  await user.type(await screen.findByLabelText('Name'), 'script');
  const create = screen.getByRole('button', { name: 'Create token' });
  fireEvent.click(create);
  fireEvent.click(create);
  await screen.findByText(/will not be shown again/);
  await waitFor(() => expect(server.callsOf('createToken')).toHaveLength(1));
});
