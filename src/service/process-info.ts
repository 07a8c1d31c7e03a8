/** What the operating system says about a process: whether it exists, whether it is the one we mean, its name. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

export interface ProcessInfo {
  /** A zombie has exited and only waits for its parent to notice. */
  readonly isZombie: boolean;
  /** Distinguishes two processes with the same pid; always equal for the same process. */
  readonly startedAt: string;
  readonly command: string;
}

/** Null when no such process exists. */
export function readProcessInfo(pid: number): ProcessInfo | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (process.platform === 'linux') return readProc(pid);
  return readPs(pid);
}

export function isProcessAlive(pid: number): boolean {
  const info = readProcessInfo(pid);
  return info !== null && !info.isZombie;
}

function readProc(pid: number): ProcessInfo | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses and may contain spaces; the rest is counted from the end of the name.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startedAt = fields[19];
    if (startedAt === undefined) return null;
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { isZombie: fields[0] === 'Z' || fields[0] === 'X', startedAt, command };
  } catch {
    return null;
  }
}

function readPs(pid: number): ProcessInfo | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const [state = '', ...rest] = line.split(/\s+/);
    if (rest.length < 6) return null;
    return {
      isZombie: state.startsWith('Z'),
      startedAt: rest.slice(0, 5).join(' '),
      command: rest.slice(5).join(' '),
    };
  } catch {
    return null;
  }
}

/** Pids of the running processes whose working folder is `folder`; empty if the system does not say. */
export function listProcessesIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  const found: number[] = [];
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (fs.readlinkSync(`/proc/${name}/cwd`) === folder) found.push(Number(name));
    } catch {
      // It has exited, or belongs to another user.
    }
  }
  return found;
}
