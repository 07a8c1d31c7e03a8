// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { capabilities } from '../../../src/contract/system.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import {
  createFakeConfig,
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeShare,
  minutesAgo,
} from '../../support/fake-objects.ts';
import { createFakeProject, memberOf } from '../../support/fake-projects.ts';
import { FakeServer, type FakeServerOptions } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const verdict = { state: 'bad', headline: '33 divergences' } as const;
const first = createFakeExperiment({
  short_id: 'X0000001',
  name: 'First try',
  created_at: minutesAgo(60),
  meta: { verdict, model_version: 1, settings: { adapt_delta: 0.8, seed: 1 } },
});
const second = createFakeExperiment({
  short_id: 'X0000002',
  name: 'Second try',
  created_at: minutesAgo(40),
  meta: {
    verdict: { state: 'good' },
    model_version: 3,
    note: 'Much *better*.',
    settings: { adapt_delta: 0.95, seed: 2 },
  },
});
const model = createFakeModel();
const data = createFakeData();
const entry = {
  id: 7,
  text: 'Use a **non-centred** form.',
  version: 1,
  created_at: minutesAgo(50),
  updated_at: minutesAgo(50),
};

function open(address: string, options: Partial<FakeServerOptions> = {}) {
  const project = createFakeProject({
    name: 'Does coaching help?',
    note: 'Eight schools.',
    members: [memberOf(second), memberOf(first), memberOf(model)],
    entries: [entry],
    counts: { model: 1, data: 0, experiment: 2 },
  });
  const server = new FakeServer({ objects: [project, first, second, model, data], ...options });
  const page = renderApp(server, address);
  installBrowserParts();
  return { server, ...page };
}
const payloads = (server: FakeServer) =>
  server.callsOf('updateObject').map(({ body }) => (body as { payload: unknown }).payload);
/** Notices of earlier tests may still be seen. */
async function undo(user: ReturnType<typeof open>['user'], notice: string) {
  const shown = (await screen.findByText(notice)).parentElement as HTMLElement;
  await user.click(within(shown).getByRole('button', { name: 'Undo' }));
}
const notebook = async () => within(await screen.findByRole('region', { name: 'Notebook' }));

describe('the notebook on the page of a project', () => {
  it('has runs and texts in order of time, each run with verdict, changes and note', async () => {
    open('/projects/P0000001');
    const pages = await notebook();
    await pages.findByText('better');
    const items = pages
      .getAllByRole('listitem')
      .filter((item) => item.parentElement?.tagName === 'OL')
      .map((item) => item.textContent ?? '');
    expect(items[0]).toMatch(/First try.*33 divergences/);
    expect(items[1]).toContain('non-centred');
    expect(items[2]).toMatch(
      /Second try.*Looks converged.*program v1 → v3.*adapt_delta 0\.8 → 0\.95/,
    );
    const diff = pages.getByRole('link', { name: 'program v1 → v3' });
    expect(decodeURIComponent(diff.getAttribute('href') ?? '')).toBe(
      '/models/M0000001?tab=versions&version="3"&against="1"',
    );
  });

  it('counts no chains of a run without draws', async () => {
    const none = { n_chains: 3, n_samples: 0 };
    const [failed, running] = [
      createFakeExperiment({ ...none, short_id: 'X0000003', name: 'Broken', status: 'ERR' }),
      createFakeExperiment({ ...none, short_id: 'X0000004', name: 'Slow', status: 'RUN' }),
    ];
    const project = createFakeProject({ members: [memberOf(failed), memberOf(running)] });
    open('/projects/P0000001', { objects: [project, failed, running, model, data] });
    const pages = await notebook();
    const textOf = async (name: string) =>
      (await pages.findByText(name)).closest('li')?.textContent ?? '';
    expect(await textOf('Broken')).toMatch(/no draws(?! yet)/);
    expect(await textOf('Slow')).toContain('no draws yet');
    expect(screen.queryByText(/of 0 draws/)).toBeNull();
  });

  it('adds texts, edits them, and deletes them with undo', async () => {
    const { server, user } = open('/projects/P0000001');
    const pages = await notebook();
    await user.click(pages.getByRole('button', { name: 'Write an entry' }));
    const box = await screen.findByLabelText('New entry in Markdown');
    expect(screen.getByRole('button', { name: 'Add entry' })).toHaveProperty('disabled', true);
    await user.type(box, 'Stop here.');
    await user.click(screen.getByRole('button', { name: 'Add entry' }));
    await pages.findByText('Stop here.');
    const [edit] = pages.getAllByRole('button', { name: 'Edit' });
    await user.click(edit as HTMLElement);
    const text = await screen.findByLabelText('Entry in Markdown');
    await user.clear(text);
    await user.type(text, 'Another form.');
    await user.click(screen.getByRole('button', { name: 'Save entry' }));
    await pages.findByText('Another form.');
    const [remove] = pages.getAllByRole('button', { name: 'Delete' });
    await user.click(remove as HTMLElement);
    await waitFor(() => expect(pages.queryByText('Another form.')).toBeNull());
    await undo(user, 'Entry deleted.');
    await pages.findByText('Another form.');
    await undo(user, 'Entry saved.');
    await pages.findByText('non-centred');
    await undo(user, 'Entry added.');
    await waitFor(() => expect(pages.queryByText('Stop here.')).toBeNull());
    expect(payloads(server)).toEqual([
      { object_type: 'project.entry', text: 'Stop here.' },
      { object_type: 'project.entry', entry_id: 7, text: 'Another form.', base_version: 1 },
      { object_type: 'project.entry', entry_id: 7, deleted: true },
      { object_type: 'project.entry', entry_id: 7, deleted: false },
      { object_type: 'project.entry', entry_id: 7, text: entry.text, base_version: 2 },
      { object_type: 'project.entry', entry_id: 8, deleted: true },
    ]);
  });

  it('saves a note on the run itself, and shows the conflicting text of another user', async () => {
    const { server, user } = open('/projects/P0000001');
    const pages = await notebook();
    await user.click(pages.getByRole('button', { name: 'Edit note' }));
    const box = await screen.findByLabelText('Note on Second try in Markdown');
    await user.clear(box);
    await user.type(box, 'Mine.');
    server.failNext('updateObject', 'CONFLICT', 'The note has changed since.', { note: 'Theirs.' });
    await user.click(screen.getByRole('button', { name: 'Save note' }));
    const other = within(await screen.findByRole('region', { name: 'The other text' }));
    await other.findByText('Theirs.');
    await user.click(other.getByRole('button', { name: 'Put it before mine' }));
    await user.click(screen.getByRole('button', { name: 'Save mine' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save mine' })).toBeNull());
    expect(payloads(server)).toEqual(
      [
        { object_type: 'experiment', meta: { note: 'Mine.' }, base_note: 'Much *better*.' },
        { object_type: 'experiment', meta: { note: 'Theirs.\n\nMine.' }, base_note: 'Theirs.' },
      ].map((payload) => expect.objectContaining(payload)),
    );
  });

  it('shows the other text of an entry that was changed elsewhere', async () => {
    const { server, user } = open('/projects/P0000001');
    const pages = await notebook();
    await user.click(pages.getByRole('button', { name: 'Edit' }));
    await screen.findByLabelText('Entry in Markdown');
    const stored = server.objects.get('P0000001');
    if (stored?.object_type !== 'project') throw new Error('the project is there');
    const entries = [{ ...entry, text: 'Faster.', version: 2 }];
    server.objects.set('P0000001', { ...stored, entries });
    await user.click(screen.getByRole('button', { name: 'Save entry' }));
    const other = within(await screen.findByRole('region', { name: 'The other text' }));
    await other.findByText('Faster.');
    await user.click(screen.getByRole('button', { name: 'Save mine' }));
    await pages.findByText('non-centred');
    expect(payloads(server).at(-1)).toEqual(
      expect.objectContaining({ entry_id: 7, text: entry.text, base_version: 2 }),
    );
  });
});

describe('the members of a project', () => {
  it('are removed with undo, and added by search', async () => {
    const { server, user } = open('/projects/P0000001');
    const models = within(await screen.findByRole('region', { name: 'Models' }));
    await user.click(models.getByRole('button', { name: 'Remove A model from the project' }));
    await models.findByText('No models yet.');
    await undo(user, 'A model is no longer in this project.');
    await models.findByRole('link', { name: 'A model' });
    await user.click(screen.getByRole('combobox', { name: 'Add a model, data or a run' }));
    // what is in it already is not offered
    await user.click(await screen.findByRole('option', { name: 'schools.json, D0000001' }));
    const sets = within(screen.getByRole('region', { name: 'Data' }));
    await sets.findByRole('link', { name: 'schools.json' });
    expect(payloads(server)).toEqual([
      { object_type: 'project', remove: ['M0000001'] },
      { object_type: 'project', add: ['M0000001'] },
      { object_type: 'project', add: ['D0000001'] },
    ]);
  });
});

describe('the list of projects', () => {
  it('explains what a project is while there are none, and creates one', async () => {
    const { user } = open('/projects', { objects: [] });
    await screen.findByRole('heading', { name: 'No projects yet' });
    await user.click(screen.getByRole('button', { name: 'New project' }));
    await user.type(await screen.findByLabelText('Name'), 'A new question{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'A new question' });
  });

  it('deletes with undo', async () => {
    const { user } = open('/projects');
    const row = await screen.findByRole('row', { name: /Does coaching help/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toContain('2');
    await user.click(within(row).getByRole('checkbox'));
    const bar = within(await screen.findByRole('toolbar', { name: 'Selection' }));
    await user.click(await bar.findByRole('button', { name: 'Delete' }));
    await screen.findByRole('heading', { name: 'No projects yet' });
    await undo(user, 'Deleted Does coaching help?.');
    await screen.findByRole('row', { name: /Does coaching help/ });
  });
});

describe('“Add to project”', () => {
  it('adds selected rows to an existing project, with undo for the new ones', async () => {
    const { server, user } = open('/models', {
      objects: [
        createFakeProject({ members: [memberOf(model)] }),
        model,
        createFakeModel({ short_id: 'M0000002', name: 'Another' }),
      ],
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    const bar = within(await screen.findByRole('toolbar', { name: 'Selection' }));
    await user.click(await bar.findByRole('button', { name: 'Add to project' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: 'A question' }));
    await undo(user, 'Added 2 objects to A question.');
    await waitFor(() =>
      expect(payloads(server)).toEqual([
        { object_type: 'project', add: ['M0000001', 'M0000002'] },
        { object_type: 'project', remove: ['M0000002'] },
      ]),
    );
  });

  it('shows which projects contain an object already, and creates a new one', async () => {
    const { server, user } = open('/data/D0000001', {
      objects: [createFakeProject({ members: [memberOf(data)] }), data],
    });
    await user.click(await screen.findByRole('button', { name: 'Add to project' }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText('in it');
    expect(dialog.getByRole('button', { name: /A question/ })).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Find a project, or name a new one'), 'Other');
    await user.click(dialog.getByRole('button', { name: 'New project “Other”' }));
    await screen.findByText('Added schools.json to Other.');
    expect(server.callsOf('createObject').map(({ body }) => body)).toEqual([
      { payload: { object_type: 'project', name: 'Other', note: '', members: ['D0000001'] } },
    ]);
  });
});

describe('a server without projects', () => {
  const config = createFakeConfig({
    capabilities: capabilities.filter((name) => name !== 'projects'),
  });

  it.each([
    ['/models', 'Models'],
    ['/data/D0000001', 'schools.json'],
  ])('shows no projects at %s', async (address, title) => {
    const { user } = open(address, { config });
    await screen.findByRole('heading', { level: 1, name: title });
    const box = screen.queryAllByRole('checkbox', { name: /^Select / }).at(-1);
    if (box !== undefined) {
      await user.click(box);
      await screen.findByRole('toolbar', { name: 'Selection' });
    }
    expect(screen.queryByText(/project/i)).toBeNull();
  });

  it('shows a message at the address of the projects', async () => {
    open('/projects', { config });
    await screen.findByText('This server does not offer projects.');
  });
});

describe('a shared project', () => {
  it('shows what was frozen, and links to the snapshots of its members without asking for a password', async () => {
    const frozen = createFakeProject({
      owner: null,
      members: [
        { ...memberOf(first), share_id: 'S0000002' },
        { ...memberOf({ ...data, short_id: '' }), share_id: null },
      ],
      entries: [entry],
    });
    const { server } = open('/s/P0000001/S0000001', {
      objects: [frozen, first, createFakeShare({ experiment_id: 'P0000001' })],
    });
    await screen.findByRole('heading', { level: 1, name: 'A question' });
    const pages = await notebook();
    const link = pages.getByRole('link', { name: 'First try' });
    expect(link.getAttribute('href')).toBe('/s/X0000001/S0000002');
    await pages.findByText('non-centred');
    const sets = within(screen.getByRole('region', { name: 'Data' }));
    expect(sets.getByText('not shared')).toBeTruthy();
    expect(sets.queryByRole('link')).toBeNull();
    for (const name of ['Write an entry', 'Edit', 'Delete', 'Share', 'More actions'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(server.callsOf('updateObject')).toEqual([]);
  });
});
