/**
 * The built service under load: how long lists and views take, how fast draws arrive, and whether memory stays flat.
 *
 *   npm run bench -- service [--experiments 100000] [--users 50] [--seconds 20] [--draws 1000000] [--only load|ingest|memory]
 *
 * Every figure has a baseline from the same run: for lists and views an endpoint that does not query the database,
 * for draws over HTTP those of our own engine, for memory at the end the memory after a tenth.
 */
import fs from 'node:fs';
import http from 'node:http';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import {
  commandRun,
  makeServedWorkflow,
  type ServedAccess,
  startServedRun,
  untilRun,
} from '../support/served-runs.ts';
import { type BuiltService, seedExperiments, serveBuilt } from './serve-built.ts';
import { measureIngest } from './service-ingest.ts';

const { values: options } = parseArgs({
  options: {
    experiments: { type: 'string', default: '100000' },
    users: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    draws: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const rows: [string, string][] = [];

const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });

/** Milliseconds until the entire response has arrived. */
function timeGet(access: ServedAccess, url: string): Promise<number> {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    http
      .get(
        access.origin + url,
        { agent, headers: { authorization: `Bearer ${access.token}` } },
        (response) => {
          response.on('data', () => {});
          response.on('end', () =>
            response.statusCode === 200
              ? resolve(performance.now() - since)
              : reject(new Error(`${url}: ${response.statusCode}`)),
          );
        },
      )
      .on('error', reject);
  });
}

function percentiles(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  return `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, most ${at(1).toFixed(1)} ms (${sorted.length})`;
}

const busyModel = `parameters { vector[10] x; }
model { for (i in 1:10) for (j in 1:400) target += normal_lpdf(x[i] | 0, 1 + 0.001 * j); }
`;

/** Each user fetches the list and a running experiment every second, as an open dashboard does. */
async function measureLoad(service: BuiltService): Promise<void> {
  const { access } = service;
  const count = Number(options.experiments);
  say(`Making ${count} experiments …`);
  await service.withDatabase((pool) => seedExperiments(pool, count));
  const settings = 'sampling: {num_chains: 1, num_warmup: 100, num_samples: 200000, seed: 1}';
  const workflow = await makeServedWorkflow(access, { source: busyModel, settings });
  const pages = {
    'an answer without the database': '/base/auth0-config',
    'list, newest 100': '/api/object?object_type=experiment',
    'list, page 900': '/api/object?object_type=experiment&page_no=900',
    'list, status ERR': '/api/object?object_type=experiment&status=ERR',
    'list, by name': '/api/object?object_type=experiment&sort=name',
    'list, q=run 777': '/api/object?object_type=experiment&q=run%20777',
  };
  for (const [what, url] of Object.entries(pages)) {
    const times: number[] = [];
    for (let i = 0; i < 105; i++) times.push(await timeGet(access, url));
    rows.push([`alone: ${what}`, percentiles(times.slice(5))]);
  }
  const runs = await Promise.all([1, 2, 3, 4].map(() => startServedRun(access, workflow)));
  await untilRun(access, runs[0], (run) => run.status === 'RUN');
  const users = Number(options.users);
  const end = performance.now() + Number(options.seconds) * 1000;
  const lists: number[] = [];
  const views: number[] = [];
  const empties: number[] = [];
  say(`${users} users for ${options.seconds} s, 4 runs …`);
  await Promise.all(
    Array.from({ length: users }, async (_, user) => {
      await pause((user * 1000) / users);
      while (performance.now() < end) {
        const since = performance.now();
        lists.push(await timeGet(access, '/api/object?object_type=experiment&page_size=50'));
        views.push(await timeGet(access, `/api/object/${runs[user % 4]}`));
        empties.push(await timeGet(access, '/base/auth0-config'));
        await pause(1000 - (performance.now() - since));
      }
    }),
  );
  rows.push([`${users} users, 4 runs: an answer without the database`, percentiles(empties)]);
  rows.push([`${users} users, 4 runs: list`, percentiles(lists)]);
  rows.push([`${users} users, 4 runs: view`, percentiles(views)]);
  await Promise.all(runs.map((id) => commandRun(access, id, 'stop')));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Bytes of the service and everything it started, except the database. */
function residentBytes(pid: number): number {
  const children = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readStat(name)?.parent === pid);
  const own = /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? '0';
  const isNode = (name: string) => read(`/proc/${name}/comm`).startsWith('node');
  return (
    Number(own) * 1024 +
    children.filter(isNode).reduce((sum, name) => sum + residentBytes(Number(name)), 0)
  );
}
function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
function readStat(name: string): { parent: number } | null {
  const match = /\) \S (\d+)/.exec(read(`/proc/${name}/stat`));
  return match === null ? null : { parent: Number(match[1]) };
}

async function measureMemory({ access, process: child }: BuiltService): Promise<void> {
  const draws = Number(options.draws);
  const perChain = Math.ceil(draws / 4);
  const settings = `sampling: {num_chains: 4, num_warmup: 200, num_samples: ${perChain}, seed: 1}`;
  const source = 'parameters { vector[3] x; } model { x ~ std_normal(); }';
  const id = await startServedRun(access, await makeServedWorkflow(access, { source, settings }));
  const at = (part: number) =>
    untilRun(access, id, (run) => (run.meta.progress?.done ?? 0) >= part * draws);
  const since = performance.now();
  const marks: string[] = [];
  for (const part of [0.1, 0.5, 0.95]) {
    await at(part);
    marks.push(
      `${(residentBytes(child.pid as number) / 2 ** 20).toFixed(0)} MiB at ${part * 100} %`,
    );
  }
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, residentBytes(child.pid as number));
  }, 50);
  await untilRun(access, id);
  clearInterval(watching);
  const seconds = (performance.now() - since) / 1000;
  marks.push(`${(most / 2 ** 20).toFixed(0)} MiB at most while finalising`);
  marks.push(`${(residentBytes(child.pid as number) / 2 ** 20).toFixed(0)} MiB after finalising`);
  rows.push([`memory over ${draws} draws of 4 chains (${seconds.toFixed(0)} s)`, marks.join(', ')]);
}

const running = await serveBuilt();
try {
  const { only } = options;
  if (only === '' || only === 'ingest')
    for (const row of await measureIngest(running)) rows.push(row);
  if (only === '' || only === 'memory') await measureMemory(running);
  if (only === '' || only === 'load') await measureLoad(running);
} finally {
  agent.destroy();
  await running.stop();
}
process.stdout.write(`${cpus().length} cores, ${cpus()[0].model}\n`);
const width = Math.max(...rows.map(([what]) => what.length));
for (const [what, value] of rows) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
