import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { functionApiTypes } from '../../../src/contract/function-api.ts';
import { markNumbers, unmarkNumbers } from '../../../src/service/functions/marked-numbers.ts';
import {
  encodeFrame,
  FrameReader,
  type FromGuest,
} from '../../../src/service/guests/guest-frames.ts';
import { resolveModule } from '../../../src/service/guests/module-paths.ts';
import { runGuest } from './guest.ts';

describe('names of modules', () => {
  it('never lead out of the tree', () => {
    const segment = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', 'lib.js', '%2e%2e', '\\', 'C:', '\0', '~'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 8 }),
        fc.constantFrom('main.js', 'lib/a.js', 'a/b/c.js'),
        (parts, from) => {
          const found = resolveModule(from, parts.join('/'));
          if (!found.ok) return;
          const segments = found.path.split('/');
          expect(
            segments.filter((one) => one === '..' || one === '.' || /[\\:\0]/.test(one)),
          ).toEqual([]);
          expect(found.path.startsWith('/')).toBe(false);
        },
      ),
      { seed: 5 },
    );
  });
});

describe('frames', () => {
  it('are reassembled however they are split', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, fc.uint8Array())),
        fc.integer({ min: 1, max: 40 }),
        (sent, size) => {
          const all = Buffer.concat(
            sent.map(([log, bytes]) => encodeFrame({ type: 'log', text: log }, bytes)),
          );
          const reader = new FrameReader<FromGuest>(1e6);
          const got: [string, number[]][] = [];
          for (let at = 0; at < all.length; at += size) {
            for (const { message, bytes } of reader.push(all.subarray(at, at + size)))
              got.push([message.type === 'log' ? message.text : '', [...bytes]]);
          }
          expect(got).toEqual(sent.map(([log, bytes]) => [log, [...bytes]]));
        },
      ),
      { seed: 6, numRuns: 50 },
    );
  });

  it('that arrive in a thousand chunks are joined only once', () => {
    const chunk = 1000;
    const all = encodeFrame({ type: 'done' }, new Uint8Array(1000 * chunk));
    const reader = new FrameReader<FromGuest>(2 ** 30);
    const concat = vi.spyOn(Buffer, 'concat');
    for (let at = 0; at < all.length; at += chunk) reader.push(all.subarray(at, at + chunk));
    const copied = concat.mock.results.map(({ value }) => (value as Buffer).length);
    concat.mockRestore();
    expect(copied.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * all.length);
  });

  it('that are longer than allowed are refused by their header', () => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(2 ** 31, 0);
    expect(() => new FrameReader(2 ** 20).push(header)).toThrow(RangeError);
  });
});

it('numbers that JSON does not have are transferred unchanged, and strings stay strings', () => {
  const marked = markNumbers({
    x: [1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    text: 'NaN',
  });
  expect(() => JSON.parse(marked) as unknown).not.toThrow();
  expect(unmarkNumbers(marked)).toBe('{"x":[1,NaN,Infinity,-Infinity],"text":"NaN"}');
});

it('the types for editors list exactly what a function can use', async () => {
  const result = await runGuest('export default (p, e) => [Object.keys(e), Object.keys(console)];');
  const [api, log] = JSON.parse(result.ok ? result.answer : '[]') as [string[], string[]];
  const block = /interface Ergodic \{([\s\S]*?)\n\}/.exec(functionApiTypes)?.[1] ?? '';
  const named = [...block.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map((match) => match[1]);
  expect(named.toSorted()).toEqual(api.toSorted());
  for (const name of log) expect(functionApiTypes).toContain(`'${name}'`);
});
