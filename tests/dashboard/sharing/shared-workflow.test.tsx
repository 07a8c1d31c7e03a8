// Runs in a window.
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../../src/contract/workflow.ts';
import { installBrowserParts, settle } from '../../support/browser-parts.ts';
import { createFakeShare, createFakeWorkflow } from '../../support/fake-objects.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

function open(workflow: Partial<Workflow> = {}, options: FakeRunServerOptions = {}) {
  const objects = [createFakeShare({ short_id: 'S0000001' }), createFakeWorkflow(workflow)];
  const server = new FakeRunServer({ objects, ...options });
  renderApp({ fetch: server.fetch, token: server.token }, '/s/F0000001/S0000001', {
    signedIn: false,
  });
  installBrowserParts();
  return server;
}
const title = () => screen.findByRole('heading', { level: 1, name: 'A workflow' });

describe('a shared workflow', () => {
  it('shows its parts and its report after the password, read-only', async () => {
    const server = open(
      { data_script: 'rows = 8' },
      {
        sharePasswords: { S0000001: 'quiet-fjord-42' },
        reports: { F0000001: 'about:blank#report' },
      },
    );
    fireEvent.change(await screen.findByLabelText('Password', { selector: 'input' }), {
      target: { value: 'quiet-fjord-42' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Open snapshot' }));
    await title();
    for (const words of ['Model: A model', 'Data: schools.json', /num_chains: 4/, 'rows = 8'])
      expect(screen.getByText(words)).toBeTruthy();
    expect(screen.queryByText('Startup script')).toBeNull();
    const frame = await screen.findByTitle('Report of A workflow');
    expect(frame.getAttribute('src')).toBe('about:blank#report');
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts');
    expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(frame.hasAttribute('srcdoc')).toBe(false);
    expect(server.asked('view-analyzer')).toEqual([
      'GET /api/object/F0000001?view-analyzer=true&share_id=S0000001',
    ]);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(server.log.join()).not.toContain('quiet');
  });

  it('shows no frame without a report', async () => {
    const server = open();
    await title();
    await settle(server.log);
    expect(server.asked('view-analyzer')).toHaveLength(1);
    expect(screen.queryByText('Report')).toBeNull();
  });

  it('says that the report could not be loaded, and shows the rest', async () => {
    const server = open();
    server.troubleIn = 'view-analyzer';
    server.trouble = 'broken';
    await title();
    expect(await screen.findByText('The report could not be loaded.')).toBeTruthy();
    expect(screen.getByText(/num_chains: 4/)).toBeTruthy();
  });
});
