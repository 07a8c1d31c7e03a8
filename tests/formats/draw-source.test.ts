/** Files as their head and their chunks, with gzip unpacked on the fly. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  type DrawSource,
  defaultUnpackLimits,
  HEAD_BYTES,
  isGzip,
  sourceOf,
  unpackedSource,
} from '../../src/formats/draw-source.ts';
import { ImportError } from '../../src/formats/imported-draws.ts';

const mebibyte = 2 ** 20;
const noise = (length: number) =>
  Uint8Array.from({ length }, (_, i) => Math.imul(i ^ (i >>> 7), 2_654_435_761) >>> 24);
const lengths = (source: DrawSource) => Array.from(source.pieces(), (piece) => piece.length);

describe('a file in memory', () => {
  it('has its head and its pieces, again at each call', () => {
    const bytes = noise(2.5 * mebibyte);
    const source = sourceOf({ name: 'a', bytes });
    expect([source.name, source.size, source.head().length]).toEqual([
      'a',
      bytes.length,
      HEAD_BYTES,
    ]);
    for (const _ of [1, 2]) expect(lengths(source)).toEqual([mebibyte, mebibyte, mebibyte / 2]);
    expect(Buffer.compare(bytesOf(source), bytes)).toBe(0);
    expect(Buffer.compare(source.head(), bytes.subarray(0, HEAD_BYTES))).toBe(0);
  });

  it('of one piece or none is read whole', () => {
    expect(bytesOf(sourceOf({ name: 'a', bytes: Uint8Array.of(1, 2) }))).toEqual(
      Uint8Array.of(1, 2),
    );
    const empty = sourceOf({ name: 'a', bytes: new Uint8Array(0) });
    expect([bytesOf(empty), lengths(empty)]).toEqual([new Uint8Array(0), []]);
  });

  it('that reuses the memory of its pieces is read whole', () => {
    const piece = new Uint8Array(2);
    const source: DrawSource = {
      ...sourceOf({ name: 'a', bytes: piece }),
      *pieces() {
        for (const value of [1, 2]) yield piece.fill(value);
      },
    };
    expect(bytesOf(source)).toEqual(Uint8Array.of(1, 1, 2, 2));
  });
});

describe('a gzip file', () => {
  const packed = (bytes: Uint8Array) =>
    unpackedSource(sourceOf({ name: 'a.gz', bytes: gzipSync(bytes) }));

  it('is recognised by its first two bytes', () => {
    expect(isGzip(gzipSync(Uint8Array.of(1)))).toBe(true);
    for (const bytes of [[0x1f, 0x8c], [0x1e, 0x8b], [0x1f], []])
      expect(isGzip(Uint8Array.from(bytes))).toBe(false);
  });

  it('is read as its content, whether shorter or longer than a head', () => {
    for (const length of [0, 1000, mebibyte, 1.5 * mebibyte]) {
      const bytes = noise(length);
      const source = packed(bytes);
      expect([source.name, source.isUnpacked]).toEqual(['a.gz', true]);
      expect(source.size).toBe(gzipSync(bytes).length);
      for (const _ of [1, 2]) expect(Buffer.compare(bytesOf(source), bytes)).toBe(0);
      expect(Buffer.compare(source.head(), bytes.subarray(0, HEAD_BYTES))).toBe(0);
      expect(lengths(source)).not.toContain(0);
    }
  });

  it('is unpacked only as far as its head requires', () => {
    const bytes = gzipSync(noise(4 * mebibyte));
    let given = 0;
    const source = unpackedSource({
      ...sourceOf({ name: 'a', bytes }),
      *pieces() {
        for (let at = 0; at < bytes.length; at += 2 ** 14) {
          given += 1;
          yield bytes.subarray(at, at + 2 ** 14);
        }
      },
    });
    expect(source.head()).toHaveLength(HEAD_BYTES);
    expect(given).toBeLessThan(bytes.length / 2 ** 14 / 2);
  });

  it('that is truncated or damaged is refused', () => {
    const good = gzipSync(noise(100_000));
    const damaged = Uint8Array.from(good).fill(0xff, 50, 5000);
    expect(good.length).toBeGreaterThan(40_000);
    for (const bytes of [
      good.subarray(0, 200),
      good.subarray(0, 40_000),
      good.subarray(0, -1),
      damaged,
    ])
      expect(() => bytesOf(unpackedSource(sourceOf({ name: 'a', bytes })))).toThrow(
        'The gzip file is damaged or incomplete; upload it again.',
      );
  });

  it('may unpack to the free size plus a multiple of its own, and not a byte more', () => {
    const bytes = gzipSync(new Uint8Array(5000));
    const lengthWith = (free: number, ratio: number) =>
      bytesOf(unpackedSource(sourceOf({ name: 'a', bytes }), { free, ratio })).length;
    expect(lengthWith(5000, 0)).toBe(5000);
    expect(lengthWith(5000 - 3 * bytes.length, 3)).toBe(5000);
    for (const ratio of [0, 3])
      expect(() => lengthWith(4999 - ratio * bytes.length, ratio)).toThrow(
        `The gzip file unpacks to more than ${ratio} times its size, so it was not read.`,
      );
    expect(defaultUnpackLimits).toEqual({ free: 67_108_864, ratio: 200 });
  });

  it('is unpacked piece by piece, and no further than the limit', () => {
    const bytes = gzipSync(noise(mebibyte), { level: 0 });
    const pieces = unpackedSource(sourceOf({ name: 'a', bytes }), { free: 2 ** 19, ratio: 0 });
    let length = 0;
    expect(() => {
      for (const piece of pieces.pieces()) length += piece.length;
    }).toThrow(ImportError);
    expect(length).toBeGreaterThan(2 ** 18);
    expect(length).toBeLessThanOrEqual(2 ** 19);
  });

  it('within the free size may have any ratio', () => {
    const zeros = packed(new Uint8Array(4 * mebibyte));
    expect(lengths(zeros).reduce((sum, one) => sum + one)).toBe(4 * mebibyte);
  });
});
