/**
 * The engine compared with Stan: the same posteriors, iterations, adapt_delta and chains, one chain after another:
 *
 *   npm run bench -- engine [NAME…] [--rstan] [--seeds 3] [--chains 4] [--iterations 1000] [--adaptation stan|fisher]
 *                           [--metric diag|low-rank|dense]
 *                           [--cold] [--rstan-models FOLDER] [--reference FOLDER]
 *
 * Each run is in a process that has prepared for it as an idle worker of the service does; with `--cold`, in a new one, as
 * `ergodic run` is.
 * `--rstan` needs R with rstan 2.21 (Debian: r-cran-rstan libboost-dev libeigen3-dev libtbb-dev r-base-dev). FOLDER as
 * for the bench "posteriordb"; compiled rstan models stay in theirs, by default a temporary folder of the system.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultSettings } from '../../src/engine/settings.ts';
import type { Settings } from '../../src/engine/settings-table.ts';
import { essBulk } from '../../src/posterior/ess.ts';
import { rhatRank } from '../../src/posterior/rhat.ts';
import { engineCases } from './engine/cases.ts';
import type { Measured } from './engine/measure.ts';
import { openEngine } from './engine/ours.ts';
import { type RstanModel, rstanModel, sampleByRstan } from './engine/rstan.ts';
import { geometricMean, isNamed, referenceOption } from './posterior-options.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    rstan: { type: 'boolean', default: false },
    'rstan-models': { type: 'string', default: path.join(tmpdir(), 'ergodic-rstan') },
    reference: referenceOption,
    seeds: { type: 'string', default: '3' },
    chains: { type: 'string', default: '4' },
    iterations: { type: 'string', default: '1000' },
    adaptation: { type: 'string', default: defaultSettings.adaptation },
    metric: { type: 'string' },
    cold: { type: 'boolean', default: false },
  },
});

/** Stan's windows find no low-rank metric, which is the default. */
const metric = (options.metric ??
  (options.adaptation === 'stan' ? 'diag' : defaultSettings.metric)) as Settings['metric'];

interface Sums {
  leapfrogs: number;
  ess: number;
  chainSeconds: number;
  totalSeconds: number;
  readySeconds: number;
  peakBytes: number;
  /** Runs whose chains disagree: their ESS is meaningless, so they are excluded everywhere. */
  stuck: number;
  runs: number;
}

const noSums = (): Sums => ({
  leapfrogs: 0,
  ess: 0,
  chainSeconds: 0,
  totalSeconds: 0,
  readySeconds: 0,
  peakBytes: 0,
  stuck: 0,
  runs: 0,
});

function add(sums: Sums, run: Measured, readySeconds: number): void {
  const rhat = Math.max(...run.draws.map(rhatRank).filter(Number.isFinite));
  if (rhat > 1.05) {
    sums.stuck += 1;
    return;
  }
  sums.runs += 1;
  sums.leapfrogs += run.leapfrogs;
  sums.ess += Math.min(...run.draws.map(essBulk));
  sums.chainSeconds += run.chainSeconds;
  sums.totalSeconds += run.totalSeconds;
  sums.readySeconds += readySeconds;
  sums.peakBytes = Math.max(sums.peakBytes, run.peakBytes);
}

const perLeapfrog = (sums: Sums) => (1e6 * sums.chainSeconds) / sums.leapfrogs;
const perEss = (sums: Sums) => sums.leapfrogs / sums.ess;

const columns: readonly (readonly [title: string, width: number])[] = [
  ['posterior', 26],
  ['engine', 7],
  ['µs/leap', 9],
  ['ESS/s', 9],
  ['ESS/s run', 10],
  ['leap/ESS', 9],
  ['to summary', 11],
  ['compile', 9],
  ['size', 6],
  ['MB', 6],
  ['stuck', 6],
];
const print = (cells: readonly string[]) =>
  console.log(
    cells
      .map((cell, i) => (i < 2 ? cell.padEnd(columns[i][1]) : cell.padStart(columns[i][1])))
      .join(' '),
  );
const digits = (value: number) => (value < 100 ? value.toPrecision(3) : value.toFixed(0));

function printSums(name: string, engine: string, sums: Sums, compile: string, size: string): void {
  print([
    name,
    engine,
    digits(perLeapfrog(sums)),
    digits(sums.ess / sums.chainSeconds),
    digits(sums.ess / sums.totalSeconds),
    digits(perEss(sums)),
    `${(sums.readySeconds / sums.runs).toFixed(2)} s`,
    compile,
    size,
    (sums.peakBytes / 1e6).toFixed(0),
    `${sums.stuck}`,
  ]);
}

/** Ratios to rstan, each above 1 where the engine is better. */
interface Ratios {
  readonly name: string;
  readonly leapfrog: number;
  readonly chains: number;
  readonly run: number;
  readonly ready: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-bench-'));
const engine = await openEngine(folder);
const ratios: Ratios[] = [];

async function compare([name, load]: (typeof engineCases)[number]): Promise<void> {
  const found = load(options.reference);
  if (found === null) {
    print([name, 'no data here']);
    return;
  }
  const { source, data, adaptDelta, maxTreeDepth, initRadius } = found;
  const iterations = Number(options.iterations);
  const model: RstanModel | null = options.rstan
    ? rstanModel(found, options['rstan-models'])
    : null;
  const [own, other] = [noSums(), noSums()];
  let [compileSeconds, sizeRatio] = [0, 0];
  for (let seed = 4711; seed < 4711 + Number(options.seeds); seed++) {
    const settings = {
      ...defaultSettings,
      adaptation: options.adaptation === 'fisher' ? ('fisher' as const) : ('stan' as const),
      metric,
      numChains: Number(options.chains),
      numWarmup: iterations,
      numSamples: iterations,
      adaptDelta,
      maxTreeDepth,
      initRadius,
      seed,
    };
    const request = { source, data, settings, isWarm: !options.cold };
    const run = engine.sample(request);
    ({ compileSeconds, sizeRatio } = run);
    add(own, run, run.textToSummarySeconds);
    if (model === null) continue;
    const parameters = [...new Set(run.parameters.map((column) => column.replace(/\[.*/, '')))];
    const theirs = sampleByRstan(model, request, parameters, folder);
    add(other, theirs, model.compileSeconds + theirs.totalSeconds + theirs.summarySeconds);
  }
  printSums(name, 'ours', own, `${(1000 * compileSeconds).toFixed(0)} ms`, sizeRatio.toFixed(1));
  if (model === null) return;
  printSums('', 'rstan', other, `${model.compileSeconds.toFixed(1)} s`, '');
  if (own.runs === 0 || other.runs === 0) {
    print(['', '', 'not compared: a chain was stuck in every run']);
    return;
  }
  const ratio: Ratios = {
    name,
    leapfrog: perLeapfrog(other) / perLeapfrog(own),
    chains: own.ess / own.chainSeconds / (other.ess / other.chainSeconds),
    run: own.ess / own.totalSeconds / (other.ess / other.totalSeconds),
    ready: other.readySeconds / other.runs / (own.readySeconds / own.runs),
  };
  ratios.push(ratio);
  const times = (value: number) => `${value.toFixed(2)} ×`;
  print([
    '',
    '',
    times(ratio.leapfrog),
    times(ratio.chains),
    times(ratio.run),
    times(perEss(other) / perEss(own)),
    times(ratio.ready),
  ]);
}

console.log(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}, ${options.chains} × (${options.iterations} + ${options.iterations}), ` +
    `${options.seeds} seeds, adaptation ${options.adaptation}, metric ${metric}, ` +
    (options.cold
      ? 'in new processes'
      : 'in processes prepared like an idle worker of the service'),
);
console.log(
  'Seconds of processor time, not of the clock: of the process with all its threads, one chain after another. ESS/s: the least\n' +
    'bulk ESS of a parameter, a second of chains with their warmup (rstan: its own elapsed time). ESS/s run: a second of the\n' +
    'whole run: threads and compilation here, sampling() there. To summary: from the text, for rstan with its compiler\n' +
    "(-O3 behind R's own options). A ratio above 1: the engine is better.",
);
print(columns.map(([title]) => title));
for (const one of engineCases) {
  if (isNamed(one[0], names)) await compare(one);
}
await engine.remove();
rmSync(folder, { recursive: true, force: true });

function report(what: string, of: (ratio: Ratios) => number): void {
  const least = ratios.reduce((a, b) => (of(b) < of(a) ? b : a));
  console.log(
    `${what}: ${geometricMean(ratios.map(of)).toFixed(2)} × in the geometric mean of ${ratios.length}, least ${of(least).toFixed(2)} × (${least.name})`,
  );
}
if (ratios.length > 0) {
  report('µs a leapfrog', ({ leapfrog }) => leapfrog);
  report('ESS/s of chains', ({ chains }) => chains);
  report('ESS/s of runs', ({ run }) => run);
  report('from text to summary', ({ ready }) => ready);
}
