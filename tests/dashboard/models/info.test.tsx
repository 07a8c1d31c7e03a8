// Runs in a window.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeConfig, createFakeModel } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import '../../support/browser-parts.ts';
import { renderApp } from '../../support/render-app.tsx';

vi.mock('../../../src/dashboard/editor/lazy-editor.ts', () => ({
  CodeEditor: () => null,
  DiffView: () => null,
  ReadView: () => null,
}));

class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', SilentWorker);
});

function open(tab: string) {
  const model = createFakeModel({
    name: 'Growth',
    single_instance: true,
    meta: { github: 'https://example.org/growth', commit_id: 'abc123' },
  });
  const server = new FakeServer({ objects: [model] });
  return { server, ...renderApp(server, `/models/M0000001?tab=${tab}`) };
}
const payloads = (server: FakeServer, name: 'createObject' | 'updateObject') =>
  server.callsOf(name).map(({ body }) => (body as { payload: unknown }).payload);

describe('the information about a model', () => {
  it('is saved in place, with undo, or with the reason why not', async () => {
    const { server, user } = open('info');
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Decay' } });
    server.failNext('updateObject', 'INVALID_PARAMETER', 'The name is taken.');
    const save = () => screen.getByRole('button', { name: 'Save name, description and tags' });
    await user.click(save());
    expect(await screen.findByText('Not saved: The name is taken.')).toBeTruthy();
    await user.click(save());
    expect(await screen.findByRole('heading', { level: 1, name: 'Decay' })).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Growth' })).toBeTruthy();
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Growth');
  });

  it('has tags that are added and removed by keyboard', async () => {
    const { server, user } = open('info');
    await user.type(await screen.findByLabelText('Tags', { selector: 'input' }), 'biology{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save name, description and tags' }));
    await waitFor(() =>
      expect(payloads(server, 'updateObject')).toMatchObject([{ tags: ['biology'] }]),
    );
    await user.type(await screen.findByLabelText('Tags', { selector: 'input' }), '{Backspace}');
    await user.click(screen.getByRole('button', { name: 'Save name, description and tags' }));
    await waitFor(() => expect(payloads(server, 'updateObject')[1]).toMatchObject({ tags: [] }));
  });

  it('includes the entrance, which is an edit saved with the files', async () => {
    const { server, user } = open('info');
    fireEvent.change(await screen.findByLabelText('Entrance function'), {
      target: { value: 'simulate' },
    });
    expect(await screen.findByText(/^Folders or entrance file changed/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save with the files' }));
    await waitFor(() =>
      expect(payloads(server, 'updateObject')).toMatchObject([
        { content: { meta: { entrance_file: 'model.stan', entrance_func: 'simulate' } } },
      ]),
    );
  });

  it('shows its origin', async () => {
    open('info');
    const facts = await screen.findByRole('region', { name: 'Facts' });
    expect(within(facts).getByRole('link').getAttribute('href')).toBe('https://example.org/growth');
    expect(within(facts).getByText('abc123')).toBeTruthy();
    expect(within(facts).getByText('One for all chains')).toBeTruthy();
  });

  it('can be duplicated with another runtime, including unsaved edits', async () => {
    // No draft can be saved here, so leaving asks first.
    vi.stubGlobal('confirm', () => true);
    const { server, user } = open('info');
    fireEvent.change(await screen.findByLabelText('Entrance function'), {
      target: { value: 'simulate' },
    });
    const form = screen.getByRole('form', { name: 'Duplicate with another runtime' });
    expect(form.textContent).toContain('cannot be changed afterwards');
    const make = within(form).getByRole('button', { name: 'Duplicate' });
    await user.click(within(form).getByLabelText('Runtime', { selector: 'input' }));
    await user.click(await screen.findByRole('option', { name: 'CmdStan', hidden: true }));
    await user.click(within(form).getByLabelText('One process runs all chains'));
    server.failNext('createObject', 'LIMIT_EXCEEDED', 'There are too many models.');
    await user.click(make);
    expect(await within(form).findByText(/There are too many models/)).toBeTruthy();
    await user.click(make);
    expect(await screen.findByRole('heading', { level: 1, name: 'Growth (copy)' })).toBeTruthy();
    expect(payloads(server, 'createObject')[1]).toMatchObject({
      name: 'Growth (copy)',
      env: 'cmdstan',
      single_instance: false,
      content: { meta: { entrance_func: 'simulate' }, tree: [{ name: 'model.stan' }] },
    });
    expect(server.callsOf('updateObject')).toEqual([]);
  });
});

describe('the share tab of a model', () => {
  it('shows that nobody sees it at first, with a button to share it', async () => {
    const { user } = open('share');
    expect(await screen.findByText('Nobody else sees this')).toBeTruthy();
    const panel = screen.getByRole('tabpanel', { name: 'Share' });
    await user.click(within(panel).getByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });
});

describe('a model from an external source', () => {
  const openNew = () => {
    const server = new FakeServer({ config: createFakeConfig() });
    return { server, ...renderApp(server, '/models/new') };
  };

  it('is fetched from a repository at a branch, with any error of the server shown unchanged', async () => {
    const { server, user } = openNew();
    await user.click(await screen.findByRole('button', { name: 'Fetch' }));
    expect(screen.getByText('Enter what to fetch first.')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Repository' }));
    await user.type(screen.getByPlaceholderText('owner/name, or its address'), 'ada/growth');
    await user.type(screen.getByLabelText('Branch'), 'dev');
    const refusal = 'Its operator can allow it: --allow-fetch github.com';
    server.failNext('createObject', 'PERMISSION_DENIED', refusal);
    await user.keyboard('{Enter}');
    expect(await screen.findByText(refusal)).toBeTruthy();
    await user.type(screen.getByLabelText('Name of the fetched model'), 'growth{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'growth' })).toBeTruthy();
    expect(payloads(server, 'createObject')[1]).toMatchObject({
      type: 'repo',
      repo: 'ada/growth',
      branch: 'dev',
      name: 'growth',
    });
  });

  it('is fetched from an address with the runtime, tags and entrance that were chosen', async () => {
    const { server, user } = openNew();
    await user.type(
      await screen.findByLabelText('Address of a file, a zip or a tar'),
      'https://example.org/m.zip',
    );
    await user.click(screen.getByText('Runtime, tags and entrance'));
    fireEvent.change(screen.getByLabelText('Entrance file'), { target: { value: 'a.py' } });
    await user.type(screen.getByLabelText('Tags', { selector: 'input' }), 'mine{Enter}');
    await user.click(screen.getByLabelText('One process runs all chains'));
    await user.click(screen.getByRole('button', { name: 'Fetch' }));
    await waitFor(() =>
      expect(payloads(server, 'createObject')).toMatchObject([
        {
          type: 'url',
          source_url: 'https://example.org/m.zip',
          entrance_file: 'a.py',
          tags: ['mine'],
          single_instance: false,
        },
      ]),
    );
  });
});
