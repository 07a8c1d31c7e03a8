/** One set of tests for all stores: a folder, and a bucket of an S3 server that checks signatures. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkName, type FileStore } from '../../../src/service/storage/file-store.ts';
import { openFileStore } from '../../../src/service/storage/open-file-store.ts';
import { readS3Place } from '../../../src/service/storage/s3-place.ts';
import { openS3Store } from '../../../src/service/storage/s3-store.ts';
import { type S3Server, s3Keys, startS3Server } from '../../support/s3-server.ts';
import { seededRng } from '../../support/seeded-rng.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-files-'));
let s3: S3Server;
const placeOf = (options = '') =>
  `s3://${s3.bucket}/team/one?endpoint=${s3.endpoint}&region=eu-north-1${options}`;
const kept = { ...process.env };

beforeAll(async () => {
  Object.assign(process.env, s3Keys);
  s3 = await startS3Server();
});
afterAll(async () => {
  await s3.close();
  for (const name of Object.keys(s3Keys)) delete process.env[name];
  Object.assign(process.env, kept);
  fs.rmSync(root, { recursive: true, force: true });
});

const MiB = 2 ** 20;
const later = () => new Date(Date.now() + 3_600_000);
const nobody = async () => new Set<string>();
const textOf = async (store: FileStore, file: string) => {
  const opened = await store.open(file);
  return opened && (await buffer(opened.stream)).toString();
};

describe.each(['a folder', 'a bucket'])('the file store in %s', (kind) => {
  let store: FileStore;
  beforeAll(async () => {
    const dataDir = path.join(root, kind);
    store = await openFileStore({ files: kind === 'a folder' ? '' : placeOf(), dataDir });
  });

  it('stores the same bytes once, from memory or a stream', async () => {
    const one = await store.put('exports/X1', Buffer.from('some bytes'), '.csv');
    const two = await store.put(
      'exports/X1',
      Readable.from([Buffer.from('some '), Buffer.from('bytes')]),
      '.csv',
    );
    expect(two).toEqual(one);
    expect(one.size).toBe(10);
    expect(await textOf(store, one.path)).toBe('some bytes');
    const opened = await store.open(one.path);
    expect(opened?.size).toBe(10);
    opened?.stream.destroy();
  });

  it('stores large files unchanged', async () => {
    const bytes = randomBytes(13 * MiB + 1);
    const { path: file, size } = await store.put('exports/X9', Readable.from([bytes]));
    expect(size).toBe(bytes.length);
    const opened = await store.open(file);
    expect(opened?.size).toBe(bytes.length);
    expect(bytes.equals(await buffer((opened as { stream: Readable }).stream))).toBe(true);
  });

  it('leaves nothing behind when a stream fails', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('broken');
      })(),
    );
    await expect(store.put('exports/X2', broken)).rejects.toThrow('broken');
    expect(fs.readdirSync(store.scratch)).toEqual([]);
    expect(await store.sweep(later(), async (names) => new Set(names))).toBe(0);
  });

  it('removes files and folders, and reports missing ones', async () => {
    const file = await store.put('exports/X3', Buffer.from('gone soon'));
    expect(await store.has(file.path)).toBe(true);
    await store.remove(file.path);
    expect(await store.has(file.path)).toBe(false);
    expect(await store.open(file.path)).toBeNull();
    const again = await store.put('exports/X3', Buffer.from('again'));
    const other = await store.put('exports/X33', Buffer.from('a longer name'));
    await store.removeFolder('exports/X3');
    expect([await store.has(again.path), await store.has(other.path)]).toEqual([false, true]);
  });

  it('deletes unknown exports once they are old', async () => {
    const known = await store.put('exports/X4', Buffer.from('known'));
    const lost = await store.put('exports/X4', Buffer.from('lost'));
    const day = new Date(Date.now() - 86_400_000);
    expect(await store.sweep(day, nobody)).toBe(0);
    const swept = await store.sweep(
      later(),
      async (names) => new Set(names.filter((name) => name !== lost.path)),
    );
    expect(swept).toBe(1);
    expect([await store.has(known.path), await store.has(lost.path)]).toEqual([true, false]);
  });

  it('assembles uploads from their pieces, even if one is sent twice', async () => {
    const { uploads } = store;
    const write = (offset: number, ...texts: string[]) =>
      uploads.write('upload1', { offset, blocks: texts.map((text) => Buffer.from(text)) });
    expect(await write(0, 'hello ', 'to ')).toBe(true);
    // a crash before it was counted: the client sends from there, in different pieces
    expect(await write(9, 'EVERY')).toBe(true);
    expect(await write(9, 'everybody')).toBe(true);
    expect(await write(18, '!')).toBe(true);
    expect(await uploads.list()).toEqual(['upload1']);
    const placed = await uploads.place('upload1', 19);
    expect(fs.readFileSync(placed?.path ?? '', 'utf8')).toBe('hello to everybody!');
    await placed?.release();
    expect(await uploads.place('upload2', 3)).toBeNull();
    expect(fs.readdirSync(store.scratch)).toEqual([]);
    await uploads.remove(['upload1']);
    expect(await uploads.list()).toEqual([]);
    expect(await uploads.freeBytes()).toBeGreaterThan(0);
  });

  it('has the same identity for all services with the same files', async () => {
    const files = kind === 'a folder' ? path.join(root, kind, 'files') : placeOf();
    const beside = await openFileStore({ files, dataDir: path.join(root, 'beside') });
    expect(await beside.identity()).toBe(await store.identity());
    const another = await openFileStore({
      files: kind === 'a folder' ? '' : placeOf().replace('team/one', 'team/two'),
      dataDir: path.join(root, 'another'),
    });
    expect(await another.identity()).not.toBe(await store.identity());
  });

  it('never accesses paths outside its folder', async () => {
    fs.writeFileSync(path.join(root, 'secret'), 'secret');
    await expect(store.open('../../secret')).rejects.toThrow('not the name');
    await expect(store.removeFolder('exports/../..')).rejects.toThrow('not the name');
  });
});

it('accepts only names of plain segments', () => {
  const segment = fc.constantFrom('..', '.', '', 'a', '\0', '..\\', 'c:', 'exports', 'secret');
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      const isPlain = segments.every((part) => ['a', 'exports', 'secret'].includes(part));
      const check = () => checkName(segments.join('/'));
      if (isPlain) expect(check()).toBe(segments.join('/'));
      else expect(check).toThrow('not the name');
    }),
    { seed: 1, numRuns: 200 },
  );
});

describe('a bucket', () => {
  const open = (options = '') =>
    openFileStore({ files: placeOf(options), dataDir: path.join(root, 'bucket') });

  it('that refuses half of all calls loses nothing that was acknowledged', async () => {
    const store = await open();
    const random = seededRng(7);
    onTestFinished(() => {
      s3.fault = () => null;
    });
    s3.fault = () => (random.uniform() < 0.25 ? 'refuse' : random.uniform() < 0.33 ? 'cut' : null);
    const acknowledged = new Map<string, string>();
    for (let i = 0; i < 12; i++) {
      const text = `file ${i}`;
      const stored = await store.put('exports/XF', Buffer.from(text)).catch(() => null);
      if (stored !== null) acknowledged.set(stored.path, text);
    }
    const bytes = randomBytes(300_000);
    for (let offset = 0; offset < bytes.length; offset += 100_000)
      await store.uploads.write('flaky', {
        offset,
        blocks: [bytes.subarray(offset, offset + 100_000)],
      });
    const placed = await store.uploads.place('flaky', bytes.length);
    expect(bytes.equals(fs.readFileSync(placed?.path ?? ''))).toBe(true);
    await placed?.release();
    s3.fault = () => null;
    expect(acknowledged.size).toBe(12);
    for (const [file, text] of acknowledged) expect(await textOf(store, file)).toBe(text);
    await store.uploads.remove(['flaky']);
  });

  it('that leaves a third of all calls unanswered is retried, and loses nothing', async () => {
    const patience = { connectionTimeout: 300, socketTimeout: 300 };
    const store = await openS3Store(placeOf(), path.join(root, 'slow'), patience);
    const random = seededRng(3);
    onTestFinished(() => {
      s3.fault = () => null;
    });
    let stalls = 0;
    s3.fault = () => {
      if (random.uniform() > 0.33) return null;
      stalls += 1;
      return 'stall';
    };
    const texts = ['one', 'two', 'three', 'four'];
    const stored = await Promise.all(
      texts.map((text) => store.put('exports/XT', Buffer.from(text))),
    );
    const read = await Promise.all(stored.map(({ path: file }) => textOf(store, file)));
    expect(read).toEqual(texts);
    expect(stalls).toBeGreaterThan(0);
  });

  it('serves files from its own addresses if this is enabled, and they expire', async () => {
    const store = await open('&signed=true');
    const { path: file } = await store.put('exports/XS', Buffer.from('signed'), '.csv');
    const as = { fileName: 'X1 "é.csv', mediaType: 'text/csv' };
    const address = (await store.addressOf(file, as)) as string;
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('60');
    const answer = await fetch(address);
    expect(await answer.text()).toBe('signed');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="X1___.csv"');
    const altered = await fetch(address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'));
    expect(altered.status).toBe(403);
    expect(await (await open()).addressOf(file, as)).toBeNull();
  });

  it('deletes parts of uploads that were never completed', async () => {
    const store = await open();
    const client = new S3Client({ endpoint: s3.endpoint, region: 'a', forcePathStyle: true });
    const Key = 'team/one/exports/XP/part';
    await client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key }));
    client.destroy();
    expect(await store.sweep(new Date('2021-01-01'), nobody)).toBe(0);
    expect(s3.uploads.size).toBe(1);
    expect(await store.sweep(later(), async (names) => new Set(names))).toBe(1);
    expect(s3.uploads.size).toBe(0);
  });

  it('that refuses the keys or does not exist is reported with what to check', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    onTestFinished(() => void Object.assign(process.env, s3Keys));
    await expect(open()).rejects.toThrow(
      /The bucket ergodic-files cannot be used .*\n.*credentials/,
    );
    Object.assign(process.env, s3Keys);
    const other = placeOf().replace(s3.bucket, 'no-such-bucket');
    await expect(openFileStore({ files: other, dataDir: root })).rejects.toThrow('no-such-bucket');
  });

  it('is configured by a valid address without keys', () => {
    expect(readS3Place('s3://b-1/a/b/', {})).toEqual({
      bucket: 'b-1',
      prefix: 'a/b/',
      pathStyle: false,
      signed: false,
    });
    const elsewhere = { AWS_ENDPOINT_URL: 'http://minio:9000' };
    expect(readS3Place('s3://b-1', elsewhere)).toMatchObject({ prefix: '', pathStyle: true });
    for (const wrong of [
      's3://',
      's3://B/x',
      's3://b-1?zone=1',
      's3://k:s@b-1/x',
      's3://b-1?signed=1',
      's3://b-1?endpoint=minio',
    ])
      expect(() => readS3Place(wrong, {})).toThrow('--files');
  });
});
