/**
 * Runs the reference posteriors and prints how well and how fast they are sampled:
 *
 *   npm run bench -- posteriordb [NAME…] [--reference FOLDER] [--samples 1000]
 *
 * FOLDER (posteriordb's layout, or the variable ERGODIC_POSTERIORDB) has the data sets too large to be stored here.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { runChains } from '../../src/engine/run.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import {
  isMatch,
  matchKey,
  readData,
  readProgram,
  referencePosteriors,
} from '../support/posteriordb.ts';
import { isNamed, referenceOption, settingsFor } from './posterior-options.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    reference: referenceOption,
    samples: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '4711' },
  },
});

/** The centred eight schools, a funnel, have no reference draws; shown next to the other form, not counted. */
const borrowed: Readonly<Record<string, { from: string; keys: readonly string[] }>> = {
  'eight_schools-eight_schools_centered': {
    from: 'eight_schools-eight_schools_noncentered',
    keys: ['mu', 'tau'],
  },
};

const columns = [
  'posterior',
  'verdict',
  'keys',
  'z max',
  'rhat',
  'div',
  'ESS min',
  'ESS/s',
  'µs/grad',
  's',
];
const widths = [44, 14, 5, 7, 7, 5, 8, 8, 8, 7];
const printRow = (cells: readonly string[]) =>
  console.log(
    cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' '),
  );

const worker = await bundleWorker();
console.log(
  `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}, 4 × (1000 + ${options.samples})`,
);
printRow(columns);
let numMatched = 0;
let numJudged = 0;
for (const [name, posterior] of Object.entries(referencePosteriors)) {
  if (!isNamed(name, names)) continue;
  const data = readData(posterior.data, options.reference);
  if (data === null) {
    printRow([name, 'no data here']);
    continue;
  }
  const settings = settingsFor(posterior, {
    numSamples: Number(options.samples),
    seed: Number(options.seed),
  });
  const result = await runChains({
    source: readProgram(posterior.model),
    data,
    settings,
    workerUrl: worker.url,
  });
  const failure = result.chains.find((chain) => chain.outcome.status === 'failed')?.outcome;
  if (failure?.status === 'failed') {
    numJudged += 1;
    printRow([name, 'failed']);
    console.log(`    ${failure.failure.message}`);
    continue;
  }
  const other = borrowed[name];
  const keys = Object.entries(referencePosteriors[other?.from ?? name].keys ?? {}).filter(
    ([key]) => other === undefined || other.keys.includes(key),
  );
  const matches = keys.map(([key, reference]) => {
    const c = result.columns.indexOf(key);
    return matchKey(
      key,
      result.chains.map((chain) => chain.sampling[c]),
      reference,
    );
  });
  const bad = matches.filter((match) => !isMatch(posterior.model, match));
  const sum = (f: (chain: (typeof result.chains)[number]) => number) =>
    result.chains.reduce((total, chain) => total + f(chain), 0);
  const seconds = sum(
    ({ progress }) => (progress?.warmupSeconds ?? 0) + (progress?.samplingSeconds ?? 0),
  );
  const leapfrogs = sum(
    ({ progress }) => (progress?.warmupLeapfrogs ?? 0) + (progress?.leapfrogs ?? 0),
  );
  const essMin = Math.min(...matches.map((match) => match.ess));
  const isJudged = keys.length > 0 && other === undefined;
  if (isJudged) numJudged += 1;
  if (isJudged && bad.length === 0) numMatched += 1;
  printRow([
    name,
    keys.length === 0 ? 'no draws' : bad.length === 0 ? 'match' : `${bad.length} off`,
    String(keys.length),
    Math.max(...matches.flatMap((match) => [match.zMean, match.zSquare])).toFixed(2),
    Math.max(...matches.map((match) => match.rhat)).toFixed(4),
    String(sum(({ progress }) => progress?.divergences ?? 0)),
    essMin.toFixed(0),
    (essMin / seconds).toFixed(0),
    ((1e6 * seconds) / leapfrogs).toFixed(2),
    seconds.toFixed(2),
  ]);
  for (const { key, zMean, zSquare, zQuantile, rhat } of bad) {
    console.log(
      `    ${key}: z mean ${zMean.toFixed(2)}, z square ${zSquare.toFixed(2)}, z quantile ${zQuantile.toFixed(2)}, rhat ${rhat.toFixed(4)}`,
    );
  }
}
console.log(
  `${numMatched} of ${numJudged} match. ESS/s is per second of one core, warmup included.`,
);
await worker.remove();
