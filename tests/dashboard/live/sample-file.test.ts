// Runs in a window.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import { DrawsStore } from '../../../src/dashboard/features/live/draws-store.ts';
import { fileAddress } from '../../../src/dashboard/features/live/sample-address.ts';
import {
  isSampleFileDue,
  type LastLoad,
  SampleFileLoader,
} from '../../../src/dashboard/features/live/sample-file.ts';
import { FakeRun } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const last: LastLoad = { numSamples: 1000, at: 50_000, durationMs: 500, ended: false };

describe('the file of draws is due', () => {
  it.each([
    ['at first, once there are draws', null, { numSamples: 1, at: 0, ended: false }, true],
    ['not without draws', null, { numSamples: 0, at: 0, ended: true }, false],
    ['not too soon', last, { numSamples: 5000, at: 59_999, ended: false }, false],
    [
      'with a fifth more after ten seconds',
      last,
      { numSamples: 1200, at: 60_000, ended: false },
      true,
    ],
    ['not with less', last, { numSamples: 1199, at: 90_000, ended: false }, false],
    ['at the end, at once', last, { numSamples: 1001, at: 50_001, ended: true }, true],
    [
      'once at the end',
      { ...last, ended: true },
      { numSamples: 1000, at: 99_000, ended: true },
      false,
    ],
    [
      'later after a slow load',
      { ...last, durationMs: 5000 },
      { numSamples: 2000, at: 69_999, ended: false },
      false,
    ],
    [
      'after four times a slow load',
      { ...last, durationMs: 5000 },
      { numSamples: 2000, at: 70_000, ended: false },
      true,
    ],
  ] as const)('%s', (_, before, now, due) => {
    expect(isSampleFileDue(before, now)).toBe(due);
  });
});

describe('an address of a file', () => {
  it.each(['javascript:alert(1)', 'data:text/csv,1', 'file:///etc/passwd', 'http://[bad'])(
    'is refused when it is %s',
    (address) => expect(() => fileAddress(address)).toThrow('not a web address'),
  );
  it('may be relative to the page', () => {
    expect(fileAddress('/files/a.csv')).toBe(`${window.location.origin}/files/a.csv`);
  });
});

describe('loading the file', () => {
  function setUp(filesTake = 0) {
    const run = new FakeRun({ status: 'FIN', divergent: [[2, 5]] });
    const server = new FakeRunServer({ runs: [run], documented: true, filesTake });
    vi.stubGlobal('fetch', server.fetch);
    const client = createClient({ token: server.token, fetch: server.fetch });
    const store = new DrawsStore();
    return { run, server, store, loader: new SampleFileLoader(client, run.id, {}, store) };
  }
  const state = { numSamples: 120, ended: true, maxTreedepth: 10 };

  it('fills the store and returns the summary that the server would return', async () => {
    const { run, store, loader } = setUp();
    expect(loader.isDue(state)).toBe(true);
    const summary = await loader.load(state);
    expect(loader.isDue(state)).toBe(false);
    for (const variable of ['mu', 'theta[2]', 'divergent__']) {
      expect(store.read(variable, 'chain#3', 'sampling')).toEqual(
        run.draws(variable, 3, 'sampling'),
      );
    }
    const { variables, verdict, n_samples } = run.summary();
    expect(summary).toMatchObject({ n_samples, n_chains: 4, verdict });
    expect(summary.variables).toEqual(variables);
    expect(summary.verdict.divergences).toBe(1);
  });

  it('polls each second while the server builds it, but not in a hidden tab', async () => {
    vi.useFakeTimers();
    const { server, loader } = setUp(2);
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
    const loading = loader.load(state);
    await vi.advanceTimersByTimeAsync(0);
    hidden.mockReturnValue(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.asked('sampledata=true')).toHaveLength(1);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.asked('sampledata=true')).toHaveLength(3);
    await expect(loading).resolves.toMatchObject({ n_samples: 120 });
    hidden.mockRestore();
  });

  it('stops waiting when the page is closed', async () => {
    const { loader } = setUp(1000);
    const controller = new AbortController();
    const loading = loader.load(state, controller.signal);
    setTimeout(() => controller.abort(), 0);
    await expect(loading).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('says which line of a file is not a draw', async () => {
    const { loader } = setUp();
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response('chain#1,mu,1\nchain#1,mu,blue\nchain#1,mu,2\n')),
    );
    await expect(loader.load(state)).rejects.toMatchObject({
      kind: 'schema',
      message: 'The file of draws could not be read: line 2: "blue" is not a number',
    });
  });
});
