// Runs in a window.
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type LiveExperiment,
  useDraws,
  useLiveExperiment,
} from '../../../src/dashboard/features/experiment/run/use-live-experiment.ts';
import { createServices } from '../../../src/dashboard/services.ts';
import { ServicesProvider } from '../../../src/dashboard/services-provider.tsx';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer, type FakeRunServerOptions } from '../../support/fake-run-server.ts';
import { FakeSocket } from '../../support/fake-socket.ts';

let hidden = false;
beforeEach(() => {
  hidden = false;
  FakeSocket.opened = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const access = {};
let shown: { current: LiveExperiment };

/** While set, answers with draws wait for it. */
let held: Promise<void> | null = null;

function watch(run: FakeRun, options: FakeRunServerOptions = {}) {
  const server = new FakeRunServer({ runs: [run], ...options });
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (address.includes('/api/draws')) await held;
    return server.fetch(input, init);
  };
  const services = createServices(fetch);
  services.session.signIn({ server: 'http://fake.test', token: server.token }, false);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServicesProvider services={services}>{children}</ServicesProvider>
  );
  const look = () => {
    const live = useLiveExperiment(run.experiment({}), access);
    useDraws(live, 'mu');
    return live;
  };
  shown = renderHook(look, { wrapper }).result;
  return server;
}

const path = '/mcmc/ws/sub/object/';
const socketTo = async () => {
  await waitFor(() => expect(FakeSocket.to(path)).toHaveLength(1));
  return FakeSocket.to(path)[0];
};
const length = (chain: string) => shown.current.store.read('mu', chain, 'sampling').length;
const subscriptions = (socket: FakeSocket) =>
  socket.sent
    .filter(({ action }) => action === 'subscribe')
    .flatMap(({ data }) => data as { chain: string; phase: string; from: number; variables: [] }[]);

/** Waits until the requests that the page makes on opening are answered. */
async function quiet(server: FakeRunServer): Promise<void> {
  let before = -1;
  await waitFor(() => {
    const now = server.log.length;
    const isSame = now === before;
    before = now;
    expect(isSame).toBe(true);
  });
}

/** What the service pushes when a run has moved on. */
function push(socket: FakeSocket, run: FakeRun, from: number): void {
  const items = run.chainNames.map((chain_name, index) => ({
    chain_name,
    iteration: from,
    data: [...run.draws('mu', index + 1, 'sampling').subarray(from - 1)].map((mu, i) => ({
      mu,
      divergent__: run.draws('divergent__', index + 1, 'sampling')[from - 1 + i],
    })),
  }));
  const { status, n_samples, meta } = run.experiment({});
  act(() => {
    socket.receive('experiment:event', items);
    socket.receive('experiment:status', {
      status,
      n_samples,
      action: meta?.action ?? '',
      progress: meta?.progress,
    });
  });
}

describe('a watched run on a server that pushes', () => {
  it('gets past draws in one request and new ones from the socket, without polling', async () => {
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    const server = watch(run);
    await waitFor(() => expect(length('chain#1')).toBe(20));
    const socket = await socketTo();
    act(() => socket.accept());
    expect(socket.sent[0]).toMatchObject({ action: 'authorization', token: server.token });
    act(() => socket.receive('authorized'));
    await waitFor(() =>
      expect(
        subscriptions(socket)
          .filter(
            ({ phase, variables }) => phase === 'sampling' && variables.includes('mu' as never),
          )
          .map(({ chain, from }) => [chain, from]),
      ).toEqual([
        ['chain#1', 21],
        ['chain#2', 21],
      ]),
    );
    await quiet(server);
    const asked = server.log.length;
    run.advance(30);
    push(socket, run, 21);
    expect(length('chain#1')).toBe(50);
    expect(shown.current.experiment.n_samples).toBe(50);
    await waitFor(() => expect(server.asked('/api/summary').length).toBeGreaterThan(1), {
      timeout: 5000,
    });
    const since = server.log.slice(asked);
    expect(since.filter((line) => !line.includes('/api/summary'))).toEqual([]);
  });

  it('is polled while the socket is down, and loaded completely at its end', async () => {
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    const server = watch(run);
    const socket = await socketTo();
    act(() => socket.accept());
    act(() => socket.receive('authorized'));
    await waitFor(() => expect(length('chain#1')).toBe(20));
    act(() => socket.drop());
    run.advance(10);
    await waitFor(() => expect(length('chain#1')).toBe(30), { timeout: 5000 });
    await waitFor(() => expect(FakeSocket.to(path)).toHaveLength(1), { timeout: 5000 });
    const again = FakeSocket.to(path)[0];
    act(() => again.accept());
    act(() => again.receive('authorized'));
    run.finish();
    act(() => again.receive('experiment:finish'));
    await waitFor(() => expect(shown.current.isLive).toBe(false), { timeout: 5000 });
    await waitFor(() => expect(length('chain#2')).toBe(120));
    expect(shown.current.experiment.status).toBe('FIN');
    await waitFor(() => expect(FakeSocket.to(path)).toEqual([]));
    expect(server.asked('/api/draws').length).toBeGreaterThan(1);
  });

  it('shows its end while draws are still loading, then the last draws and their summary', async () => {
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    const server = watch(run);
    const socket = await socketTo();
    act(() => socket.accept());
    act(() => socket.receive('authorized'));
    await waitFor(() => expect(length('chain#1')).toBe(20));
    await waitFor(() => expect(shown.current.summary).not.toBeNull());
    await quiet(server);
    let release = () => undefined as void;
    held = new Promise((resolve) => {
      release = resolve;
    });
    // A response is still in flight when the run ends.
    run.advance(10);
    act(() => socket.receive('names', [{ chain: 'chain#1', names: ['mu'] }]));
    run.finish();
    act(() => socket.receive('experiment:finish'));
    await waitFor(() => expect(shown.current.experiment.status).toBe('FIN'), { timeout: 5000 });
    expect(length('chain#1')).toBe(20);
    held = null;
    act(release);
    await waitFor(() => expect(length('chain#2')).toBe(120), { timeout: 5000 });
    await waitFor(() => expect(shown.current.summary?.n_samples).toBe(120), { timeout: 5000 });
  });

  it('has the time of its last update', async () => {
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    const before = Date.now();
    watch(run);
    await waitFor(() => expect(shown.current.freshness.at).toBeGreaterThanOrEqual(before));
  });

  it('shows its end at once, even with progress in the same message', async () => {
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    const server = watch(run);
    const socket = await socketTo();
    act(() => socket.accept());
    act(() => socket.receive('authorized'));
    await waitFor(() => expect(length('chain#1')).toBe(20));
    await quiet(server);
    // the last answer was long ago, so that news is acted on immediately
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    run.advance(30);
    push(socket, run, 21);
    run.finish();
    act(() => socket.receive('experiment:finish'));
    await waitFor(() => expect(shown.current.experiment.status).toBe('FIN'), { timeout: 5000 });
  });

  it('closes the socket of a hidden tab and asks nothing there', async () => {
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    const server = watch(run);
    const socket = await socketTo();
    act(() => socket.accept());
    await waitFor(() => expect(length('chain#1')).toBe(20));
    hidden = true;
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(FakeSocket.to(path)).toEqual([]);
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
    const asked = server.log.length;
    run.advance(10);
    hidden = false;
    act(() => {
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await waitFor(() => expect(length('chain#1')).toBe(30), { timeout: 5000 });
    expect(server.log.length).toBeGreaterThan(asked);
    await socketTo();
  });
});

describe('a watched run that has ended, or on another server', () => {
  it('opens no socket', async () => {
    const config = { capabilities: ['draws', 'summary'] } as never;
    const run = new FakeRun({ numChains: 2 });
    run.advance(60);
    watch(run, { config });
    await waitFor(() => expect(length('chain#1')).toBe(20));
    cleanup();
    watch(new FakeRun({ numChains: 2, status: 'FIN' }));
    await waitFor(() => expect(length('chain#1')).toBe(120));
    expect(FakeSocket.opened).toEqual([]);
  });
});
