// Runs in a window.
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Model, TreeNode } from '../../../src/contract/model.ts';
import { installBrowserParts } from '../../support/browser-parts.ts';
import { createFakeModel, createFakeShare } from '../../support/fake-objects.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';
import { renderApp } from '../../support/render-app.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

const program = 'parameters { real x; }\nmodel { x ~ normal(0, 1); }\n';
const text = (name: string, content: string): TreeNode => ({ name, content, encoding: 'text' });
const tree: TreeNode[] = [
  text('README.md', 'real words, no program\n'),
  { name: 'programs', type: 'folder', children: [text('model.stan', program)] },
  { name: 'plot.png', content: 'AAECAwD/', encoding: 'base64' },
  text('empty.txt', ''),
];

function open(model: Partial<Model> = {}, search = '') {
  const objects = [
    createFakeShare({ short_id: 'S0000001' }),
    createFakeModel({ content: { tree }, ...model }),
  ];
  const server = new FakeRunServer({ objects });
  renderApp({ fetch: server.fetch, token: server.token }, `/s/M0000001/S0000001${search}`, {
    signedIn: false,
  });
  installBrowserParts();
}
const file = (path: string) => screen.findByRole('region', { name: path });
const files = () => screen.findByRole('navigation', { name: 'Files' });

describe('a shared model', () => {
  it('opens at the entrance file, with colours and line numbers', async () => {
    open();
    const region = await file('programs/model.stan');
    const [numbers, words] = region.querySelectorAll('pre');
    expect(words.textContent).toBe(program);
    expect(numbers.textContent).toBe('1\n2');
    const painted = [...words.querySelectorAll('[data-role]')].slice(0, 4);
    expect(painted.map((word) => [word.textContent, word.getAttribute('data-role')])).toEqual([
      ['parameters', 'keyword'],
      ['real', 'type'],
      [';', 'operator'],
      ['model', 'keyword'],
    ]);
    expect(within(await files()).getByText('is run')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('shows any other file, and keeps it in the address', async () => {
    open();
    fireEvent.click(within(await files()).getByRole('button', { name: 'README.md' }));
    const region = await file('README.md');
    expect(region.textContent).toContain('real words, no program');
    expect(region.querySelector('[data-role]')).toBeNull();
    expect(window.location.search).toContain('file=README.md');
    fireEvent.click(within(await files()).getByRole('button', { name: 'plot.png' }));
    expect((await file('plot.png')).textContent).toContain('A binary file');
    fireEvent.click(within(await files()).getByRole('button', { name: 'empty.txt' }));
    expect((await file('empty.txt')).textContent).toContain('This file is empty.');
  });

  it('closes and opens folders', async () => {
    open();
    const list = await files();
    const folder = within(list).getByRole('button', { name: 'programs' });
    expect(folder.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(folder);
    expect(within(list).queryByText('model.stan')).toBeNull();
    fireEvent.click(folder);
    expect(within(list).getByText('model.stan')).toBeTruthy();
  });

  it('is opened at the file that its address names', async () => {
    open({}, '?file=README.md');
    await file('README.md');
  });

  it('opens at the entrance file if the address names a missing file', async () => {
    open({}, '?file=gone.stan');
    await file('programs/model.stan');
  });

  it('offers each file and all of them for download', async () => {
    open();
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Download programs/model.stan' }));
    fireEvent.click(screen.getByRole('button', { name: 'Download zip' }));
    await vi.waitFor(() => expect(saved).toEqual(['model.stan', 'A model.zip']));
  });

  it('with one file has no list', async () => {
    open({ content: { tree: [text('model.stan', program)] } });
    await file('model.stan');
    expect(screen.queryByRole('navigation', { name: 'Files' })).toBeNull();
  });

  it('without files shows a message', async () => {
    open({ content: { tree: [] } });
    await screen.findByText('There are no files in this model.');
    expect(screen.queryByRole('button', { name: 'Download zip' })).toBeNull();
  });

  it('leaves very long programs uncoloured', async () => {
    open({ content: { tree: [text('model.stan', program.repeat(3000))] } });
    expect((await file('model.stan')).querySelector('[data-role]')).toBeNull();
  });
});
