/** Programs, data, settings and names that are wrong: each is refused or ends with a message, and harms nobody else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TreeNode } from '../../../src/contract/model.ts';
import { builtCli, launch, makeReadyFolder, type Served } from '../../support/served.ts';
import {
  accessAs,
  ask,
  commandRun,
  makeServedWorkflow,
  type RunParts,
  readRunLog,
  startServedRun,
  untilRun,
} from '../../support/served-runs.ts';
import { eightSchools } from '../../support/service-objects.ts';

const dataDir = await makeReadyFolder();
let served: Served;
const watch = { slowest: 0, answered: 0, isOver: false, done: Promise.resolve() };

beforeAll(async () => {
  const env = { ERGODIC_FLUSH_MS: '50' };
  served = await launch({ dataDir, options: ['--workers', '2'], env }).ready;
  watch.done = watchLists();
});
afterAll(() => {
  served.process.kill('SIGTERM');
});

/** Asks for a list again and again while everything below happens. */
async function watchLists(): Promise<void> {
  while (!watch.isOver) {
    const since = performance.now();
    await ask(served, 'GET', '/api/object?object_type=experiment&page_size=20');
    watch.slowest = Math.max(watch.slowest, performance.now() - since);
    watch.answered += 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const start = async (parts: RunParts) =>
  startServedRun(served, await makeServedWorkflow(served, parts));

const normal = 'parameters { real a; }\nmodel { a ~ normal(0, 1); }\n';
const reading = `data { int<lower=0> N; vector<upper=10>[N] y; }
parameters { real mu; }
model { y ~ normal(mu, 1); }
`;

interface Bad extends RunParts {
  /** Of `meta.error`. */
  readonly message: RegExp;
  /** Of the log, when it says more. */
  readonly log?: RegExp;
}

/** Start like any run and end in ERR. */
const failing: Readonly<Record<string, Bad>> = {
  'that does not parse': {
    source: 'parameters { real mu; }\nmodel { mu ~ normal(0 1); }\n',
    message: /^main\.stan:2:23: error: Expected `\)`, but found `1`/,
    log: /2 \| model \{ mu ~ normal\(0 1\); \}\n\s*\| {23}\^\n/,
  },
  'that is empty': { source: ' \n', message: /main\.stan is empty/ },
  'whose latent likelihood has first derivatives only': {
    source:
      "functions { real ll(vector t, real s) { return hmm_marginal(rep_matrix(t[1], 1, 2), [[1]], [1]'); } matrix K(int n) { return identity_matrix(n); } } parameters { real<lower=0> s; }\nmodel { target += laplace_marginal(ll, (s,), 1, K, (2,)); }\n",
    message: /This likelihood calls `hmm_marginal`, which has no second derivatives/,
    log: /2 \| model/,
  },
  'without the data it reads': { source: reading, message: /reads data \(N, y\).*choose data/ },
  'whose data lack a variable': {
    source: reading,
    data: '{"N": 2}',
    message: /`y` is missing from the data/,
  },
  'whose data have another shape': {
    source: reading,
    data: '{"N": 3, "y": [1, 2]}',
    message: /`y` has size 2: must be 3/,
  },
  'whose data have text for numbers': {
    source: reading,
    data: '{"N": 2, "y": [1, "two"]}',
    message: /`y\[2\]` is "two": must be a number/,
  },
  'whose data have a fraction for a whole number': {
    source: reading,
    data: '{"N": 2.5, "y": [1, 2]}',
    message: /`N` is 2\.5: must be a whole number/,
  },
  'whose data violate a bound': {
    source: reading,
    data: '{"N": 2, "y": [1, 20]}',
    message: /`y\[2\]` is 20: must be at most 10/,
  },
  'whose data hold NaN': {
    source: reading,
    data: '{"N": 2, "y": [1, NaN]}',
    message: /`y\[2\]` is NaN: must be at most 10/,
  },
  'that loops forever in its model': {
    source: 'parameters { real a; }\nmodel { while (1) { } a ~ normal(0, 1); }\n',
    message: /more than 50000000 loop steps \(in model, line 2\)/,
  },
  'that loops forever in transformed data': {
    source: `transformed data { int n = 0; while (1) { n += 0; } }\n${normal}`,
    message: /loop steps \(in transformed data, line 1\)/,
  },
  'that loops forever in generated quantities': {
    source: `${normal}generated quantities { real b = 0; while (1) { b += 1; } }\n`,
    message: /loop steps \(in generated quantities, line 3\)/,
  },
  'that calls itself forever': {
    source: `functions { real f(real x); real f(real x) { return f(x + 1); } }
parameters { real a; }
model { target += f(a); }
`,
    message: /calls are nested too deeply.*function f, line 1/,
  },
  'with 10 GB in one array': {
    source: `transformed data { vector[1250000000] x; }\n${normal}`,
    message: /1250000000 elements is larger than the limit.*transformed data/,
  },
  'with 20 GB in a hundred matrices': {
    source: `transformed data { array[100] matrix[5000, 5000] x; }\n${normal}`,
    message: /holds more than 2048 MiB in its variables \(in transformed data/,
  },
  'with 8 GB in its model': {
    source: 'parameters { real a; }\nmodel { vector[1000000000] x; a ~ normal(0, 1); }\n',
    message: /1000000000 elements is larger than the limit.*in model, line 2/,
  },
  'with a heap of small arrays': {
    source: `transformed data { array[100000000] vector[1] x; }\n${normal}`,
    message: /100000000 containers is larger than the limit/,
  },
  'with a thousand million outputs': {
    source: `${normal}generated quantities { vector[1000000000] x; }\n`,
    message: /1000000001 values, of which `x` has 1000000000: at most 250000/,
  },
  'that records more than its tape can hold': {
    source:
      'parameters { real a; }\nmodel { real s = 0; for (i in 1:45000000) s = sin(sin(sin(s))) + a; target += -s; }\n',
    message: /needs more than 1024 MiB \(in model, line 2\)/,
  },
  'whose density is nowhere finite': {
    source: 'parameters { real a; }\nmodel { target += negative_infinity(); }\n',
    message: /No starting point found in 100 tries/,
  },
  'that always rejects': {
    source: 'parameters { real a; }\nmodel { reject("never here"); }\n',
    message: /100 tries.*never here \(in model, line 2\)/,
  },
  'that divides a whole number by zero': {
    source: `transformed data { int n = 0; int k = 1 %/% n; }\n${normal}`,
    message: /integer division of 1 by zero \(in transformed data, line 1\)/,
  },
  'that indexes beyond the end': {
    source: `transformed data { int k = 7; }
parameters { vector[3] a; }
model {
  a ~ normal(0, 1);
  target += a[k];
}
`,
    message: /`a`: index 7 is out of range 1 to 3 \(in model, line 5\)/,
  },
  'whose inits are not numbers': {
    source: normal,
    settings: 'sampling: {num_chains: 1, inits: {a: x}}',
    message: /inits cannot be used: `a` is "x"/,
  },
};

describe('a run of a program', { timeout: 60_000 }, () => {
  const started = new Map<string, Promise<string>>();
  beforeAll(() => {
    // all at once: they wait for each other's slots, and nobody else waits for them
    for (const [what, bad] of Object.entries(failing)) started.set(what, start(bad));
    return Promise.all(started.values());
  });

  // it may wait for the limits of all programs that loop forever
  const timeout = 300_000;
  it.each(Object.entries(failing))('%s ends with the reason', { timeout }, async (what, bad) => {
    const id = (await started.get(what)) as string;
    const run = await untilRun(served, id);
    expect(run.status).toBe('ERR');
    expect(run.meta.error?.message).toMatch(bad.message);
    expect(await readRunLog(served, id)).toMatch(bad.log ?? bad.message);
  });

  it('that prints without end leaves a log of limited size', async () => {
    const source =
      'parameters { real a; }\nmodel { for (i in 1:3000) print("line ", i); a ~ normal(0, 1); }\n';
    const id = await start({ source });
    expect((await untilRun(served, id)).status).toBe('FIN');
    const log = await readRunLog(served, id);
    expect(log).toMatch(/and \d+ more lines were left out/);
    expect(log.length).toBeLessThan(500_000);
  });
});

const refused: Readonly<Record<string, Bad>> = {
  'a missing entrance file': {
    source: normal,
    entrance: 'other.stan',
    message: /no file other\.stan/,
  },
  'an empty tree': { tree: [], message: /no file that can be run/ },
  'a tree without a program': {
    tree: [{ name: 'README.md', content: 'words', encoding: 'text' }],
    message: /README\.md is not one/,
  },
  'data with a syntax error': {
    source: reading,
    data: '{"N": 2,\n"y": [1, 2,}',
    message: /not valid JSON.*line 2, column 12/,
  },
  'data that are not JSON': {
    source: reading,
    data: 'hello world',
    message: /not valid JSON.*hello world/,
  },
  'a negative num_samples': {
    source: normal,
    settings: 'sampling: {num_samples: -1}',
    message: /sampling\.num_samples must be a whole number from 0/,
  },
  'an adapt_delta above 1': {
    source: normal,
    settings: 'sampling: {adapt_delta: 2}',
    message: /sampling\.adapt_delta must be a number between 0 and 1/,
  },
  'an unknown metric': {
    source: normal,
    settings: 'sampling: {metric: round}',
    message: /sampling\.metric must be low-rank, diag, dense or unit, not "round"/,
  },
  'infinitely many draws': {
    source: normal,
    settings: 'sampling: {num_samples: .inf}',
    message: /num_samples must be .* not Infinity/,
  },
  'settings that are a number': {
    source: normal,
    settings: 'sampling: 5',
    message: /^INVALID_PARAMETER: sampling must be an object/,
  },
  'inits that are numbers': {
    source: normal,
    settings: 'sampling: {inits: [1, 2]}',
    message: /sampling\.inits must be an object/,
  },
  'settings that are not YAML': {
    source: normal,
    settings: 'sampling: {num_chains: [1, 2',
    message: /not valid YAML.*line 1/,
  },
  'settings that contain themselves': {
    source: normal,
    settings: 'sampling: {inits: &a {b: *a}}',
    message: /not valid YAML.*alias/,
  },
  'settings that are nested too deeply': {
    source: normal,
    settings: `x: ${'['.repeat(20_000)}`,
    message: /not valid YAML.*nested too deeply/,
  },
  'settings of 10 MB': {
    source: normal,
    settings: `# ${'x'.repeat(10 * 2 ** 20)}`,
    message: /^TOO_LARGE: payload\.settings has 10485762 bytes, more than settings_bytes/,
  },
};

const main = (name: string): TreeNode => ({ name, content: normal, encoding: 'text' });
const nested = (depth: number): TreeNode =>
  depth === 0 ? main('main.stan') : { name: 'f', type: 'folder', children: [nested(depth - 1)] };

const badTrees: readonly (readonly [string, readonly TreeNode[], RegExp])[] = [
  [
    'a name that leaves the tree',
    [main('../x')],
    /^INVALID_PARAMETER: .*"\.\.\/x" contains a path separator/,
  ],
  ['a name that leaves the tree further on', [main('a/../../b')], /path separator/],
  ['an encoded name that leaves the tree', [main('%2e%2e%2fx')], /path separator/],
  ['a drive', [main('C:\\x')], /path separator/],
  ['a control character', [main('a\0b')], /"a\?b" contains a control character/],
  ['a name of 300 letters', [main('x'.repeat(300))], /longer than 255 bytes/],
  ['3000 files', Array.from({ length: 3000 }, (_, i) => main(`${i}.stan`)), /^TOO_LARGE.*2000/],
  ['40 nested folders', [nested(40)], /^TOO_LARGE: The tree is deeper than 32 levels/],
  ['100 nested folders', [nested(100)], /^INVALID_PARAMETER: body is nested deeper than 128/],
];

describe('the service refuses at once, with a message,', () => {
  it.each(Object.entries(refused))('%s', async (_what, bad) => {
    await expect(start(bad)).rejects.toThrow(bad.message);
  });

  it.each(badTrees)('a model with %s', async (_what, tree, message) => {
    await expect(makeServedWorkflow(served, { tree })).rejects.toThrow(message);
  });

  it('a body of 100 MB, before it is sent', async () => {
    const request = http.request(`${served.origin}/api/object`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${served.token}`,
        'content-type': 'application/json',
        'content-length': 100 * 2 ** 20,
      },
    });
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    request.write('{"payload":');
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    expect(await json(response)).toMatchObject({
      code: 'TOO_LARGE',
      details: { limit: 'body_bytes', size: 104_857_600 },
    });
    request.on('error', () => {}).destroy();
  });

  it.each(['X0000000', 'nonsense', '%00', `X${'9'.repeat(500)}`])('the id %s', async (id) => {
    await expect(ask(served, 'GET', `/api/object/${id}`)).rejects.toThrow(/NOT_FOUND|INVALID/);
    await expect(commandRun(served, id, 'stop')).rejects.toThrow(/NOT_FOUND|INVALID/);
    await expect(startServedRun(served, id)).rejects.toThrow(/NOT_FOUND|INVALID/);
  });

  it('any command on the objects of another user', async () => {
    await addUser('eve', 'a long password');
    const mine = await makeServedWorkflow(served, { source: normal });
    const run = await startServedRun(served, mine);
    const body = { username: 'eve', password: 'a long password' };
    const { tokens } = await ask<{ tokens: string[] }>(served, 'POST', '/base/login', body);
    const eve = accessAs(served.origin, tokens[0]);
    for (const id of [mine, run])
      await expect(ask(eve, 'GET', `/api/object/${id}`)).rejects.toThrow(/^PERMISSION_DENIED/);
    await expect(startServedRun(eve, mine)).rejects.toThrow(/^PERMISSION_DENIED/);
    for (const action of ['stop', 'pause', 'resume'])
      await expect(commandRun(eve, run, action)).rejects.toThrow(/^PERMISSION_DENIED/);
    await expect(ask(eve, 'DELETE', `/api/object/${run}`)).rejects.toThrow(/^PERMISSION_DENIED/);
    expect((await untilRun(served, run)).status).toBe('FIN');
  });
});

/** `ergodic user add`, while the service runs. */
async function addUser(name: string, password: string): Promise<void> {
  const child = spawn(process.execPath, [builtCli, 'user', 'add', name, '--data', dataDir], {
    env: { ...process.env, DATABASE_URL: '' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  child.stdin.end(`${password}\n`);
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, output).toBe(0);
}

describe('after all these requests', () => {
  it('the service has answered list requests all the time without delay', async () => {
    watch.isOver = true;
    await watch.done;
    expect(watch.answered).toBeGreaterThan(10);
    expect(watch.slowest).toBeLessThan(4000);
  });

  it('a good program still runs', async () => {
    const id = await start({ source: eightSchools.source, data: eightSchools.data });
    expect(await untilRun(served, id)).toMatchObject({ status: 'FIN', n_samples: 30 });
    expect(served.process.exitCode).toBe(null);
  });
});
