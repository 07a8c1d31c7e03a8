/** Files on disk below one root: written whole or not at all, named by their content. */
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';

export interface StoredFile {
  /** Relative to the store, with forward slashes. */
  readonly path: string;
  readonly size: number;
}

export interface FileStore {
  readonly root: string;
  /** Stores the bytes under `folder/<hash><suffix>`; on the disk when it returns. */
  put(folder: string, content: Uint8Array | Readable, suffix?: string): Promise<StoredFile>;
  /** Null when there is no such file. */
  open(file: string): Promise<{ stream: fs.ReadStream; size: number } | null>;
  read(file: string): Promise<Buffer | null>;
  remove(file: string): Promise<void>;
  /** A folder with all in it. */
  removeFolder(folder: string): Promise<void>;
  /** Bytes in all files. */
  measure(): Promise<number>;
}

export function createFileStore(root: string): FileStore {
  fs.mkdirSync(path.join(root, 'tmp'), { recursive: true });
  return new DiskStore(path.resolve(root));
}

class DiskStore implements FileStore {
  constructor(readonly root: string) {}

  async put(folder: string, content: Uint8Array | Readable, suffix = ''): Promise<StoredFile> {
    const draft = path.join(this.root, 'tmp', randomBytes(12).toString('hex'));
    try {
      const { hash, size } = await writeDraft(draft, content);
      const name = `${folder}/${hash}${suffix}`;
      const target = this.resolve(name);
      await fsp.mkdir(path.dirname(target), { recursive: true });
      await fsp.rename(draft, target);
      await syncFolder(path.dirname(target));
      return { path: name, size };
    } finally {
      await fsp.rm(draft, { force: true });
    }
  }

  async open(file: string): Promise<{ stream: fs.ReadStream; size: number } | null> {
    try {
      const handle = await fsp.open(this.resolve(file), 'r');
      const { size } = await handle.stat();
      return { stream: handle.createReadStream(), size };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async read(file: string): Promise<Buffer | null> {
    try {
      return await fsp.readFile(this.resolve(file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(file: string): Promise<void> {
    await fsp.rm(this.resolve(file), { force: true });
  }

  async removeFolder(folder: string): Promise<void> {
    await fsp.rm(this.resolve(folder), { recursive: true, force: true });
  }

  async measure(): Promise<number> {
    const entries = await fsp.readdir(this.root, { recursive: true, withFileTypes: true });
    let bytes = 0;
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const { size } = await fsp.stat(path.join(entry.parentPath ?? entry.path, entry.name));
      bytes += size;
    }
    return bytes;
  }

  /** Names come from us, yet none may lead out of the root. */
  private resolve(name: string): string {
    const segments = name.split('/');
    for (const segment of segments) {
      if (segment === '' || segment === '.' || segment === '..' || /[\\:\0]/.test(segment)) {
        throw new Error(`"${name}" is not the name of a stored file`);
      }
    }
    return path.join(this.root, ...segments);
  }
}

async function writeDraft(
  draft: string,
  content: Uint8Array | Readable,
): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  const handle = await fsp.open(draft, 'wx', 0o600);
  try {
    if (content instanceof Uint8Array) {
      hash.update(content);
      size = content.byteLength;
      await handle.writeFile(content);
    } else {
      // Not by a stream of the handle: one that is not closed by itself keeps the handle from closing.
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk);
        size += chunk.length;
        await handle.appendFile(chunk);
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { hash: hash.digest('hex'), size };
}

/** A rename is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await fsp.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
