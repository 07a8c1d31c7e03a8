/**
 * Uploads in a bucket: one object per piece, named by the offset at which it begins. Parts of a single object would need
 * sizes that S3 prescribes, but the client decides where pieces are split.
 */
import { randomBytes } from 'node:crypto';
import fsp from 'node:fs/promises';
import path from 'node:path';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { PlacedUpload, UploadFiles, UploadPiece } from './file-store.ts';
import { listKeys } from './s3-keys.ts';

export interface S3UploadsOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** Ends with a slash. */
  readonly prefix: string;
  /** A folder on this machine. */
  readonly scratch: string;
}

/** How often a piece is fetched: the client retries a call, but not a response that breaks off. */
const FETCHES = 10;

export class S3Uploads implements UploadFiles {
  constructor(private readonly options: S3UploadsOptions) {}

  async write(id: string, { offset, blocks }: UploadPiece): Promise<boolean> {
    const { client, bucket: Bucket } = this.options;
    const Key = `${this.folderOf(id)}${String(offset).padStart(16, '0')}`;
    await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.concat(blocks) }));
    return true;
  }

  async place(id: string, size: number): Promise<PlacedUpload | null> {
    const { client, bucket, scratch } = this.options;
    const file = path.join(scratch, randomBytes(12).toString('hex'));
    const release = () => fsp.rm(file, { force: true });
    const handle = await fsp.open(file, 'wx', 0o600);
    let at = 0;
    try {
      // in the order of their offsets, since all names have the same length
      for await (const { key } of listKeys(client, bucket, this.folderOf(id))) {
        // a piece that a crash left uncounted was sent again at the same offset; anything else is a gap
        if (Number(key.slice(key.lastIndexOf('/') + 1)) !== at) break;
        const bytes = await this.fetch(key);
        await handle.appendFile(bytes);
        at += bytes.length;
      }
    } catch (error) {
      await release();
      throw error;
    } finally {
      await handle.close();
    }
    if (at === size) return { path: file, release };
    await release();
    return null;
  }

  async remove(ids: readonly string[]): Promise<void> {
    const { client, bucket: Bucket } = this.options;
    for (const id of ids)
      for await (const { key: Key } of listKeys(client, Bucket, this.folderOf(id)))
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
  }

  async list(): Promise<string[]> {
    const { client, bucket, prefix } = this.options;
    const ids = new Set<string>();
    for await (const { key } of listKeys(client, bucket, prefix))
      ids.add(key.slice(prefix.length).split('/')[0] ?? '');
    return [...ids];
  }

  /** A bucket never fills up. */
  async freeBytes(): Promise<number> {
    return Number.POSITIVE_INFINITY;
  }

  private async fetch(Key: string): Promise<Uint8Array> {
    const { client, bucket: Bucket } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return (await Body?.transformToByteArray()) ?? new Uint8Array();
      } catch (error) {
        if (attempt === FETCHES) throw error;
      }
    }
  }

  private folderOf(id: string): string {
    return `${this.options.prefix}${id}/`;
  }
}
