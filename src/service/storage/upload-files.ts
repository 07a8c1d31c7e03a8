/** The bytes of uploads: files of the store that grow piece by piece, each named by the id of its upload. */
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import type { FileStore } from './file-store.ts';

const folderOf = ({ root }: Pick<FileStore, 'root'>) => path.join(root, 'uploads');

/** `id`: as the database has it. */
export const uploadPath = (files: Pick<FileStore, 'root'>, id: string): string =>
  path.join(folderOf(files), id);

/**
 * Writes a piece where it belongs; it is on the disk when this returns. What a crash left behind `offset` is overwritten
 * by the pieces that come. False: the file is shorter than `offset`, so what came before is lost.
 */
export async function writePiece(
  files: Pick<FileStore, 'root'>,
  id: string,
  { offset, blocks }: { readonly offset: number; readonly blocks: readonly Uint8Array[] },
): Promise<boolean> {
  const folder = folderOf(files);
  if (offset === 0) await fsp.mkdir(folder, { recursive: true, mode: 0o700 });
  const { O_CREAT, O_WRONLY } = fs.constants;
  const handle = await openFile(uploadPath(files, id), O_WRONLY | (offset === 0 ? O_CREAT : 0));
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
  // a new name is on the disk when its folder is
  if (offset === 0 && process.platform !== 'win32') {
    const opened = await fsp.open(folder, 'r');
    try {
      await opened.sync();
    } finally {
      await opened.close();
    }
  }
  return true;
}

async function openFile(name: string, flags: number): Promise<fsp.FileHandle | null> {
  try {
    return await fsp.open(name, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
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

export async function removeUploadFiles(
  files: Pick<FileStore, 'root'>,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) await fsp.rm(uploadPath(files, id), { force: true });
}

/** Ids of all there are. */
export async function listUploadFiles(files: Pick<FileStore, 'root'>): Promise<string[]> {
  try {
    return await fsp.readdir(folderOf(files));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Bytes that the disk of the store has left for us. */
export async function freeBytes({ root }: Pick<FileStore, 'root'>): Promise<number> {
  const { bavail, bsize } = await fsp.statfs(root);
  return bavail * bsize;
}
