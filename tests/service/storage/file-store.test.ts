import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileStore } from '../../../src/service/storage/file-store.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-files-'));
const store = createFileStore(path.join(root, 'files'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

describe('the file store', () => {
  it('keeps the same bytes once, from memory or a stream', async () => {
    const one = await store.put('exports/X1', Buffer.from('some bytes'), '.csv');
    const two = await store.put(
      'exports/X1',
      Readable.from([Buffer.from('some '), Buffer.from('bytes')]),
      '.csv',
    );
    expect(two).toEqual(one);
    expect(one.size).toBe(10);
    expect((await store.read(one.path))?.toString()).toBe('some bytes');
    const opened = await store.open(one.path);
    expect(opened?.size).toBe(10);
    opened?.stream.destroy();
    expect(await store.measure()).toBe(10);
  });

  it('leaves nothing behind when a stream breaks', async () => {
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('half');
        throw new Error('broken');
      })(),
    );
    await expect(store.put('exports/X2', broken)).rejects.toThrow('broken');
    expect(fs.readdirSync(path.join(root, 'files', 'tmp'))).toEqual([]);
    expect(fs.existsSync(path.join(root, 'files', 'exports', 'X2'))).toBe(false);
  });

  it('forgets files and folders, and knows what is not there', async () => {
    const file = await store.put('exports/X3', Buffer.from('gone soon'));
    await store.remove(file.path);
    expect(await store.read(file.path)).toBeNull();
    expect(await store.open(file.path)).toBeNull();
    await store.put('exports/X3', Buffer.from('again'));
    await store.removeFolder('exports/X3');
    expect(fs.existsSync(path.join(root, 'files', 'exports', 'X3'))).toBe(false);
  });

  it('never leaves its root', async () => {
    const outside = path.join(root, 'secret');
    fs.writeFileSync(outside, 'secret');
    const segment = fc.constantFrom('..', '.', '', 'a', '\0', '..\\', 'c:', 'exports', 'secret');
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 5 }), async (segments) => {
        const name = segments.join('/');
        const isPlain = segments.every((part) => ['a', 'exports', 'secret'].includes(part));
        const read = store.read(name).catch((error: Error) => error);
        const result = await read;
        if (!isPlain) expect(result).toBeInstanceOf(Error);
        if (Buffer.isBuffer(result)) expect(result.toString()).not.toBe('secret');
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});
