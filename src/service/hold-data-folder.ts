/** Takes exclusive control of a data folder and its PostgreSQL for this process. */
import type { Writable } from 'node:stream';
import { startGuard } from './postgres/guard.ts';
import { currentIdentity } from './postgres/identity.ts';
import { type KeptPostgres, keepPostgres } from './postgres/keep-postgres.ts';
import { findPlace } from './postgres/place.ts';
import { makeDataFolder, startPostgres } from './postgres/supervisor.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import { createDiskReserve } from './storage/disk-reserve.ts';

export interface HoldOptions {
  readonly dataDir: string;
  /** Names this process in the message that a second one gets. */
  readonly what: string;
  readonly say: (text: string) => void;
}

export interface DataFolderHold {
  /** PostgreSQL runs for as long as a process has this open; null if no guard watches over it. */
  readonly lifeline: Writable | null;
  /** Starts PostgreSQL and keeps it running until `release`. */
  startPostgres(onRestart?: (reason: string) => void): Promise<KeptPostgres>;
  /** Stops PostgreSQL and releases the folder. */
  release(): Promise<void>;
}

/** Throws `StartError` when another process uses the folder, or it cannot be used. */
export async function holdDataFolder({ dataDir, what, say }: HoldOptions): Promise<DataFolderHold> {
  makeDataFolder(dataDir);
  const reserve = createDiskReserve(dataDir);
  const lock = await lockDataFolder({ dataDir, what });
  try {
    const identity = currentIdentity();
    const guard = startGuard(findPlace(dataDir, identity, say), identity);
    if (guard !== null) lock.nameGuard(guard.pid);
    let starting: Promise<KeptPostgres> | null = null;
    const start = async () => {
      reserve.giveUpWhenFull();
      guard?.noteStart();
      try {
        return await startPostgres({ dataDir, say, onSpawn: (pid) => guard?.noteProcess(pid) });
      } finally {
        guard?.noteStarted();
      }
    };
    return {
      lifeline: guard?.lifeline ?? null,
      startPostgres(onRestart) {
        starting = keepPostgres(start, onRestart);
        return starting;
      },
      async release() {
        // PostgreSQL that is still starting is stopped once it runs: no other process knows of it
        const postgres = await starting?.catch(() => null);
        await postgres?.stop();
        guard?.release();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
