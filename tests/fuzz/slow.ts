/**
 * `npm run fuzz -- slow [PART OF A NAME]`: looks for inputs that take long, parser by parser and endpoint by endpoint,
 * and prints the slowest of each. Ends with status 1 when one grows faster than its length (twice as much takes more than
 * three times as long), hangs, or blocks the service's main thread for more than 100 ms. FUZZ_SEED takes another path,
 * FUZZ_ROUNDS (60) a longer one.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Climb, Slowest } from './climb.ts';
import { fuzzEndpoints } from './slow-endpoints.ts';
import { parsers, type SlowParser } from './slow-parsers.ts';

const MAIN_MS = 100;
const MOST_GROWTH = 3;
/** One input may take this long before it counts as endless. */
const HUNG_MS = 120_000;
/** Two climb at a time: their processor time is measured, not wall-clock time. */
const AT_ONCE = 2;

const [wanted = ''] = process.argv.slice(2);
const seed = process.env.FUZZ_SEED ?? '42';
const rounds = process.env.FUZZ_ROUNDS ?? '60';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-slow-'));
const faults: string[] = [];

interface Row {
  readonly name: string;
  readonly slowest: Slowest;
}

/** Runs in a separate process, which is killed when an input hangs it. */
async function climb({ name }: SlowParser, number: number): Promise<Climb> {
  const file = path.join(folder, String(number));
  const program = path.join(import.meta.dirname, 'climb.ts');
  const args = [...process.execArgv, '--stack-size=900', program, name, seed, rounds, file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-2000);
  });
  // it records each input before trying it
  const timer = setInterval(() => {
    const began = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - began > HUNG_MS) child.kill('SIGKILL');
  }, 1000);
  await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(timer);
  if (!fs.existsSync(file)) throw new Error(`the search of ${name} did not begin: ${errors}`);
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Climb;
}

async function search(parser: SlowParser, number: number): Promise<Row | null> {
  const { name, where, mostMs = 0 } = parser;
  const { trying, found, isDone } = await climb(parser, number);
  if (!isDone) faults.push(`${name}: does not end with ${trying}`);
  for (const { shape, growth, bytes, ms } of found)
    if (growth > MOST_GROWTH && ms > mostMs)
      faults.push(
        `${name}: ${bytes} characters take ${ms.toFixed(0)} ms, ${growth.toFixed(1)} times half of them: ${shape}`,
      );
  const [slowest] = found.toSorted((a, b) => b.ms - a.ms);
  if (slowest === undefined) return null;
  if (where === 'main' && slowest.ms > MAIN_MS)
    faults.push(`${name}: ${slowest.ms.toFixed(0)} ms on the main thread: ${slowest.shape}`);
  process.stderr.write(`${name}: ${slowest.ms.toFixed(1)} ms\n`);
  return { name: `${name} (${where})`, slowest };
}

const chosen = parsers.filter(({ name }) => name.includes(wanted));
const rows: Row[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let at = next++; at < chosen.length; at = next++) {
      const row = await search(chosen[at] as SlowParser, at);
      if (row !== null) rows.push(row);
    }
  }),
);
fs.rmSync(folder, { recursive: true, force: true });
if (wanted === '' || 'endpoints'.includes(wanted)) {
  const endpoints = await fuzzEndpoints();
  rows.push(...endpoints.rows);
  faults.push(...endpoints.faults);
}
const width = Math.max(...rows.map(({ name }) => name.length));
for (const { name, slowest } of rows.toSorted((a, b) => b.slowest.ms - a.slowest.ms)) {
  const { ms, bytes, growth, shape } = slowest;
  process.stdout.write(
    `${name.padEnd(width)} ${ms.toFixed(1).padStart(8)} ms ${String(bytes).padStart(9)} characters, doubling ${growth.toFixed(1)}: ${shape}\n`,
  );
}
for (const fault of faults) process.stdout.write(`too slow: ${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
