// Runs in a window.
import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { OwnNetwork } from '../../../src/contract/system.ts';
import {
  createFakeConfig,
  createFakeExperiment,
  createFakeModel,
} from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } };
const ownUrl = window.location.href;
afterEach(() => happyDOM.setURL(ownUrl));

async function share(at: string, network?: OwnNetwork) {
  happyDOM.setURL(`${at}/`);
  const objects = [createFakeModel(), createFakeExperiment({ name: 'Centred' })];
  const server = new FakeServer({ objects, config: createFakeConfig({ network }) });
  const { user } = renderApp(server, '/experiments');
  await user.click(await screen.findByLabelText('Select Centred'));
  await user.click(await screen.findByRole('button', { name: 'Share' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Share this experiment' }));
  await dialog.findByRole('button', { name: 'Create link' });
  const note = () => dialog.queryByLabelText('Who can open the link')?.textContent ?? null;
  const create = async () => {
    await user.click(dialog.getByRole('button', { name: 'Create link' }));
    await dialog.findByDisplayValue(/\/s\/X0000001\/S/);
  };
  return { note, create };
}

describe('sharing from a loopback address', () => {
  it('shows, before and next to the link, that only this computer can open it, and the remedy', async () => {
    const { note, create } = await share('http://127.0.0.1:8650', {
      address: '192.168.1.7',
      is_open: false,
    });
    const text =
      'Only this computer can open links to 127.0.0.1:8650. ' +
      'To share with others on your network, start Ergodic with npm start -- --host 192.168.1.7, ' +
      'open the dashboard at http://192.168.1.7:8650 and copy the link from Shares. ' +
      'To share beyond it, put a proxy with TLS in front of Ergodic and start it with --public-url https://….';
    expect(note()).toBe(text);
    await create();
    expect(note()).toBe(text);
  });

  it('names the address that others can use already', async () => {
    const { note } = await share('http://localhost:8650', {
      address: '192.168.1.7',
      is_open: true,
    });
    expect(note()).toBe(
      'Only this computer can open links to localhost:8650. Others on your network can open http://192.168.1.7:8650: open the dashboard there and copy the link from Shares.',
    );
  });

  it('has a placeholder for the address if the server does not report one', async () => {
    const { note } = await share('http://[::1]:8650');
    expect(note()).toContain('npm start -- --host ADDRESS, with this computer’s address');
  });

  it('has no note at an address that others can open', async () => {
    const { note, create } = await share('https://ergodic.example.org');
    expect(note()).toBeNull();
    await create();
    expect(note()).toBeNull();
  });
});
