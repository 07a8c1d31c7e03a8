/**
 * `npm test`: every check and test in order, each step with its seconds, one line of counts at the end.
 *
 *   node tests/run.mjs [--only check|unit|e2e|postgres|fuzz] [arguments of vitest]
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './support/find-chromium.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (...parts) => path.join(root, ...parts);
const args = process.argv.slice(2);
const onlyAt = args.indexOf('--only');
const only = onlyAt < 0 ? 'all' : args.splice(onlyAt, 2)[1];
if (!['all', 'check', 'unit', 'e2e', 'postgres', 'fuzz'].includes(only)) {
  process.stderr.write(`--only takes check, unit, e2e, postgres or fuzz, not "${only}".\n`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
/** What failed and why, a line each: said again at the very end, where a cut log still shows it. */
const failures = [];
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const children = new Set();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exitCode = 130;
  });
}

function run(file, fileArgs, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...fileArgs], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    children.add(child);
    child.once('exit', (code) => {
      children.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** A step that passes or fails as one. */
async function check(name, file, ...fileArgs) {
  const since = performance.now();
  const code = await run(file, fileArgs);
  if (code === 0) passed += 1;
  else {
    failed += 1;
    failures.push(name);
  }
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(since)})\n`);
  return code === 0;
}

/** A step that counts its tests. */
async function tests(name, vitestArgs, env = {}) {
  const since = performance.now();
  const report = path.join(
    fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-report-')),
    'report.json',
  );
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(
    inRoot('node_modules/vitest/vitest.mjs'),
    ['run', ...reporters, ...vitestArgs, ...args],
    env,
  );
  const counts = readCounts(report);
  fs.rmSync(path.dirname(report), { recursive: true, force: true });
  passed += counts.passed;
  // A run that ended badly without naming a failed test (no test found, a crash) is a failure too.
  const bad = counts.failed > 0 || code === 0 ? counts.failed : 1;
  failed += bad;
  failures.push(...counts.failures);
  if (bad > 0 && counts.failures.length === 0) failures.push(`${name}: ended with code ${code}`);
  const words = `${counts.passed} passed, ${bad} failed`;
  process.stdout.write(
    `${bad === 0 ? 'ok    ' : 'FAILED'} ${name}: ${words} (${seconds(since)})\n`,
  );
}

function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(
      fs.readFileSync(report, 'utf8'),
    );
    // A file that could not be loaded or set up has no tests that failed.
    const unloaded = testResults.filter(
      (file) =>
        file.status === 'failed' &&
        file.assertionResults.every(({ status }) => status !== 'failed'),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests + unloaded.length,
      failures: [
        ...unloaded.map((file) => failureLine(file.name, '', file.message)),
        ...testResults.flatMap((file) =>
          file.assertionResults
            .filter(({ status }) => status === 'failed')
            .map((test) => failureLine(file.name, test.fullName, test.failureMessages[0])),
        ),
      ],
    };
  } catch {
    return { passed: 0, failed: 0, failures: [] };
  }
}

function failureLine(file, test, message = '') {
  const why = message.split('\n')[0].slice(0, 300);
  return `${path.relative(root, file)}: ${test}: ${why}`;
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
  await check('lint', inRoot('node_modules/oxlint/bin/oxlint'), '--type-aware', 'src', 'tests');
}

async function browserTests() {
  const chromium = findChromium();
  if (chromium !== null) {
    await tests('browser', ['--config', 'tests/e2e/vitest.config.ts'], { CHROMIUM: chromium });
    return;
  }
  const words =
    'no Chromium on PATH (chromium-headless-shell, chromium, chromium-browser, google-chrome) nor in CHROMIUM';
  if (process.env.CI === 'true') {
    failed += 1;
    failures.push(words);
    process.stdout.write(`FAILED browser: ${words}\n`);
  } else {
    process.stdout.write(`not run: browser: ${words}\n`);
  }
}

async function postgresTests() {
  const url = process.env.DATABASE_URL ?? '';
  if (url === '') {
    failed += 1;
    process.stdout.write(
      'FAILED postgres: DATABASE_URL must name a server and a user who may create databases\n',
    );
    return;
  }
  await tests('postgres', ['tests/service', 'tests/conformance', ...withoutOwnServer()], {
    TEST_DATABASE_URL: url,
    DATABASE_URL: '',
  });
}

/** Files that start the built service bring the PostgreSQL it starts; the one named by the address is not in them. */
function withoutOwnServer() {
  return fs
    .readdirSync(inRoot('tests/service'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join('tests/service', name))
    .filter((name) => fs.readFileSync(inRoot(name), 'utf8').includes("support/served.ts'"))
    .flatMap((name) => ['--exclude', name]);
}

const since = performance.now();
// First, because the types of routes and the workers of runs are made by it.
const isBuilt = await build();
if (only === 'all' || only === 'check') {
  await checks();
  if (isBuilt) await check('sizes', inRoot('tests/sizes.mjs'));
}
if (only === 'all' || only === 'unit') await tests('unit', [], { DATABASE_URL: '' });
if ((only === 'all' || only === 'e2e') && isBuilt) await browserTests();
if (only === 'postgres') await postgresTests();
// Twenty times what every other run tries; FUZZ_SEED takes another way through.
if (only === 'fuzz')
  await tests(
    'fuzz',
    [
      'tests/security/any-input.test.ts',
      'tests/service/routes/at-once.test.ts',
      '--testTimeout=3600000',
    ],
    {
      FUZZ_RUNS: process.env.FUZZ_RUNS ?? '10000',
      DATABASE_URL: '',
    },
  );
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`${seconds(since)} in all\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
