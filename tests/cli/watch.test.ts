/** `ergodic watch` against a service: files that grow, pause, start over; a network that goes down. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLink, GaveUp } from '../../src/cli/watch-link.ts';
import { type WatchEnd, type WatchRequest, watchRun } from '../../src/cli/watch-loop.ts';
import { createClient } from '../../src/client/create-client.ts';
import { expectKind } from '../../src/client/expect-kind.ts';
import type { Experiment } from '../../src/contract/experiment.ts';
import { readStanCsv } from '../support/read-csv.ts';
import { drawsOf, finalise, valuesOnly } from '../support/runner-service.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';
import { bernoulli, MemoryFiles, steppedClock } from './watched-files.ts';

let service: TestService;
let ada: Person;
beforeAll(async () => {
  service = await createTestService({
    makeClient: (port, token) =>
      createClient({
        baseUrl: `http://127.0.0.1:${port()}`,
        token,
        fetch: (...call) => fetch(...call),
      }),
  });
});
afterAll(() => service.close());

interface Watching {
  readonly files: MemoryFiles;
  readonly steps?: (() => unknown)[];
  readonly request?: Partial<WatchRequest>;
  readonly stop?: AbortController;
  readonly fetch?: typeof fetch;
}

interface Watched {
  readonly end: WatchEnd;
  readonly said: string[];
  readonly id: string;
}

/** Each test has its own person, since a watch searches their experiments. */
async function newPerson(): Promise<void> {
  ada = await service.addPerson(`ada${Math.random().toString(36).slice(2)}`);
}

async function watch({
  files,
  steps = [],
  request = {},
  stop = new AbortController(),
  fetch: ownFetch = fetch,
}: Watching): Promise<Watched> {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const finaliseAll = async () => {
    const { objects } = await ada.client.listObjects({ query: { object_type: 'experiment' } });
    for (const entry of objects)
      if (entry.object_type === 'experiment' && entry.meta?.run_info !== undefined)
        await finalise(service, entry.short_id);
  };
  const clock = steppedClock(steps, finaliseAll);
  const { address } = service.app.server.address() as { address: string };
  expect(address).toBeTruthy();
  const { port } = service.app.server.address() as { port: number };
  const server = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl: server, token: ada.token, fetch: ownFetch });
  const { signal } = stop;
  const link = createLink({ server, clock, signal, say });
  const end = await watchRun(
    { client, source: files, clock, link, signal, say },
    {
      target: { folder: '/run', files: [], onlyNew: false },
      name: '',
      once: false,
      chains: null,
      everyMs: 1000,
      idleMs: null,
      addressOf: (id) => `${server}/experiments/${id}`,
      program: async () => ({ modelId: '', dataId: '' }),
      ...request,
    },
  );
  return { end, said, id: end.experiment?.short_id ?? '' };
}

const viewOf = async (id: string): Promise<Experiment> =>
  expectKind(await ada.client.viewObject({ params: { objid: id } }), 'experiment');

const thetaOf = async (id: string) => {
  const draws = valuesOnly(await drawsOf(service, ada, id));
  return Object.fromEntries(
    Object.entries(draws).map(([chain, columns]) => [chain, columns.theta]),
  );
};

const theta = (chain: number) => [...(readStanCsv(bernoulli[chain - 1] as string).draws[7] ?? [])];
const allTheta = Object.fromEntries([1, 2, 3, 4].map((chain) => [`chain#${chain}`, theta(chain)]));

const nameOf = (chain: number) => `/run/bernoulli-20241017141344_${chain}.csv`;

/** Text in `count` pieces, the cuts in the middle of lines. */
function pieces(text: string, count: number): string[] {
  const size = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, i) => text.slice(i * size, (i + 1) * size));
}

const experiments = async () =>
  (await ada.client.listObjects({ query: { object_type: 'experiment' } })).objects.length;

describe('four chains that CmdStan writes', () => {
  it('have the same draws and verdict as the imported files', async () => {
    await newPerson();
    const files = new MemoryFiles();
    const parts = bernoulli.map((text) => pieces(text, 7));
    const steps = Array.from({ length: 7 }, (_, i) => () => {
      for (const chain of [1, 2, 3, 4]) files.append(nameOf(chain), parts[chain - 1]?.[i] ?? '');
    });
    const { end, said, id } = await watch({ files, steps });
    expect(end.how).toBe('finished');
    expect(said[0]).toBe('Waiting for CmdStan to write CSV files: /run');
    expect(said).toContain('chain#1: following bernoulli-20241017141344_1.csv');
    expect(said).toContain('chain#4: complete, 1000 of 1000 draws');
    expect(await thetaOf(id)).toEqual(allTheta);
    const payload = {
      object_type: 'experiment' as const,
      data_file_type: 'stan csv' as const,
      data_files: bernoulli,
    };
    const imported = expectKind(await ada.client.createObject({ body: { payload } }), 'experiment');
    const watched = await viewOf(id);
    expect(watched.meta?.verdict).toEqual(imported.meta?.verdict);
    expect(watched).toMatchObject({
      name: 'bernoulli-20241017141344',
      status: 'FIN',
      n_chains: 4,
      n_samples: 1000,
      n_variables: imported.n_variables,
      meta: {
        settings: { adapt_delta: 0.8, max_treedepth: 10, num_samples: 1000, num_warmup: 1000 },
        iteration_count: 1000,
      },
    });
    const { logs } = (await ada.client.viewObject({
      params: { objid: id },
      query: { stdlog: true },
    })) as { logs: string };
    expect(logs).toContain('chain#2: warmup is over, step size');
  });

  it('stay one experiment when they are watched again, during the run or after it', async () => {
    await newPerson();
    const files = new MemoryFiles();
    for (const chain of [1, 2, 3, 4])
      files.write(nameOf(chain), bernoulli[chain - 1]?.slice(0, 20_000) ?? '');
    const stop = new AbortController();
    const first = await watch({ files, stop, steps: [() => {}, () => stop.abort()] });
    expect(first.end.how).toBe('stopped');
    await finalise(service, first.id);
    expect(await viewOf(first.id)).toMatchObject({ status: 'FIN', meta: { action: 'stopped' } });
    for (const chain of [1, 2, 3, 4]) files.write(nameOf(chain), bernoulli[chain - 1] ?? '');
    const second = await watch({ files });
    expect(second.id).toBe(first.id);
    expect(second.said.join('\n')).toContain('Continuing');
    expect(await thetaOf(first.id)).toEqual(allTheta);
    expect(await viewOf(first.id)).toMatchObject({ status: 'FIN', meta: { action: '' } });
    const third = await watch({ files, request: { once: true } });
    expect(third.id).toBe(first.id);
    expect(third.said.join('\n')).toContain('Already complete');
    expect(await experiments()).toBe(1);
  });

  it('may start one after the other', async () => {
    await newPerson();
    const files = new MemoryFiles();
    const steps = [1, 2, 3, 4].flatMap((chain) => [
      () => files.append(nameOf(chain), bernoulli[chain - 1] ?? ''),
      () => {},
      () => {},
    ]);
    const { id } = await watch({ files, steps });
    expect(await thetaOf(id)).toEqual(allTheta);
  });

  it('that all have id = 1 are still four chains', async () => {
    await newPerson();
    const files = new MemoryFiles();
    for (const chain of [1, 2, 3, 4])
      files.write(
        `/run/output_${chain}.csv`,
        bernoulli[chain - 1]?.replace(/# id = \d/, '# id = 1') ?? '',
      );
    const { id } = await watch({ files });
    expect(await thetaOf(id)).toEqual(allTheta);
    expect((await viewOf(id)).name).toBe('bernoulli');
  });
});

describe('a chain that starts over', () => {
  it('keeps the draws of its first attempt, which the verdict leaves out', async () => {
    await newPerson();
    const files = new MemoryFiles();
    const [one, two, three] = bernoulli as [string, string, string];
    files.write('/run/output_1.csv', one);
    files.write('/run/output_2.csv', two.slice(0, 30_000));
    const steps = [
      () => {},
      () => files.write('/run/output_2.csv', three.replace(/# id = \d/, '# id = 2').slice(0, 9000)),
      () => files.write('/run/output_2.csv', three.replace(/# id = \d/, '# id = 2')),
    ];
    const { id, said } = await watch({ files, steps });
    expect(said).toContain('chain#2 attempt 2: started again (output_2.csv)');
    const draws = await thetaOf(id);
    expect(Object.keys(draws)).toEqual(['chain#1', 'chain#2', 'chain#2 attempt 2']);
    expect(draws['chain#2']).toEqual(theta(2).slice(0, draws['chain#2']?.length));
    expect(draws['chain#2 attempt 2']).toEqual(theta(3));
    const { meta } = await viewOf(id);
    expect(meta?.chains_left_out).toEqual(['chain#2']);
    expect(meta?.verdict?.chains).toEqual(['chain#1', 'chain#2 attempt 2']);
  });

  it('during warmup leaves no draws of the first attempt', async () => {
    await newPerson();
    const files = new MemoryFiles();
    const head = (bernoulli[0] as string).slice(0, bernoulli[0]?.indexOf('# Adaptation'));
    files.write('/run/output.csv', head.replace('seed = 86520', 'seed = 1'));
    const steps = [() => {}, () => files.write('/run/output.csv', bernoulli[0] ?? '')];
    const { id } = await watch({ files, steps });
    expect(await thetaOf(id)).toEqual({ 'chain#1': theta(1) });
  });
});

describe('a network that fails', () => {
  it('neither loses nor repeats draws, whether requests or responses are lost', async () => {
    await newPerson();
    const files = new MemoryFiles();
    const parts = bernoulli.map((text) => pieces(text, 5));
    const steps = Array.from({ length: 5 }, (_, i) => () => {
      for (const chain of [1, 2, 3, 4]) files.append(nameOf(chain), parts[chain - 1]?.[i] ?? '');
    });
    let chance = 12;
    const unsteady: typeof fetch = async (...call) => {
      chance = (chance * 1103515245 + 12345) % 2 ** 31;
      const fate = Math.floor(chance / 65536) % 3;
      if (fate === 1) throw new TypeError('fetch failed');
      const answer = await fetch(...call);
      if (fate === 2) throw new TypeError('terminated');
      return answer;
    };
    const { id, said } = await watch({ files, steps, fetch: unsteady });
    expect(await thetaOf(id)).toEqual(allTheta);
    expect(await experiments()).toBe(1);
    expect(said.filter((line) => line.startsWith('No answer')).length).toBeGreaterThan(0);
    expect(said.some((line) => line.endsWith('answers again.'))).toBe(true);
  });

  it('does not keep Ctrl-C from stopping the command', async () => {
    await newPerson();
    const files = new MemoryFiles();
    files.write(nameOf(1), bernoulli[0] ?? '');
    const stop = new AbortController();
    const away: typeof fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const steps = [() => {}, () => stop.abort()];
    await expect(watch({ files, steps, stop, fetch: away })).rejects.toThrow(GaveUp);
  });
});

describe('unsuitable files', () => {
  const once = { once: true };
  const named = (...files: string[]) => ({
    once: true,
    target: { folder: null, files, onlyNew: false },
  });
  const filesWith = (texts: Record<string, string>) => {
    const files = new MemoryFiles();
    for (const [name, text] of Object.entries(texts)) files.write(name, text);
    return files;
  };
  beforeAll(newPerson);

  it.each([
    [
      'a missing folder',
      {},
      { target: { folder: '/none', files: [], onlyNew: false } },
      'There is no folder /none.',
    ],
    ['an empty folder', {}, once, 'There are no CmdStan draws in /run.'],
    [
      'a table',
      { '/run/schools.csv': 'school,score\nA,1\n' },
      named('/run/schools.csv'),
      'schools.csv is not a CmdStan chain: it has neither CmdStan’s comments at its start nor a column lp__.',
    ],
    [
      'an optimum',
      { '/run/o.csv': (bernoulli[0] ?? '').replace('method = sample', 'method = optimize') },
      named('/run/o.csv'),
      'o.csv is not a CmdStan chain: it contains a single point estimate, not draws.',
    ],
    [
      'chains of two programs',
      {
        '/run/a_1.csv': bernoulli[0] ?? '',
        '/run/a_2.csv': (bernoulli[1] ?? '').replace(',theta', ',phi'),
      },
      named('/run/a_1.csv', '/run/a_2.csv'),
      /a_2.csv has different columns from a_1.csv: column 8 is phi, there theta/,
    ],
  ])('are refused: %s', async (_what, texts, request, message) => {
    await expect(watch({ files: filesWith(texts), request })).rejects.toThrow(message);
  });

  it('in the folder of the run are skipped', async () => {
    const files = filesWith({
      '/run/a_1.csv': bernoulli[0] ?? '',
      '/run/schools.csv': 'a,b\n1,2\n',
    });
    const { id, said } = await watch({ files, request: once });
    expect(said.join('\n')).toContain('schools.csv is not a CmdStan chain');
    expect(Object.keys(await thetaOf(id))).toEqual(['chain#1']);
  });

  it('of an older run are ignored and named', async () => {
    await newPerson();
    const files = filesWith({
      '/run/old-20200101000000_1.csv': (bernoulli[3] ?? '').replace('# id = 4', '# id = 1'),
      [nameOf(1)]: bernoulli[0] ?? '',
    });
    const { id, said } = await watch({ files, request: once });
    expect(said[0]).toMatch(
      /files from 2 runs: following bernoulli-20241017141344.*old-20200101000000/,
    );
    expect(await thetaOf(id)).toEqual({ 'chain#1': theta(1) });
  });

  it('that already exist are ignored with --new', async () => {
    await newPerson();
    const files = filesWith({ '/run/output.csv': bernoulli[0] ?? '' });
    const request = { target: { folder: '/run', files: [], onlyNew: true } };
    const steps = [
      () => {},
      () => files.write('/run/output.csv', (bernoulli[1] ?? '').slice(0, 5000)),
      () => {},
      () => files.write('/run/output.csv', bernoulli[1] ?? ''),
    ];
    const { id } = await watch({ files, steps, request });
    expect(Object.values(await thetaOf(id))).toEqual([theta(2)]);
  });
});

describe('a chain that stops growing', () => {
  it('is reported once, and the run ends after --idle', async () => {
    await newPerson();
    const files = new MemoryFiles();
    files.write(nameOf(1), bernoulli[0] ?? '');
    files.write(nameOf(2), (bernoulli[1] ?? '').slice(0, 25_000));
    const request = { everyMs: 60_000, idleMs: 20 * 60_000 };
    const steps = Array.from({ length: 30 }, () => () => {});
    const { said, id, end } = await watch({ files, request, steps });
    expect(said.filter((line) => line.includes('has not grown for 5 minutes'))).toHaveLength(1);
    expect(said).toContain('No file has grown for 20 minutes.');
    expect(end.how).toBe('finished');
    const draws = await thetaOf(id);
    expect(draws['chain#1']).toHaveLength(1000);
    expect(draws['chain#2']?.length).toBeGreaterThan(400);
  });

  it('is no longer followed when its owner stops the run on the service', async () => {
    await newPerson();
    const files = new MemoryFiles();
    files.write(nameOf(1), (bernoulli[0] ?? '').slice(0, 25_000));
    const steps = [
      () => {},
      async () => {
        const { objects } = await ada.client.listObjects({ query: { object_type: 'experiment' } });
        const payload = { object_type: 'experiment' as const, action: 'stop' };
        await ada.client.updateObject({
          params: { objid: objects[0]?.short_id ?? '' },
          body: { payload },
        });
      },
      () => files.write(nameOf(1), bernoulli[0] ?? ''),
    ];
    await expect(watch({ files, steps })).rejects.toThrow('stopped');
  });
});
