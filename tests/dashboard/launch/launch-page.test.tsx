// Runs in a window.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { FileChanges } from '../../../src/dashboard/editor/stan-protocol.ts';
import { StanWorkspace } from '../../../src/dashboard/editor/stan-workspace.ts';
import {
  createMappingAnswers,
  type GivenFile,
} from '../../../src/dashboard/features/mapper/mapping-answers.ts';
import type { AnswerMessage, QuestionMessage } from '../../../src/dashboard/threads/call-worker.ts';
import {
  createFakeData,
  createFakeExperiment,
  createFakeModel,
  createFakeWorkflow,
} from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { renderApp } from '../../support/render-app.tsx';

/** The work of both workers, done in place. */
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
    } else if (name === 'identify') {
      void Promise.resolve(createMappingAnswers().identify(ask as GivenFile)).then(answer);
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

function makeServer() {
  return new FakeServer({
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
}

function open(address = '/experiments/new?model=M0000001') {
  const server = makeServer();
  return { server, ...renderApp(server, address) };
}

/** The list of workflows, which has the last settings, is answered when the test says so. */
function openSlowly() {
  const server = makeServer();
  let resolve: (code: ErrorCode | null) => void = () => undefined;
  const promise = new Promise<ErrorCode | null>((settle) => {
    resolve = settle;
  });
  const fetch: typeof server.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.includes('object_type=workflow')) return server.fetch(input, init);
    const code = await promise;
    if (code !== null) server.failNext('listObjects', code);
    return server.fetch(input, init);
  };
  const app = renderApp({ fetch, token: server.token }, '/experiments/new?model=M0000001');
  return { server, ...app, answerOrigin: (code: ErrorCode | null = null) => resolve(code) };
}

const run = () => screen.getByRole('button', { name: 'Run' });

it('the launch page shows no form before it is known whether a model exists', async () => {
  const server = new FakeServer({ objects: [] });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const fetch: typeof server.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.includes('object_type=model')) await held;
    return server.fetch(input, init);
  };
  renderApp({ fetch, token: server.token }, '/experiments/new');
  await screen.findByRole('tab', { name: 'Run a model' });
  await screen.findByLabelText('Loading');
  expect(screen.queryByRole('button', { name: /^Run/ })).toBeNull();
  answer();
  await screen.findByText('There is no model to run yet');
  expect(screen.queryByLabelText('Loading')).toBeNull();
});

describe('a launch', () => {
  it('starts with the earlier setup of the model, checks the data, and runs', async () => {
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

  it('cannot run with data that do not fit, and names the entry', async () => {
    open('/experiments/new?model=M0000001&data=D0000002');
    expect(await screen.findByText('Entry 2 is −9: must be 0 or more')).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
    expect(document.getElementById('launch-reason')?.textContent).toContain(
      'Cannot run: sigma[2] is −9, the program expects 0 or more.',
    );
    expect(screen.getByRole('link', { name: 'Open the data' })).toHaveProperty(
      'pathname',
      '/data/D0000002',
    );
  });

  it('shows an error of the server at the field', async () => {
    const { server, user } = open();
    server.failNext('invoke', 'INVALID_PARAMETER', 'sampling.seed must be smaller');
    await waitFor(() => expect(run()).toHaveProperty('disabled', false), { timeout: 3000 });
    await user.click(run());
    expect(await screen.findByText('seed must be smaller')).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Seed'), '3');
    expect(run()).toHaveProperty('disabled', false);
  });

  it('counts warmup iterations once if chains share the warmup', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: /^Advanced/ }));
    const iterations = async () =>
      (await screen.findByText('Iterations')).parentElement?.textContent;
    const warmups = screen.getByRole('textbox', { name: 'Chains that warm up' });
    await user.type(warmups, '3');
    await waitFor(async () => expect(await iterations()).toMatch(/3 × 1\s000 \+ 4 × 1\s000$/));
    await user.clear(warmups);
    await waitFor(async () => expect(await iterations()).toMatch(/4 × 2\s000$/));
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

  it('disables the settings with a message until those of the last run are loaded', async () => {
    const { server, user, answerOrigin } = openSlowly();
    expect(await screen.findByText('Reading the last settings…')).toBeTruthy();
    expect(screen.getByLabelText('Target acceptance')).toHaveProperty('disabled', true);
    expect(run()).toHaveProperty('disabled', true);
    answerOrigin();
    const field = screen.getByLabelText('Target acceptance');
    await waitFor(() => expect(field).toHaveProperty('value', '0.95'));
    expect(field).toHaveProperty('disabled', false);
    expect(screen.queryByText(/Reading the last settings/)).toBeNull();
    await user.clear(field);
    await user.type(field, '0.8');
    await waitFor(() => expect(run()).toHaveProperty('disabled', false));
    await user.click(run());
    await waitFor(() => expect(server.callsOf('invoke')).toHaveLength(1));
    const [{ body }] = server.callsOf('updateObject');
    const { settings } = (body as { payload: { settings: string } }).payload;
    expect(parse(settings)).toMatchObject({ sampling: { adapt_delta: 0.8 } });
  });

  it('starts with the defaults, and a message, if the last settings cannot be read', async () => {
    const { answerOrigin } = openSlowly();
    await screen.findByText('Reading the last settings…');
    answerOrigin('INTERNAL');
    expect(
      await screen.findByText('The last settings could not be read. These are the defaults.'),
    ).toBeTruthy();
    expect(screen.getByLabelText('Target acceptance')).toMatchObject({
      value: '0.8',
      disabled: false,
    });
  });

  it('of a model that never ran takes the data file stored beside its program', async () => {
    const tree = [
      ...content.tree,
      { name: 'main.data.json', type: 'file' as const, content: '{"J": 2, "sigma": [3, 4]}' },
      { name: 'inits.json', type: 'file' as const, content: '{"mu": 0}' },
    ].map((file) => ({ ...file, encoding: 'text' as const }));
    const server = new FakeServer({
      objects: [createFakeModel({ name: 'Growth', content: { ...content, tree } })],
    });
    const { user } = renderApp(server, '/experiments/new?model=M0000001');
    expect(await screen.findByDisplayValue('main.data.json (in this model)')).toBeTruthy();
    expect(await screen.findByText('2 numbers, 3 to 4')).toBeTruthy();
    await user.click(run());
    await waitFor(() => expect(server.callsOf('invoke')).toHaveLength(1));
    expect(server.callsOf('createObject').map(({ body }) => body)).toMatchObject([
      {
        payload: { object_type: 'data', name: 'main.data.json', data: '{"J": 2, "sigma": [3, 4]}' },
      },
      { payload: { object_type: 'workflow', model_id: 'M0000001' } },
    ]);
  });

  it('of a run whose data were deleted waits for other data', async () => {
    open('/experiments/new?model=M0000001&data=D0000009&again=X0000001');
    const sentence = 'The data of this run were deleted. Choose other data.';
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
    expect(document.getElementById('launch-reason')?.textContent).toContain(
      'Cannot run: the data of this run were deleted. Choose other data.',
    );
    expect(screen.queryByRole('link', { name: 'Open the data' })).toBeNull();
    expect(screen.queryByText(/Nothing is lost|could not be loaded|server checks them/)).toBeNull();
  });

  it.each([
    { way: 'is gone', model: 'M0000009', again: {} },
    { way: 'is no longer named by the run', model: '', again: { model_id: '' } },
  ])('of a run whose model $way waits for another model', async ({ model, again }) => {
    const server = makeServer();
    server.objects.set('X0000001', createFakeExperiment(again));
    renderApp(server, `/experiments/new?model=${model}&data=none&again=X0000001`);
    const sentence = 'The model of this run was deleted. Choose another model.';
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
    expect(document.getElementById('launch-reason')?.textContent).toContain(
      'Cannot run: the model of this run was deleted. Choose another model.',
    );
    expect(screen.queryByText(/Nothing is lost|could not be loaded|model first/)).toBeNull();
  });

  it('takes pasted text at once after *paste data*', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'paste data' }));
    const text = await screen.findByRole('textbox', { name: 'Text' });
    await user.paste('{"J": 1, "sigma": [1]}');
    expect(text).toHaveProperty('value', '{"J": 1, "sigma": [1]}');
  });

  it('asks for a model first', async () => {
    open('/experiments/new');
    expect(await screen.findByText(/choose a model first/)).toBeTruthy();
    expect(run()).toHaveProperty('disabled', true);
  });
});
