// Runs in a window.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileChanges } from '../../../src/dashboard/editor/stan-protocol.ts';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import type { AnswerMessage, QuestionMessage } from '../../../src/dashboard/threads/call-worker.ts';
import { createFakeExperiment, createFakeModel } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

/** The worker's own work, done in place. */
class WorkerInPlace {
  onmessage: ((event: { data: AnswerMessage }) => void) | null = null;
  onerror = null;
  private readonly workspace = new StanWorkspace();

  postMessage({ id, name, ask }: QuestionMessage): void {
    const answer = (given: unknown) =>
      queueMicrotask(() => this.onmessage?.({ data: { id, ok: true, answer: given } }));
    if (name === 'files') {
      this.workspace.setFiles(ask as FileChanges);
      answer(this.workspace.problems());
    } else answer(this.workspace.answer(name as 'data', ask as { text: string; fmt: string }));
  }
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', WorkerInPlace);
});

const good = 'parameters { real mu; } model { mu ~ normal(0, 1); }';

async function open(program: string, tab = '') {
  const tree = [
    { name: 'main.stan', type: 'file' as const, content: program, encoding: 'text' as const },
  ];
  const content = { meta: { entrance_file: 'main.stan' }, tree };
  const server = new FakeServer({
    objects: [
      createFakeModel({ name: 'Growth', version: 3, content }),
      createFakeExperiment({ short_id: 'X0000009' }),
    ],
  });
  const rendered = renderApp(server, `/models/M0000001${tab}`);
  await screen.findByRole('heading', { level: 1, name: 'Growth' });
  return { server, ...rendered };
}
/** Also found on a hidden tab, where it has no accessible name. */
const runButton = () => document.querySelector('[aria-keyshortcuts]');
const numStarted = (server: FakeServer) => server.callsOf('createObject').length;

describe('Ctrl+Enter beside a model’s files', () => {
  it.each(['Control', 'Meta'])('starts the run as the button does, with %s', async (key) => {
    const { server, user } = await open(good);
    const panel = within(await screen.findByRole('region', { name: 'Run' }));
    const button = panel.getByRole('button', { name: 'Run' });
    await waitFor(() => expect(button).toHaveProperty('disabled', false));
    expect(button.getAttribute('aria-keyshortcuts')).toBe('Control+Enter Meta+Enter');
    await user.keyboard(`{${key}>}{Enter}{/${key}}`);
    await waitFor(() => expect(numStarted(server)).toBeGreaterThan(0));
    expect(server.callsOf('createObject')[0].body).toMatchObject({
      payload: { model_id: 'M0000001' },
    });
  });

  it('shows why the model cannot run', async () => {
    const { server, user } = await open('data { int J; } parameters { real mu; } model { }');
    await screen.findByText(/choose data first/);
    await user.keyboard('{Control>}{Enter}{/Control}');
    const toast = await screen.findByText('Cannot run: choose data first. The program reads J.');
    expect(toast.closest('[role="status"]')).not.toBeNull();
    expect(numStarted(server)).toBe(0);
  });

  it('names the line of an error', async () => {
    const { user } = await open('parameters { real mu; }\nmodel { mu ~ normal(0, nu); }');
    await screen.findByText(/has an error/);
    const file = await screen.findByRole('treeitem', { name: /main\.stan/ });
    await waitFor(() => expect(file.textContent).toMatch(/1 error$/));
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText(/^Cannot run: line 2 has an error\. /)).toBeTruthy();
  });

  it('has an equivalent action in the palette', async () => {
    const { server, user } = await open(good);
    await waitFor(() => expect(runButton()).toHaveProperty('disabled', false));
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'run this');
    // the page has a list of samplers too
    const palette = within(screen.getByRole('dialog'));
    const options = await palette.findAllByRole('option');
    expect(options[0].textContent).toContain('Run this model');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(numStarted(server)).toBeGreaterThan(0));
  });

  it('does nothing on the other tabs of the model', async () => {
    const { server, user } = await open(good, '?tab=info');
    await waitFor(() => expect(runButton()).toHaveProperty('disabled', false));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Search or jump to' }), 'run this');
    await screen.findByText('No matches for “run this”.');
    expect(numStarted(server)).toBe(0);
  });
});
