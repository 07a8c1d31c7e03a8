/** Starts, finds, watches and stops the embedded PostgreSQL of one data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isProcessAlive } from '../process-info.ts';
import { StartError } from '../start-error.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { explainFailure, readLogTail } from './failure.ts';
import { currentIdentity, type Identity } from './identity.ts';
import { initCluster } from './init-cluster.ts';
import { findPlace, type Place, SOCKET_PORT } from './place.ts';
import {
  clearStalePostmaster,
  inspectPostmaster,
  type PostmasterState,
  readPostmasterFile,
} from './postmaster-pid.ts';

export const DATABASE_USER = 'ergodic';

export interface EmbeddedPostgres {
  /** Folder of the socket: `host` of a connection. */
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  /** True when a running PostgreSQL of an earlier process was found and taken over. */
  readonly isAttached: boolean;
  /** Settles with a reason when PostgreSQL ends without being asked to. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface StartPostgresOptions {
  readonly dataDir: string;
  /** Shows a message to the operator: where things are, what is being done. */
  readonly say?: (text: string) => void;
  readonly readyTimeoutMs?: number;
  /** Called with the process as soon as it exists; not for one that is taken over. */
  readonly onSpawn?: (pid: number) => void;
  /** Server settings that replace ours, for a database that need not be durable. */
  readonly settings?: Readonly<Record<string, string>>;
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '80',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_line_prefix: '%m [%p] ',
};

/** The running PostgreSQL of `dataDir`: a live one is reused, otherwise it is started and its cluster created if needed. */
export async function startPostgres(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  const { say = () => {}, readyTimeoutMs = 60_000, onSpawn = () => {}, settings = {} } = options;
  const dataDir = path.resolve(options.dataDir);
  makeDataFolder(dataDir);
  const identity = currentIdentity();
  const place = findPlace(dataDir, identity, say);
  const state = await settledPostmaster(place, readyTimeoutMs);
  if (state.kind === 'alive') {
    await waitUntilReady(place, state.file.pid, readyTimeoutMs);
    return attach(place, state.file.pid, state.file.socket || place.socket);
  }
  const binaries = findBinaries(place.home, identity, say);
  if (
    state.kind === 'foreign' &&
    !(await clearStalePostmaster(place.cluster, state.file.socket || place.socket))
  ) {
    throw new StartError(
      `PostgreSQL processes from an earlier start still use ${place.cluster}; end them and start again.`,
    );
  }
  await initCluster({ place, binaries, identity, say });
  return launch({ place, binaries, identity, readyTimeoutMs, onSpawn, settings });
}

/** The state of the postmaster; waits for one that is shutting down. */
async function settledPostmaster(place: Place, timeoutMs: number): Promise<PostmasterState> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const state = inspectPostmaster(place.cluster);
    if (state.kind !== 'alive' || state.file.status !== 'stopping' || performance.now() > deadline)
      return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The running PostgreSQL of `dataDir`, or null: for programs that join one and never start or stop it. */
export function findRunningPostgres(
  dataDir: string,
): { host: string; port: number; pid: number } | null {
  const marker = path.join(dataDir, 'postgres-place');
  const home = fs.existsSync(marker)
    ? fs.readFileSync(marker, 'utf8').trim()
    : path.join(dataDir, 'postgres');
  const state = inspectPostmaster(path.join(home, 'cluster'));
  if (state.kind !== 'alive') return null;
  return { host: state.file.socket, port: state.file.port || SOCKET_PORT, pid: state.file.pid };
}

/** Creates the data folder; throws a `StartError` if it cannot be there. */
export function makeDataFolder(dataDir: string): void {
  try {
    // Others may pass through (PostgreSQL may run as another user) but not list.
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} is not writable (${(error as NodeJS.ErrnoException).code}).\n` +
        'Choose another one with --data, or change its owner.',
    );
  }
}

interface LaunchOptions {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly identity: Identity;
  readonly readyTimeoutMs: number;
  readonly onSpawn: (pid: number) => void;
  readonly settings: Readonly<Record<string, string>>;
}

async function launch({
  place,
  binaries,
  identity,
  readyTimeoutMs,
  onSpawn,
  settings,
}: LaunchOptions): Promise<EmbeddedPostgres> {
  const logStart = rotateLog(place.log);
  const log = fs.openSync(place.log, 'a', 0o600);
  const args = ['-D', place.cluster, '-k', place.socket, '-p', String(SOCKET_PORT)];
  for (const [name, value] of Object.entries({ ...SETTINGS, ...settings }))
    args.push('-c', `${name}=${value}`);
  const child = spawn(binaries.postgres, args, {
    cwd: place.home,
    env: { PATH: process.env.PATH ?? '', LANG: 'C', TZ: 'UTC' },
    // In a separate session, so that Ctrl-C in the terminal reaches only us and we stop it in order.
    detached: true,
    stdio: ['ignore', log, log],
    ...identity.drop,
  });
  if (child.pid !== undefined) onSpawn(child.pid);
  fs.closeSync(log);
  const exited = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `signal ${signal}` : `exit code ${code}`),
    );
  });
  child.unref();
  try {
    await Promise.race([
      waitUntilReady(place, child.pid ?? 0, readyTimeoutMs),
      exited.then((how) => {
        throw new StartError(explainFailure(place, how, readLogTail(place.log, logStart)));
      }),
    ]);
  } catch (error) {
    if (child.pid !== undefined && child.exitCode === null) child.kill('SIGQUIT');
    throw error;
  }
  return supervise({ place, socket: place.socket, pid: child.pid as number, child, exited });
}

/** Keeps about the last ten megabytes of PostgreSQL's own output; returns where the new output begins. */
function rotateLog(log: string): number {
  try {
    const { size } = fs.statSync(log);
    if (size < 10 * 1024 * 1024) return size;
    fs.renameSync(log, `${log}.1`);
  } catch {
    // There is no log at the first start.
  }
  return 0;
}

async function waitUntilReady(place: Place, pid: number, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const file = readPostmasterFile(place.cluster);
    if (file?.pid === pid && file.status === 'ready') return;
    if (performance.now() > deadline) {
      throw new StartError(
        `PostgreSQL was not ready after ${Math.round(timeoutMs / 1000)} s; see its log ${place.log}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

interface Supervised {
  readonly place: Place;
  readonly socket: string;
  readonly pid: number;
  readonly child: ChildProcess | null;
  readonly exited: Promise<string>;
}

function attach(place: Place, pid: number, socket: string): EmbeddedPostgres {
  const exited = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isProcessAlive(pid)) return;
      clearInterval(timer);
      resolve('its process is gone');
    }, 250);
    timer.unref();
  });
  return supervise({ place, socket, pid, child: null, exited });
}

function supervise({ place, socket, pid, child, exited }: Supervised): EmbeddedPostgres {
  let isStopping = false;
  const ended = new Promise<string>((resolve) => {
    void exited.then((how) => {
      if (!isStopping) resolve(`PostgreSQL ended (${how}); see its log ${place.log}`);
    });
  });
  const isGone = () =>
    child === null ? !isProcessAlive(pid) : child.exitCode !== null || child.signalCode !== null;
  return {
    host: socket,
    port: SOCKET_PORT,
    pid,
    isAttached: child === null,
    ended,
    async stop() {
      isStopping = true;
      // Fast shutdown ends the sessions and writes a checkpoint; an immediate one leaves recovery to the next start.
      for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
        if (isGone()) return;
        try {
          process.kill(pid, signal);
        } catch {
          return;
        }
        const deadline = performance.now() + 20_000;
        while (!isGone() && performance.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
