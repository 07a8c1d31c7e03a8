import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonText, writeJson } from '../../../src/service/http/json-pieces.ts';

async function written(value: unknown): Promise<string> {
  const made = writeJson(value);
  return typeof made === 'string' ? made : text(made);
}

const long = '"\\\n日😀'.repeat(100_000);

describe('a response', () => {
  it('that is short is written at once', () => {
    expect(writeJson({ status: 'ok', data: [1, 'a'] })).toBe('{"status":"ok","data":[1,"a"]}');
  });

  it('that is long is written in pieces of limited size', async () => {
    const sizes: number[] = [];
    for await (const piece of writeJson({
      tree: [{ content: long }, long],
    }) as AsyncIterable<Buffer>)
      sizes.push(piece.length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(2 ** 21);
  });

  it('is the same text in pieces as at once, whatever it contains', async () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(long, `a${long}`, undefined, null, Number.NaN, true, '\ud800'),
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(value, async (data) => {
        const [made, expected] = [await written({ data }), JSON.stringify({ data })];
        // the message of a failure would hold megabytes
        expect(made === expected).toBe(true);
      }),
      { seed: 42, numRuns: 60 },
    );
  });

  it('includes text that is already JSON unchanged', async () => {
    expect(await written({ data: new JsonText('{"a": 1}') })).toBe('{"data":{"a": 1}}');
    const list = JSON.stringify(Array(300_000).fill('😀'));
    expect((await written({ data: new JsonText(list) })) === `{"data":${list}}`).toBe(true);
  });
});
