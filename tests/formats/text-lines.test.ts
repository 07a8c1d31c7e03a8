/** Lines of text that arrives in pieces. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter, LongLineError } from '../../src/formats/text-lines.ts';

/** Lines in order; `…` after one without a line end. */
function linesOf(...pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line, isLast) => lines.push(isLast ? `${line}…` : line));
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  splitter.end();
  return lines;
}

describe('text in pieces', () => {
  it('has the lines of the whole text, however it is split', () => {
    const text = 'one\r\ntwo\n\n\r\nthree\rfour\n last';
    const expected = ['one', 'two', '', '', 'three\rfour', ' last…'];
    expect(linesOf(text)).toEqual(expected);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.boolean(), (size, hasGaps) => {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        expect(linesOf(...pieces.flatMap((piece) => (hasGaps ? ['', piece] : [piece])))).toEqual(
          expected,
        );
      }),
      { seed: 1 },
    );
  });

  it('has a last line only if text follows the last line end', () => {
    expect(linesOf()).toEqual([]);
    expect(linesOf('')).toEqual([]);
    expect(linesOf('a\n')).toEqual(['a']);
    expect(linesOf('a\nbcd\r')).toEqual(['a', 'bcd…']);
  });

  it('loses a byte order mark at its start, but not later ones', () => {
    expect(linesOf('\ufeffa\n', '\ufeffb\n')).toEqual(['a', '\ufeffb']);
    expect(linesOf('', '\ufeffa\n')).toEqual(['a']);
    expect(linesOf('a', '\ufeff\n')).toEqual(['a\ufeff']);
  });
});

it('an endless line is refused with its number, before more of it is kept', () => {
  const most = 'x'.repeat(2 ** 24);
  const splitter = createLineSplitter(() => {});
  splitter.push(`a\nb\n${most}`);
  expect(() => splitter.push('x')).toThrow(
    expect.objectContaining({
      name: 'LongLineError',
      message: 'line 3 has more than 16777216 characters',
    }),
  );
  expect(() => createLineSplitter(() => {}).push(`${most}x`)).toThrow(LongLineError);
});
