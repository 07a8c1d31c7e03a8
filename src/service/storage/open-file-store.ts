/** The store that an operator chose. */
import path from 'node:path';
import { createDiskStore } from './disk-store.ts';
import type { FileStore } from './file-store.ts';

export interface FilePlace {
  /** As the operator gave it: a folder, `s3://bucket/prefix`, or nothing. */
  readonly files?: string;
  readonly dataDir: string;
}

/** Throws `StartError` when the place makes no sense. */
export async function openFileStore({ files = '', dataDir }: FilePlace): Promise<FileStore> {
  const own = path.join(dataDir, 'files');
  if (!files.startsWith('s3://')) return createDiskStore(files === '' ? own : path.resolve(files));
  // the client is large: only who uses it loads it
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(files, path.join(own, 'tmp'));
}
