/**
 * How soon the service is ready, and how much processor time that takes: after a build, when none of it has been
 * compiled yet, compared with every later start.
 *
 *   npm run bench -- start [--rounds 7]
 *
 * Both alternate on one data folder, so that a busy moment of the machine affects both; minimum and median.
 */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const root = path.resolve(import.meta.dirname, '..', '..');
/** Next to the built one, since packages and pages are found from there. */
const copy = mkdtempSync(path.join(root, 'dist', 'server-bench-'));
const dataDir = mkdtempSync('/tmp/ergodic-bench-');
chmodSync(dataDir, 0o711);

interface Start {
  readonly readyMs: number;
  /** Used by the service's own process until it was ready. */
  readonly processorMs: number;
}

function dropCompiled(): void {
  for (const name of readdirSync(copy))
    if (name.endsWith('.compiled')) rmSync(path.join(copy, name));
}

const text = (file: string) => readFileSync(file, 'utf8');

/** User and system time; the kernel counts hundredths of a second. */
function processorMs(parent: number): number {
  const children = text(`/proc/${parent}/task/${parent}/children`).trim().split(' ');
  const service = children.find((pid) => text(`/proc/${pid}/cmdline`).includes('service.js'));
  const fields = text(`/proc/${service}/stat`).split(') ')[1].split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

async function start(): Promise<Start> {
  const since = performance.now();
  const file = path.join(copy, 'cli.js');
  const child = spawn(process.execPath, [file, 'serve', '--port', '0', '--data', dataDir], {
    // reading certificates takes a tenth of a second, and is not measured
    env: { ...process.env, DATABASE_URL: '', NODE_EXTRA_CA_CERTS: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString('utf8').includes('ready at')) resolve();
    });
    void ended.then(() => reject(new Error('the service ended before it was ready')));
  });
  const readyMs = performance.now() - since;
  const processor = processorMs(child.pid as number);
  child.kill('SIGTERM');
  await ended;
  return { readyMs, processorMs: processor };
}

function print(name: string, starts: readonly Start[]): void {
  const of = (pick: (start: Start) => number) => {
    const sorted = starts.map(pick).toSorted((a, b) => a - b);
    const seconds = [sorted[0], sorted[sorted.length >> 1]].map((ms) => (ms / 1000).toFixed(2));
    return `${seconds[0]} s, median ${seconds[1]}`;
  };
  console.log(`${name.padEnd(28)} ${of((s) => s.readyMs).padEnd(22)} ${of((s) => s.processorMs)}`);
}

try {
  cpSync(path.join(root, 'dist', 'server'), copy, { recursive: true });
  // makes the database
  await start();
  const [first, later]: [Start[], Start[]] = [[], []];
  for (let round = 0; round < Number(options.rounds); round++) {
    dropCompiled();
    first.push(await start());
    later.push(await start());
  }
  console.log(`${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`);
  console.log(`${''.padEnd(28)} ${'ready'.padEnd(22)} processor of the service`);
  print('nothing compiled before', first);
  print('every later start', later);
} finally {
  rmSync(copy, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}
