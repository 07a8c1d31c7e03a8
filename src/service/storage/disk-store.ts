/** Files on disk below one root: written completely or not at all, named by their content. */
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { checkName, type FileStore, type KnownFiles, type StoredFile } from './file-store.ts';
import { orAbsent, syncFolder, UploadFolder } from './upload-folder.ts';

export function createDiskStore(root: string): FileStore {
  fs.mkdirSync(path.join(root, 'tmp'), { recursive: true });
  return new DiskStore(path.resolve(root));
}

class DiskStore implements FileStore {
  readonly scratch: string;
  readonly uploads;

  constructor(private readonly root: string) {
    this.scratch = path.join(root, 'tmp');
    this.uploads = new UploadFolder(path.join(root, 'uploads'));
  }

  /** Stored in a file, so that a folder mounted on several machines is the same store on each. */
  async identity(): Promise<string> {
    const file = path.join(this.root, 'store-id');
    // written completely or not at all, and never over an existing one
    const draft = path.join(this.scratch, randomBytes(12).toString('hex'));
    await fsp.writeFile(draft, randomBytes(12).toString('hex'), { mode: 0o600 });
    try {
      await fsp.link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await fsp.rm(draft, { force: true });
    }
    return `folder ${await fsp.readFile(file, 'utf8')}`;
  }

  async put(folder: string, content: Uint8Array | Readable, suffix = ''): Promise<StoredFile> {
    const draft = path.join(this.scratch, randomBytes(12).toString('hex'));
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

  async open(file: string): Promise<{ stream: Readable; size: number } | null> {
    const handle = await orAbsent(fsp.open(this.resolve(file), 'r'));
    if (handle === null) return null;
    return { stream: handle.createReadStream(), size: (await handle.stat()).size };
  }

  async has(file: string): Promise<boolean> {
    return fs.existsSync(this.resolve(file));
  }

  async addressOf(): Promise<null> {
    return null;
  }

  async remove(file: string): Promise<void> {
    await fsp.rm(this.resolve(file), { force: true });
  }

  async removeFolder(folder: string): Promise<void> {
    await fsp.rm(this.resolve(folder), { recursive: true, force: true });
  }

  async sweep(before: Date, known: KnownFiles): Promise<number> {
    const entries = await fsp.readdir(this.root, { recursive: true, withFileTypes: true });
    const old: string[] = [];
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      // a file that disappears meanwhile was another process's draft
      const stat = await fsp.stat(file).catch(() => null);
      if (stat !== null && stat.mtime < before)
        old.push(path.relative(this.root, file).replaceAll(path.sep, '/'));
    }
    const isOf = (folder: string) => (name: string) => name.startsWith(`${folder}/`);
    const made = old.filter(isOf('exports'));
    const rows = await known(made);
    const lost = [...old.filter(isOf('tmp')), ...made.filter((name) => !rows.has(name))];
    for (const name of lost) await this.remove(name);
    return lost.length;
  }

  private resolve(name: string): string {
    return path.join(this.root, ...checkName(name).split('/'));
  }
}

/** Writes the entire content and names the file by it. */
export async function writeDraft(
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
      // No stream on the handle: if it does not close by itself, it prevents the handle from closing.
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
