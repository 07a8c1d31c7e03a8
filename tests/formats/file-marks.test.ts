/** File types by their first bytes, or by those at both ends. */
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/formats/crc32.ts';
import { fingerprintOf } from '../../src/formats/file-fingerprint.ts';
import { sniffNetcdf } from '../../src/formats/netcdf-mark.ts';
import { isArchive, isCompound, isWorkbook } from '../../src/formats/workbook-mark.ts';

const bytesOf = (...parts: (string | number | readonly number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string'
        ? Array.from(part, (char) => char.charCodeAt(0))
        : typeof part === 'number'
          ? Array<number>(part).fill(0)
          : part,
    ),
  );
/** Every way to spoil one of the first bytes. */
const spoilt = (bytes: Uint8Array, length: number) =>
  Array.from({ length }, (_, at) => bytes.map((byte, i) => (i === at ? byte ^ 0x80 : byte)));

describe('netCDF', () => {
  const mark = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
  it('of version 4 has the HDF5 signature at its start or at certain offsets', () => {
    for (const before of [0, 512, 1024, 2048, 4096])
      expect(sniffNetcdf(bytesOf(before, mark))).toBe('netcdf4');
    for (const before of [1, 256, 513, 1536])
      expect(sniffNetcdf(bytesOf(before, mark, 9))).toBeNull();
    for (const bytes of spoilt(bytesOf(mark, 9), 8)) expect(sniffNetcdf(bytes)).toBeNull();
    expect(sniffNetcdf(bytesOf(mark.slice(0, 7)))).toBeNull();
    expect(sniffNetcdf(bytesOf())).toBeNull();
  });

  it('of version 3 begins with CDF and the number of its layout', () => {
    for (const layout of [1, 2, 5]) expect(sniffNetcdf(bytesOf('CDF', [layout]))).toBe('netcdf3');
    for (const bytes of spoilt(bytesOf('CDF', [1]), 4)) expect(sniffNetcdf(bytes)).toBeNull();
    expect(sniffNetcdf(bytesOf('CDF', [6]))).toBeNull();
  });
});

describe('workbooks', () => {
  const start = ['PK', [3, 4]] as const;
  it('are archives with a main part in their directory', () => {
    const workbook = bytesOf(...start, 100_000, 'xl/workbook.xml');
    expect([isArchive(workbook), isWorkbook(workbook), isCompound(workbook)]).toEqual([
      true,
      true,
      false,
    ]);
    for (const bytes of spoilt(workbook, 4))
      expect([isArchive(bytes), isWorkbook(bytes)]).toEqual([false, false]);
    expect(isWorkbook(bytesOf(...start, 'xl/workbook.xml'))).toBe(true);
    expect(isWorkbook(bytesOf(...start, 'word/document.xml'))).toBe(false);
    // a name far from the end is in some file, not in the directory
    expect(isWorkbook(bytesOf(...start, 'xl/workbook.xml', 65_536))).toBe(false);
  });

  it('that are old or locked begin differently', () => {
    const old = bytesOf([0xd0, 0xcf, 0x11, 0xe0], 9);
    expect([isCompound(old), isArchive(old)]).toEqual([true, false]);
    for (const bytes of spoilt(old, 4)) expect(isCompound(bytes)).toBe(false);
  });
});

describe('a fingerprint', () => {
  const mebibyte = 2 ** 20;
  const of = (bytes: Uint8Array<ArrayBuffer>, modified = 1_700_000_000_000.4) =>
    fingerprintOf({
      size: bytes.length,
      modified,
      slice: (from, to) => new Blob([bytes.subarray(from, to)]),
    });

  it('is the time and the checksums of both ends', async () => {
    const bytes = Uint8Array.from({ length: 3 * mebibyte }, (_, i) => i % 251);
    const sums = [bytes.subarray(0, mebibyte), bytes.subarray(2 * mebibyte)].map((part) =>
      crc32(part).toString(16),
    );
    expect(await of(bytes)).toBe(['1700000000000', ...sums].join('-'));
  });

  it('of a small file has the checksum of all of it twice', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const sum = crc32(bytes).toString(16);
    expect(await of(bytes, 5.6)).toBe(`6-${sum}-${sum}`);
    expect(await of(new Uint8Array(0), 0)).toBe('0-0-0');
  });
});
