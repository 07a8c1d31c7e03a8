/** Columns in a file equal columns in memory, however they grow and are read; reading in pieces equals reading in one go. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrawSource, sourceOf } from '../../../src/formats/draw-source.ts';
import { memoryColumns } from '../../../src/formats/growing-column.ts';
import { ImportError } from '../../../src/formats/imported-draws.ts';
import { readDrawSources } from '../../../src/formats/read-draw-files.ts';
import { batchesOf, headOf } from '../../../src/service/imports/draws-feed.ts';
import { createSpilledColumns } from '../../../src/service/imports/spilled-columns.ts';
import { placedSource } from '../../../src/service/imports/stream-draws.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ergodic-spill-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const number = fc.double({ noDefaultInfinity: false, noNaN: false });

describe('columns in a file', () => {
  it('hold what was pushed, in whatever order columns grow and wherever they are split', () => {
    const pushes = fc.array(fc.tuple(fc.nat(3), number), { maxLength: 200 });
    fc.assert(
      fc.property(
        pushes,
        fc.integer({ min: 1, max: 40 }),
        fc.nat(60),
        fc.nat(60),
        (sent, heldValues, a, b) => {
          const store = createSpilledColumns(folder, { heldValues });
          const columns = Array.from({ length: 4 }, () => store.grow());
          const expected: number[][] = [[], [], [], []];
          for (const [c, value] of sent) {
            columns[c].push(value);
            expected[c].push(value);
          }
          const [from, to] = [Math.min(a, b), Math.max(a, b)];
          columns.forEach((column, c) => {
            expect(column.length).toBe(expected[c].length);
            const done = column.finish();
            expect(Array.from(store.load(done))).toEqual(expected[c]);
            const cut = done.subarray(from, to).subarray(1);
            expect(Array.from(store.load(cut))).toEqual(expected[c].slice(from, to).slice(1));
          });
          expect(Array.from(store.load(store.keep(Float64Array.from(expected[0]))))).toEqual(
            expected[0],
          );
          store.close();
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });

  it('leave no file behind, and stop before the disk is full', () => {
    const store = createSpilledColumns(folder, { heldValues: 4, freeBytes: () => 2 ** 28 });
    expect(readdirSync(folder)).toEqual([]);
    const column = store.grow();
    const push = () => [1, 2, 3, 4].forEach((value) => column.push(value));
    expect(push).toThrow(ImportError);
    expect(push).toThrow(/disk has no room/);
    store.close();
  });
});

/** The bytes in pieces of `size`. */
const inPieces = (source: DrawSource, size: number): DrawSource => ({
  ...source,
  *pieces() {
    for (const piece of source.pieces())
      for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size);
  },
});

const stan = (rows: number, warmup: number) =>
  [
    '# stan_version_major = 2',
    '# method = sample (Default)',
    `#     save_warmup = ${warmup > 0 ? 1 : 0}`,
    `#     num_warmup = ${warmup}`,
    '# id = 3',
    'lp__,accept_stat__,divergent__,treedepth__,theta.1,theta.2,é',
    ...Array.from(
      { length: rows },
      (_, i) =>
        `${-i},0.9,${i % 7 === 0 ? 1 : 0},${i % 11},${Math.sin(i)},${i === 4 ? 'nan' : 1e-300 * i},3`,
    ),
    '#  Elapsed Time: 0.5 seconds (Warm-up)',
    '',
  ].join('\n');
const turing = (rows: number) =>
  `iteration,chain,x,numerical_error\n${Array.from({ length: rows }, (_, i) => `${((i * 37) % rows) + 1},${i % 2},${Math.cos(i)},${i % 3 === 0 ? 'missing' : 0}`).join('\n')}\n`;
const table = (rows: number) =>
  `chain,a,b[1]\n${Array.from({ length: rows }, (_, i) => `${1 + (i % 3)},${i},${i / 3}`).join('\n')}\n`;

describe('a file in pieces, with its columns in a file', () => {
  it.each([
    ['Stan CSV', stan(40, 0)],
    ['Stan CSV with warmup', stan(40, 12)],
    ['Turing CSV out of order', turing(41)],
    ['a table', table(40)],
  ])('gives the same draws as the whole file: %s', async (_, text) => {
    const bytes = new TextEncoder().encode(text);
    const whole = await readDrawSources([sourceOf({ name: 'x.csv', bytes })], memoryColumns);
    const expected = {
      head: headOf(whole, memoryColumns),
      batches: [...batchesOf(whole, memoryColumns)],
    };
    expect(expected.head.numValues).toBeGreaterThan(70);
    const sizes = fc.record({
      piece: fc.integer({ min: 1, max: bytes.length }),
      held: fc.integer({ min: 1, max: 90 }),
      isPacked: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ piece, held, isPacked }) => {
        const sent = isPacked ? new Uint8Array(gzipSync(bytes)) : bytes;
        const source = inPieces(sourceOf({ name: 'x.csv', bytes: sent }), piece);
        const store = createSpilledColumns(folder, { heldValues: held });
        const read = await readDrawSources([source], store);
        expect({ head: headOf(read, store), batches: [...batchesOf(read, store)] }).toEqual(
          expected,
        );
        store.close();
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('is refused if a line is too long', async () => {
    const bytes = new Uint8Array(2 ** 24 + 2 ** 21).fill(49);
    bytes.set(new TextEncoder().encode('a,b\n1,'), 0);
    const path = join(folder, 'line.csv');
    writeFileSync(path, bytes);
    const store = createSpilledColumns(folder);
    const source = placedSource({ name: 'line.csv', path, size: bytes.length });
    await expect(readDrawSources([source], store)).rejects.toThrow(
      'line.csv: line 2 has more than 16777216 characters',
    );
    store.close();
    rmSync(path);
  });
});
