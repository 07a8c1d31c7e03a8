/**
 * The summary of a run with 1000 variables and four chains of 1000 draws, computed on demand, as for a share or an
 * active run; from the request to the last byte of the answer:
 *
 *   npm run bench -- summary [--rounds 5]
 *
 * Each round starts the service twice on the same data: once it is asked at once, before it has prepared (the baseline),
 * once some seconds later. Of each: its first summary, and the median of those of three other runs.
 */
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ask } from '../support/served-runs.ts';
import { layDraws } from './lay-draws.ts';
import { makeDataDir, serveBuilt } from './serve-built.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const PREPARED_AFTER_MS = 5000;
const RUNS = 4;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** Megabytes in memory of the process that answers, which `supervisor` started. */
function memoryOf(supervisor: number): number {
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8');
  const pid = children
    .trim()
    .split(' ')
    .find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('service.js'));
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (1024 * Number(kibibytes)) / 1e6;
}

interface Round {
  readonly first: number;
  readonly later: number;
  /** Megabytes before the first summary. */
  readonly memory: number;
}

async function measure(dataDir: string, runs: readonly string[], waitMs: number): Promise<Round> {
  const service = await serveBuilt([], {}, dataDir);
  try {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const memory = memoryOf(service.process.pid as number);
    const took: number[] = [];
    for (const id of runs) {
      const since = performance.now();
      await ask(service.access, 'GET', `/api/summary/${id}`);
      took.push(performance.now() - since);
    }
    return { first: took[0], later: median(took.slice(1)), memory };
  } finally {
    await service.stop();
  }
}

const dataDir = makeDataDir();
const runs: string[] = [];
const service = await serveBuilt([], {}, dataDir);
await service.withDatabase(async (pool) => {
  for (let i = 1; i <= RUNS; i++)
    runs.push(await layDraws(pool, { name: `wide ${i}`, variables: 1000, draws: 1000 }));
});
await service.stop();

const early: Round[] = [];
const prepared: Round[] = [];
for (let round = 0; round < Number(options.rounds); round++) {
  early.push(await measure(dataDir, runs, 0));
  prepared.push(await measure(dataDir, runs, PREPARED_AFTER_MS));
}
rmSync(dataDir, { recursive: true, force: true });

for (const [name, rounds] of [
  ['asked at once', early],
  ['prepared', prepared],
] as const) {
  const of = (part: keyof Round) => rounds.map((round) => round[part]);
  const first = of('first');
  console.log(
    `${name.padEnd(14)} first ${seconds(median(first))} (${seconds(Math.min(...first))} to ${seconds(Math.max(...first))}), ` +
      `later ${seconds(median(of('later')))}; ${median(of('memory')).toFixed(0)} MB before the first`,
  );
}
