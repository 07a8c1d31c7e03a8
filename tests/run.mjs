/**
 * `npm test`: installs what the tests need if it can, then runs all checks and the tests that do not take long: seconds
 * for each step, one line of counts at the end. `npm run test:long` does the same for the rest (`support/long-tests.mjs`) and
 * for the database tests. The unit tests, and then the database tests, run alongside all other steps, which wait for pages
 * and servers more than they compute.
 *
 *   node tests/run.mjs [--only long|check|unit|e2e|postgres|slurm|faults|fuzz] [arguments of vitest]
 *   node tests/run.mjs --only fuzz slow [part of a parser's name | endpoints]
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addCounts, countsLine, noCounts, readCounts } from './support/counts.mjs';
import { startDebianPostgres } from './support/debian-postgres.mjs';
import { canInstall, installParts } from './support/install-parts.mjs';
import { longTests } from './support/long-tests.mjs';
import { findChromium, findPostgres } from './support/parts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (...parts) => path.join(root, ...parts);
const args = process.argv.slice(2);
const onlyAt = args.indexOf('--only');
const only = onlyAt < 0 ? 'short' : args.splice(onlyAt, 2)[1];
if (
  !['short', 'long', 'check', 'unit', 'e2e', 'postgres', 'slurm', 'faults', 'fuzz'].includes(only)
) {
  process.stderr.write(
    `--only takes long, check, unit, e2e, postgres, slurm, faults or fuzz, not "${only}".\n`,
  );
  process.exit(2);
}

/** Steps that run alongside the unit tests print their output in one piece when they end. */
const isBeside = only === 'short' || only === 'long';
const sum = noCounts();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const children = new Set();
let isInterrupted = false;
/** Steps with few failed files, which are rerun on their own at the end. */
const doubtful = [];
/** More failed files than these have a common cause. */
const FEW = 3;
/** Failures that did not recur, one line each. */
const unsteady = [];
/** Stopped at the very end, since tests may be rerun. */
let debianServer = null;
/** Certificates for a proxy between here and the registries: reading them would cost each Node process 0.09 s. */
const WITHOUT_NETWORK = { NODE_EXTRA_CA_CERTS: undefined };
/** The exit code a shell reports for Ctrl-C. */
const INTERRUPTED = 130;

/** What each choice of tests needs in addition to npm packages. */
const ROOMS = [
  'python',
  'pip',
  'r',
  'jags',
  'emcee',
  'bubblewrap',
  'readers',
  'pyinvoke',
  'sqlite3',
  'postgresql',
  'pgbouncer',
];
const PARTS = {
  short: ['python', 'readers', 'sqlite3', 'chromium'],
  long: [...ROOMS, 'chromium'],
  check: [],
  unit: ROOMS,
  e2e: ['chromium'],
  postgres: ROOMS,
  slurm: ['slurm'],
  faults: ['postgresql', 'network'],
  fuzz: ['chromium'],
};

const FAULTS = ['--config', 'tests/faults/vitest.config.ts'];

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    isInterrupted = true;
  });
}

/** `isShown` false: its output is shown when it ends. */
async function run(file, fileArgs, { env = {}, isShown = !isBeside } = {}) {
  if (isInterrupted) return INTERRUPTED;
  if (isShown) return start(file, fileArgs, env, 'inherit');
  return inFolder(async (folder) => {
    const log = path.join(folder, 'log');
    const output = fs.openSync(log, 'w');
    const code = await start(file, fileArgs, env, output);
    fs.closeSync(output);
    process.stdout.write(fs.readFileSync(log));
    return code;
  });
}

function start(file, fileArgs, env, output) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...fileArgs], {
      cwd: root,
      stdio: ['inherit', output, output],
      env: { ...process.env, ...WITHOUT_NETWORK, ...env },
    });
    children.add(child);
    child.once('exit', (code) => {
      children.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** A temporary folder for `work`, removed afterwards. */
async function inFolder(work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-report-'));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Installs parts and returns what is still missing. CI must not skip silently, so there it is a failure. */
async function prepareParts() {
  const wanted = PARTS[only];
  const left = await installParts(wanted, say);
  for (const reason of left.values()) {
    if (process.env.CI === 'true' && canInstall()) fail(`missing: ${reason}`);
    else say(`not here, so tests are skipped: ${reason}`);
  }
  return left;
}

function fail(failure) {
  sum.failed += 1;
  sum.failures.push(failure);
  say(`FAILED ${failure}`);
}

/** A step that passes or fails as a whole. */
async function check(name, file, ...fileArgs) {
  const since = performance.now();
  const code = await run(file, fileArgs);
  if (code === 0) sum.passed += 1;
  else {
    sum.failed += 1;
    sum.failures.push(name);
  }
  say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(since)})`);
  return code === 0;
}

/** A step that counts its tests. */
async function tests(name, vitestArgs, { env = {}, isShown = !isBeside } = {}) {
  const since = performance.now();
  const counts = await countTests(name, [...vitestArgs, ...args], { env, isShown });
  addCounts(sum, counts);
  const { failedFiles } = counts;
  if (failedFiles.length > 0 && failedFiles.length <= FEW)
    doubtful.push({
      name,
      counts,
      env,
      options: vitestArgs.filter((arg) => !arg.startsWith('tests/') || arg.endsWith('.config.ts')),
    });
  say(
    `${counts.failed === 0 ? 'ok    ' : 'FAILED'} ${name}: ${countsLine(counts)} (${seconds(since)})`,
  );
}

/** Runs vitest and returns the counts of its report. */
async function countTests(name, vitestArgs, { env, isShown }) {
  const { code, counts } = await inFolder(async (folder) => {
    const report = path.join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const vitest = inRoot('node_modules/vitest/vitest.mjs');
    const ended = await run(vitest, ['run', ...reporters, ...vitestArgs], { env, isShown });
    return { code: ended, counts: readCounts(report, root) };
  });
  // A run that ended badly without naming a failed test (no test found, a crash) is also a failure.
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    counts.failures.push(`${name}: ended with code ${code}`);
  }
  return counts;
}

/**
 * An overloaded machine makes a test fail now and then. If only a few files failed, they are rerun with nothing
 * else running: files that pass then count as passed but are listed as unsteady; those that fail twice have failed.
 */
async function runDoubtfulAgain() {
  for (const { name, counts, env, options } of doubtful) {
    if (isInterrupted) return;
    const files = counts.failedFiles;
    say(`again by themselves: ${files.join(', ')}`);
    const again = await countTests(name, [...options, ...files], { env, isShown: true });
    if (again.failed > 0 || again.passed < counts.failed) continue;
    sum.failed -= counts.failed;
    sum.passed += counts.failed;
    sum.failures = sum.failures.filter((failure) => !counts.failures.includes(failure));
    unsteady.push(...counts.failures);
  }
}

/** Skips all tests of a step because a part is missing; reads the files to count the tests. */
async function skipTests(name, part, vitestArgs) {
  const skippedBefore = sum.skipped;
  await tests(`${name}, without ${part}`, [...vitestArgs, '--testNamePattern=(?!)']);
  const count = sum.skipped - skippedBefore;
  sum.needs.set(part, (sum.needs.get(part) ?? 0) + count);
}

async function build() {
  return check('build', inRoot('src/bootstrap.mjs'), 'build');
}

async function checks() {
  await check(
    'format',
    inRoot('node_modules/@biomejs/biome/bin/biome'),
    'ci',
    '--reporter=summary',
    '.',
  );
  await check('types', inRoot('node_modules/typescript/bin/tsc'), '-p', '.');
  await check('indexes', inRoot('tests/indexes.mjs'));
  await check('lint', inRoot('node_modules/oxlint/bin/oxlint'), '--type-aware', 'src', 'tests');
  await check('unused', inRoot('node_modules/knip/bin/knip.js'), '--no-progress');
}

const isBrowserTest = (file) => file.startsWith('tests/e2e/');
/** Files that the caller names are run however long they take. */
const areNamed = args.some((arg) => !arg.startsWith('-'));
/** `npm test` leaves long tests out: the configurations read this variable. */
const length = only === 'short' && !areNamed ? { TEST_LENGTH: 'short' } : {};

/** What `npm run test:long` runs of the tests accepted by `isMeant`. */
function longOnes(isMeant) {
  return only === 'long' && !areNamed ? longTests.filter(isMeant) : [];
}

async function browserTests(env = {}) {
  const config = ['--config', 'tests/e2e/vitest.config.ts', ...longOnes(isBrowserTest)];
  const chromium = findChromium();
  if (chromium === null) await skipTests('browser', 'chromium', config);
  else await tests('browser', config, { env: { CHROMIUM: chromium, ...length, ...env } });
}

/** The database tests against an external server: the one at DATABASE_URL, or Debian's. */
async function postgresTests() {
  // `npm test` does not touch a server that happens to be set for another purpose.
  const named = only === 'postgres' ? (process.env.DATABASE_URL ?? '') : '';
  const bin = findPostgres();
  if (named === '' && bin === null) {
    addCounts(sum, { ...noCounts(), skipped: 1, needs: new Map([['postgresql', 1]]) });
    say('skipped postgres');
    return;
  }
  try {
    if (named === '') debianServer = await startDebianPostgres(bin);
  } catch (error) {
    fail(`PostgreSQL server for the tests: ${error.message}`);
    return;
  }
  const url = debianServer?.url ?? named;
  await tests('postgres', [...besideOthers(), ...databaseTests()], {
    env: { TEST_DATABASE_URL: url, DATABASE_URL: '' },
  });
}

/**
 * Another server may treat our statements differently. They are in files that open a database themselves (tables,
 * jobs, claims and locks, migrations, backups), behind endpoints, all of which conformance calls and the routes'
 * tests in part, in listeners and in background work on rows. The tests left out run the same statements
 * again: permissions, other clients of the same endpoints, computations from draws.
 */
function databaseTests() {
  const rooms = ['events', 'live', 'routes'];
  const isBehind = (name) =>
    rooms.includes(name.split(path.sep)[0]) || name.endsWith('runs/finalise.test.ts');
  const isOpening = (name) =>
    fs.readFileSync(inRoot('tests/service', name), 'utf8').includes("support/database.ts'");
  const again = [
    // How many sockets may be open and how long: their statements are those of the other sockets.
    'live/socket-bounds.test.ts',
    // Does not use a database.
    'live/coverage.test.ts',
  ];
  const files = fs
    .readdirSync(inRoot('tests/service'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && (isBehind(name) || isOpening(name)))
    .map((name) => path.join('tests/service', name))
    .filter((name) => !again.some((end) => name.endsWith(end)));
  return ['tests/conformance/endpoints.test.ts', ...files];
}

const since = performance.now();
const left = await prepareParts();
// First, because it generates the route types and the run workers.
const isBuilt = await build();

/** Two processes here and two alongside keep two cores busy. */
function besideOthers() {
  const isGiven = args.some((arg) => arg.startsWith('--maxWorkers'));
  return isBeside && !isGiven ? ['--maxWorkers=2'] : [];
}

async function unitTests() {
  if (!isBeside && only !== 'unit') return;
  const files = longOnes((file) => !isBrowserTest(file));
  const env = { DATABASE_URL: '', ...length };
  await tests('unit', [...besideOthers(), ...files], { env, isShown: true });
  // The browser tests take longer, so the remaining ones of these wait here, not after them.
  if (only === 'long') await postgresTests();
}

async function otherSteps() {
  if (only === 'short' || only === 'check') {
    await checks();
    if (isBuilt) await check('sizes', inRoot('tests/sizes.mjs'));
  }
  if ((isBeside || only === 'e2e') && isBuilt) await browserTests();
  if (only === 'postgres') await postgresTests();
  // Takes minutes, mostly Slurm's own: it checks time limits every half minute.
  if (only === 'slurm')
    await tests('slurm', ['tests/slurm'], { env: { TEST_SLURM: 'yes', DATABASE_URL: '' } });
  if (only === 'faults' && isBuilt) await tests('faults', FAULTS, { env: { DATABASE_URL: '' } });
}

try {
  await Promise.all([unitTests(), otherSteps()]);
  // A developer who runs a part by hand sees what failed.
  if (isBeside || process.env.CI === 'true') await runDoubtfulAgain();
} finally {
  await debianServer?.stop();
}
/** Slow inputs, parser by parser and endpoint by endpoint. */
async function slowInputs(names) {
  const hooks = ['tsx', pathToFileURL(inRoot('tests/support/raw-text.mjs')).href];
  const imports = hooks.flatMap((hook) => ['--import', hook]);
  await check('slow inputs', ...imports, inRoot('tests/fuzz/slow.ts'), ...names);
}

// Many times more than other runs try; FUZZ_SEED takes a different path.
if (only === 'fuzz' && args[0] !== 'slow')
  await tests(
    'fuzz',
    [
      'tests/engine/complex/any-program.test.ts',
      'tests/language/adjoint/generated.test.ts',
      'tests/language/check.test.ts',
      'tests/language/emit/coverage.test.ts',
      'tests/security/any-input.test.ts',
      'tests/service/routes/at-once.test.ts',
      'tests/service/policy/random-acts.test.ts',
      'tests/service/runs/kill.test.ts',
      '--testTimeout=3600000',
    ],
    { env: { FUZZ_RUNS: process.env.FUZZ_RUNS ?? '10000', DATABASE_URL: '' } },
  );
if (only === 'fuzz' && args.length === 0 && isBuilt) await browserTests({ SCHEMES: 'both' });
if (only === 'fuzz') await slowInputs(args[0] === 'slow' ? args.slice(1) : []);
for (const [part, count] of sum.needs) say(`skipped: ${count} that need ${left.get(part) ?? part}`);
for (const failure of [...unsteady, ...sum.retried]) say(`unsteady: ${failure}`);
for (const failure of sum.failures) say(`failed: ${failure}`);
say(`${seconds(since)} in all`);
say(countsLine(sum));
process.exitCode = isInterrupted ? INTERRUPTED : sum.failed === 0 ? 0 : 1;
