/**
 * Disk space next to the data that is released when the disk is full, so that deleting works: it also writes before it
 * frees anything. A separate file records for all processes of this machine that the reserve was released.
 */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';

const MiB = 2 ** 20;
const reserveBytes = 64 * MiB;
/** With less free space than this, PostgreSQL may fail to write its log and stop. */
const tooLittleBytes = 24 * MiB;

export interface DiskReserve {
  /** The disk is full and there is no reserve: only operations that free space may write. */
  isGivenUp(): boolean;
  /** Releases the reserve; true when there was one to release. */
  giveUp(): boolean;
  /** Releases the reserve when the disk has less free space than a database needs to start. */
  giveUpWhenFull(): void;
  /** Creates the reserve again when there is room for twice its size. `force`: with as much space as there is. */
  refill(force?: boolean): Promise<void>;
}

export function createDiskReserve(
  dataDir: string,
  freeBytes: (folder: string) => number = freeBytesOf,
): DiskReserve {
  const reserve = path.join(dataDir, 'reserve');
  const givenUp = path.join(dataDir, 'reserve.given-up');
  const sizeNow = () => fs.statSync(reserve, { throwIfNoEntry: false })?.size ?? 0;
  const giveUp = () => {
    if (sizeNow() === 0) return false;
    try {
      // renamed, since a full disk may have no room for a new name
      fs.renameSync(reserve, givenUp);
      fs.truncateSync(givenUp, 0);
    } catch (error) {
      // meanwhile another process of this machine has released it, or created one again
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return true;
  };
  return {
    isGivenUp: () => fs.existsSync(givenUp),
    giveUp,
    giveUpWhenFull() {
      if (freeBytes(dataDir) < tooLittleBytes) giveUp();
    },
    async refill(force = false) {
      if (sizeNow() === 0) {
        const room = freeBytes(dataDir);
        const bytes = force ? Math.min(reserveBytes, Math.floor(room / 2)) : reserveBytes;
        if (room < 2 * bytes) return;
        if (!(await fill(reserve, bytes)) && !force) return;
      }
      fs.rmSync(givenUp, { force: true });
    },
  };
}

/** All or nothing: false when the disk fills up meanwhile. */
async function fill(file: string, bytes: number): Promise<boolean> {
  const draft = `${file}.${process.pid}`;
  try {
    const handle = await fsp.open(draft, 'w', 0o600);
    try {
      // zeros are written, since a sparse file would reserve nothing
      const block = Buffer.alloc(MiB);
      for (let done = 0; done < bytes; done += block.length)
        await handle.write(block, 0, Math.min(block.length, bytes - done));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fsp.rename(draft, file);
    return true;
  } catch {
    await fsp.rm(draft, { force: true });
    return false;
  }
}

export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}
