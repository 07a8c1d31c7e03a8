// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeData, createFakeModel } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

/** The worker does not exist here: its questions stay unanswered, as while it is still starting. */
class SilentWorker {
  onmessage = null;
  onerror = null;
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', SilentWorker);
});

const gallery = {
  Stan: [
    {
      name: 'Eight schools',
      url: ['ergodic-gallery:eight-schools'],
      summary: 'Effects of coaching.',
      origin: 'Rubin 1981',
    },
  ],
};

describe('a new model', () => {
  it('created by name has a program, which is opened', async () => {
    const server = new FakeServer();
    const { user } = renderApp(server, '/models/new');
    await user.type(await screen.findByLabelText('Name of the model'), 'growth{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'growth' })).toBeTruthy();
    const [{ body }] = server.callsOf('createObject') as unknown as [
      { body: { payload: Record<string, unknown> } },
    ];
    expect(body.payload).toMatchObject({
      object_type: 'model',
      name: 'growth',
      content: { meta: { entrance_file: 'main.stan' } },
    });
  });

  it('wants a name first', async () => {
    const server = new FakeServer();
    const { user } = renderApp(server, '/models/new');
    await user.click(await screen.findByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Type a name first.')).toBeTruthy();
    expect(server.callsOf('createObject')).toEqual([]);
  });

  it('from the gallery is made with its data in one call', async () => {
    const server = new FakeServer({ gallery });
    server.failNext('createObject', 'INTERNAL', 'The disk is full.');
    const { user } = renderApp(server, '/models/new');
    await user.click(await screen.findByRole('button', { name: 'Open Eight schools' }));
    expect(await screen.findByText('Not created: The disk is full.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Open Eight schools' }));
    await waitFor(() => expect(server.callsOf('createObject')).toHaveLength(2));
    expect(server.callsOf('createObject')[1].body).toMatchObject({
      payload: { object_type: 'workflow', uri: 'ergodic-gallery:eight-schools' },
    });
  });

  it('is offered without a gallery if the server has none', async () => {
    const server = new FakeServer();
    server.failNext('viewGallery', 'NOT_FOUND');
    renderApp(server, '/models/new');
    await waitFor(() => expect(server.callsOf('viewGallery')).toHaveLength(1));
    expect(await screen.findByRole('heading', { name: 'Start blank' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('From the gallery')).toBeNull());
  });
});

const text = (name: string, content: string) => ({
  name,
  type: 'file' as const,
  content,
  encoding: 'text' as const,
});

function openModel() {
  const tree = [
    { name: 'src', type: 'folder' as const, children: [text('main.stan', 'model { }')] },
    text('notes.md', 'notes'),
  ];
  const model = createFakeModel({
    name: 'Growth',
    version: 3,
    content: { meta: { entrance_file: 'src/main.stan' }, tree },
  });
  const server = new FakeServer({ objects: [model, createFakeData()] });
  return { server, ...renderApp(server, `/models/${model.short_id}`) };
}

describe('a model', () => {
  it('shows its files, the entrance open and marked, and the state as text', async () => {
    openModel();
    const tree = await screen.findByRole('tree', { name: 'Files of the model' });
    const main = within(tree).getByRole('treeitem', { name: /main\.stan/ });
    expect(main.getAttribute('aria-selected')).toBe('true');
    expect(within(main).getByLabelText('entrance')).toBeTruthy();
    expect(screen.getByText('v3')).toBeTruthy();
    expect(screen.getByText(/^Saved /)).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Save/ })).toHaveProperty('disabled', true);
  });

  it('gets a new file, rejects an existing name, and is saved with Ctrl+S', async () => {
    const { server, user } = openModel();
    await user.click(await screen.findByRole('treeitem', { name: /notes/ }));
    await user.click(screen.getByRole('button', { name: 'New file' }));
    const input = screen.getByLabelText('Name of the new file');
    await user.type(input, 'notes.md');
    expect(screen.getByText('notes.md is already in this folder.')).toBeTruthy();
    await user.clear(input);
    await user.type(input, 'part.stan{Enter}');
    const added = await screen.findByRole('treeitem', { name: /part\.stan/ });
    expect(within(added).getByText('A')).toBeTruthy();
    expect(await screen.findByText(/^1 file added/)).toBeTruthy();
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(server.callsOf('updateObject')).toHaveLength(1));
    expect(server.callsOf('updateObject')[0].body).toMatchObject({
      payload: {
        base_version: 3,
        content: { tree: [{ name: 'src' }, text('notes.md', 'notes'), { name: 'part.stan' }] },
      },
    });
    expect(await screen.findByText(/^Saved /)).toBeTruthy();
  });

  it('has files that are selected, renamed and removed by keyboard', async () => {
    const { user } = openModel();
    const main = await screen.findByRole('treeitem', { name: /main\.stan/ });
    main.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toContain('notes.md');
    await user.keyboard('{F2}');
    await user.clear(screen.getByLabelText('New name of notes.md'));
    await user.type(screen.getByLabelText('New name of notes.md'), 'words.md{Enter}');
    const renamed = await screen.findByRole('treeitem', { name: /words\.md/ });
    expect(within(renamed).getByText('M')).toBeTruthy();
    renamed.focus();
    await user.keyboard('{Delete}');
    expect(await screen.findByText('notes.md will be deleted when you save.')).toBeTruthy();
    screen.getByRole('treeitem', { name: /src/ }).focus();
    await user.keyboard('{ArrowLeft}');
    expect(screen.queryByRole('treeitem', { name: /main\.stan/ })).toBeNull();
  });

  it('is deleted from the menu of more actions', async () => {
    const { server, user } = openModel();
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Models' })).toBeTruthy();
    expect(server.callsOf('deleteObjects')[0].query).toMatchObject({ objids: ['M0000001'] });
  });
});
