/**
 * Finds the slowest input of one parser: climbs on time per byte, then doubles the slowest shapes. A separate process,
 * since an input may hang it: `climb.ts PARSER SEED ROUNDS FILE` writes what it tries next and what it found to FILE.
 */
import fs from 'node:fs';
import { seededRng } from '../support/seeded-rng.ts';
import { describeShape, grow, mutate, type Shape } from './shape.ts';
import { parsers, type SlowParser } from './slow-parsers.ts';
import { threadMs } from './thread-time.ts';

export interface Slowest {
  readonly shape: string;
  readonly bytes: number;
  readonly ms: number;
  /** The largest growth over a doubling that took long enough to judge. */
  readonly growth: number;
}

export interface Climb {
  /** The input being tried; if the process is killed during it, the culprit. */
  trying: string;
  found: Slowest[];
  isDone: boolean;
}

/** Growth is judged if the longer of two inputs takes at least this long. */
const TELLING_MS = 120;
/** Doubling stops when one input takes this long. */
const ENOUGH_MS = 1500;

const [name = '', seed = '42', rounds = '60', file = ''] = process.argv.slice(2);
const report: Climb = { trying: '', found: [], isDone: false };
const save = () => fs.writeFileSync(file, JSON.stringify(report));

/** The fastest of several runs: garbage collection is not the parser's time. */
async function timeOf(parser: SlowParser, shape: Shape, bytes: number, runs = 2): Promise<number> {
  const input = grow(shape, bytes);
  report.trying = `${describeShape(shape)}, ${input.length} characters`;
  save();
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const since = threadMs();
    await parser.run(input);
    best = Math.min(best, threadMs() - since);
    if (best > ENOUGH_MS) break;
  }
  return best;
}

async function climb(parser: SlowParser, random: () => number): Promise<Shape[]> {
  const bytes = Math.min(parser.maxBytes, 16_384);
  const ranked: { shape: Shape; ms: number }[] = [];
  for (const shape of parser.shapes) ranked.push({ shape, ms: await timeOf(parser, shape, bytes) });
  const rank = () => ranked.sort((a, b) => b.ms - a.ms).splice(8);
  rank();
  for (let i = 0; i < Number(rounds); i++) {
    // slower ones are picked more often
    const from = ranked[Math.floor(random() ** 2 * ranked.length)] as { shape: Shape };
    const shape = mutate(from.shape, parser.words, random);
    ranked.push({ shape, ms: await timeOf(parser, shape, bytes, 1) });
    rank();
  }
  return ranked.slice(0, 5).map(({ shape }) => shape);
}

async function double(parser: SlowParser, shape: Shape): Promise<Slowest> {
  let growth = 1;
  let bytes = Math.min(parser.maxBytes, 4096);
  let ms = await timeOf(parser, shape, bytes);
  while (2 * bytes <= parser.maxBytes && ms < ENOUGH_MS) {
    let twice = await timeOf(parser, shape, 2 * bytes);
    // a single pause of the machine looks like growth
    if (twice > TELLING_MS && twice > 3 * ms) {
      ms = Math.max(ms, await timeOf(parser, shape, bytes));
      twice = Math.min(twice, await timeOf(parser, shape, 2 * bytes));
    }
    if (twice > TELLING_MS) growth = Math.max(growth, twice / Math.max(ms, 1));
    bytes *= 2;
    ms = twice;
  }
  return { shape: describeShape(shape), bytes, ms, growth };
}

const parser = parsers.find((one) => one.name === name);
if (parser === undefined) throw new Error(`no parser ${name}`);
const rng = seededRng(Number(seed));
// warm up the compiler
for (const shape of parser.shapes) await timeOf(parser, shape, 2048);
const slow = await climb(parser, () => rng.uniform());
for (const shape of [...slow, ...parser.shapes]) {
  report.found.push(await double(parser, shape));
  save();
}
report.isDone = true;
save();
process.exit(0);
