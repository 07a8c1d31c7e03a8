/** Files in a bucket of S3 or of a compatible server. Content is first written to a local file, so that uploads can be retried. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { inChildSpan } from '../spans.ts';
import { StartError } from '../start-error.ts';
import { writeDraft } from './disk-store.ts';
import { checkName, type FileStore, type KnownFiles, type StoredFile } from './file-store.ts';
import { listKeys } from './s3-keys.ts';
import { readS3Place, type S3Place } from './s3-place.ts';
import { S3Uploads } from './s3-uploads.ts';

/** Attempts per call: if half of them fail, one call in a thousand is given up. */
const ATTEMPTS = 10;
/** Lifetime of signed addresses: long enough to follow one. */
const ADDRESS_SECONDS = 60;

/** Milliseconds to connect, and without a byte of response, after which a call is retried. */
const PATIENCE = { connectionTimeout: 5000, socketTimeout: 30_000 };

/** Throws `StartError` when the bucket cannot be used. */
export async function openS3Store(
  place: string,
  scratch: string,
  patience = PATIENCE,
): Promise<FileStore> {
  const read = readS3Place(place);
  // we choose the SDK's version; its users cannot act on the warning
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const client = new S3Client({
    ...(read.endpoint === undefined ? {} : { endpoint: read.endpoint }),
    ...(read.region === undefined ? {} : { region: read.region }),
    forcePathStyle: read.pathStyle,
    maxAttempts: ATTEMPTS,
    // servers other than Amazon's do not know the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: patience,
  });
  traceCalls(client);
  try {
    // not a HEAD request, since its error gives no reason
    await client.send(new ListObjectsV2Command({ Bucket: read.bucket, MaxKeys: 1 }));
  } catch (error) {
    const { name, message } = error as Error;
    throw new StartError(
      `The bucket ${read.bucket} cannot be used for files: ${[name, message].filter((text) => text !== '' && text !== 'UnknownError').join(', ')}.\n` +
        'Check its name, the endpoint and region in --files, and the credentials (AWS_ACCESS_KEY_ID, a profile, or the role of this machine).',
    );
  }
  await fsp.mkdir(scratch, { recursive: true });
  return new S3Store(client, read, scratch);
}

/** A span for each call, including its retries; spans do not contain file names. */
function traceCalls(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (given) => {
        const call = commandName.replace(/Command$/, '');
        const attributes = { 'rpc.system': 'aws-api', 'rpc.service': 'S3', 'rpc.method': call };
        return inChildSpan(`S3 ${call}`, { kind: 'client', attributes }, () => next(given));
      },
    { step: 'initialize', name: 'traceCalls' },
  );
}

class S3Store implements FileStore {
  readonly uploads;

  constructor(
    private readonly client: S3Client,
    private readonly place: S3Place,
    readonly scratch: string,
  ) {
    const { bucket, prefix } = place;
    this.uploads = new S3Uploads({ client, bucket, prefix: `${prefix}uploads/`, scratch });
  }

  async identity(): Promise<string> {
    const { endpoint = '', bucket, prefix } = this.place;
    return `s3://${bucket}/${prefix} ${endpoint}`.trim();
  }

  async put(folder: string, content: Uint8Array | Readable, suffix = ''): Promise<StoredFile> {
    const draft = path.join(this.scratch, randomBytes(12).toString('hex'));
    try {
      const { hash, size } = await writeDraft(draft, content);
      const name = `${folder}/${hash}${suffix}`;
      // large files are sent in parts; a failed upload removes its parts
      const params = { ...this.at(name), Body: fs.createReadStream(draft) };
      await new Upload({ client: this.client, params }).done();
      return { path: name, size };
    } finally {
      await fsp.rm(draft, { force: true });
    }
  }

  async open(file: string): Promise<{ stream: Readable; size: number } | null> {
    const found = await ifThere(this.client.send(new GetObjectCommand(this.at(file))));
    if (found?.Body === undefined) return null;
    return { stream: found.Body as Readable, size: found.ContentLength ?? 0 };
  }

  async has(file: string): Promise<boolean> {
    return (await ifThere(this.client.send(new HeadObjectCommand(this.at(file))))) !== null;
  }

  async addressOf(
    file: string,
    { fileName, mediaType }: { fileName: string; mediaType: string },
  ): Promise<string | null> {
    if (!this.place.signed) return null;
    const command = new GetObjectCommand({
      ...this.at(file),
      ResponseContentDisposition: `attachment; filename="${fileName.replace(/[^\w.-]/g, '_')}"`,
      ResponseContentType: mediaType,
    });
    return getSignedUrl(this.client, command, { expiresIn: ADDRESS_SECONDS });
  }

  async remove(file: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.at(file)));
  }

  async removeFolder(folder: string): Promise<void> {
    for await (const { name } of this.list(`${checkName(folder)}/`)) await this.remove(name);
  }

  async sweep(before: Date, known: KnownFiles): Promise<number> {
    const old: string[] = [];
    for await (const { name, changed } of this.list('exports/'))
      if (changed < before) old.push(name);
    const rows = await known(old);
    const lost = old.filter((name) => !rows.has(name));
    for (const name of lost) await this.remove(name);
    return lost.length + (await this.abortParts(before));
  }

  /** Multipart uploads that were never completed: a bucket stores their parts, but does not list them as objects. */
  private async abortParts(before: Date): Promise<number> {
    const { bucket: Bucket, prefix: Prefix } = this.place;
    let aborted = 0;
    for (let markers: { KeyMarker?: string; UploadIdMarker?: string } | null = {}; markers; ) {
      const page: ListMultipartUploadsCommandOutput = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix, ...markers }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated >= before) continue;
        await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        aborted += 1;
      }
      markers =
        page.IsTruncated === true
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : null;
    }
    return aborted;
  }

  /** `name`: relative to the store's root. */
  private async *list(folder: string): AsyncGenerator<{ name: string; changed: Date }> {
    const { bucket, prefix } = this.place;
    for await (const { key, changed } of listKeys(this.client, bucket, prefix + folder))
      yield { name: key.slice(prefix.length), changed };
  }

  private at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.place.prefix + checkName(name) };
  }
}

/** Null when the object does not exist. */
async function ifThere<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking;
  } catch (error) {
    const { name, $metadata } = error as {
      name?: string;
      $metadata?: { httpStatusCode?: number };
    };
    if (name === 'NoSuchKey' || name === 'NotFound' || $metadata?.httpStatusCode === 404)
      return null;
    throw error;
  }
}
