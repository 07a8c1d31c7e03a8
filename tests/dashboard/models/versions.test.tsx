// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  changeSize,
  compareContents,
} from '../../../src/dashboard/features/models/model-versions.ts';
import { createFakeConfig, createFakeModel, createFakeShare } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

// The editor itself is Monaco, which happy-dom cannot lay out: only its props are checked.
vi.mock('../../../src/dashboard/editor/lazy-editor.ts', () => ({
  CodeEditor: () => null,
  DiffView: ({ theirs, mine }: { theirs: string; mine: string }) => (
    <p>{`diff from ${theirs} to ${mine}`}</p>
  ),
  ReadView: ({ text }: { text: string }) => <p>{`read ${text}`}</p>,
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

const file = (name: string, content: string) => ({
  name,
  type: 'file' as const,
  content,
  encoding: 'text' as const,
});
const content = (program: string, notes: string) => ({
  meta: { entrance_file: 'main.stan' },
  tree: [file('main.stan', program), file('notes.md', notes)],
});
const at = (version: number, program: string) =>
  createFakeModel({ version, content: content(program, 'notes') });

function open(
  address = '/models/M0000001?tab=versions',
  options: { capabilities?: string[]; shares?: ReturnType<typeof createFakeShare>[] } = {},
) {
  const server = new FakeServer({
    objects: [at(3, 'three'), ...(options.shares ?? [])],
    versions: { M0000001: [at(1, 'one'), at(2, 'two')] },
    ...(options.capabilities === undefined
      ? {}
      : { config: createFakeConfig({ capabilities: options.capabilities }) }),
  });
  return { server, ...renderApp(server, address) };
}

describe('versions of a model', () => {
  it('are listed with the size of their change; the newest is compared with the one before', async () => {
    open();
    const list = await screen.findByRole('navigation', { name: 'Versions' });
    expect(within(list).getAllByRole('button')).toHaveLength(3);
    expect(await within(list).findAllByText('1 file, +1 −1 lines')).toHaveLength(2);
    expect(within(list).getByText('the first')).toBeTruthy();
    expect(await screen.findByText('diff from two to three')).toBeTruthy();
    // Unchanged files can be read too.
    const files = screen.getByRole('navigation', { name: 'Files of this version' });
    within(files)
      .getByRole('button', { name: /notes\.md/ })
      .click();
    expect(await screen.findByText('read notes')).toBeTruthy();
  });

  it('are compared with any other, with the files as they are, or only read', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^v1/ }));
    const select = await screen.findByLabelText('Compare with');
    // The first has no predecessor, so it is compared with the current files.
    expect(await screen.findByText('diff from one to three')).toBeTruthy();
    await user.selectOptions(select, '2');
    expect(await screen.findByText('diff from two to one')).toBeTruthy();
    await user.selectOptions(select, 'none');
    expect(await screen.findByText('read one')).toBeTruthy();
    expect(window.location.search).toContain('against=none');
  });

  it('are restored as the newest, with undo', async () => {
    const { server, user } = open();
    await user.click(await screen.findByRole('button', { name: /^v1/ }));
    await user.click(await screen.findByRole('button', { name: 'Restore as new version' }));
    expect(await screen.findByRole('button', { name: /^v4, the newest/ })).toBeTruthy();
    expect(server.callsOf('updateObject')[0].body).toEqual({
      payload: { object_type: 'model', content: content('one', 'notes'), base_version: 3 },
    });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: /^v5, the newest/ })).toBeTruthy();
    expect(server.objects.get('M0000001')).toMatchObject({ content: content('three', 'notes') });
  });

  it('say why one was not restored', async () => {
    const { server, user } = open();
    await user.click(await screen.findByRole('button', { name: /^v1/ }));
    server.failNext('updateObject', 'CONFLICT', 'It was changed since.');
    await user.click(await screen.findByRole('button', { name: 'Restore as new version' }));
    expect(await screen.findByText('Not restored: It was changed since.')).toBeTruthy();
  });

  it('include what was frozen in shares', async () => {
    const share = createFakeShare({ experiment_id: 'M0000001', to_user: 'bob(@2)' });
    const { server, user } = open(undefined, { shares: [share] });
    await user.click(await screen.findByRole('button', { name: /Shared with bob/ }));
    await waitFor(() =>
      expect(server.callsOf('viewObject').map(({ query }) => query.share_id)).toContain('S0000001'),
    );
  });

  it('that cannot be listed do not break the rest of the page', async () => {
    const { server } = open('/models/M0000001?tab=info');
    server.failNext('listVersions', 'INVALID_PARAMETER', 'Not now.');
    (await screen.findByRole('tab', { name: 'Versions' })).click();
    expect(await screen.findByText(/Not now\./)).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1, name: 'A model' })).toBeTruthy();
  });

  it('are replaced by one line if the server keeps none', async () => {
    const { server } = open(undefined, { capabilities: [] });
    expect(
      await screen.findByText('This server does not keep earlier versions of a model.'),
    ).toBeTruthy();
    expect(server.callsOf('listVersions')).toEqual([]);
  });
});

describe('the size of a change', () => {
  it('is counted in files and lines, or in files alone if they are binary', () => {
    const size = (before: string, after: string) =>
      changeSize(compareContents({ tree: [file('a', before)] }, { tree: [file('a', after)] }));
    expect(size('x\ny\n', 'x\nz\nw\n')).toBe('1 file, +2 −1 lines');
    expect(size('x\n', 'x\ny\n')).toBe('1 file, +1 −0 line');
    expect(size('x', 'x')).toBe('no file changed');
    const binary = (bytes: string) => ({
      tree: [
        { name: 'b', type: 'file' as const, content: btoa(bytes), encoding: 'base64' as const },
      ],
    });
    expect(changeSize(compareContents(binary('\x00\x01'), binary('\x00\x02')))).toBe('1 file');
    expect(changeSize(compareContents({ tree: [] }, { tree: [file('a', 'x\ny')] }))).toBe(
      '1 file, +2 −0 lines',
    );
  });
});
