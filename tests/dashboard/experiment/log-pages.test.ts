import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutPage,
  LogPages,
  pageBytes,
  rowStarts,
} from '../../../src/dashboard/features/experiment/logs/log-pages.ts';
import {
  byteLength,
  type LogSource,
  WholeText,
} from '../../../src/dashboard/features/experiment/logs/log-source.ts';

/** A source that counts what it was asked for. */
function sourceOf(text: string) {
  const state = { whole: new WholeText(text), reads: [] as (readonly [number, number])[] };
  const source: LogSource = {
    read: async (from, to) => {
      state.reads.push([from, to]);
      return state.whole.part(from < 0 ? Math.max(0, byteLength(text) + from) : from, to);
    },
    search: async (needle) => state.whole.search(needle),
  };
  return { source, state };
}

async function allLines(pages: LogPages): Promise<string[]> {
  const lines: string[] = [];
  for (let page = 0; page < pages.numPages; page++) {
    for (const line of await pages.linesOf(page)) lines.push(line.text);
  }
  return lines;
}

describe('a log in pages', () => {
  it('returns every line completely and once, wherever pages are cut', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom('x'.repeat(30_000), 'ä'.repeat(9000), ''),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (raw) => {
        const lines = raw.map((text) => text.replaceAll('\n', ' '));
        const pages = new LogPages(sourceOf(`${lines.join('\n')}\n`).source);
        await pages.refresh();
        expect(await allLines(pages)).toEqual(lines);
        expect(pages.numRows).toBe(lines.length);
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  it('opens at the end of a million lines with two reads, with exact numbers there', async () => {
    const text = Array.from({ length: 1_000_000 }, (_, i) => `line ${i + 1}`).join('\n');
    const { source, state } = sourceOf(`${text}\n`);
    const pages = new LogPages(source);
    await pages.refresh();
    expect(pages.numRows).toBe(1_000_000);
    expect(state.reads).toHaveLength(2);
    expect(pages.line(999_999)).toMatchObject({ text: 'line 1000000', isExact: true });
    await pages.want(500_000, 500_030);
    expect(state.reads.length).toBeLessThan(6);
    expect(pages.line(500_010)?.isExact).toBe(false);
    expect(pages.line(500_010)?.text).toMatch(/^line \d+$/);
  });

  it('finds the row of a line by its byte offset', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `step ${i} of the sampler`);
    const { source } = sourceOf(`${lines.join('\n')}\n`);
    const pages = new LogPages(source);
    await pages.refresh();
    const [offset] = await source.search('step 12345 ');
    const row = await pages.rowOfOffset(offset);
    expect(pages.line(row)?.text).toBe('step 12345 of the sampler');
  });

  it('reads only the last page again when the log grows', async () => {
    const { source, state } = sourceOf('one\ntwo\n');
    const pages = new LogPages(source);
    await pages.refresh();
    state.whole = new WholeText('one\ntwo\nthree\n');
    state.reads.length = 0;
    await pages.refresh();
    expect(state.reads).toEqual([[0, 0]]);
    expect(await allLines(pages)).toEqual(['one', 'two', 'three']);
  });

  it('caches a bounded number of pages', async () => {
    const { source, state } = sourceOf(`${'x'.repeat(999)}\n`.repeat(9000));
    const pages = new LogPages(source);
    await pages.refresh();
    for (let page = 0; page < pages.numPages; page++) await pages.linesOf(page);
    const before = state.reads.length;
    await pages.linesOf(0);
    expect(pages.numPages).toBeGreaterThan(128);
    expect(state.reads.length).toBeGreaterThan(before);
  });
});

describe('rows of pages', () => {
  it('are estimated evenly for pages that were never read', () => {
    const size = 3 * pageBytes;
    expect(rowStarts([undefined, undefined, undefined], { size, lines: 300 })).toEqual([
      0, 100, 200, 300,
    ]);
    expect(rowStarts([undefined, 200, undefined], { size, lines: 300 })).toEqual([0, 50, 250, 300]);
  });

  it('leave the end of the line before to its own page', () => {
    const text = `${'a'.repeat(pageBytes + 4)}\nb\n`;
    const part = new WholeText(text).part(pageBytes - 1, 0);
    expect(cutPage(1, part)).toMatchObject({
      head: 'aaaa',
      lines: [{ offset: pageBytes + 5, text: 'b' }],
    });
  });
});
