// Runs in a window.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  act,
  fireEvent,
  render,
  renderHook,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { useUploads } from '../../../src/dashboard/features/data/use-uploads.ts';
import { VirtualTable } from '../../../src/dashboard/features/data/virtual-table.tsx';
import {
  createFakeConfig,
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeWorkflow,
} from '../../support/fake-objects.ts';
import { FakeServer, type FakeServerOptions } from '../../support/fake-server.ts';
import '../../support/browser-parts.ts';
import { ClientContext } from '../../../src/dashboard/objects/use-client.ts';
import { renderApp } from '../../support/render-app.tsx';

const files = {
  '/files/schools.json': '{"J": 8, "y": [28, 8, -3]}',
  '/files/old.json': '{"J": 1, "y": [7]}',
};

function open(address: string, options: FakeServerOptions = {}) {
  const server = new FakeServer({
    objects: [createFakeData({ version: 2 })],
    versions: { D0000001: [createFakeData({ version: 1, path: '/files/old.json' })] },
    files,
    ...options,
  });
  return { server, ...renderApp(server, address) };
}
const payloads = (server: FakeServer, name: 'createObject' | 'updateObject') =>
  server.callsOf(name).map(({ body }) => (body as { payload: unknown }).payload);

describe('a data object', () => {
  it('shows its entries, one as a table, all as a tree, and the text', async () => {
    const { user } = open('/data/D0000001');
    const entries = await screen.findByRole('table', { name: 'Entries' });
    expect(within(entries).getByText('array[3] int')).toBeTruthy();
    const table = await screen.findByRole('table', { name: 'Values of y' });
    expect(await within(table).findByText('-3')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Tree' }));
    const tree = await screen.findByRole('region', { name: 'Tree' });
    expect(await within(tree).findByText('[3]')).toBeTruthy();
    await user.click(screen.getByRole('radio', { name: 'Text' }));
    expect(await screen.findByText(/"J": 8/)).toBeTruthy();
  });

  it('shows a message when its file is gone', async () => {
    open('/data/D0000001', {
      files: {},
      objects: [createFakeData({ path: 'http://fake.test/no' })],
    });
    expect(await screen.findByText(/The content/)).toBeTruthy();
  });

  it.each([
    ['this service', false],
    ['a server that answers updates with null', true],
  ])('is described in place, with undo, on %s', async (_, isDocumented) => {
    const { server, user } = open('/data/D0000001', { isDocumented });
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    await user.type(screen.getByLabelText('Description'), 'Eight schools');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Name and description saved.')).toBeTruthy();
    expect(screen.getByText('Eight schools')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(server.objects.get('D0000001')).toMatchObject({ description: '' }));
    expect(payloads(server, 'updateObject')[0]).toMatchObject({ description: 'Eight schools' });
  });

  it('gets a new version from pasted text, after a warning if another version came in between', async () => {
    const { server, user } = open('/data/D0000001');
    await user.click(await screen.findByRole('button', { name: 'New version' }));
    await user.click(await screen.findByRole('radio', { name: 'Paste text' }));
    fireEvent.change(screen.getByLabelText(/^Text/, { selector: 'textarea' }), {
      target: { value: '{"J": 2}' },
    });
    server.objects.set('D0000001', createFakeData({ version: 5 }));
    await user.click(screen.getByRole('button', { name: 'Save as new version' }));
    expect(await screen.findByText(/version 5 is newest/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save anyway' }));
    expect(await screen.findByText('Saved as v6.')).toBeTruthy();
    expect(payloads(server, 'updateObject')).toMatchObject([
      { data: '{"J": 2}', base_version: 2 },
      { data: '{"J": 2}' },
    ]);
  });

  it('lists its versions, shows an old one and restores it', async () => {
    const { server, user } = open('/data/D0000001');
    await user.click(await screen.findByRole('tab', { name: 'Versions' }));
    await user.click(await screen.findByRole('button', { name: 'View v1' }));
    expect(await screen.findByText('This is v1, an earlier version.')).toBeTruthy();
    expect(window.location.search).toContain('version=1');
    const table = await screen.findByRole('table', { name: 'Values of y' });
    expect(await within(table).findByText('7')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Restore as new version' }));
    expect(await screen.findByText('v1 was restored as v3.')).toBeTruthy();
    expect(payloads(server, 'updateObject')[0]).toMatchObject({
      data: btoa(files['/files/old.json']),
      base64_encoded: true,
      base_version: 2,
    });
  });

  it('says what uses it', async () => {
    const { user } = open('/data/D0000001', {
      objects: [
        createFakeData(),
        createFakeModel(),
        createFakeWorkflow({ name: 'Reads it' }),
        createFakeWorkflow({ short_id: 'F0000002', name: 'Reads another', data_id: 'D0000002' }),
        createFakeExperiment({ name: 'Read it', input: 'D0000001' }),
      ],
    });
    await user.click(await screen.findByRole('tab', { name: 'Used by' }));
    expect(await screen.findByRole('link', { name: 'Reads it' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Read it' })).toBeTruthy();
    expect(screen.queryByText('Reads another')).toBeNull();
  });

  it('says what uses it, however old, page after page', async () => {
    const others = Array.from({ length: 2100 }, (_, i) =>
      createFakeExperiment({ short_id: `X1${String(i).padStart(6, '0')}`, input: 'D0000002' }),
    );
    const old = createFakeExperiment({ name: 'Read it long ago', input: 'D0000001' });
    const { server, user } = open('/data/D0000001?tab=uses', {
      config: createFakeConfig({ capabilities: [] }),
      objects: [createFakeData(), createFakeWorkflow({ data_id: '' }), ...others, old],
    });
    const next = () => screen.findByRole('button', { name: 'Search the next 1\u202f000' });
    await user.click(await next());
    expect(
      await screen.findByText(
        'None yet. Searched 1 workflow and the newest 2 000 of 2 101 experiments.',
      ),
    ).toBeTruthy();
    server.failNext('listObjects', 'INVALID_PARAMETER', 'No such page.');
    await user.click(await next());
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Read it long ago' })).toBeTruthy();
    expect(screen.getByText('Searched 1 workflow and all 2 101 experiments.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Look through/ })).toBeNull();
  });

  it('is looked up by a server that knows what uses it, in pages', async () => {
    const experiments = Array.from({ length: 120 }, (_, i) =>
      createFakeExperiment({
        short_id: `X1${String(i).padStart(6, '0')}`,
        name: `Run ${i}`,
        input: i < 60 ? 'D0000002' : 'D0000001',
      }),
    );
    const { server, user } = open('/data/D0000001?tab=uses', {
      objects: [createFakeData(), ...experiments],
    });
    expect(await screen.findByText(/^Showing no workflow and the newest 50 of 60/)).toBeTruthy();
    // rows beyond the first window are rendered next
    await waitFor(() => expect(screen.getAllByRole('link', { name: /^Run/ })).toHaveLength(50));
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByRole('link', { name: 'Run 119' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    const asked = server.callsOf('listObjects').filter(({ query }) => query.data_id !== undefined);
    expect(asked.map(({ query }) => [query.object_type, query.data_id, query.page_no])).toEqual([
      ['workflow', ['D0000001'], 1],
      ['experiment', ['D0000001'], 1],
      ['experiment', ['D0000001'], 2],
    ]);
  });

  it('that nothing uses shows a message, and so do its versions if none are kept', async () => {
    const config = createFakeConfig({ capabilities: [] });
    const { server, user } = open('/data/D0000001?tab=versions', { config });
    expect(
      await screen.findByText('This server does not keep earlier versions of data.'),
    ).toBeTruthy();
    expect(server.callsOf('listVersions')).toEqual([]);
    await user.click(screen.getByRole('tab', { name: 'Used by' }));
    expect(await screen.findByText('Nothing uses these data')).toBeTruthy();
  });
});

describe('new data', () => {
  it('come from an address, with any error of the server shown', async () => {
    const { server, user } = open('/data');
    await user.click(await screen.findByRole('button', { name: 'From an address' }));
    fireEvent.change(await screen.findByPlaceholderText('schools.json'), {
      target: { value: 'far.json' },
    });
    fireEvent.change(screen.getByLabelText(/^Address/), {
      target: { value: 'https://example.org/far.json' },
    });
    server.failNext(
      'createObject',
      'INVALID_PARAMETER',
      'Its operator can allow it: --allow-fetch example.org',
    );
    await user.click(screen.getByRole('button', { name: 'Save data' }));
    expect(await screen.findByText(/--allow-fetch example\.org/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save data' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'far.json' })).toBeTruthy();
    expect(payloads(server, 'createObject')[1]).toMatchObject({
      name: 'far.json',
      data_uri: 'https://example.org/far.json',
    });
  });

  it('come from files; one that fails stays in the list with its reason', async () => {
    const { server, user } = open('/data');
    const input = await screen.findByLabelText('Files to upload');
    server.failNext('createObject', 'TOO_LARGE', 'It is too large.');
    const [a, b] = ['a.json', 'b.json'].map((name) => new File(['{}'], name));
    fireEvent.change(input, { target: { files: [a, b] } });
    expect(await screen.findByText('Not uploaded: It is too large.')).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'b.json' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Dismiss a.json' }));
    expect(screen.queryByRole('list', { name: 'Uploads' })).toBeNull();
    expect(payloads(server, 'createObject')[1]).toMatchObject({ data: btoa('{}') });
  });
});

describe('an upload', () => {
  it('shows how much has been sent and can be stopped', async () => {
    let call: Parameters<Client['createObject']>[0] | undefined;
    const client = {
      createObject: (input: NonNullable<typeof call>) =>
        new Promise((_, reject) => {
          call = input;
          input.signal?.addEventListener('abort', () => reject(input.signal?.reason as Error));
        }),
    } as unknown as Client;
    const { result } = renderHook(() => useUploads(async () => undefined), {
      wrapper: ({ children }) => (
        <QueryClientProvider client={new QueryClient()}>
          <ClientContext value={client}>{children}</ClientContext>
        </QueryClientProvider>
      ),
    });
    const file = new File(['12345'], 'a.json');
    act(() => void result.current.start([{ name: 'a.json', file }]));
    await waitFor(() => expect(call).toBeDefined());
    act(() => call?.onUpload?.(30, 100));
    expect(result.current.uploads).toMatchObject([
      { name: 'a.json', state: { kind: 'sending', progress: { sent: 30, total: 100 } } },
    ]);
    act(() => result.current.cancel(result.current.uploads[0].id));
    expect(result.current.uploads).toEqual([]);
    expect(call?.signal?.aborted).toBe(true);
  });
});

describe('a table of ten million rows', () => {
  it('renders what is in view and requests only that', async () => {
    const asked: string[] = [];
    const numRows = 10_000_000;
    const columns = Array.from({ length: 1000 }, (_, i) => `c${i}`);
    render(
      <VirtualTable
        label="Large"
        numRows={numRows}
        columns={columns}
        load={async ([from, to], [left, right]) => {
          asked.push(`${from} ${left}`);
          return Array.from({ length: Math.min(to, numRows) - from }, (_, y) =>
            Array.from({ length: right - left }, (__, x) => `r${from + y} c${left + x}`),
          );
        }}
      />,
    );
    const table = screen.getByRole('table');
    expect(await screen.findByText('r0 c0')).toBeTruthy();
    expect(asked).toEqual(['0 0']);
    expect(table.querySelectorAll('[role=cell]').length).toBeLessThan(400);
    // To the very end, where one pixel represents many rows.
    const top = 8_000_000 - (420 - 28);
    Object.defineProperty(table, 'scrollTop', { value: top, configurable: true });
    fireEvent.scroll(table);
    expect(await screen.findByText('r9999999 c0')).toBeTruthy();
  });
});
