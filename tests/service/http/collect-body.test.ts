import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { collectBody } from '../../../src/service/http/collect-body.ts';

const collect = (
  chunks: Iterable<Uint8Array>,
  { limit = 2 ** 26, length = null as number | null } = {},
) =>
  collectBody(Readable.from(chunks, { objectMode: false }) as IncomingMessage, {
    limit,
    length,
    tooLarge: () => new Error('too large'),
  });

describe('a body', () => {
  it('that arrives byte by byte becomes a few blocks, not one per byte', async () => {
    const bytes = Array.from({ length: 50_000 }, (_, i) => new Uint8Array([i % 251]));
    const { blocks, size } = await collect(bytes);
    expect(size).toBe(50_000);
    expect(blocks.length).toBeLessThan(20);
    expect(Buffer.concat(blocks).equals(Buffer.concat(bytes))).toBe(true);
  });

  it('has the same bytes however it is split and whether or not its length is known', async () => {
    const whole = new Uint8Array(3_000_000).map((_, i) => i % 253);
    for (const step of [1021, 65_536, 1_500_000, 3_000_000])
      for (const length of [null, whole.length]) {
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < whole.length; at += step) chunks.push(whole.subarray(at, at + step));
        const { blocks } = await collect(chunks, { length });
        expect(Buffer.concat(blocks).equals(whole)).toBe(true);
        // all but the last can be transferred as they are
        for (const block of blocks.slice(0, -1)) expect(block.length).toBe(block.buffer.byteLength);
      }
  });

  it('is refused beyond its limit, or if it is shorter than its Content-Length', async () => {
    await expect(collect([new Uint8Array(11)], { limit: 10 })).rejects.toThrow('too large');
    await expect(collect([new Uint8Array(9)], { length: 10 })).rejects.toThrow('Content-Length');
  });
});
