// Runs in a window.
/** Saved views, columns, tags and names of a list, and what Ctrl+Z takes back. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { capabilities } from '../../../src/contract/system.ts';
import {
  createFakeConfig,
  createFakeExperiment,
  createFakeModel,
} from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const objects = () => [
  createFakeExperiment({ short_id: 'X0000001', name: 'Ash', meta: { tags: ['wood'] } }),
  createFakeExperiment({ short_id: 'X0000002', name: 'Birch', meta: {} }),
  createFakeModel({ name: 'A model' }),
];
const open = (address: string, server = new FakeServer({ objects: objects() })) => ({
  server,
  ...renderApp(server, address),
});
/** A server that stores no views: the browser does. */
const withoutViews = () => {
  const lacking = capabilities.filter((name) => name !== 'saved_views');
  return new FakeServer({
    objects: objects(),
    config: createFakeConfig({ capabilities: lacking }),
  });
};
const head = (name: string) => screen.queryByRole('columnheader', { name });
const tagsOf = (server: FakeServer, id: string) => {
  const object = server.objects.get(id);
  return object?.object_type === 'experiment' ? object.meta?.tags : undefined;
};

it('a list shows the selected columns, and remembers them', async () => {
  const { user, unmount } = open('/experiments');
  await user.click(await screen.findByRole('button', { name: 'Columns' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Tags', hidden: true }));
  await user.click(screen.getByRole('checkbox', { name: 'Diverg.', hidden: true }));
  await waitFor(() => expect(head('Tags')).not.toBeNull());
  expect(head('Diverg.')).toBeNull();
  expect(screen.getByRole('cell', { name: 'wood' })).toBeTruthy();
  unmount();

  const again = open('/experiments');
  await screen.findByRole('link', { name: 'Ash' });
  expect(head('Tags')).not.toBeNull();
  await again.user.click(await screen.findByRole('button', { name: 'Columns' }));
  await again.user.click(
    await screen.findByRole('button', { name: 'Default columns', hidden: true }),
  );
  await waitFor(() => expect(head('Diverg.')).not.toBeNull());
  expect(head('Tags')).toBeNull();
});

it('a list prefers the columns in the address to the remembered ones', async () => {
  localStorage.setItem('ergodic.columns.Experiments', 'status,name,rhat');
  open('/experiments?cols=status,name,tags');
  await screen.findByRole('link', { name: 'Ash' });
  expect(head('Tags')).not.toBeNull();
  expect(head('R-hat max')).toBeNull();
});

it('a view is saved in the browser if the server stores none, then opened, renamed and deleted', async () => {
  const { user } = open('/experiments?q=Ash&sort=name', withoutViews());
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save this view', hidden: true }));
  const name = () => screen.findByRole('textbox', { name: 'Name of the view', hidden: true });
  await user.type(await name(), 'Ash trees{Enter}');
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: 'Ash trees' })).toBeTruthy();

  await user.click(await screen.findByRole('button', { name: 'Clear all' }));
  await waitFor(() => expect(window.location.search).not.toContain('q=Ash'));
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Ash trees', hidden: true }));
  await waitFor(() => expect(window.location.search).toContain('q=Ash'));
  expect(window.location.search).toContain('sort=name');

  await user.click(screen.getByRole('button', { name: 'Ash trees' }));
  await user.click(await screen.findByRole('button', { name: 'Rename Ash trees', hidden: true }));
  await user.clear(await name());
  await user.type(await name(), 'Trees{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Delete Trees', hidden: true }));
  expect(await screen.findByText('Deleted the view Trees.')).toBeTruthy();
  expect(localStorage.getItem('ergodic.views.Experiments')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(localStorage.getItem('ergodic.views.Experiments')).toContain('Trees'));
});

it('a view is saved in the account, and available in another browser', async () => {
  const first = open('/experiments?q=Ash&sort=name');
  await first.user.click(await screen.findByRole('button', { name: 'Views' }));
  const save = { name: 'Save this view', hidden: true };
  await first.user.click(await screen.findByRole('menuitem', save));
  const name = { name: 'Name of the view', hidden: true };
  await first.user.type(await screen.findByRole('textbox', name), 'Ash trees{Enter}');
  expect(await screen.findByRole('button', { name: 'Ash trees' })).toBeTruthy();
  expect(screen.getByText(/^Views are saved in your account\./)).toBeTruthy();
  expect(localStorage.getItem('ergodic.views.Experiments')).toBeNull();
  expect(first.server.views.get('experiments')).toMatchObject([{ name: 'Ash trees' }]);
  first.unmount();

  localStorage.clear();
  // meanwhile a view was saved elsewhere
  const elsewhere = { name: 'Elsewhere', search: { q: 'Birch' } };
  first.server.views.set('experiments', [
    ...(first.server.views.get('experiments') ?? []),
    elsewhere,
  ]);
  const { user } = open('/experiments', first.server);
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Ash trees', hidden: true }));
  await waitFor(() => expect(window.location.search).toContain('q=Ash'));
  await user.click(await screen.findByRole('button', { name: 'Ash trees' }));
  await user.click(await screen.findByRole('button', { name: 'Delete Ash trees', hidden: true }));
  expect(await screen.findByText('Deleted the view Ash trees.')).toBeTruthy();
  expect(first.server.views.get('experiments')).toEqual([elsewhere]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(first.server.views.get('experiments')).toMatchObject([{ name: 'Ash trees' }, elsewhere]),
  );
});

it('a view that was not saved is reported with the reason', async () => {
  const { server, user } = open('/experiments?q=Ash');
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  const save = { name: 'Save this view', hidden: true };
  await user.click(await screen.findByRole('menuitem', save));
  server.failNext('updateSavedViews', 'LIMIT_EXCEEDED', 'Up to 100 views.');
  const name = { name: 'Name of the view', hidden: true };
  await user.type(await screen.findByRole('textbox', name), 'One more{Enter}');
  expect(await screen.findByText(/The view was not saved: Up to 100 views\./)).toBeTruthy();
});

it('views show where they are saved, and a link brings one with its name to another browser', async () => {
  const view = { name: 'Ash & co', search: { q: 'Ash', sort: 'name', cols: 'status,name,tags' } };
  localStorage.setItem('ergodic.views.Experiments', JSON.stringify([view]));
  const first = open('/experiments?q=Ash&sort=name&cols=status,name,tags', withoutViews());
  await first.user.click(await screen.findByRole('button', { name: 'Ash & co' }));
  expect(screen.getByText(/^Views are saved in this browser\./)).toBeTruthy();
  await first.user.click(
    await screen.findByRole('menuitem', { name: 'Copy the link to this view', hidden: true }),
  );
  const link = new URL(await navigator.clipboard.readText());
  expect(link.hash).toBe('#view=Ash%20%26%20co');
  first.unmount();

  localStorage.clear();
  const { user } = open(link.pathname + link.search + link.hash, withoutViews());
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save this view', hidden: true }));
  const name = await screen.findByRole<HTMLInputElement>('textbox', {
    name: 'Name of the view',
    hidden: true,
  });
  expect(name.value).toBe('Ash & co');
  await user.type(name, '{Enter}');
  const kept: unknown = JSON.parse(localStorage.getItem('ergodic.views.Experiments') ?? '');
  expect(kept).toMatchObject([view]);
});

it('tags are added to and removed from the selected rows, and Ctrl+Z undoes that', async () => {
  const { server, user } = open('/experiments');
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  await user.click(await screen.findByRole('button', { name: 'Tag' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Tags of 2' }));
  await user.type(dialog.getByRole('combobox', { name: 'Add tags' }), 'tree{Enter}');
  const wood = dialog.getByRole<HTMLInputElement>('checkbox', { name: 'wood (1)' });
  expect(wood.indeterminate).toBe(true);
  // half ticked, ticked, not ticked
  await user.click(wood);
  await user.click(wood);
  await user.click(dialog.getByRole('button', { name: 'Change tags' }));
  expect(await screen.findByText('Changed the tags of 2 objects.')).toBeTruthy();
  expect(tagsOf(server, 'X0000001')).toEqual(['tree']);
  expect(tagsOf(server, 'X0000002')).toEqual(['tree']);

  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(tagsOf(server, 'X0000001')).toEqual(['wood']));
  await waitFor(() => expect(tagsOf(server, 'X0000002')).toEqual([]));
});

it('tags that could not be changed are counted, and their rows stay selected', async () => {
  const { server, user } = open('/experiments');
  await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  await user.click(await screen.findByRole('button', { name: 'Tag' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Tags of 2' }));
  await user.type(dialog.getByRole('combobox', { name: 'Add tags' }), 'tree{Enter}');
  server.failNext('updateObject', 'CONFLICT', 'It is in use.');
  await user.click(dialog.getByRole('button', { name: 'Change tags' }));
  expect(await screen.findByText('Tags of 1 of 2 not changed: It is in use.')).toBeTruthy();
  expect(await screen.findByText('1 selected')).toBeTruthy();
});

it('a row is renamed from its menu, and the last action is undone first', async () => {
  const { server, user } = open('/experiments');
  const nameOf = (id: string) => {
    const object = server.objects.get(id);
    return object && 'name' in object ? object.name : undefined;
  };
  await user.click(await screen.findByRole('button', { name: 'Actions on Ash' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename', hidden: true }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename' }));
  await user.clear(dialog.getByRole('textbox', { name: 'Name' }));
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Oak{Enter}');
  expect(await screen.findByText('Renamed Ash to Oak.')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Actions on Birch' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete', hidden: true }));
  await screen.findByText('Deleted Birch.');
  expect(server.objects.has('X0000002')).toBe(false);

  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(server.objects.has('X0000002')).toBe(true));
  expect(nameOf('X0000001')).toBe('Oak');
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(nameOf('X0000001')).toBe('Ash'));
});

it('Ctrl+Z is left to the text box that has the focus', async () => {
  const { server, user } = open('/experiments');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ash' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await screen.findByText('Deleted Ash.');
  await user.click(screen.getByRole('searchbox', { name: 'Name or id' }));
  await user.keyboard('{Control>}z{/Control}');
  expect(server.objects.has('X0000001')).toBe(false);
});

it('a list filtered by date queries the server with it, and counts each status', async () => {
  const { server } = open('/experiments?created=7d');
  await screen.findByRole('link', { name: 'Ash' });
  expect(await screen.findByRole('button', { name: 'Created in the last 7 days' })).toBeTruthy();
  await screen.findByText('All 2');
  const counted = server.callsOf('listObjects').find(({ query }) => query.with_counts === true);
  expect(counted?.query).toMatchObject({ page_size: 1, status: '' });
  expect(String(counted?.query.created_from)).toMatch(/^\d{4}-\d\d-\d\dT/);
});
