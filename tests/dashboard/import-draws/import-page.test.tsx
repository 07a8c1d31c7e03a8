// Runs in a window.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createFakeConfig } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

const stan = '# method = sample\nlp__,accept_stat__,mu\n-1,0.9,2\n';
const turing = 'iteration,chain,mu\n1,1,2.5\n';

/** The launch form checks programs in a worker, which is not asked here. */
class SilentWorker {
  postMessage(): void {}
  terminate(): void {}
}

function open(config = createFakeConfig()) {
  const server = new FakeServer({ config });
  return { server, ...renderApp(server, '/experiments/new?way=import') };
}
const input = () => screen.findByLabelText('Draws files', { selector: 'input' });
const fileOf = (name: string, content: string | Uint8Array) =>
  new File([content as BlobPart], name);
const button = (name: string) => screen.getByRole('button', { name });

describe('importing draws', () => {
  it('is the second option on the page for a new experiment', async () => {
    vi.stubGlobal('Worker', SilentWorker);
    const { user } = renderApp(new FakeServer(), '/experiments/new');
    await user.click(await screen.findByRole('tab', { name: 'Import finished draws' }));
    expect(await screen.findByRole('region', { name: 'Files' })).toBeTruthy();
    expect(window.location.search).toContain('way=import');
  });

  it('sends the chains of one run with their kind and names, and opens the experiment', async () => {
    const { server, user } = open();
    await user.upload(await input(), [fileOf('run_1.csv', stan), fileOf('run_2.csv', stan)]);
    const list = await screen.findByRole('list', { name: 'Chosen files' });
    expect(within(list).getAllByText(/Stan CSV/)).toHaveLength(2);
    await user.click(button('Import'));
    await waitFor(() => expect(window.location.pathname).toMatch(/^\/experiments\/X/));
    expect(server.callsOf('createObject')[0].body).toMatchObject({
      payload: {
        object_type: 'experiment',
        name: 'run',
        data_file_type: 'stan csv',
        data_files: [stan, stan],
        meta: { file_names: ['run_1.csv', 'run_2.csv'] },
      },
    });
  });

  it('sends netCDF as base64, and addresses as they are', async () => {
    const { server, user } = open();
    const bytes = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);
    await user.upload(await input(), fileOf('a.nc', bytes));
    await user.type(screen.getByLabelText('Addresses'), 'https://example.org/b.nc');
    await user.click(button('Import'));
    await waitFor(() => expect(server.callsOf('createObject')).toHaveLength(1));
    expect(server.callsOf('createObject')[0].body).toMatchObject({
      payload: {
        data_file_type: 'arviz netcdf',
        data_files: ['iUhERg0KGgo='],
        data_uris: ['https://example.org/b.nc'],
      },
    });
  });

  it('accepts dropped files, names a limit they exceed, and allows one to be left out', async () => {
    const { user } = open(
      createFakeConfig({ max_upload_sample_file: 1, max_upload_sample_size: 1000 }),
    );
    const files = [fileOf('a.csv', stan), fileOf('b.csv', turing)];
    const drop = (await input()).parentElement as HTMLElement;
    fireEvent.drop(drop, { dataTransfer: { files } });
    expect(
      await screen.findByText('You chose 2 files; this server accepts at most 1.'),
    ).toBeTruthy();
    expect(button('Import')).toHaveProperty('disabled', true);
    await user.click(button('Leave out b.csv'));
    expect(button('Import')).toHaveProperty('disabled', false);
    await user.upload(await input(), fileOf('empty.csv', ''));
    expect(await screen.findByText('The file is empty.')).toBeTruthy();
  });

  it('rejects files of different formats, and more than the server accepts', async () => {
    const { user } = open(createFakeConfig({ max_upload_sample_size: 100 }));
    await user.upload(await input(), [fileOf('a.csv', stan), fileOf('b.csv', turing)]);
    expect(await screen.findByText(/have different formats/)).toBeTruthy();
    await user.click(button('Leave out b.csv'));
    await user.upload(await input(), fileOf('c.csv', stan.repeat(3)));
    expect(await screen.findByText(/this server accepts at most 100 B/)).toBeTruthy();
  });

  it('shows an error of the server at the file it names', async () => {
    const { server, user } = open();
    server.failNext('createObject', 'INVALID_PARAMETER', 'b.csv: line 3: "x" is not a number.');
    await user.upload(await input(), [fileOf('a.csv', stan), fileOf('b.csv', stan)]);
    await user.click(await screen.findByRole('button', { name: 'Import' }));
    const alert = await screen.findByRole('alert');
    expect(alert.closest('li')?.textContent).toContain('b.csv');
    expect(alert.textContent).toContain('line 3: "x" is not a number.');
    expect(button('Import')).toHaveProperty('disabled', false);
  });
});
