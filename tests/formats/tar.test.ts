/** Tar archives: the system's tar and ours read each other, and hostile input is rejected before it costs memory. */
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
import { tarEnd, tarFolder, tarHeader, tarPadding } from '../../src/formats/tar-header.ts';

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
  it('keeps files in a gzip file, which has no timestamp', () => {
    const noise = Uint8Array.from({ length: 40_000 }, (_, i) => Math.imul(i, 2_654_435_761) >>> 24);
    const packed = pack([file('a', noise)], [], true);
    expect([...packed.subarray(4, 8)]).toEqual([0, 0, 0, 0]);
    const read = unpackTar(packed);
    expect(read.ok && Buffer.compare(read.value.files[0]?.bytes ?? utf8(''), noise)).toBe(0);
  });

  it('keeps any bytes under any valid name, packed or not', () => {
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

  it('works with the system tar in both directions', () => {
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

const raw = (...parts: Uint8Array[]) => Buffer.concat([...parts, tarEnd()]);
const entry = (name: string, bytes = utf8('x')) =>
  Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]);
/** The first header with bytes changed and its checksum corrected. */
const changed = (bytes: Uint8Array, at: number, value: number | string) => {
  const copy = Buffer.from(bytes);
  if (typeof value === 'string') copy.write(value, at, 'latin1');
  else copy[at] = value;
  copy.fill(32, 148, 156);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return copy;
};

/** Pads with zeros up to a size. */
const filled = (bytes: Uint8Array, size: number) => {
  const whole = new Uint8Array(size);
  whole.set(bytes);
  return whole;
};
/** A gzip file with a name in its header, long enough to reach a given total size. */
const gzipOf = (bytes: Uint8Array, size: number) => {
  const packed = gzipSync(bytes, { level: 0 });
  const head = packed.slice(0, 10);
  head[3] = 8;
  const name = filled(new Uint8Array(size - packed.length - 1).fill(0x6e), size - packed.length);
  return Buffer.concat([head, name, packed.subarray(10)]);
};

describe('headers', () => {
  const field = (block: Uint8Array, from: number, to: number) =>
    String.fromCharCode(...block.subarray(from, to));

  it('have no owner and no time, and mark executable files', () => {
    const header = tarHeader('a/b', 1000);
    expect(header).toHaveLength(512);
    expect([
      field(header, 0, 5),
      field(header, 100, 108),
      field(header, 108, 124),
      field(header, 124, 136),
      field(header, 136, 148),
      field(header, 156, 157),
      field(header, 257, 265),
    ]).toEqual([
      'a/b\0\0',
      '0000644\0',
      '0000000\x000000000\0',
      '00000001750\0',
      '00000000000\0',
      '0',
      'ustar\x0000',
    ]);
    expect(field(tarHeader('a', 1, true), 100, 108)).toBe('0000755\0');
    const folder = tarFolder('d');
    expect([field(folder, 0, 3), field(folder, 100, 108), field(folder, 156, 157)]).toEqual([
      'd/\0',
      '0000755\0',
      '5',
    ]);
    const packed = packTar(
      { files: [file('a', utf8('x')), file('b', utf8('x'))], emptyFolders: [] },
      { programs: new Set(['b']) },
    );
    expect(packed.ok && [field(packed.value, 100, 108), field(packed.value, 1124, 1132)]).toEqual([
      '0000644\0',
      '0000755\0',
    ]);
  });

  it('have an extended record for long or non-ASCII names, with its own length in front', () => {
    expect(tarHeader('n'.repeat(100), 1)).toHaveLength(512);
    for (let length = 101; length < 1100; length++) {
      const name = 'n'.repeat(length);
      const blocks = tarHeader(name, 1);
      const size = Number.parseInt(field(blocks, 124, 135), 8);
      expect(field(blocks, 512, 512 + size)).toBe(`${size} path=${name}\n`);
      expect(blocks).toHaveLength(1024 + Math.ceil(size / 512) * 512);
    }
    const blocks = tarHeader('é', 1);
    expect([field(blocks, 0, 10), field(blocks, 100, 107), field(blocks, 156, 157)]).toEqual([
      'PaxHeader\0',
      '0000644',
      'x',
    ]);
    expect(blocks).toHaveLength(1536);
    expect(tarHeader('aé', 1)).toHaveLength(1536);
    expect(field(tarHeader('n'.repeat(150), 1), 1024, 1125)).toBe(`${'n'.repeat(100)}0`);
  });

  it('are followed by whole blocks', () => {
    expect([0, 1, 511, 512, 513].map((size) => tarPadding(size).length)).toEqual([
      0, 511, 1, 0, 511,
    ]);
    expect(tarEnd()).toEqual(new Uint8Array(1024));
  });
});

describe('archives from other programs', () => {
  const paths = (...parts: Uint8Array[]) => {
    const read = unpackTar(raw(...parts));
    return read.ok
      ? [...read.value.files.map((one) => one.path), ...read.value.emptyFolders.map((p) => `${p}/`)]
      : read.error.message;
  };
  const note = (kind: string, text: string) => changed(entry('note', utf8(text)), 156, kind);

  it('may have files of the oldest kind, folders by kind or by name, and name prefixes', () => {
    expect(paths(changed(entry('a'), 156, 0))).toEqual(['a']);
    expect(paths(changed(entry('a'), 124, '          1 '))).toEqual(['a']);
    expect(paths(entry('n'.repeat(100)))).toEqual(['n'.repeat(100)]);
    expect(paths(changed(entry('a', utf8('')), 156, '5'))).toEqual(['a/']);
    expect(paths(entry('a/', utf8('')))).toEqual(['a/']);
    expect(paths(entry('./', utf8('')), entry('.', utf8('')), entry('././a'))).toEqual(['a']);
    expect(paths(changed(entry('a'), 345, 'p/q'))).toEqual(['p/q/a']);
    // GNU's old format stores something else there
    expect(paths(changed(changed(entry('a'), 345, 'p'), 257, 'ustar  '))).toEqual(['a']);
    expect(paths(changed(changed(entry('a'), 345, 'p'), 257, 'older\0'))).toEqual(['a']);
    expect(paths(changed(entry('abc'), 0, '\xe9\xe9'))).toEqual(['ééc']);
    expect(paths(tarFolder('d'), tarFolder('e'), entry('d/x'))).toEqual(['d/x', 'e/']);
    // a folder's stated size is ignored
    expect(paths(changed(tarFolder('d'), 124, '00000000777'), entry('x'))).toEqual(['x', 'd/']);
  });

  it('may have extended records for the entry that follows', () => {
    expect(paths(note('L', 'long\0'), entry('a'), entry('b'))).toEqual(['long', 'b']);
    expect(paths(note('L', '\ufefflong'), entry('a'))).toEqual(['\ufefflong']);
    expect(paths(note('x', '12 path=new\n'), entry('a'), entry('b'))).toEqual(['new', 'b']);
    expect(paths(note('x', '9 size=1\n12 path=new\n'), entry('a'))).toEqual(['new']);
    expect(paths(note('x', '12 path=one\n12 path=two\n'), entry('a'))).toEqual(['two']);
    expect(paths(note('L', 'long'), note('x', '9 size=1\n'), entry('a'))).toEqual(['long']);
    expect(paths(note('g', '12 path=new\n'), entry('a'))).toEqual(['a']);
    for (const bad of ['12', 'path=new\n', 'x path=new\n', '1 path=new\n', '2 path=new\n', '0 '])
      expect(paths(note('x', bad), entry('a'))).toEqual(['a']);
    expect(paths(note('x', '99 path=new\n'), entry('a'))).toEqual(
      'The name "new?" contains a control character.',
    );
  });

  it('may lack the end marker', () => {
    expect(unpackTar(tarFolder('d')).ok).toBe(true);
    expect(unpackTar(entry('a', new Uint8Array(512))).ok).toBe(true);
    const read = unpackTar(entry('a'));
    expect(read.ok && read.value.files.map((one) => one.path)).toEqual(['a']);
    expect(unpackTar(new Uint8Array(1024))).toEqual({
      ok: true,
      value: { files: [], emptyFolders: [] },
    });
  });

  it('may share one of the first two bytes with a gzip file', () => {
    const named = (name: string) => paths(changed(entry('aa.csv'), 0, name));
    expect(named('\xc3\x8b')).toEqual(['Ë.csv']);
    expect(named('\x1fa')).toBe('The name "?a.csv" contains a control character.');
  });

  it('may be packed into any number of chunks', () => {
    for (const size of [4095, 4096, 4097, 8192]) {
      const packed = gzipOf(raw(entry('a')), size);
      expect(packed).toHaveLength(size);
      const read = unpackTar(packed);
      expect(read.ok && read.value.files.map((one) => one.path)).toEqual(['a']);
    }
  });

  it('may have text and binary files', () => {
    const read = unpackTar(raw(entry('a', utf8('é\n')), entry('b', Uint8Array.of(0, 255))));
    expect(read.ok && read.value.files).toEqual([
      { path: 'a', bytes: utf8('é\n'), encoding: 'text' },
      { path: 'b', bytes: Uint8Array.of(0, 255), encoding: 'base64' },
    ]);
  });
});

describe('refuses', () => {
  const refused = (bytes: Uint8Array, limits = defaultArchiveLimits) => {
    const read = unpackTar(bytes, limits);
    return read.ok ? 'taken' : `${read.error.code} ${read.error.message}`;
  };

  it.each([
    [
      'a name that leads outside',
      raw(entry('../x')),
      'INVALID_PARAMETER The name ".." refers to a folder.',
    ],
    ['an absolute path', raw(entry('/etc/x')), 'INVALID_PARAMETER The name "" is empty.'],
    ['a duplicate', raw(entry('a'), entry('a')), 'INVALID_PARAMETER "a" occurs twice.'],
    [
      'a link',
      changed(raw(entry('a')), 156, 0x32),
      'INVALID_PARAMETER "a" is a link or a special file.',
    ],
    [
      'a pipe',
      changed(raw(entry('a')), 156, '6'),
      'INVALID_PARAMETER "a" is a link or a special file.',
    ],
    ...['1', '2', '3', '4', '6'].map((kind): [string, Uint8Array, string] => [
      `a special file with a size, kind ${kind}`,
      changed(changed(raw(entry('a')), 156, kind), 124, '00000077777'),
      'INVALID_PARAMETER "a" is a link or a special file.',
    ]),
    ['an invalid size', changed(raw(entry('a')), 124, '9'), /not a tar archive/],
    ['a size with a letter', changed(raw(entry('a')), 124, '1x\0'), /not a tar archive/],
    ['a wrong checksum', raw(entry('a')).fill(0x62, 0, 1), /not a tar archive/],
    [
      'an invalid second entry',
      raw(entry('a'), new Uint8Array(512).fill(7)),
      'INVALID_PARAMETER The archive is damaged.',
    ],
    ['an empty file', new Uint8Array(0), 'INVALID_PARAMETER This is not a tar archive.'],
    ['other bytes', utf8('not a tar at all'), 'INVALID_PARAMETER This is not a tar archive.'],
    [
      'a truncated file',
      raw(entry('a', new Uint8Array(5000))).subarray(0, 2000),
      'INVALID_PARAMETER The archive is damaged.',
    ],
    [
      'a gzip file cut after 40 bytes',
      gzipSync(raw(entry('a'))).subarray(0, 40),
      'INVALID_PARAMETER The archive is not a complete gzip file.',
    ],
    ['too deep', raw(entry(`${'d/'.repeat(40)}x`)), /^TOO_LARGE .* is deeper than 32 levels\.$/],
  ])('%s', (_, bytes, message) => {
    if (typeof message === 'string') expect(refused(bytes)).toBe(message);
    else expect(refused(bytes)).toMatch(message);
  });

  it('too many entries, including extended records', () => {
    const limits = { ...defaultArchiveLimits, nodes: 3 };
    const many = raw(...Array.from({ length: 4 }, (_, i) => entry(`f${i}`)));
    expect(refused(many, limits)).toBe('TOO_LARGE The archive has more than 3 entries.');
    const notes = raw(...Array.from({ length: 9 }, () => changed(entry('n'), 156, 0x67)));
    expect(refused(notes, limits)).toBe('TOO_LARGE The archive has more than 3 entries.');
    const three = ['f', 'g'].map((name) => entry(name));
    expect(refused(raw(...three, tarFolder('d')), limits)).toBe('taken');
    const noted = ['f', 'g', 'h'].flatMap((name) => [changed(entry('n'), 156, 0x67), entry(name)]);
    expect(refused(raw(...noted), limits)).toBe('taken');
    expect(refused(raw(...three, tarFolder('d'), tarFolder('e')), limits)).toMatch(/3 entries/);
  });

  it.each([
    [[entry('a/b', new Uint8Array(101))], 'a/b', '"a/b" has 101 bytes, more than 100.', 100, 101],
    [
      [entry('a', new Uint8Array(90)), entry('b', new Uint8Array(90))],
      'b',
      'The archive unpacks to more than 150 bytes.',
      150,
      180,
    ],
    [
      ['a', 'b', 'c', 'd'].map((name) => entry(name)),
      '',
      'The archive has more than 3 entries.',
      3,
      4,
    ],
    [[entry('a/b/c')], 'a/b/c', '"a/b/c" is deeper than 2 levels.', 2, 3],
  ])(
    'entries beyond a limit, with the limit and the size: %#',
    (entries, path, message, limit, size) => {
      const limits = { fileBytes: 100, totalBytes: 150, nodes: 3, depth: 2, ratio: 200 };
      expect(unpackTar(raw(...entries), limits)).toEqual({
        ok: false,
        error: { code: 'TOO_LARGE', path, message, limit, size },
      });
      const atLimits = [entry('a/b', new Uint8Array(100)), entry('c', new Uint8Array(50))];
      expect(unpackTar(raw(...atLimits), limits).ok).toBe(true);
      expect(unpackTar(gzipSync(raw(...atLimits)), limits).ok).toBe(true);
    },
  );

  it('what is not an archive, with an error that has no path', () => {
    const zeros = gzipSync(raw(entry('zeros', new Uint8Array(900_000))));
    const faults: [Uint8Array, string][] = [
      [Uint8Array.of(0x1f, 0x8c), 'This is not a tar archive.'],
      [Uint8Array.of(0x1e, 0x8b), 'This is not a tar archive.'],
      [raw(entry('a'), new Uint8Array(512).fill(7)), 'The archive is damaged.'],
      [zeros, 'The archive unpacks to more than 1000 bytes.'],
    ];
    for (const [bytes, message] of faults)
      expect(
        unpackTar(bytes, { ...defaultArchiveLimits, nodes: 1, totalBytes: 1000 }),
      ).toMatchObject({ ok: false, error: { path: '', message } });
    const packed = gzipSync(raw(entry('a')));
    for (let cut = 2; cut < packed.length - 8; cut++)
      expect(unpackTar(packed.subarray(0, cut)).ok).toBe(false);
    const bomb = gzipSync(raw(entry('zeros', new Uint8Array(2 ** 21))));
    expect(unpackTar(bomb)).toMatchObject({ ok: false, error: { path: '', limit: 200 } });
  });

  it('a truncated gzip file', () => {
    const content = new Uint8Array(9000).fill(7);
    const packed = gzipSync(raw(entry('a', content)), { level: 0 });
    for (const cut of [40, 4096, 8192, 9000, packed.length - 1])
      expect(unpackTar(packed.subarray(0, cut))).toEqual({
        ok: false,
        error: {
          code: 'INVALID_PARAMETER',
          path: '',
          message: 'The archive is not a complete gzip file.',
        },
      });
  });

  it('a gzip file with a changed byte', () => {
    const packed = gzipSync(raw(entry('a', utf8('0.25'))), { level: 0 });
    const at = packed.indexOf('5'.charCodeAt(0), 512);
    packed[at] = '6'.charCodeAt(0);
    expect(refused(packed)).toBe('INVALID_PARAMETER The archive is not a complete gzip file.');
  });

  it('an archive that unpacks to more than valid ones can, to the byte', () => {
    const limits = { ...defaultArchiveLimits, nodes: 1, totalBytes: 1000 };
    const most = 1000 + 5 * 4 * 512;
    const zeros = (size: number) => gzipSync(filled(entry('a'), size));
    expect(refused(zeros(most), limits)).toBe('taken');
    expect(refused(zeros(most + 1), limits)).toMatch(/^TOO_LARGE .* more than 1000 bytes\.$/);
  });

  it('an archive over a mebibyte that exceeds the ratio, to the byte', () => {
    const zeros = (size: number) => gzipSync(filled(entry('a'), size));
    expect(refused(zeros(2 ** 20))).toBe('taken');
    expect(refused(zeros(2 ** 20 + 1))).toMatch(/^TOO_LARGE .* more than 200 times its size\.$/);
    // input is counted in full chunks of 4096 bytes
    const dense = zeros(2 ** 21);
    expect(refused(dense, { ...defaultArchiveLimits, ratio: 512 })).toBe('taken');
    expect(refused(dense, { ...defaultArchiveLimits, ratio: 511 })).toMatch(/^TOO_LARGE/);
    const loose = gzipSync(filled(entry('a'), 2 ** 20 + 512), { level: 0 });
    expect(refused(loose, { ...defaultArchiveLimits, ratio: 1 })).toBe('taken');
  });

  it('to pack a bad name', () => {
    const error = {
      code: 'INVALID_PARAMETER',
      path: '../a',
      message: 'The name ".." refers to a folder.',
    };
    expect(packTar({ files: [file('../a', utf8(''))], emptyFolders: [] })).toEqual({
      ok: false,
      error,
    });
    expect(packTar({ files: [], emptyFolders: ['../a'] })).toEqual({ ok: false, error });
  });

  it('a bomb, long before it is unpacked', () => {
    const bomb = gzipSync(raw(entry('zeros', new Uint8Array(40 * 2 ** 20))));
    expect(refused(bomb)).toMatch(/^TOO_LARGE The archive unpacks to more than 200 times its size/);
    const found = unpackTar(bomb);
    expect(found.ok ? 0 : found.error.limit).toBe(200);
    expect(found.ok ? 0 : found.error.size).toBeGreaterThan(200);
    expect(found.ok ? 0 : found.error.size).toBeLessThan(1100);
    // up to one mebibyte unpacked, any ratio is allowed
    expect(refused(gzipSync(raw(entry('zeros', new Uint8Array(900_000)))))).toBe('taken');
    expect(
      refused(gzipSync(raw(entry('zeros', new Uint8Array(900_000)))), {
        ...defaultArchiveLimits,
        nodes: 1,
        totalBytes: 1000,
      }),
    ).toBe('TOO_LARGE The archive unpacks to more than 1000 bytes.');
    const wide = raw(entry('a', new Uint8Array(900)), entry('b', new Uint8Array(900)));
    expect(refused(wide, { ...defaultArchiveLimits, totalBytes: 1000 })).toBe(
      'TOO_LARGE The archive unpacks to more than 1000 bytes.',
    );
    expect(refused(wide, { ...defaultArchiveLimits, fileBytes: 500 })).toBe(
      'TOO_LARGE "a" has 900 bytes, more than 500.',
    );
  });

  it('or unpacks any bytes without throwing', () => {
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
