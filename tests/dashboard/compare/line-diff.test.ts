import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countChanges,
  diffLines,
  hunksOf,
  linesOf,
} from '../../../src/dashboard/features/compare/line-diff.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '  real tau;'), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

describe('lines that differ', () => {
  it('restore either text', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const of = (kind: 'removed' | 'added') =>
          lines.filter((line) => line.kind === 'same' || line.kind === kind);
        expect(of('removed').map((line) => line.text)).toEqual(linesOf(before));
        expect(of('added').map((line) => line.text)).toEqual(linesOf(after));
        expect(of('removed').map((line) => line.before)).toEqual(
          linesOf(before).map((_, i) => i + 1),
        );
        expect(of('added').map((line) => line.after)).toEqual(linesOf(after).map((_, i) => i + 1));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('are as few as can be', () => {
    const before = 'data {\n}\nparameters {\n  vector[J] theta;\n}\n';
    const after = 'data {\n}\nparameters {\n  vector[J] theta_tilde;\n  real mu;\n}\n';
    expect(countChanges(diffLines(before, after))).toEqual({ removed: 1, added: 2 });
    expect(countChanges(diffLines(before, before))).toEqual({ removed: 0, added: 0 });
    expect(countChanges(diffLines('a\nb\nc\nd', 'b\nd\ne'))).toEqual({ removed: 2, added: 1 });
    expect(countChanges(diffLines('a\r\nb', 'a\nb\n'))).toEqual({ removed: 0, added: 0 });
  });

  it('are shown with three lines of context, and the other lines are counted', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
    const changed = lines.with(9, 'other').with(29, 'other');
    const { hunks, rest } = hunksOf(diffLines(lines.join('\n'), changed.join('\n')));
    expect(hunks.map((hunk) => [hunk.skipped, hunk.lines.length])).toEqual([
      [6, 8],
      [13, 8],
    ]);
    expect(rest).toBe(7);
  });

  it('count as replaced where both texts are too long to be matched', () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, i) => `${word} ${i}`);
    const lines = diffLines(['top', ...many('a')].join('\n'), ['top', ...many('b')].join('\n'));
    expect(countChanges(lines)).toEqual({ removed: 3000, added: 3000 });
    expect(lines[0].kind).toBe('same');
  });
});
