/** Zip archives: what we write can be read back; hostile input is rejected before it costs memory. */
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { defaultArchiveLimits, readZip, writeZip } from '../../src/formats/archive.ts';
import { crc32 } from '../../src/formats/crc32.ts';
import type { ModelFile } from '../../src/formats/model-tree.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const modelFile = (path: string, bytes: Uint8Array): ModelFile => ({
  path,
  bytes,
  encoding: 'text',
});
const write = (files: ModelFile[], emptyFolders: string[] = []) => {
  const written = writeZip({ files, emptyFolders });
  if (!written.ok) throw new Error(written.error.message);
  return written.value;
};
/** First position of a little-endian signature. */
const find = (bytes: Uint8Array, signature: number, from = 0) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + 4 <= bytes.length; at++)
    if (view.getUint32(at, true) === signature) return at;
  throw new Error('no such signature');
};
const directoryOf = (bytes: Uint8Array) => find(bytes, 0x02014b50);
/** A copy with a 16- or 32-bit number changed at an offset of the first directory entry. */
const patched = (bytes: Uint8Array, offset: number, value: number, size: 2 | 4) => {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const at = directoryOf(copy) + offset;
  if (size === 2) view.setUint16(at, value, true);
  else view.setUint32(at, value, true);
  return copy;
};

/** Bytes that cannot be packed. */
const noise = (length: number) => {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
};
/** One file `a`, deflated as given: the size and the checksum are written as given. */
const archiveOf = (packed: Uint8Array, { size, crc }: { size: number; crc: number }) => {
  const [local, entry, end] = [new Uint8Array(31), new Uint8Array(47), new Uint8Array(22)];
  const put = (part: Uint8Array, numbers: [at: number, value: number][]) => {
    const view = new DataView(part.buffer);
    for (const [at, value] of numbers) view.setUint32(at, value, true);
  };
  put(local, [
    [0, 0x04034b50],
    [26, 1],
  ]);
  put(entry, [
    [0, 0x02014b50],
    [10, 8],
    [16, crc],
    [20, packed.length],
    [24, size],
    [28, 1],
  ]);
  put(end, [
    [0, 0x06054b50],
    [8, 0x1_0001],
    [16, local.length + packed.length],
  ]);
  local[30] = entry[46] = 'a'.charCodeAt(0);
  return Uint8Array.from([...local, ...packed, ...entry, ...end]);
};
/** A deflate block that stores its bytes uncompressed. */
const storedBlock = (bytes: Uint8Array, isLast: boolean) => {
  const { length } = bytes;
  const head = [isLast ? 1 : 0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255];
  return Uint8Array.from([...head, ...bytes]);
};

describe('round trip', () => {
  it('keeps any bytes and empty folders', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 6 }), (contents) => {
        const files = contents.map((bytes, i) => modelFile(`d${i % 2}/f${i}.bin`, bytes));
        const read = readZip(write(files, ['empty', 'd9/deep']));
        if (!read.ok) throw new Error(read.error.message);
        expect(read.value.files.map(({ path, bytes }) => [path, bytes])).toEqual(
          files.map(({ path, bytes }) => [path, bytes]),
        );
        expect(read.value.emptyFolders).toEqual(['empty', 'd9/deep']);
      }),
      { seed: 1 },
    );
  });

  it('turns equal files into equal bytes, and recognises text', () => {
    const files = [
      modelFile('main.stan', utf8('data {}\n')),
      modelFile('ü.bin', Uint8Array.of(0, 255)),
    ];
    expect(write(files)).toEqual(write(files));
    const read = readZip(write(files));
    expect(read.ok && read.value.files.map(({ path, encoding }) => [path, encoding])).toEqual([
      ['main.stan', 'text'],
      ['ü.bin', 'base64'],
    ]);
  });

  it('leaves out what Finder adds', () => {
    const read = readZip(
      zipSync({
        'a.stan': utf8('x'),
        '__MACOSX/._a.stan': utf8('y'),
        '__MACOSX2/a': utf8('y'),
        '.DS_Store': utf8('z'),
        'b/.DS_Store': utf8('z'),
        'c.DS_Store': utf8('z'),
      }),
    );
    expect(read.ok && read.value.files.map((file) => file.path)).toEqual([
      'a.stan',
      '__MACOSX2/a',
      'c.DS_Store',
    ]);
  });

  it('keeps files, as copies of their bytes', () => {
    const long = noise(40_000);
    for (const level of [0, 6] as const) {
      const bytes = zipSync({ a: long }, { level });
      const read = readZip(bytes);
      bytes.fill(0);
      expect(read.ok && Buffer.compare(read.value.files[0]?.bytes ?? utf8(''), long)).toBe(0);
    }
  });

  it('keeps files whose packed size is a whole number of chunks', () => {
    for (const bites of [1, 2]) {
      const content = noise(bites * 4096 - 5);
      const packed = storedBlock(content, true);
      expect(packed).toHaveLength(bites * 4096);
      const read = readZip(archiveOf(packed, { size: content.length, crc: crc32(content) }));
      expect(read.ok && Buffer.compare(read.value.files[0]?.bytes ?? utf8(''), content)).toBe(0);
    }
  });

  it('accepts an empty file whose header is the last in the archive', () => {
    const header = Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 0, 0);
    const comment = String.fromCharCode(...header);
    const bytes = zipSync({ a: [new Uint8Array(0), { comment }] }, { level: 0 });
    expect(bytes.subarray(-30, -22)).toEqual(header);
    const read = readZip(patched(bytes, 42, bytes.length - 30, 4));
    expect(read.ok && read.value.files[0]?.bytes).toEqual(new Uint8Array(0));
  });

  it('has the first date of the format, whenever it is written', () => {
    const bytes = write([modelFile('a', utf8('x'))], ['b']);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    expect([view.getUint16(10, true), view.getUint16(12, true)]).toEqual([0, 0x21]);
  });

  it('accepts files that are not compressed, trailing comments and old name encodings', () => {
    const files = (bytes: Uint8Array) => {
      const read = readZip(bytes);
      return read.ok ? read.value.files.map((file) => file.path) : read.error.message;
    };
    const stored = zipSync({ 'a/x.stan': utf8('data {}') }, { level: 0 });
    expect(files(stored)).toEqual(['a/x.stan']);
    const comment = new Uint8Array(65_535).fill(0x50);
    const commented = new Uint8Array(stored.length + comment.length);
    commented.set(stored);
    commented.set(comment, stored.length);
    new DataView(commented.buffer).setUint16(stored.length - 2, comment.length, true);
    expect(files(commented)).toEqual(['a/x.stan']);
    // inside a larger buffer, offsets are relative to the archive
    const shifted = new Uint8Array(commented.length + 9);
    shifted.set(commented, 9);
    expect(files(shifted.subarray(9))).toEqual(['a/x.stan']);
    expect(files(commented.subarray(0, -1))).toBe('This is not a zip archive.');
    expect(files(zipSync({ '\ufeffa': utf8('x') }))).toEqual(['\ufeffa']);
    expect(files(zipSync({}))).toEqual([]);
    const extra = { extra: { 9: Uint8Array.of(1, 2, 3) }, comment: 'why' };
    expect(files(zipSync({ a: [utf8('x'), extra], b: [utf8('y'), extra] }))).toEqual(['a', 'b']);
    expect(files(zipSync({ a: [utf8('x'), extra] }, { level: 0 }))).toEqual(['a']);
    const short = Uint8Array.from([...stored, ...utf8('0123456789')]);
    new DataView(short.buffer).setUint16(stored.length - 2, 10, true);
    expect(files(short)).toEqual(['a/x.stan']);
    const latin = stored.slice();
    latin[directoryOf(latin) + 46] = 0xe9;
    expect(files(latin)).toEqual(['é/x.stan']);
  });

  it('distinguishes empty folders from others', () => {
    const folders = { 'a/': new Uint8Array(0), 'a/b': utf8('x'), 'c/': new Uint8Array(0) };
    const read = readZip(zipSync(folders));
    expect(read.ok && [read.value.files.length, read.value.emptyFolders]).toEqual([1, ['c']]);
  });
});

describe('refuses', () => {
  const one = write([modelFile('a.stan', utf8('data {}\n'))]);
  const refused = (bytes: Uint8Array, limits = defaultArchiveLimits) => {
    const read = readZip(bytes, limits);
    return read.ok ? 'taken' : `${read.error.code} ${read.error.message}`;
  };

  it.each(['../a', '/etc/passwd', 'a/../../b', 'C:\\x', 'a\\b', '..%2fa', 'con', 'a//b'])(
    'the name %s',
    (name) => {
      expect(refused(zipSync({ [name]: utf8('x') }))).toMatch(/^INVALID_PARAMETER The name/);
    },
  );

  it('symbolic links and devices', () => {
    for (const kind of [0o120777, 0o020666, 0o040755]) {
      expect(refused(patched(one, 38, (kind << 16) >>> 0, 4))).toBe(
        'INVALID_PARAMETER "a.stan" is a symbolic link or a special file.',
      );
    }
    expect(refused(patched(one, 38, (0o100644 << 16) >>> 0, 4))).toBe('taken');
    const folder = zipSync({ 'd/': new Uint8Array(0) });
    expect(refused(patched(folder, 38, (0o040755 << 16) >>> 0, 4))).toBe('taken');
    // a folder's stated size is ignored
    expect(refused(patched(folder, 24, 2 ** 31, 4))).toBe('taken');
    expect(refused(patched(folder, 38, (0o100644 << 16) >>> 0, 4))).toBe(
      'INVALID_PARAMETER "d/" is a symbolic link or a special file.',
    );
  });

  it('archives on several disks and zip64', () => {
    const end = find(one, 0x06054b50);
    for (const [offset, value] of [
      [8, 2],
      [10, 0xffff],
      [16, 0xffffffff],
    ] as const) {
      const copy = one.slice();
      const view = new DataView(copy.buffer);
      if (offset === 16) view.setUint32(end + offset, value, true);
      else view.setUint16(end + offset, value, true);
      if (offset === 10) view.setUint16(end + 8, value, true);
      expect(readZip(copy)).toEqual({
        ok: false,
        error: {
          code: 'INVALID_PARAMETER',
          path: '',
          message: 'Multi-part archives and zip64 are not supported.',
        },
      });
    }
  });

  it('a directory that is misplaced or points outside itself', () => {
    const end = find(one, 0x06054b50);
    const moved = one.slice();
    new DataView(moved.buffer).setUint32(end + 16, directoryOf(one) + 1, true);
    const cut = one.slice();
    new DataView(cut.buffer).setUint32(end + 16, end - 45, true);
    const far = one.slice();
    new DataView(far.buffer).setUint32(end + 16, 0x7fffffff, true);
    const past = one.slice();
    new DataView(past.buffer).setUint32(end + 16, one.length, true);
    for (const bytes of [
      far,
      past,
      moved,
      cut,
      patched(one, 0, 0, 4),
      patched(one, 28, 7, 2),
      patched(one, 30, 1, 2),
      patched(one, 32, 1, 2),
    ])
      expect(readZip(bytes)).toEqual({
        ok: false,
        error: { code: 'INVALID_PARAMETER', path: '', message: 'The archive is damaged.' },
      });
  });

  it('encryption, unknown compression, wrong checksums and wrong sizes', () => {
    expect(refused(patched(one, 8, 1, 2))).toMatch(/encrypted/);
    expect(refused(patched(one, 10, 12, 2))).toMatch(/not supported \(12\)/);
    expect(refused(patched(one, 16, 1, 4))).toMatch(/damaged/);
    expect(refused(patched(one, 24, 3, 4))).toMatch(/damaged/);
    expect(refused(patched(one, 24, 9000, 4))).toMatch(/damaged/);
    expect(refused(patched(one, 42, 0x7fffffff, 4))).toMatch(/damaged/);
    expect(refused(patched(one, 42, one.length - 2, 4))).toMatch(/damaged/);
    expect(refused(patched(one, 42, 1, 4))).toBe('INVALID_PARAMETER "a.stan" is damaged.');
    expect(refused(patched(one, 20, 0x7fffffff, 4))).toBe('INVALID_PARAMETER "a.stan" is damaged.');
    expect(refused(patched(one, 20, 1, 4))).toBe('INVALID_PARAMETER "a.stan" is damaged.');
    const stored = zipSync({ a: utf8('data {}') }, { level: 0 });
    expect(refused(patched(stored, 24, 3, 4))).toBe('INVALID_PARAMETER "a" is damaged.');
    expect(refused(patched(stored, 20, 3, 4))).toBe('INVALID_PARAMETER "a" is damaged.');
  });

  it('a file with a different header in front', () => {
    const spoilt = one.slice();
    spoilt[0] = 0;
    expect(refused(spoilt)).toBe('INVALID_PARAMETER "a.stan" is damaged.');
  });

  it('a truncated packed file, even if only zeros are missing', () => {
    const zeros = zipSync({ a: new Uint8Array(100) });
    expect(refused(zeros)).toBe('taken');
    const packed = new DataView(zeros.buffer).getUint32(directoryOf(zeros) + 20, true);
    expect(refused(patched(zeros, 20, packed - 1, 4))).toBe('INVALID_PARAMETER "a" is damaged.');
    // and if the data break off within one chunk of unpacking
    const content = new Uint8Array(4191);
    content.set(noise(4091));
    const cut = storedBlock(content.subarray(0, 4091), false);
    const said = { size: content.length, crc: crc32(content) };
    expect(refused(archiveOf(cut, said))).toBe('INVALID_PARAMETER "a" is damaged.');
    const whole = Uint8Array.from([...cut, ...storedBlock(content.subarray(4091), true)]);
    expect(refused(archiveOf(whole, said))).toBe('taken');
  });

  it('an empty name, even at the very end of the directory', () => {
    const bytes = archiveOf(storedBlock(utf8('x'), true), { size: 1, crc: crc32(utf8('x')) });
    const at = directoryOf(bytes);
    const nameless = Uint8Array.from([...bytes.subarray(0, at + 46), ...bytes.subarray(at + 47)]);
    new DataView(nameless.buffer).setUint16(at + 28, 0, true);
    expect(refused(bytes)).toBe('taken');
    expect(refused(nameless)).toBe('INVALID_PARAMETER The name "" is empty.');
  });

  it('a duplicate name', () => {
    const two = zipSync({ a1: utf8('x'), a2: utf8('y') });
    const at = find(two, 0x02014b50, directoryOf(two) + 4);
    two[at + 47] = '1'.charCodeAt(0);
    expect(refused(two)).toBe('INVALID_PARAMETER "a1" occurs twice.');
  });

  it('files beyond a limit, before unpacking', () => {
    const limits = { fileBytes: 100, totalBytes: 150, nodes: 3, depth: 2, ratio: 200 };
    expect(refused(zipSync({ a: new Uint8Array(101) }), limits)).toMatch(
      /^TOO_LARGE "a" has 101 bytes/,
    );
    expect(refused(zipSync({ a: new Uint8Array(90), b: new Uint8Array(90) }), limits)).toMatch(
      /^TOO_LARGE .*150/,
    );
    expect(
      refused(zipSync({ a: utf8(''), b: utf8(''), c: utf8(''), d: utf8('') }), limits),
    ).toMatch(/^TOO_LARGE .*4 entries/);
    expect(refused(zipSync({ 'a/b/c': utf8('x') }), limits)).toMatch(/^TOO_LARGE .*deeper than 2/);
    const atLimits = { 'a/b': new Uint8Array(100), c: new Uint8Array(50), d: utf8('') };
    expect(refused(zipSync(atLimits), limits)).toBe('taken');
  });

  it.each([
    [{ 'd/a': new Uint8Array(101) }, 'd/a', '"d/a" has 101 bytes, more than 100.', 100, 101],
    [
      { a: new Uint8Array(90), b: new Uint8Array(90) },
      'b',
      'The archive unpacks to more than 150 bytes.',
      150,
      180,
    ],
    [
      { a: utf8(''), b: utf8(''), c: utf8(''), d: utf8('') },
      '',
      'The archive has 4 entries, more than 3.',
      3,
      4,
    ],
    [{ 'a/b/c': utf8('x') }, 'a/b/c', '"a/b/c" is deeper than 2 levels.', 2, 3],
  ])(
    'files beyond a limit, with the limit and the size: %#',
    (files, path, message, limit, size) => {
      const limits = { fileBytes: 100, totalBytes: 150, nodes: 3, depth: 2, ratio: 200 };
      expect(readZip(zipSync(files as Record<string, Uint8Array>), limits)).toEqual({
        ok: false,
        error: { code: 'TOO_LARGE', path, message, limit, size },
      });
    },
  );

  it('a zip bomb, by its ratio or its false size', () => {
    const bomb = zipSync({ zeros: new Uint8Array(8 * 2 ** 20) }, { level: 9 });
    expect(refused(bomb)).toMatch(/^TOO_LARGE "zeros" unpacks to more than 200 times/);
    expect(refused(patched(bomb, 24, 1000, 4))).toMatch(/damaged/);
    const packed = new DataView(bomb.buffer).getUint32(directoryOf(bomb) + 20, true);
    expect(readZip(bomb)).toMatchObject({
      error: { path: 'zeros', limit: 200, size: Math.floor((8 * 2 ** 20) / packed) },
    });
    // up to one mebibyte unpacked, any ratio is allowed
    const zeros = (size: number) => zipSync({ zeros: new Uint8Array(size) }, { level: 9 });
    expect(refused(zeros(2 ** 20))).toBe('taken');
    const loose = zipSync({ zeros: new Uint8Array(2 ** 20 + 1) }, { level: 0 });
    expect(refused(loose, { ...defaultArchiveLimits, ratio: 1 })).toBe('taken');
    expect(refused(zeros(2 ** 20 + 1))).toMatch(/^TOO_LARGE/);
    expect(readZip(patched(bomb, 20, 0, 4))).toMatchObject({
      error: { code: 'TOO_LARGE', size: 8 * 2 ** 20 },
    });
  });

  it('other files and damaged archives without throwing', () => {
    expect(readZip(utf8('hello'))).toEqual({
      ok: false,
      error: { code: 'INVALID_PARAMETER', path: '', message: 'This is not a zip archive.' },
    });
    fc.assert(
      fc.property(fc.nat(one.length - 1), fc.nat(255), fc.nat(one.length), (at, byte, cut) => {
        const copy = one.slice(0, cut < one.length / 2 ? one.length : cut);
        if (at < copy.length) copy[at] = byte;
        const read = readZip(copy);
        if (read.ok)
          for (const file of read.value.files) expect(file.bytes).toEqual(utf8('data {}\n'));
      }),
      { seed: 2, numRuns: 1000 },
    );
  });
});

it('writing refuses bad paths', () => {
  const refused = {
    ok: false,
    error: {
      code: 'INVALID_PARAMETER',
      path: '../a',
      message: 'The name ".." refers to a folder.',
    },
  };
  expect(writeZip({ files: [modelFile('../a', utf8('x'))], emptyFolders: [] })).toEqual(refused);
  expect(writeZip({ files: [], emptyFolders: ['a/..'] })).toMatchObject({ ok: false });
});

it('crc32 gives the check value of the standard, at once or piece by piece', () => {
  expect(crc32(utf8('123456789'))).toBe(0xcbf43926);
  expect(crc32(utf8('6789'), crc32(utf8('12345')))).toBe(0xcbf43926);
});
