/** The built service as a separate process, to test starting, stopping and crashing. Needs `npm run build` before. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import { findRunningPostgres, startPostgres } from '../../src/service/postgres/supervisor.ts';
import { putReadyDatabase } from './ready-database.ts';
import { accessAs, makeApiToken } from './served-runs.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
export const builtCli = path.join(root, 'dist', 'server', 'cli.js');

/**
 * Where data folders are made: in memory if there is plenty, since every commit, start and stop waits for a disk. The same
 * for all tests of a run, so it depends on the machine's total memory, not on what is free.
 */
function findRoom(): string {
  const memory = '/dev/shm';
  if (!fs.existsSync(memory)) return '/tmp';
  const { bsize, blocks } = fs.statfsSync(memory);
  return bsize * blocks >= 8 * 2 ** 30 ? memory : '/tmp';
}

/** An empty folder that PostgreSQL's user can enter, removed after the file's tests. */
export function makeDataFolder(): string {
  const folder = fs.mkdtempSync(path.join(findRoom(), 'ergodic-served-'));
  fs.chmodSync(folder, 0o711);
  folders.push(folder);
  return folder;
}

/** Such a folder with an empty migrated database: starting there is faster by more than a second. */
export async function makeReadyFolder(): Promise<string> {
  const folder = makeDataFolder();
  await putReadyDatabase(folder);
  return folder;
}

const folders: string[] = [];
const processes = new Set<ChildProcess>();

afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  for (const folder of folders) {
    if (findRunningPostgres(folder) !== null)
      await (await startPostgres({ dataDir: folder })).stop();
    // killed processes may still be writing
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

export interface Served {
  readonly process: ChildProcess;
  readonly origin: string;
  /** Made with the printed link's token, so the link is still unused; empty if none was printed. */
  readonly token: string;
  /** The printed link's token, which signs in one browser. */
  readonly linkToken: string;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** JSON request; returns the envelope. */
  call(method: string, path: string, body?: unknown): Promise<Envelope>;
}

export interface Envelope {
  readonly status: string;
  readonly data: never;
  readonly code?: string;
}

export interface ServeArguments {
  readonly dataDir: string;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Launched extends Omit<Served, 'origin' | 'token' | 'linkToken' | 'call'> {
  /** Rejects with its output if it exits before it is ready. */
  readonly ready: Promise<Served>;
}

export function launch({ dataDir, options = [], env = {} }: ServeArguments): Launched {
  const child = spawn(
    process.execPath,
    [builtCli, 'serve', '--port', '0', '--data', dataDir, ...options],
    {
      env: { ...process.env, DATABASE_URL: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  processes.add(child);
  let out = '';
  let text = '';
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      processes.delete(child);
      resolve({ code, signal });
    });
  });
  const launched = { process: child, stdout: () => out, stderr: () => text, exited };
  const ready = new Promise<Served>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
      const match = /ready at (http:\/\/[^/\s]+)\/(?:\?token=(\S+))?\n/.exec(out);
      if (match === null) return;
      const [, origin, linkToken = ''] = match;
      makeToken(origin, linkToken).then(
        (token) =>
          resolve({
            ...launched,
            origin,
            token,
            linkToken,
            call: (method, at, body) => call({ origin, token, method, at, body }),
          }),
        reject,
      );
    });
    void exited.then(({ code, signal }) =>
      reject(new Error(`ended (${code ?? signal}) before it was ready: ${text}`)),
    );
  });
  ready.catch(() => {});
  return { ...launched, ready };
}

/** The link of a start works only once, and tests sign in several times. */
async function makeToken(origin: string, linkToken: string): Promise<string> {
  if (linkToken === '') return '';
  return makeApiToken(accessAs(origin, linkToken));
}

interface CallRequest {
  readonly origin: string;
  readonly token: string;
  readonly method: string;
  readonly at: string;
  readonly body: unknown;
}

async function call({ origin, token, method, at, body }: CallRequest): Promise<Envelope> {
  const response = await fetch(origin + at, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return (await response.json()) as Envelope;
}
