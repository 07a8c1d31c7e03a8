/**
 * From nothing to draws: how long a user waits for the first ones, and what an entire run costs.
 *
 *   npm run bench -- first-light [--rounds 3]
 *
 * Each round begins with an empty data folder and goes through every row, so that a busy moment of the machine affects
 * all of them; the table shows medians. Runs the built program, and reads every result it times.
 */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { compileModel } from '../../src/engine/compile-model.ts';
import type { Model } from '../../src/engine/model.ts';
import { openStream } from '../../src/engine/random-streams.ts';
import {
  accessAs,
  ask,
  makeApiToken,
  makeServedWorkflow,
  type RunView,
  readRunDraws,
  type ServedAccess,
  startServedRun,
  untilRun,
} from '../support/served-runs.ts';
import { eightSchools } from '../support/service-objects.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const cli = path.resolve(import.meta.dirname, '..', '..', 'dist', 'server', 'cli.js');
/** A draw of this program is wide and cheap, so most of the time goes into writing it. */
const width = 500;
const wide = `parameters { real a; }
model { a ~ normal(0, 1); }
generated quantities { vector[${width}] x = rep_vector(a, ${width}); }
`;
const numWide = 20_000;

interface Running {
  readonly access: ServedAccess;
  readonly seconds: number;
  stop(): Promise<void>;
}

const secondsSince = (since: number) => (performance.now() - since) / 1000;

/** Starts the built service; returns the seconds until it prints its address. */
async function start(dataDir: string): Promise<Running> {
  const since = performance.now();
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', dataDir], {
    env: { ...process.env, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ready = await new Promise<RegExpExecArray>((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
      const match = /ready at (http:\/\/[^/\s]+)\/\?token=(\S+)\n/.exec(out);
      if (match !== null) resolve(match);
    });
    void ended.then(() => reject(new Error('the service ended before it was ready')));
  });
  const seconds = secondsSince(since);
  const [, origin, linkToken] = ready;
  const token = await makeApiToken(accessAs(origin, linkToken));
  return {
    access: accessAs(origin, token),
    seconds,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Seconds from the request until a draw (of warmup, at first) can be read. */
async function timeFirstDraw(access: ServedAccess): Promise<number> {
  const workflow = await makeServedWorkflow(access, { ...eightSchools, settings: '' });
  const since = performance.now();
  const id = await startServedRun(access, workflow);
  for (;;) {
    const { values } = await readRunDraws(access, id, 'phase=warmup').catch(() => ({ values: [] }));
    if (values.length > 0) break;
    const { status } = await ask<RunView>(access, 'GET', `/api/object/${id}`);
    if (status === 'ERR' || status === 'FIN') throw new Error('the run ended unseen');
  }
  const seconds = secondsSince(since);
  const run = await untilRun(access, id);
  if (run.n_samples !== 1000) throw new Error(`${run.n_samples} draws instead of 1000`);
  return seconds;
}

/** Draws per second of all chains, from request to end: sampler, thread, database and statistics. */
async function timeStorage(access: ServedAccess): Promise<number> {
  const settings = `sampling: {seed: 3, num_chains: 2, num_warmup: 100, num_samples: ${numWide / 2}}`;
  const workflow = await makeServedWorkflow(access, { source: wide, settings });
  const since = performance.now();
  const id = await startServedRun(access, workflow);
  const isDrawn = ({ meta }: RunView) => meta.progress?.done === numWide + 200;
  await untilRun(access, id, isDrawn);
  const seconds = secondsSince(since);
  const run = await untilRun(access, id);
  if (run.n_samples !== numWide / 2) throw new Error(`${run.n_samples} draws were kept`);
  return numWide / seconds;
}

interface Compiled {
  readonly milliseconds: number;
  readonly model: Model;
}

/** From text to a model that returns a density. */
function timeCompile(): Compiled {
  const since = performance.now();
  const made = compileModel({
    source: eightSchools.source,
    data: JSON.parse(eightSchools.data) as Record<string, unknown>,
    rng: openStream(1, 0, 'transformed-data'),
  });
  if (!made.ok) throw new Error(made.message);
  const { model } = made;
  const gradient = new Float64Array(model.numUnconstrained);
  const density = model.logDensityGradient(new Float64Array(model.numUnconstrained), gradient);
  if (!Number.isFinite(density)) throw new Error('the density is not finite');
  return { milliseconds: performance.now() - since, model };
}

/** Microseconds for a density and its gradient, nothing else. */
function timeGradient(model: Model): number {
  const calls = 20_000;
  const theta = new Float64Array(model.numUnconstrained);
  const gradient = new Float64Array(model.numUnconstrained);
  let total = 0;
  const since = performance.now();
  for (let i = 0; i < calls; i++) {
    theta.fill((i % 100) / 100);
    total += model.logDensityGradient(theta, gradient) + gradient[0];
  }
  const microseconds = (1000 * (performance.now() - since)) / calls;
  if (!Number.isFinite(total)) throw new Error('a density is not finite');
  return microseconds;
}

interface Summary {
  readonly variables: Readonly<Record<string, { readonly mean: number }>>;
  readonly chains: readonly Readonly<
    Record<'warmup_seconds' | 'sampling_seconds' | 'warmup_leapfrogs' | 'leapfrogs', number>
  >[];
}

/** `ergodic run`, 4 × (1000 + 1000), from pressing return until the prompt is back. */
async function timeCommand(folder: string) {
  const since = performance.now();
  const args = [cli, 'run', 'model.stan', '--data', 'data.json', '--seed', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  const seconds = secondsSince(since);
  const { variables, chains } = JSON.parse(stdout) as Summary;
  const sum = (key: keyof Summary['chains'][number]) =>
    chains.reduce((total, chain) => total + chain[key], 0);
  const gradients = sum('warmup_leapfrogs') + sum('leapfrogs');
  const sampling = sum('warmup_seconds') + sum('sampling_seconds');
  if (Math.abs(variables.mu.mean - 4.4) > 0.5) throw new Error(`mu is ${variables.mu.mean}`);
  return { seconds, perGradient: (1e6 * sampling) / gradients };
}

const measured = new Map<string, number[]>();
function note(row: string, value: number): void {
  measured.set(row, [...(measured.get(row) ?? []), value]);
}

const rows: readonly (readonly [name: string, unit: string, digits: number])[] = [
  ['first start, empty data folder', 's', 2],
  ['second start', 's', 2],
  ['order to first draw visible', 's', 2],
  ['compile and link, cold', 'ms', 1],
  ['compile and link, warm', 'ms', 1],
  ['ergodic run, 4 × (1000 + 1000), all of it', 's', 2],
  ['a leapfrog step in it, per chain', 'µs', 2],
  ['gradient alone', 'µs', 2],
  [`draws of ${width + 9} values into storage`, '/s', 0],
];

const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-first-light-'));
chmodSync(folder, 0o711);
try {
  writeFileSync(path.join(folder, 'model.stan'), eightSchools.source);
  writeFileSync(path.join(folder, 'data.json'), eightSchools.data);
  const [cold, warm] = [rows[3][0], rows[4][0]];
  note(cold, timeCompile().milliseconds);
  for (let i = 0; i < 20; i++) {
    const { milliseconds, model } = timeCompile();
    note(warm, milliseconds);
    note(rows[7][0], timeGradient(model));
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    const dataDir = path.join(folder, `data-${round}`);
    const first = await start(dataDir);
    note(rows[0][0], first.seconds);
    await first.stop();
    const second = await start(dataDir);
    note(rows[1][0], second.seconds);
    try {
      note(rows[2][0], await timeFirstDraw(second.access));
      note(rows[8][0], await timeStorage(second.access));
    } finally {
      await second.stop();
    }
    const { seconds, perGradient } = await timeCommand(folder);
    note(rows[5][0], seconds);
    note(rows[6][0], perGradient);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const [{ model: processor }] = cpus();
console.log(
  `${processor}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; eight schools; medians of ${options.rounds}`,
);
const line = (name: string, value: string, range: string) =>
  console.log(`${name.padEnd(44)} ${value.padStart(12)}   ${range}`);
line('', 'median', 'least … most');
for (const [name, unit, digits] of rows) {
  const values = (measured.get(name) ?? []).toSorted((a, b) => a - b);
  const show = (value: number) => value.toFixed(digits);
  line(
    name,
    `${show(values[values.length >> 1])} ${unit}`,
    values.length > 1 ? `${show(values[0])} … ${show(values[values.length - 1])}` : '',
  );
}
line(
  'C++ toolchain, compiling alone (to compare)',
  '20–35 s',
  'rstan, 1.4 GB installed; gradient 1.5 µs',
);
