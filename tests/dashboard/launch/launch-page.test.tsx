// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileChanges } from '../../../src/dashboard/editor/stan-protocol.ts';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import type { AnswerMessage, QuestionMessage } from '../../../src/dashboard/threads/call-worker.ts';
import {
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeWorkflow,
} from '../../support/fake-objects.ts';
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

const program =
  'data { int<lower=0> J; vector<lower=0>[J] sigma; } parameters { real mu; } model { mu ~ normal(0, 1); }';
const content = {
  meta: { entrance_file: 'main.stan' },
  tree: [{ name: 'main.stan', type: 'file' as const, content: program, encoding: 'text' as const }],
};

function open(address = '/experiments/new?model=M0000001') {
  const server = new FakeServer({
    objects: [
      createFakeModel({ name: 'Growth', version: 3, content }),
      createFakeData({ name: 'good.json', path: '/files/good.json' }),
      createFakeData({ short_id: 'D0000002', name: 'bad.json', path: '/files/bad.json' }),
      createFakeWorkflow({ settings: 'sampling:\n  adapt_delta: 0.95\n' }),
      createFakeExperiment({ meta: { settings: { num_chains: 2, num_samples: 500, seed: 5 } } }),
    ],
    files: {
      '/files/good.json': '{"J": 2, "sigma": [1, 2]}',
      '/files/bad.json': '{"J": 2, "sigma": [1, -9]}',
    },
  });
  return { server, ...renderApp(server, address) };
}

const run = () => screen.getByRole('button', { name: 'Run' });

describe('a launch', () => {
  it('starts from what the model was set up with, checks the data, and runs', async () => {
    const { server, user } = open();
    expect(await screen.findByText('2 numbers, 1 to 2')).toBeTruthy();
    expect(screen.getByText('vector[2], at least 0')).toBeTruthy();
    expect(screen.getByLabelText('Target acceptance')).toHaveProperty('value', '0.95');
    await waitFor(() => expect(run()).toHaveProperty('disabled', false));
    await user.click(run());
    await waitFor(() => expect(server.callsOf('invoke')).toHaveLength(1));
    expect(server.callsOf('updateObject')[0].body).toMatchObject({
      payload: { object_type: 'workflow', data_id: 'D0000001' },
    });
    await waitFor(() => expect(window.location.pathname).toMatch(/^\/experiments\/Xnew/));
  });

  it('cannot run on data that do not fit, and says which entry', async () => {
    open('/experiments/new?model=M0000001&data=D0000002');
    expect(await screen.findByText('Entry 2 is −9: must be 0 or more')).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
    expect(document.getElementById('launch-reason')?.textContent).toContain(
      'Cannot run: sigma[2] is −9, the program wants 0 or more.',
    );
    expect(screen.getByRole('link', { name: 'Open the data' })).toHaveProperty(
      'pathname',
      '/data/D0000002',
    );
  });

  it('shows what the server refuses at the field', async () => {
    const { server, user } = open();
    server.failNext('invoke', 'INVALID_PARAMETER', 'sampling.seed must be smaller');
    await waitFor(() => expect(run()).toHaveProperty('disabled', false), { timeout: 3000 });
    await user.click(run());
    expect(await screen.findByText('seed must be smaller')).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Seed'), '3');
    expect(run()).toHaveProperty('disabled', false);
  });

  it('offers the values of the last run, without its seed', async () => {
    const { user } = open();
    await user.click(
      await screen.findByRole('button', { name: 'Use the last settings for this model' }),
    );
    expect(screen.getByLabelText('Chains')).toHaveProperty('value', '2');
    expect(screen.getByLabelText('Seed')).toHaveProperty('value', '');
    expect(screen.getByText('2 × 1 500')).toBeTruthy();
  });

  it('asks for a model first', async () => {
    open('/experiments/new');
    expect(await screen.findByText(/choose a model first/)).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
  });
});
