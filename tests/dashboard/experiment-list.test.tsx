// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createFakeConfig, createFakeExperiment } from '../support/fake-objects.ts';
import { FakeServer } from '../support/fake-server.ts';
import { createFakeVerdict } from '../support/fake-verdict.ts';
import { renderApp } from '../support/render-app.tsx';

const good = createFakeVerdict({
  state: 'good',
  rhat_max: 1.002,
  ess_bulk_min: 3758,
  ess_tail_min: 3900,
  divergences: 0,
});
const bad = createFakeVerdict({
  state: 'bad',
  rhat_max: 1.096,
  ess_bulk_min: 28,
  ess_tail_min: 92,
  divergences: 156,
});

const experiments = () => [
  createFakeExperiment({
    short_id: 'X0000001',
    name: 'Running one',
    status: 'RUN',
    meta: { progress: { done: 660, total: 1000, chains: [] } },
  }),
  createFakeExperiment({ short_id: 'X0000002', name: 'Bad one', meta: { verdict: bad } }),
  createFakeExperiment({ short_id: 'X0000003', name: 'Good one', meta: { verdict: good } }),
];

const rowOf = (name: string) => {
  const row = screen.getByRole('link', { name }).closest('tr');
  if (row === null) throw new Error(`no row of ${name}`);
  return within(row);
};

describe('the list of experiments', () => {
  it('shows status beside verdict: finished is a fact, converged a judgement', async () => {
    renderApp(new FakeServer({ objects: experiments() }), '/experiments');
    await screen.findByRole('link', { name: 'Good one' });
    expect(rowOf('Good one').getByText('Finished')).toBeTruthy();
    expect(rowOf('Good one').getByText('Looks converged')).toBeTruthy();
    expect(rowOf('Bad one').getByText('Finished')).toBeTruthy();
    expect(rowOf('Bad one').getByText('156 divergences; 4 checks failed')).toBeTruthy();
    expect(rowOf('Bad one').getByText('1.096').dataset.tone).toBe('bad');
    expect(rowOf('Running one').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('66');
  });

  it('is rendered from at most three requests, none of them for a row', async () => {
    const server = new FakeServer({ objects: experiments() });
    renderApp(server, '/experiments');
    await screen.findByRole('link', { name: 'Good one' });
    expect(server.callsOf('viewObject')).toHaveLength(0);
    // the list, how many run (for the rail), and how many there are of each status
    expect(server.callsOf('listObjects').length).toBeLessThanOrEqual(3);
  });

  it('keeps the filter in the address and asks the server with it', async () => {
    const server = new FakeServer({ objects: experiments() });
    const { user } = renderApp(server, '/experiments');
    await screen.findByRole('link', { name: 'Good one' });
    await user.click(await screen.findByText('Finished 2', { selector: 'label span, label' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Running one' })).toBeNull());
    expect(window.location.search).toContain('status=FIN');
  });

  it('opens with the values in the address, and with defaults for invalid ones', async () => {
    const server = new FakeServer({ objects: experiments() });
    renderApp(server, '/experiments?q=Bad&page=banana&sort=%22;drop');
    expect(await screen.findByRole('link', { name: 'Bad one' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Good one' })).toBeNull();
    const { query } =
      server.callsOf('listObjects').findLast(({ query: asked }) => asked.q === 'Bad') ?? {};
    expect(query).toMatchObject({ page_no: 1, sort: '-created' });
  });

  it('distinguishes an empty list from a filter that nothing matches', async () => {
    const { user } = renderApp(
      new FakeServer({ objects: experiments() }),
      '/experiments?q=nowhere',
    );
    expect(await screen.findByText('Nothing matches the filter')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }));
    expect(await screen.findByRole('link', { name: 'Good one' })).toBeTruthy();
  });

  it('says what an experiment is and where to begin while there is none', async () => {
    renderApp(new FakeServer(), '/experiments');
    expect(await screen.findByText('No experiments yet')).toBeTruthy();
  });

  it('deletes the selected rows and restores them on Undo', async () => {
    const server = new FakeServer({ objects: experiments() });
    const { user } = renderApp(server, '/experiments');
    await user.click(await screen.findByLabelText('Select Bad one'));
    await user.click(screen.getByLabelText('Select Good one'));
    expect(await screen.findByText('2 selected')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Bad one' })).toBeNull());
    expect(server.objects.has('X0000002')).toBe(false);

    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('link', { name: 'Bad one' })).toBeTruthy();
    expect(server.objects.has('X0000003')).toBe(true);
  });

  it('sorts the rows of the page where the server cannot', async () => {
    const documented = createFakeConfig({ capabilities: [] });
    const server = new FakeServer({ objects: experiments(), config: documented });
    const { user } = renderApp(server, '/experiments');
    await screen.findByRole('link', { name: 'Good one' });
    const names = () =>
      screen.getAllByRole('link', { name: / one$/ }).map(({ textContent }) => textContent);
    const head = screen.getByRole('button', { name: 'R-hat max' });
    expect(head.title).toBe('Sort this page by this column');
    await user.click(head);
    await waitFor(() => expect(names()).toEqual(['Bad one', 'Good one', 'Running one']));
    await user.click(screen.getByRole('button', { name: 'R-hat max' }));
    await waitFor(() => expect(names()).toEqual(['Good one', 'Bad one', 'Running one']));
    for (const { query } of server.callsOf('listObjects')) expect(query.sort).toBe('-created');
  });

  it('shows which columns can be sorted, and how the list is sorted', async () => {
    renderApp(new FakeServer({ objects: experiments() }), '/experiments?sort=name');
    await screen.findByRole('link', { name: 'Good one' });
    const head = (name: string) => screen.getByRole('columnheader', { name });
    expect(head('Name').getAttribute('aria-sort')).toBe('ascending');
    const title = (name: string) => within(head(name)).getByRole('button').title;
    expect(title('Name')).toBe('Sorted ascending. Click to reverse.');
    expect(head('Status').getAttribute('aria-sort')).toBe('none');
    expect(title('Status')).toBe('Sort by this column');
    expect(head('Status').querySelector('svg')).not.toBeNull();
    expect(head('By').getAttribute('aria-sort')).toBeNull();
    expect(within(head('By')).queryByRole('button')).toBeNull();
  });

  it('selects all pages after one page, deletes them, and restores them on Undo', async () => {
    const objects = Array.from({ length: 306 }, (_, i) =>
      createFakeExperiment({ short_id: `X${String(i).padStart(7, '0')}`, name: `Run ${i}` }),
    );
    const server = new FakeServer({ objects });
    const { user } = renderApp(server, '/experiments');
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    const bar = within(await screen.findByRole('toolbar', { name: 'Selection' }));
    expect(bar.getByRole('status').textContent).toBe('50 selected');
    await user.click(bar.getByRole('button', { name: 'Select all 306' }));
    await waitFor(() => expect(bar.getByRole('status').textContent).toBe('306 selected'));
    expect(bar.queryByRole('button', { name: 'Select all 306' })).toBeNull();

    // After unticking one box, the selection is limited to the page again.
    await user.click(screen.getByRole('checkbox', { name: 'Select Run 0' }));
    expect(bar.getByRole('status').textContent).toBe('49 selected');
    await user.click(screen.getByRole('checkbox', { name: 'Select Run 0' }));
    expect(bar.getByRole('status').textContent).toBe('50 selected');

    await user.click(bar.getByRole('button', { name: 'Select all 306' }));
    await waitFor(() => expect(bar.getByRole('status').textContent).toBe('306 selected'));
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(server.objects.size).toBe(0));
    expect(await screen.findByText('Deleted 306 experiments.')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(server.objects.size).toBe(306));
  });

  const many = () =>
    Array.from({ length: 306 }, (_, i) =>
      createFakeExperiment({ short_id: `X${String(i).padStart(7, '0')}`, name: `Run ${i}` }),
    );
  const deleteAll = async (user: ReturnType<typeof renderApp>['user']) => {
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    await user.click(await screen.findByRole('button', { name: 'Select all 306' }));
    await screen.findByText('306 selected');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
  };

  it('names the rows that were not deleted, keeps them selected and retries them', async () => {
    const server = new FakeServer({ objects: many() });
    const stuck = ['X0000007', 'X0000123', 'X0000300'];
    let isStuck = true;
    const fetch: typeof server.fetch = (input, init) => {
      const address = String(input instanceof Request ? input.url : input);
      const isDeletion = (input instanceof Request ? input.method : init?.method) === 'DELETE';
      if (isDeletion && isStuck && stuck.some((id) => address.includes(id)))
        server.failNext('deleteObjects', 'CONFLICT', 'It is in use.');
      return server.fetch(input, init);
    };
    const { user } = renderApp({ fetch, token: server.token }, '/experiments');
    await deleteAll(user);
    expect(
      await screen.findByText('3 of 306 not deleted: Run 7, Run 123, Run 300. It is in use.'),
    ).toBeTruthy();
    expect([...server.objects.keys()]).toEqual(stuck);
    expect(await screen.findByText('3 selected')).toBeTruthy();
    isStuck = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Deleted 3 experiments.')).toBeTruthy();
    expect(server.objects.size).toBe(0);
  }, 60_000);

  it('stops at the first error that every deletion would get, and keeps the rest selected', async () => {
    const server = new FakeServer({ objects: many() });
    let numDeletions = 0;
    const fetch: typeof server.fetch = (input, init) => {
      const method = input instanceof Request ? input.method : init?.method;
      if (method === 'DELETE' && ++numDeletions === 2)
        server.failNext('deleteObjects', 'INTERNAL', 'The disk is full.');
      return server.fetch(input, init);
    };
    const { user } = renderApp({ fetch, token: server.token }, '/experiments');
    await deleteAll(user);
    const notice = await screen.findByText(
      '106 of 306 not deleted: Run 200, Run 201, Run 202 and 103 more. The disk is full.',
    );
    expect(numDeletions).toBe(2);
    const undo = within(notice.parentElement as HTMLElement).getByRole('button', { name: 'Undo' });
    await user.click(undo);
    await waitFor(() => expect(server.objects.size).toBe(306));
  }, 60_000);

  it('says how many can be compared', async () => {
    const objects = Array.from({ length: 7 }, (_, i) =>
      createFakeExperiment({ short_id: `X000000${i}`, name: `Run ${i}` }),
    );
    const { user } = renderApp(new FakeServer({ objects }), '/experiments');
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }));
    expect(await screen.findByText('Compare up to 6')).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Select Run 0' }));
    expect(await screen.findByRole('link', { name: 'Compare' })).toBeTruthy();
  });

  it('is sorted by a click on a column head, and reversed by the next', async () => {
    const server = new FakeServer({ objects: experiments() });
    const { user } = renderApp(server, '/experiments');
    await user.click(await screen.findByRole('button', { name: 'Name' }));
    await waitFor(() => expect(window.location.search).toContain('sort=name'));
    await user.click(screen.getByRole('button', { name: 'Name' }));
    await waitFor(() => expect(window.location.search).toContain('sort=-name'));
    expect(server.callsOf('listObjects').at(-1)?.query.sort).toBe('-name');
  });
});
