/** Gzip unpacked piece by piece. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createGunzip } from '../../src/formats/gunzip.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const packed = (text: string) => Uint8Array.from(gzipSync(text, { level: 0 }));
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
/** The unpacked text, given `bite` bytes at a time. */
const unpacked = (bytes: Uint8Array, bite = 7) => {
  const chunks: Uint8Array[] = [];
  const gunzip = createGunzip((chunk) => chunks.push(chunk));
  for (let from = 0; from < bytes.length; from += bite)
    gunzip.push(bytes.subarray(from, from + bite), false);
  gunzip.push(new Uint8Array(0), true);
  return new TextDecoder().decode(joined(...chunks));
};

describe('a gzip file', () => {
  it('is unpacked in chunks of any size, with one or several members', () => {
    const text = 'x,y\n1,2\n'.repeat(20);
    for (const bite of [1, 7, 8, 1000]) {
      expect(unpacked(packed(text), bite)).toBe(text);
      expect(unpacked(joined(packed(text), packed(''), packed('more')), bite)).toBe(`${text}more`);
      expect(unpacked(packed(''), bite)).toBe('');
    }
  });

  it('may end with its last chunk', () => {
    const bytes = packed('abc');
    const chunks: Uint8Array[] = [];
    createGunzip((chunk) => chunks.push(chunk)).push(bytes, true);
    expect(joined(...chunks)).toEqual(utf8('abc'));
  });

  it('with a changed byte is refused', () => {
    const bytes = packed('mu\n0.25\n');
    const at = bytes.indexOf('5'.charCodeAt(0), 10);
    for (const spoilt of [
      at,
      bytes.length - 8,
      bytes.length - 5,
      bytes.length - 4,
      bytes.length - 1,
    ]) {
      const other = bytes.map((byte, i) => (i === spoilt ? byte ^ 1 : byte));
      expect(() => unpacked(other)).toThrow('The checksum or the size does not match.');
      // in the last of several members
      expect(() => unpacked(joined(packed('a'), other))).toThrow('does not match');
    }
  });

  it('that is truncated anywhere is refused', () => {
    const bytes = packed('abc');
    for (let cut = 1; cut < bytes.length; cut++)
      expect(() => unpacked(bytes.subarray(0, cut))).toThrow();
  });
});
