// Runs in a window.
/** What all lists have in common: filters in the address, selection by keys, export; at two kinds of server. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  createFakeConfig,
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeUser,
  createFakeWorkflow,
} from '../../support/fake-objects.ts';
import { FakeServer, type FakeServerOptions } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const saved: { name: string; text: unknown }[] = [];
vi.mock('../../../src/dashboard/ui/save-file.ts', () => ({
  saveFile: (name: string, _type: string, text: unknown) => void saved.push({ name, text }),
}));

const objects = () => [
  ...['Ash', 'Birch', 'Cedar', 'Dune'].map((name, index) =>
    createFakeExperiment({ short_id: `X000000${index}`, name, workflow_id: 'F0000001' }),
  ),
  createFakeModel({ name: 'A model', tags: ['model', 'trees'] }),
  createFakeData(),
  createFakeWorkflow(),
];
const open = (address: string, options: FakeServerOptions = {}) => {
  const server = new FakeServer({ objects: objects(), ...options });
  return { server, ...renderApp(server, address) };
};
/** Opens the box of a filter. */
async function addFilter(user: ReturnType<typeof open>['user'], name: string) {
  await user.click(await screen.findByRole('button', { name: 'Filter' }));
  await user.click(await screen.findByRole('menuitem', { name, hidden: true }));
}
const lastQuery = (server: FakeServer, kind: string) =>
  server.callsOf('listObjects').findLast(({ query }) => query.object_type === kind)?.query ?? {};
const documented = { config: createFakeConfig({ capabilities: [] }) };

describe('filters of a list', () => {
  it('are all set from the address', async () => {
    const { server } = open(
      '/experiments?model=M0000001&workflow=F0000001&run_on=Local&has_model=yes&tag=trees',
    );
    await screen.findByRole('link', { name: 'Ash' });
    const asked = server.callsOf('listObjects').find(({ query }) => query.run_on === 'Local');
    expect(asked?.query).toMatchObject({
      model_ids: ['M0000001'],
      workflow_id: ['F0000001'],
      has_model: 'true',
      tags: ['trees'],
    });
    expect(await screen.findByRole('button', { name: 'Model A model' })).toBeTruthy();
  });

  it('have defaults for invalid values in the address', async () => {
    const { server } = open('/experiments?has_model=maybe&page=-3');
    await screen.findByRole('link', { name: 'Ash' });
    expect(lastQuery(server, 'experiment')).toMatchObject({ has_model: '', page_no: 1 });
  });

  it('are added from the menu and removed with their chip', async () => {
    const { user } = open('/experiments');
    await addFilter(user, 'Run location');
    await user.click(await screen.findByRole('option', { name: 'Fargate', hidden: true }));
    await waitFor(() => expect(window.location.search).toContain('run_on=Fargate'));
    await user.click(await screen.findByRole('button', { name: 'Run location Fargate' }));
    await waitFor(() => expect(window.location.search).not.toContain('Fargate'));
  });

  it('choose a model by its name', async () => {
    const { user } = open('/experiments');
    await addFilter(user, 'Model');
    await user.click(await screen.findByRole('option', { name: 'A model', hidden: true }));
    await waitFor(() => expect(window.location.search).toContain('model=M0000001'));
  });

  it('accept a typed tag on Enter', async () => {
    const { user } = open('/models');
    await addFilter(user, 'Tag');
    await user.type(await screen.findByRole('combobox', { name: 'Tag' }), 'woods{Enter}');
    await waitFor(() => expect(window.location.search).toContain('tag=woods'));
  });

  it('are all cleared at once', async () => {
    const { user } = open('/experiments?q=Ash&run_on=Local&status=FIN');
    await screen.findByRole('link', { name: 'Ash' });
    await user.click(await screen.findByRole('button', { name: 'Clear all' }));
    await screen.findByRole('link', { name: 'Dune' });
    expect(window.location.search).not.toMatch(/Ash|Local|FIN/);
  });

  it('are named when nothing matches', async () => {
    open('/experiments?q=nowhere&run_on=Local&status=FIN');
    expect(await screen.findByText('Nothing matches the filter')).toBeTruthy();
    expect(
      screen.getByText(/no finished experiment that ran on Local called “nowhere”/),
    ).toBeTruthy();
  });

  it('exclude the owner for users who see only their own objects', async () => {
    const { user } = open('/data');
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    await screen.findByRole('menuitem', { name: 'Created', hidden: true });
    expect(screen.queryByRole('menuitem', { name: 'Owner', hidden: true })).toBeNull();
  });

  it('include the owner for a super user', async () => {
    const { server, user } = open('/data', { user: createFakeUser({ super: true }) });
    await addFilter(user, 'Owner');
    await user.type(await screen.findByRole('combobox', { name: 'Owner' }), 'mei{Enter}');
    await waitFor(() => expect(lastQuery(server, 'data').owner).toBe('mei'));
  });

  it('are only the documented ones on a documented server', async () => {
    const { server, user } = open('/experiments?tag=trees&owner=mei&run_on=Local', documented);
    await screen.findByRole('link', { name: 'Ash' });
    expect(lastQuery(server, 'experiment')).toMatchObject({ run_on: 'Local', owner: '', q: '' });
    expect(lastQuery(server, 'experiment').tags).toBeUndefined();
    await user.click(await screen.findByRole('button', { name: 'Filter' }));
    expect(await screen.findByRole('menuitem', { name: 'Workflow', hidden: true })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Tag', hidden: true })).toBeNull();
    expect(screen.queryByRole('menuitem', { name: 'Created', hidden: true })).toBeNull();
  });
});

describe('selected rows', () => {
  const box = (name: string) => screen.getByLabelText<HTMLInputElement>(`Select ${name}`);
  const ticked = () =>
    ['Ash', 'Birch', 'Cedar', 'Dune'].filter((name) => box(name).checked).join(' ');

  it('are extended to a range with Shift', async () => {
    const { user } = open('/experiments');
    await user.click(await screen.findByLabelText('Select Ash'));
    await user.keyboard('{Shift>}');
    await user.click(box('Cedar'));
    await user.keyboard('{/Shift}');
    expect(ticked()).toBe('Ash Birch Cedar');
    expect(await screen.findByText('3 selected')).toBeTruthy();
  });

  it('are chosen by keyboard alone', async () => {
    const { user } = open('/experiments');
    (await screen.findByLabelText('Select Ash')).focus();
    await user.keyboard(' ');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(document.activeElement).toBe(box('Cedar'));
    await user.keyboard('{Shift>} {/Shift}');
    expect(ticked()).toBe('Ash Birch Cedar');
    await user.keyboard('{ArrowUp} ');
    expect(ticked()).toBe('Ash Cedar');
  });
});

describe('the exported list', () => {
  it('contains every page, and neutralizes formulas', async () => {
    const many = Array.from({ length: 2100 }, (_, index) =>
      createFakeModel({
        short_id: `M${String(index).padStart(7, '0')}`,
        name: index === 7 ? '=HYPERLINK("x")' : `Model ${index}`,
      }),
    );
    saved.length = 0;
    const { server, user } = open('/models', { objects: many });
    await user.click(await screen.findByRole('button', { name: 'Export list' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    const lines = String(saved[0].text).trim().split('\r\n');
    expect(saved[0].name).toBe('models.csv');
    expect(lines).toHaveLength(2101);
    expect(lines[8]).toContain(`"'=HYPERLINK(""x"")"`);
    const pages = server.callsOf('listObjects').filter(({ query }) => query.page_size === 1000);
    expect(pages.map(({ query }) => query.page_no)).toEqual([1, 2, 3]);
    expect(document.querySelectorAll('tbody tr').length).toBeLessThanOrEqual(60);
  });

  it('stops at ten thousand rows and reports it', async () => {
    const many = Array.from({ length: 10_050 }, (_, index) =>
      createFakeWorkflow({ short_id: `F${String(index).padStart(7, '0')}` }),
    );
    saved.length = 0;
    const { user } = open('/workflows', { objects: many });
    await user.click(await screen.findByRole('button', { name: 'Export list' }));
    expect(await screen.findByText(/Saved the first 10.000 of 10.050/)).toBeTruthy();
    expect(String(saved[0].text).trim().split('\r\n')).toHaveLength(10_001);
  });

  it('says why nothing was saved', async () => {
    saved.length = 0;
    const { server, user } = open('/data');
    const button = await screen.findByRole('button', { name: 'Export list' });
    server.failNext('listObjects', 'PERMISSION_DENIED', 'Not today.');
    await user.click(button);
    expect(await screen.findByText('Not saved: Not today.')).toBeTruthy();
    expect(saved).toHaveLength(0);
  });

  it('contains only rows that match the search box, also when the server cannot search', async () => {
    saved.length = 0;
    const { user } = open('/experiments?q=ash', documented);
    expect(await screen.findByRole('link', { name: 'Ash' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Birch' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Export list' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(String(saved[0].text).trim().split('\r\n')).toHaveLength(2);
  });
});

describe('a list that cannot be loaded', () => {
  it('shows the error and can be requested again', async () => {
    const server = new FakeServer({ objects: objects() });
    server.failNext('listObjects', 'PERMISSION_DENIED', 'Not today.');
    renderApp(server, '/workflows');
    expect(await screen.findByText(/Not today/)).toBeTruthy();
    const page = within(screen.getByRole('main'));
    fireEvent.click(page.getByRole('button', { name: /again/i }));
    expect(await screen.findByRole('link', { name: 'A workflow' })).toBeTruthy();
  });
});
