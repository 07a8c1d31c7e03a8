/** One service per data folder: a lock file names its holder and becomes free when the holder is gone. */
import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { readProcessInfo } from '../process-info.ts';
import { StartError } from '../start-error.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  /** `ergodic serve`, …: what the holder does here. */
  readonly what: string;
  /** The process that exits last: it stops PostgreSQL when the holder and its children are gone. */
  readonly guard?: { readonly pid: number; readonly startedAt: string };
}

export interface DataLock {
  /** If our process exits without `release`, the folder stays locked until this process has exited too. */
  nameGuard(pid: number): void;
  release(): void;
}

export interface LockOptions {
  readonly dataDir: string;
  readonly what: string;
  /** A lock held by another host or container proves that it is alive by updating its timestamp this often. */
  readonly touchMs?: number;
}

const NAME = 'lock.json';
/** How long an orderly shutdown may take. */
const GUARD_MS = 60_000;

/** Throws `StartError` naming the holder when another living process has the folder. */
export async function lockDataFolder({
  dataDir,
  what,
  touchMs = 4000,
}: LockOptions): Promise<DataLock> {
  const file = path.join(dataDir, NAME);
  const mine: Holder = {
    pid: process.pid,
    host: hostname(),
    startedAt: readProcessInfo(process.pid)?.startedAt ?? '',
    what,
  };
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(mine));
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        // A link appears completely or not at all, and never replaces another.
        fs.linkSync(draft, file);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 20) throw error;
        await clearIfStale(file, dataDir, touchMs);
      }
    }
  } finally {
    fs.rmSync(draft, { force: true });
  }
  const timer = setInterval(() => touch(file), touchMs);
  timer.unref();
  let isHeld = true;
  return {
    nameGuard(pid) {
      const startedAt = readProcessInfo(pid)?.startedAt ?? '';
      fs.writeFileSync(draft, JSON.stringify({ ...mine, guard: { pid, startedAt } }));
      fs.renameSync(draft, file);
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(timer);
      if (readHolder(file)?.pid === process.pid) fs.rmSync(file, { force: true });
    },
  };
}

function touch(file: string): void {
  const now = new Date();
  fs.utimes(file, now, now, () => {});
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

async function clearIfStale(file: string, dataDir: string, touchMs: number): Promise<void> {
  const holder = readHolder(file);
  if (holder !== null && (await isHolding(holder, file, touchMs))) {
    throw new StartError(
      `The data folder ${dataDir} is in use by process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`} ` +
        `(${holder.what}).\nStop that one first, or choose another folder with --data.`,
    );
  }
  if (holder !== null) await guardGone(holder, dataDir);
  // Renamed to a name of our own first, so that only one of two processes that find it stale removes it.
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch {
    return;
  }
  const taken = readHolder(aside);
  if (taken !== null && taken.pid !== holder?.pid) {
    fs.renameSync(aside, file);
    return;
  }
  fs.rmSync(aside, { force: true });
}

/** Waits while the processes of a killed holder shut down. */
async function guardGone({ host, guard }: Holder, dataDir: string): Promise<void> {
  if (guard === undefined || host !== hostname()) return;
  const deadline = performance.now() + GUARD_MS;
  while (isSame(guard)) {
    if (performance.now() > deadline) {
      throw new StartError(
        `The data folder ${dataDir} belonged to a process that was killed, and a process that it started is still running.\n` +
          'Start again in a moment, or choose another folder with --data.',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Whether the process is still running, and its pid has not been reused. */
function isSame({ pid, startedAt }: { pid: number; startedAt: string }): boolean {
  const info = readProcessInfo(pid);
  return info !== null && !info.isZombie && info.startedAt === startedAt;
}

async function isHolding(holder: Holder, file: string, touchMs: number): Promise<boolean> {
  if (holder.host === hostname()) {
    return isSame(holder);
  }
  // A process on another host cannot be checked: it is alive if it updates the file.
  const before = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (before === undefined || Date.now() - before > 10 * touchMs) return false;
  await new Promise((resolve) => setTimeout(resolve, 2.5 * touchMs));
  const after = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return after !== undefined && after !== before;
}
