/** The store that an operator chose. */
import path from 'node:path';
import { createDiskStore } from './disk-store.ts';
import type { FileStore } from './file-store.ts';

export interface FilePlace {
  /** As given by the operator: a folder, `s3://bucket/prefix`, or nothing. */
  readonly files?: string;
  readonly dataDir: string;
}

/** Throws `StartError` when the place is invalid. */
export async function openFileStore({ files = '', dataDir }: FilePlace): Promise<FileStore> {
  const own = path.join(dataDir, 'files');
  if (!files.startsWith('s3://')) return createDiskStore(files === '' ? own : path.resolve(files));
  // the client is large, so it is loaded only when it is used
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(files, path.join(own, 'tmp'));
}
