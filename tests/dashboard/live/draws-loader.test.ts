import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import {
  type Available,
  DrawsLoader,
  divergentColumn,
} from '../../../src/dashboard/features/live/draws-loader.ts';
import { DrawsStore } from '../../../src/dashboard/features/live/draws-store.ts';
import { FakeRun, type FakeRunOptions } from '../../support/fake-run.ts';
import { FakeRunServer } from '../../support/fake-run-server.ts';

function loaderOf(options: FakeRunOptions = {}) {
  const run = new FakeRun({ numWarmup: 0, numSamples: 2000, ...options });
  const server = new FakeRunServer({ runs: [run] });
  const client = createClient({ baseUrl: '', token: server.token, fetch: server.fetch });
  const loader = new DrawsLoader(client, run.id, {}, new DrawsStore());
  return { run, server, loader };
}

const ofEach = (others: number): Available => ({ byChain: new Map(), others });
function ofRun(run: FakeRun): Available {
  return {
    byChain: new Map(run.chainNames.map((name, i) => [name, run.iterations[i]])),
    others: 0,
  };
}
const paramsOf = (line: string) => new URL(line.slice(4), 'http://fake.test').searchParams;

describe('the draws loader', () => {
  it('asks for nothing when no plot wants anything', async () => {
    const { run, server, loader } = loaderOf();
    run.advance(100);
    expect(await loader.refresh('sampling', ofRun(run))).toBe(false);
    expect(server.log).toEqual([]);
  });

  it('asks for increments only, and for nothing when nothing is missing', async () => {
    const { run, server, loader } = loaderOf();
    loader.want('mu');
    run.advance(100);
    expect(await loader.refresh('sampling', ofRun(run))).toBe(true);
    expect(await loader.refresh('sampling', ofRun(run))).toBe(false);
    expect(server.log).toHaveLength(1);
    run.advance(50);
    expect(await loader.refresh('sampling', ofRun(run))).toBe(true);
    expect(server.log.map((line) => paramsOf(line).get('from'))).toEqual(['1', '101']);
    expect(paramsOf(server.log[0]).getAll('variable')).toEqual([divergentColumn, 'mu']);
    expect(loader.store.read('mu', 'chain#4', 'sampling')).toEqual(run.draws('mu', 4, 'sampling'));
  });

  it('requests a variable added later from the beginning, and a released one no longer', async () => {
    const { run, server, loader } = loaderOf();
    const release = loader.want('mu');
    run.advance(100);
    await loader.refresh('sampling', ofRun(run));
    loader.want('tau');
    await loader.refresh('sampling', ofRun(run));
    expect(paramsOf(server.log[1]).getAll('variable')).toEqual(['tau']);
    release();
    run.advance(10);
    await loader.refresh('sampling', ofRun(run));
    expect(paramsOf(server.log[2]).getAll('variable')).toEqual([divergentColumn, 'tau']);
  });

  it('does not request a chain that is far ahead again because another is behind', async () => {
    const { run, server, loader } = loaderOf();
    loader.want('mu');
    run.advance(1500, 1);
    await loader.refresh('sampling', ofRun(run));
    run.advance(20);
    await loader.refresh('sampling', ofRun(run));
    const asked = server.log.slice(1).map((line) => ({
      from: paramsOf(line).get('from'),
      chains: paramsOf(line).getAll('chain'),
    }));
    expect(asked).toEqual([
      { from: '1', chains: ['chain#2', 'chain#3', 'chain#4'] },
      { from: '1501', chains: ['chain#1'] },
    ]);
    expect(loader.store.read('mu', 'chain#1', 'sampling')).toHaveLength(1520);
  });

  it('learns that a column does not exist, and stops requesting it', async () => {
    const { run, server, loader } = loaderOf({ withoutSampler: true, status: 'FIN' });
    loader.want('mu');
    await loader.refresh('sampling', ofEach(run.numSamples));
    await loader.refresh('sampling', ofEach(run.numSamples));
    expect(server.log).toHaveLength(1);
    loader.want('tau');
    await loader.refresh('sampling', ofEach(run.numSamples));
    expect(paramsOf(server.log[1]).getAll('variable')).toEqual(['tau']);
  });

  it('never asks for the same draws twice at the same time', async () => {
    const { run, server, loader } = loaderOf();
    loader.want('mu');
    run.advance(10);
    await Promise.all([
      loader.refresh('sampling', ofRun(run)),
      loader.refresh('sampling', ofRun(run)),
    ]);
    expect(server.log).toHaveLength(1);
  });

  it('continues after a failure', async () => {
    const { run, server, loader } = loaderOf();
    loader.want('mu');
    run.advance(10);
    server.trouble = 'broken';
    await expect(loader.refresh('sampling', ofRun(run))).rejects.toMatchObject({ status: 500 });
    server.trouble = null;
    expect(await loader.refresh('sampling', ofRun(run))).toBe(true);
  });

  it('keeps addresses and responses short', async () => {
    const variables = Array.from({ length: 90 }, (_, i) => `theta[${i + 1}]`);
    const { run, server, loader } = loaderOf({ variables, status: 'FIN', numSamples: 10 });
    for (const variable of variables) loader.want(variable);
    await loader.refresh('sampling', ofEach(run.numSamples));
    expect(server.log.map((line) => paramsOf(line).getAll('variable').length)).toEqual([
      40, 40, 11,
    ]);
    const long = loaderOf({ status: 'FIN', numSamples: 1 });
    long.loader.want('mu');
    await long.loader.refresh('sampling', ofEach(1_000_000));
    expect(long.server.log).toHaveLength(2);
  });
});

describe('readers that unsubscribe', () => {
  const manyNames = Array.from({ length: 100 }, (_, i) => `theta[${i + 1}]`);
  /** Holds its answers until released; records each request and whether it was aborted. */
  function held(run: FakeRun, server: FakeRunServer) {
    const asked: { readonly address: string; readonly signal: AbortSignal | null | undefined }[] =
      [];
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push({
        address: input instanceof Request ? input.url : input.toString(),
        signal: init?.signal,
      });
      await Promise.race([
        gate,
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
      ]);
      return server.fetch(input as string, init);
    };
    const client = createClient({ baseUrl: '', token: server.token, fetch });
    return {
      asked,
      open: () => open(),
      loader: new DrawsLoader(client, run.id, {}, new DrawsStore()),
    };
  }

  it('cancel the request in flight and those not yet sent', async () => {
    const { run, server } = loaderOf({ status: 'FIN', variables: ['mu', ...manyNames] });
    const { asked, open, loader } = held(run, server);
    const releases = manyNames.map((name) => loader.want(name));
    const loading = loader.refresh('sampling', ofRun(run));
    await Promise.resolve();
    await Promise.resolve();
    expect(asked).toHaveLength(1);
    for (const release of releases) release();
    expect(await loading).toBe(false);
    expect(asked[0].signal?.aborted).toBe(true);
    expect(asked).toHaveLength(1);
    open();
    loader.want('mu');
    expect(await loader.refresh('sampling', ofRun(run))).toBe(true);
    expect(loader.store.read('theta[1]', 'chain#1', 'sampling')).toHaveLength(0);
  });

  it('cancel nothing if another reader replaces them at once', async () => {
    const { run, server } = loaderOf({ status: 'FIN' });
    const { asked, open, loader } = held(run, server);
    const release = loader.want('mu');
    const loading = loader.refresh('sampling', ofRun(run));
    await Promise.resolve();
    await Promise.resolve();
    release();
    loader.want('mu');
    open();
    expect(await loading).toBe(true);
    expect(asked[0].signal?.aborted).toBe(false);
  });
});
