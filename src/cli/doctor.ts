/** `ergodic doctor`: reports what is installed here, what is missing and how to fix it. */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, freemem } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { builtWebFolder } from '../service/built-file.ts';
import { readConfig, type ServiceConfig } from '../service/config.ts';
import {
  examineRuntimes,
  type RuntimeName,
  runtimePrograms,
} from '../service/language-runtimes/confinement.ts';
import { findRunningPostgres } from '../service/postgres/supervisor.ts';
import { say } from './report.ts';
import { addStoreOptions, givenOptions } from './store-options.ts';

interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'missing' | 'problem';
  /** The key of `--json`, so it keeps its name. */
  readonly message: string;
}

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('list what is installed and what is missing')
    .option('--json', 'print the list as JSON');
  addStoreOptions(command).action(async ({ json, ...rest }: Record<string, unknown>) => {
    const findings = await examine(rest);
    const marks = { ok: 'ok     ', missing: 'missing', problem: 'PROBLEM' };
    const lines = findings.map(
      ({ name, state, message }) => `${marks[state]}  ${name}: ${message}`,
    );
    process.stdout.write(json ? `${JSON.stringify(findings)}\n` : `${lines.join('\n')}\n`);
    if (findings.some((finding) => finding.state === 'problem')) process.exitCode = 1;
  });
}

async function examine(parsed: Record<string, unknown>): Promise<Finding[]> {
  const config = readConfig(givenOptions(parsed));
  const { dataDir, databaseUrl, port, trustRuntimes } = config;
  const browsers = ['chromium', 'chromium-browser', 'google-chrome'].map(findProgram);
  const browser = browsers.find((file) => file !== null);
  return [
    { name: 'Node.js', state: 'ok', message: process.version },
    {
      name: 'machine',
      state: 'ok',
      message: `${availableParallelism()} cores, ${gigabytes(freemem())} of memory free`,
    },
    dashboard(),
    disk(dataDir),
    databaseUrl === '' ? embedded(dataDir) : await serverFinding(config),
    await filesFinding(config),
    await portFinding(port),
    ...(await runtimeFindings(trustRuntimes)),
    { name: 'stan', state: 'ok', message: 'built in' },
    {
      name: 'browser for tests',
      state: browser ? 'ok' : 'missing',
      message: browser ?? 'Debian: apt install chromium',
    },
  ];
}

/** Tests what runs, not what is installed: each runtime is tried in the sandbox that runs use. */
async function runtimeFindings(trust: boolean): Promise<Finding[]> {
  const { confinement, sandbox, missing } = await examineRuntimes({ trust });
  const state = (isThere: boolean) => (isThere ? 'ok' : 'missing');
  const runtimes = Object.entries(missing).map(([name, advice]): Finding => {
    const place = confinement?.interpreters[runtimePrograms[name as RuntimeName]] ?? '';
    return { name, state: state(advice === null), message: advice ?? place };
  });
  return [{ name: 'sandbox', state: state(confinement !== null), message: sandbox }, ...runtimes];
}

function dashboard(): Finding {
  const isBuilt = existsSync(path.join(builtWebFolder(), 'index.html'));
  if (isBuilt) return { name: 'dashboard', state: 'ok', message: 'built' };
  return { name: 'dashboard', state: 'problem', message: 'not built (npm run build)' };
}

function disk(dataDir: string): Finding {
  const folder = nearestFolder(dataDir);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return { name: 'data folder', state: 'problem', message: `${dataDir} cannot be written` };
  }
  const { bavail, bsize } = statfsSync(folder);
  const state = bavail * bsize < 2 ** 30 ? 'problem' : 'ok';
  return { name: 'data folder', state, message: `${dataDir}, ${gigabytes(bavail * bsize)} free` };
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || folder === path.dirname(folder)
    ? folder
    : nearestFolder(path.dirname(folder));
}

/** Joins as a worker would, so nothing is changed there. */
async function serverFinding(config: ServiceConfig): Promise<Finding> {
  const { joinStore } = await import('../service/open-store.ts');
  const what = 'ergodic doctor';
  try {
    const store = await joinStore({ ...config, what, say, maxConnections: 1, role: 'follower' });
    const { describeServer } = await import('../service/repositories/versions.ts');
    try {
      const message = await describeServer(store.database.pool);
      return { name: 'database', state: 'ok', message };
    } finally {
      await store.close();
    }
  } catch (error) {
    return { name: 'database', state: 'problem', message: (error as Error).message };
  }
}

async function filesFinding({ files, dataDir }: ServiceConfig): Promise<Finding> {
  if (files === '') return { name: 'files', state: 'ok', message: 'in the data folder' };
  const { openFileStore } = await import('../service/storage/open-file-store.ts');
  try {
    const store = await openFileStore({ files, dataDir });
    return { name: 'files', state: 'ok', message: await store.identity() };
  } catch (error) {
    return { name: 'files', state: 'problem', message: (error as Error).message };
  }
}

function embedded(dataDir: string): Finding {
  const running = findRunningPostgres(dataDir);
  const message =
    running === null ? 'embedded, not running now' : `embedded, running as process ${running.pid}`;
  return { name: 'database', state: 'ok', message };
}

function portFinding(port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    const settle = (state: Finding['state'], message: string) =>
      resolve({ name: 'port', state, message: `${port} is ${message}` });
    server.once('error', () => settle('missing', 'in use (by a running service?)'));
    server.listen(port, '127.0.0.1', () => server.close(() => settle('ok', 'free')));
  });
}

function findProgram(name: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
