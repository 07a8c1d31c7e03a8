/**
 * Derives the fixtures of the reference posteriors from a folder in the layout of posteriordb:
 *
 *   node tests/engine/posteriordb/make-fixtures.mjs FOLDER
 *
 * FOLDER contains posteriors/*.json, data/*.json.zip, draws/*.json.zip, info/*.json and LICENCE.txt. Writes
 * tests/fixtures/posteriordb/reference.json (statistics of the reference draws, per posterior and key), the smaller
 * data sets as they are, and the licence. The draws themselves are too large to store.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strFromU8, unzipSync } from 'fflate';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node tests/engine/posteriordb/make-fixtures.mjs FOLDER');
  process.exit(1);
}
const target = fileURLToPath(new URL('../../fixtures/posteriordb/', import.meta.url));
/** Larger data sets are read from FOLDER by the benchmark only. */
const largestData = 20_000;

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const readZip = (path) => JSON.parse(strFromU8(Object.values(unzipSync(readFileSync(path)))[0]));

mkdirSync(join(target, 'data'), { recursive: true });
const reference = {};
for (const file of readdirSync(join(folder, 'posteriors')).toSorted()) {
  const posterior = readJson(join(folder, 'posteriors', file));
  const name = file.replace(/\.json$/, '');
  const drawsPath = join(folder, 'draws', `${name}.json.zip`);
  const infoPath = join(folder, 'info', `${name}.info.json`);
  const control = existsSync(infoPath) ? readJson(infoPath).inference.method_arguments.control : {};
  reference[name] = {
    model: posterior.model_name,
    data: posterior.data_name,
    adapt_delta: control.adapt_delta ?? 0.8,
    max_treedepth: control.max_treedepth ?? 10,
    keys: existsSync(drawsPath) ? statisticsOf(readZip(drawsPath)) : null,
  };
  const dataFile = `${posterior.data_name}.json.zip`;
  const dataPath = join(folder, 'data', dataFile);
  if (statSync(dataPath).size <= largestData)
    copyFileSync(dataPath, join(target, 'data', dataFile));
}
const lines = Object.entries(reference).map(
  ([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`,
);
writeFileSync(join(target, 'reference.json'), `{\n${lines.join(',\n')}\n}\n`);
copyFileSync(join(folder, 'LICENCE.txt'), join(target, 'LICENCE.txt'));
console.log(`${lines.length} posteriors written to ${target}`);

/** Per key: number of draws, moments of x and x², quantiles. `chains`: a list of {key: values}. */
function statisticsOf(chains) {
  const keys = {};
  for (const key of Object.keys(chains[0])) {
    const values = chains.flatMap((chain) => chain[key]).toSorted((a, b) => a - b);
    const square = moments(values.map((x) => x * x));
    keys[key] = {
      num_draws: values.length,
      ...moments(values),
      mean_square: square.mean,
      sd_square: square.sd,
      q5: quantile(values, 0.05),
      q50: quantile(values, 0.5),
      q95: quantile(values, 0.95),
    };
  }
  return keys;
}

function moments(values) {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const squares = values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return { mean: round(mean), sd: round(Math.sqrt(squares / (values.length - 1))) };
}

/** Linear between order statistics (type 7). */
function quantile(sorted, p) {
  const at = (sorted.length - 1) * p;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return round(sorted[below] + (at - below) * (sorted[above] - sorted[below]));
}

/** Far more digits than 10 000 draws can resolve. */
function round(x) {
  return Number(x.toPrecision(9));
}
