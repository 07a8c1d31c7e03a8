/**
 * `npm run mutate -- ROOM`: makes one small change after another to a room's sources (Stryker's mutants) and reports
 * which changes no test notices, file by file. A room is a folder of src; a file in it, or `FILE:FIRST-LAST`, may be given
 * as well, and `--tests PATH…` names tests outside the folder that mirrors it.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (...parts) => path.join(root, ...parts);
const say = (line) => process.stdout.write(`${line}\n`);

/** Tests up to this many milliseconds run first, so that slower ones need not try the mutants they catch. */
const ROUNDS = [{ mostMs: 100 }, { mostMs: 20_000 }, { mostMs: 60_000, isFresh: true }];
/** Rooms whose behaviour shows only through other rooms. */
const ALSO = {
  'src/language/lower': ['tests/language/emit/', 'tests/language/samples.test.ts'],
};
/** Milliseconds without output after which a mutant counts as hung. */
const MOST_SILENT_MS = 60_000;

// What is asked -------------------------------------------------------------------------------------------------------

function readArguments([...args]) {
  const at = args.indexOf('--tests');
  const tests = at < 0 ? [] : args.splice(at).slice(1);
  if (args.length === 0) throw new Error('Which room? For example: npm run mutate -- posterior');
  return { scopes: args.map(readScope), tests };
}

function readScope(text) {
  const [, name, first, last] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(text);
  const place = name.startsWith('src/') ? name : `src/${name}`;
  if (!fs.existsSync(inRoot(place))) throw new Error(`There is no ${place}.`);
  const isFolder = fs.statSync(inRoot(place)).isDirectory();
  const lines = first === undefined ? null : { first: Number(first), last: Number(last) };
  const folder = isFolder ? place : path.dirname(place);
  return {
    files: isFolder ? filesIn(place) : [place],
    lines,
    tests: [`${folder.replace('src', 'tests')}/`, ...(ALSO[folder] ?? [])],
  };
}

function filesIn(folder) {
  return fs
    .readdirSync(inRoot(folder), { recursive: true })
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\.(d|gen)\.ts$/.test(name))
    .sort();
}

// Mutants -------------------------------------------------------------------------------------------------------------

/** Replaces Stryker's, which misses endless loops outside the mutant. */
const HEADER = `function stryCov_9fa48(...ids) { globalThis.__mutants.cover(...ids); }
function stryMutAct_9fa48(id) { return globalThis.__mutants.isActive(id); }
`;

function withOwnHeader(text) {
  const start = text.indexOf('function stryNS_9fa48()');
  const last = 'return isActive(id);\n}';
  if (start < 0) return text;
  return `${text.slice(0, start)}${HEADER}${text.slice(text.indexOf(last, start) + last.length)}`;
}

async function instrument(scopes) {
  const quiet = new Proxy(
    {},
    { get: (_, name) => (name.startsWith('is') ? () => false : () => {}) },
  );
  const files = scopes.flatMap(({ files, lines }) =>
    files.map((name) => ({
      name: inRoot(name),
      content: fs.readFileSync(inRoot(name), 'utf8'),
      mutate: lines === null || [
        { start: { line: lines.first - 1, column: 0 }, end: { line: lines.last, column: 0 } },
      ],
    })),
  );
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };
  const made = await new Instrumenter(quiet).instrument(files, options);
  const texts = new Map(files.map(({ name, content }) => [name, content.split('\n')]));
  return {
    sources: made.files.map(({ name, content }) => [relative(name), withOwnHeader(content)]),
    mutants: made.mutants
      .filter(({ status }) => status !== 'Ignored')
      .map((mutant) => describe(mutant, texts.get(mutant.fileName))),
  };
}

const relative = (file) => path.relative(root, file).split(path.sep).join('/');

function describe({ id, fileName, location: { start, end }, replacement }, lines) {
  const taken = lines.slice(start.line, end.line + 1);
  taken[taken.length - 1] = taken.at(-1).slice(0, start.line === end.line ? end.column : undefined);
  const original = taken.join('\n').slice(start.column, undefined);
  const file = relative(fileName);
  return { id, file, line: start.line + 1, original, replacement, text: lines[start.line].trim() };
}

const short = (text) => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line;
};

// Rounds --------------------------------------------------------------------------------------------------------------

/** Reads what the runner recorded; `hung`: the last mutant tried, if it got no answer. */
function readResults(work) {
  const file = path.join(work, 'results.jsonl');
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
  const [killed, reached, done, faults] = [new Map(), new Set(), new Set(), new Set()];
  const state = { killed, reached, done, faults, hung: null };
  for (const line of lines) {
    if (line === '') continue;
    const found = JSON.parse(line);
    state.hung = found.tried ?? null;
    if (found.killed !== undefined) state.killed.set(found.killed, found.by);
    if (found.fault !== undefined) state.faults.add(found.fault);
    if (found.done !== undefined) state.done.add(found.done);
    for (const id of found.reached ?? []) state.reached.add(id);
  }
  return state;
}

/** Returns as soon as the process hangs; true if it finished. */
function runOnce(work, tests, { mostMs, isFresh = false }) {
  const results = path.join(work, 'results.jsonl');
  const env = {
    ...process.env,
    MUTATE_WORK: work,
    MUTATE_MOST_MS: String(mostMs),
    MUTATE_FRESH: isFresh ? '1' : '0',
  };
  const vitest = [inRoot('node_modules/vitest/vitest.mjs'), 'run'];
  const config = ['--config', 'tests/mutation/vitest.config.ts'];
  const log = fs.openSync(path.join(work, 'log'), 'w');
  const child = spawn(process.execPath, [...vitest, ...config, ...tests], {
    cwd: root,
    env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  const stop = () => {
    try {
      process.kill(-Number(child.pid), 'SIGKILL');
    } catch {
      // it has already exited
    }
  };
  process.once('exit', stop);
  return new Promise((resolve) => {
    let size = -1;
    let since = performance.now();
    const timer = setInterval(() => {
      const now = fs.existsSync(results) ? fs.statSync(results).size : 0;
      if (now !== size) since = performance.now();
      size = now;
      if (performance.now() - since < MOST_SILENT_MS || readResults(work).hung === null) return;
      clearInterval(timer);
      stop();
      resolve(false);
    }, 1000);
    child.once('exit', () => {
      clearInterval(timer);
      stop();
      process.removeListener('exit', stop);
      fs.closeSync(log);
      resolve(true);
    });
  });
}

async function runRounds(work, tests) {
  for (const [i, round] of ROUNDS.entries()) {
    process.stderr.write(`Round ${i + 1} of ${ROUNDS.length} …\n`);
    let isDone = false;
    while (!isDone) {
      const { killed, done } = readResults(work);
      const before = { killed: [...killed.keys()], done: [...done] };
      fs.writeFileSync(path.join(work, 'before.json'), JSON.stringify(before));
      isDone = await runOnce(work, tests, round);
      const { hung } = readResults(work);
      // The last line of a round with fresh modules may be an attempt that finished.
      if (hung === null || (isDone && round.isFresh)) continue;
      const by = isDone ? 'ends the process' : 'takes too long';
      const note = { killed: hung, by };
      fs.appendFileSync(path.join(work, 'results.jsonl'), `${JSON.stringify(note)}\n`);
      isDone = false;
    }
  }
  return readResults(work);
}

// The report ----------------------------------------------------------------------------------------------------------

/** Equivalent mutants, by file and text, since line numbers change. */
function splitEquivalent(survivors) {
  const known = JSON.parse(fs.readFileSync(inRoot('tests/mutation/equivalent.json'), 'utf8'));
  const isSame = (a) => (b) =>
    a.file === b.file &&
    a.text === b.text &&
    a.original === b.original &&
    a.mutant === b.replacement;
  return {
    equivalent: survivors.filter((mutant) => known.some((one) => isSame(one)(mutant))),
    open: survivors.filter((mutant) => !known.some((one) => isSame(one)(mutant))),
    stale: (files, mutants) =>
      known.filter((one) => files.has(one.file) && !mutants.some(isSame(one))),
  };
}

function report({ mutants, lines }, state) {
  const survivors = mutants.filter(({ id }) => !state.killed.has(id));
  const { equivalent, open, stale } = splitEquivalent(survivors);
  for (const fault of state.faults) say(`fault: ${fault}`);
  const files = new Set(mutants.map(({ file }) => file));
  for (const file of files) {
    const count = (list) => list.filter((mutant) => mutant.file === file).length;
    const [all, left, same] = [count(mutants), count(open), count(equivalent)];
    const percent = (((all - left - same) / Math.max(1, all - same)) * 100).toFixed(1);
    say(`${percent.padStart(5)} % ${file}: ${all} mutants, ${left} survive, ${same} equivalent`);
    for (const { id, line, file: of, original, replacement } of open) {
      if (of !== file) continue;
      const where = state.reached.has(id) ? '' : ' (no test comes here)';
      say(`    ${file}:${line}: ${short(original)} → ${short(replacement)}${where}`);
    }
  }
  if (!lines)
    for (const { file, text } of stale(files, survivors))
      say(`equivalent.json: no survivor in ${file} at: ${text}`);
  const all = mutants.length;
  const killed = all - survivors.length;
  say(`${all} mutants, ${killed} killed, ${open.length} survive, ${equivalent.length} equivalent`);
  if (process.env.MUTATE_JSON) fs.writeFileSync(process.env.MUTATE_JSON, JSON.stringify(open));
  return open.length;
}

async function main() {
  const { scopes, tests } = readArguments(process.argv.slice(2));
  const made = await instrument(scopes);
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-mutants-'));
  process.once('exit', () => fs.rmSync(work, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  fs.writeFileSync(path.join(work, 'sources.json'), JSON.stringify(made.sources));
  const folders = [...new Set(scopes.flatMap((scope) => scope.tests))];
  const state = await runRounds(work, tests.length > 0 ? tests : folders);
  if (state.reached.size === 0 && made.mutants.length > 0) {
    process.stderr.write(fs.readFileSync(path.join(work, 'log'), 'utf8'));
    throw new Error('No test reached a mutant; vitest says why above.');
  }
  const left = report({ mutants: made.mutants, lines: scopes.some(({ lines }) => lines) }, state);
  process.exitCode = left === 0 ? 0 : 1;
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});
