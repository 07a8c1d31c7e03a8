/** Tar archives: the system's tar and ours read each other, and what is hostile is refused before it costs memory. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { gzipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { defaultArchiveLimits } from '../../src/formats/archive.ts';
import type { ModelFile } from '../../src/formats/model-tree.ts';
import { packTar, unpackTar } from '../../src/formats/tar.ts';
import { tarEnd, tarHeader, tarPadding } from '../../src/formats/tar-header.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const file = (name: string, bytes: Uint8Array): ModelFile => ({
  path: name,
  bytes,
  encoding: 'text',
});
const pack = (files: ModelFile[], emptyFolders: string[] = [], gzip = false) => {
  const packed = packTar({ files, emptyFolders }, { gzip });
  if (!packed.ok) throw new Error(packed.error.message);
  return packed.value;
};
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-tar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('round trip', () => {
  it('any bytes under any good name come back, packed or not', () => {
    const name = fc
      .array(fc.stringMatching(/^[a-z0-9é宇_-]{1,60}$/u), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map((part) => `f${part}`).join('/'));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 1500 })), {
          maxLength: 5,
          selector: ([key]) => key.normalize('NFC'),
        }),
        fc.boolean(),
        (entries, gzip) => {
          const read = unpackTar(
            pack(
              entries.map(([key, bytes]) => file(key, bytes)),
              ['zz/empty'],
              gzip,
            ),
          );
          if (!read.ok) throw new Error(read.error.message);
          expect(read.value.files.map((one) => [one.path, one.bytes])).toEqual(entries);
          expect(read.value.emptyFolders).toEqual(['zz/empty']);
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  it('is taken by the system tar, whose own archives we take', () => {
    const long = `${'deep/'.repeat(20)}${'n'.repeat(120)}.txt`;
    const target = path.join(folder, 'ours.tar.gz');
    writeFileSync(target, pack([file('ä b.csv', utf8('1,2\n')), file(long, utf8('x'))], [], true));
    execFileSync('tar', ['xzf', target, '-C', folder]);
    expect(readFileSync(path.join(folder, 'ä b.csv'), 'utf8')).toBe('1,2\n');
    expect(readFileSync(path.join(folder, long), 'utf8')).toBe('x');
    for (const format of ['gnu', 'pax', 'ustar']) {
      const names = format === 'ustar' ? ['./ä b.csv'] : ['./ä b.csv', './deep'];
      execFileSync('tar', [`--format=${format}`, '-cf', target, '-C', folder, ...names]);
      const read = unpackTar(readFileSync(target));
      expect(
        read.ok && read.value.files.map((one) => one.path),
        read.ok ? '' : read.error.message,
      ).toEqual(format === 'ustar' ? ['ä b.csv'] : ['ä b.csv', long]);
    }
  });
});

describe('refuses', () => {
  const refused = (bytes: Uint8Array, limits = defaultArchiveLimits) => {
    const read = unpackTar(bytes, limits);
    return read.ok ? 'taken' : `${read.error.code} ${read.error.message}`;
  };
  const raw = (...parts: Uint8Array[]) => Buffer.concat([...parts, tarEnd()]);
  const entry = (name: string, bytes = utf8('x')) =>
    Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]);
  /** The first header with one byte changed and its sum made right again. */
  const changed = (bytes: Uint8Array, at: number, value: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = value;
    copy.fill(32, 148, 156);
    const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    copy.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
    return copy;
  };

  it.each([
    [
      'a name that climbs',
      raw(entry('../x')),
      'INVALID_PARAMETER The name ".." refers to a folder.',
    ],
    ['a root', raw(entry('/etc/x')), 'INVALID_PARAMETER The name "" is empty.'],
    ['a double', raw(entry('a'), entry('a')), 'INVALID_PARAMETER "a" occurs twice.'],
    [
      'a link',
      changed(raw(entry('a')), 156, 0x32),
      'INVALID_PARAMETER "a" is a link or a special file.',
    ],
    ['other bytes', utf8('not a tar at all'), 'INVALID_PARAMETER This is not a tar archive.'],
    [
      'a cut file',
      raw(entry('a', new Uint8Array(5000))).subarray(0, 2000),
      'INVALID_PARAMETER The archive is damaged.',
    ],
    [
      'a cut gzip',
      gzipSync(raw(entry('a'))).subarray(0, 40),
      'INVALID_PARAMETER The archive is not a complete gzip file.',
    ],
    ['too deep', raw(entry(`${'d/'.repeat(40)}x`)), /^TOO_LARGE .* is deeper than 32 levels\.$/],
  ])('%s', (_, bytes, message) => {
    if (typeof message === 'string') expect(refused(bytes)).toBe(message);
    else expect(refused(bytes)).toMatch(message);
  });

  it('too many entries, notes among them', () => {
    const limits = { ...defaultArchiveLimits, nodes: 3 };
    const many = raw(...Array.from({ length: 4 }, (_, i) => entry(`f${i}`)));
    expect(refused(many, limits)).toBe('TOO_LARGE The archive has more than 3 entries.');
    const notes = raw(...Array.from({ length: 9 }, () => changed(entry('n'), 156, 0x67)));
    expect(refused(notes, limits)).toBe('TOO_LARGE The archive has more than 3 entries.');
  });

  it('a bomb, long before it is unpacked', () => {
    const bomb = gzipSync(raw(entry('zeros', new Uint8Array(40 * 2 ** 20))));
    expect(refused(bomb)).toMatch(/^TOO_LARGE The archive unpacks to more than 200 times its size/);
    const wide = raw(entry('a', new Uint8Array(900)), entry('b', new Uint8Array(900)));
    expect(refused(wide, { ...defaultArchiveLimits, totalBytes: 1000 })).toBe(
      'TOO_LARGE The archive unpacks to more than 1000 bytes.',
    );
    expect(refused(wide, { ...defaultArchiveLimits, fileBytes: 500 })).toBe(
      'TOO_LARGE "a" has 900 bytes, more than 500.',
    );
  });

  it('ends in a value or a problem for any bytes', () => {
    const good = pack([file('a/b.txt', utf8('hello')), file('c', new Uint8Array(700))]);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, value, cut) => {
        const bytes = good.slice(0, cut);
        if (at < bytes.length) bytes[at] = value;
        expect(typeof unpackTar(bytes).ok).toBe('boolean');
      }),
      { seed: 2, numRuns: 300 },
    );
  });
});
