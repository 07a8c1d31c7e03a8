/** Reads `postmaster.pid` and says whether the process it names is our living PostgreSQL. */
import fs from 'node:fs';
import path from 'node:path';
import { listProcessesIn, readProcessInfo } from '../process-info.ts';
import { SOCKET_PORT } from './place.ts';

export interface PostmasterFile {
  readonly pid: number;
  readonly socket: string;
  readonly port: number;
  readonly status: string;
}

export type PostmasterState =
  | { readonly kind: 'none' }
  /** The file exists but its process does not: PostgreSQL cleans this up by itself. */
  | { readonly kind: 'dead'; readonly file: PostmasterFile }
  /** The pid now belongs to a zombie or to another program: PostgreSQL would refuse to start. */
  | { readonly kind: 'foreign'; readonly file: PostmasterFile }
  | { readonly kind: 'alive'; readonly file: PostmasterFile };

export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const lines = fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
    if (!Number.isInteger(pid) || pid === 0) return null;
    return {
      pid,
      port: Number(lines[3] ?? 0),
      socket: lines[4] ?? '',
      status: (lines[7] ?? '').trim(),
    };
  } catch {
    return null;
  }
}

export function inspectPostmaster(cluster: string): PostmasterState {
  const file = readPostmasterFile(cluster);
  if (file === null) return { kind: 'none' };
  const info = readProcessInfo(file.pid);
  if (info === null) return { kind: 'dead', file };
  if (info.isZombie || !isOurs(file.pid, info.command, cluster)) return { kind: 'foreign', file };
  return { kind: 'alive', file };
}

function isOurs(pid: number, command: string, cluster: string): boolean {
  if (!/postgres/i.test(command)) return false;
  if (command.includes(cluster)) return true;
  try {
    // A postmaster's working folder is its cluster.
    return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(cluster);
  } catch {
    return false;
  }
}

/**
 * Removes what a dead postmaster left. Its children notice its death within moments; until the last of them has exited,
 * they use the cluster, so this waits for them (at most ten seconds) and returns whether the cluster is free.
 */
export async function clearStalePostmaster(cluster: string, socket: string): Promise<boolean> {
  const real = fs.realpathSync(cluster);
  const deadline = performance.now() + 10_000;
  while (
    listProcessesIn(real).some((pid) => /postgres/.test(readProcessInfo(pid)?.command ?? ''))
  ) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  fs.rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
  fs.rmSync(path.join(socket, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true });
  fs.rmSync(path.join(socket, `.s.PGSQL.${SOCKET_PORT}`), { force: true });
  return true;
}
