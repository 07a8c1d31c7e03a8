/** Uploads in a folder: files that grow piece by piece, each named by the id of its upload. */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import type { PlacedUpload, UploadFiles, UploadPiece } from './file-store.ts';

export class UploadFolder implements UploadFiles {
  constructor(private readonly folder: string) {}

  async write(id: string, { offset, blocks }: UploadPiece): Promise<boolean> {
    if (offset === 0) await fsp.mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { O_CREAT, O_WRONLY } = fs.constants;
    const handle = await orAbsent(
      fsp.open(this.pathOf(id), O_WRONLY | (offset === 0 ? O_CREAT : 0), 0o600),
    );
    if (handle === null) return false;
    try {
      if ((await handle.stat()).size < offset) return false;
      let at = offset;
      for (const block of blocks) {
        await writeAll(handle, block, at);
        at += block.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (offset === 0) await syncFolder(this.folder);
    return true;
  }

  /** The location of the file. */
  async place(id: string): Promise<PlacedUpload | null> {
    const file = this.pathOf(id);
    return fs.existsSync(file) ? { path: file, release: async () => {} } : null;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await fsp.rm(this.pathOf(id), { force: true });
  }

  async list(): Promise<string[]> {
    return (await orAbsent(fsp.readdir(this.folder))) ?? [];
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await fsp.statfs(path.dirname(this.folder));
    return bavail * bsize;
  }

  private pathOf(id: string): string {
    return path.join(this.folder, id);
  }
}

/** Null: there is no such file. */
export async function orAbsent<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A new name is durable only once its folder has been synced. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fsp.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(
  handle: fsp.FileHandle,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
