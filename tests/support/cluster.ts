/** Services and workers on one server database, as built processes: for faults that occur between them. Needs `npm run build` before. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { builtCli, launch, makeDataFolder, type Served } from './served.ts';

export interface WorkerOptions {
  readonly databaseUrl: string;
  /** Default 2. */
  readonly chains?: number;
  /** Its name in `pg_stat_activity`. */
  readonly name?: string;
  /** The command that starts it, such as `ip netns exec NAME`. */
  readonly within?: readonly string[];
}

export interface WorkerProgram {
  /** What manages the worker; the worker is its child. */
  readonly process: ChildProcess;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
}

const workers = new Set<WorkerProgram>();
let files = '';

afterAll(async () => {
  for (const worker of workers) worker.process.kill('SIGKILL');
  await Promise.all([...workers].map(({ exited }) => exited));
});

/** Commits often, so that a fault strikes between two commits. */
const env = { ERGODIC_FLUSH_MS: '20', ERGODIC_LOG_LEVEL: 'warn', DATABASE_URL: '' };

/** All members of a test file's clusters store files in one folder. */
const filesOf = () => {
  if (files === '') files = path.join(makeDataFolder(), 'files');
  fs.mkdirSync(files, { recursive: true });
  return files;
};

/** Without its own worker. */
export function startMember(databaseUrl: string): Promise<Served> {
  const options = ['--database-url', databaseUrl, '--files', filesOf(), '--workers', '0'];
  return launch({ dataDir: makeDataFolder(), options, env }).ready;
}

export function startWorkerProgram(options: WorkerOptions): WorkerProgram {
  const { databaseUrl, chains = 2, name = 'a worker', within = [] } = options;
  const args = ['worker', '--database-url', databaseUrl, '--files', filesOf()];
  const all = [...within, process.execPath, builtCli, ...args];
  const [program = '', ...rest] = all;
  const child = spawn(program, [...rest, '--workers', String(chains), '--data', makeDataFolder()], {
    env: { ...process.env, ...env, PGAPPNAME: name },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    text = (text + String(chunk)).slice(-20_000);
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const worker = { process: child, stderr: () => text, exited };
  workers.add(worker);
  void exited.then(() => workers.delete(worker));
  return worker;
}
