import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestName, NameSuggestions } from '../../../src/language/source/closest-name.ts';
import { renderCodeFrame } from '../../../src/language/source/code-frame.ts';
import {
  joinSpans,
  lineStarts,
  lineText,
  offsetAt,
  positionAt,
} from '../../../src/language/source/source-file.ts';

const file = (text: string) => ({ name: 'a.stan', text });

describe('positions', () => {
  it('count lines and columns from one', () => {
    const source = file('ab\ncd\r\ne\rf');
    expect(lineStarts(source)).toEqual([0, 3, 7, 9]);
    expect(positionAt(source, 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt(source, 4)).toEqual({ line: 2, column: 2 });
    expect(positionAt(source, 9)).toEqual({ line: 4, column: 1 });
    expect(lineText(source, 2)).toBe('cd');
  });

  it('stay inside the text', () => {
    const source = file('abc');
    expect(positionAt(source, 99)).toEqual({ line: 1, column: 4 });
    expect(positionAt(source, -1)).toEqual({ line: 1, column: 1 });
    expect(offsetAt(source, { line: 9, column: 9 })).toBe(3);
  });

  it('are inverted by offsetAt', () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '\n', '\r\n', ' ', '😀'))
      .map((t) => t.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), (content, at) => {
        const source = file(content);
        const offset = Math.min(at, content.length);
        // A position between \r and \n belongs to the end of its line.
        fc.pre(content[offset - 1] !== '\r' || content[offset] !== '\n');
        expect(offsetAt(source, positionAt(source, offset))).toBe(offset);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('join within a file only', () => {
    expect(joinSpans({ file: 0, start: 3, end: 5 }, { file: 0, start: 8, end: 9 })).toEqual({
      file: 0,
      start: 3,
      end: 9,
    });
    expect(joinSpans({ file: 0, start: 3, end: 5 }, { file: 1, start: 8, end: 9 })).toEqual({
      file: 0,
      start: 3,
      end: 5,
    });
  });
});

describe('the code frame', () => {
  it('underlines to the end of the line if a span continues', () => {
    expect(renderCodeFrame(file('a\nbcd\ne'), { file: 0, start: 3, end: 7 })).toBe(
      ['  1 | a', '  2 | bcd', '    |  ^^', '  3 | e'].join('\n'),
    );
  });

  it('shows one caret for an empty span at the end of an empty text', () => {
    expect(renderCodeFrame(file(''), { file: 0, start: 0, end: 0 })).toBe('  1 |\n    | ^');
  });
});

describe('the code frame of a program on one long line', () => {
  it('shows the part around the span', () => {
    const text = `${'a = 1; '.repeat(100_000)}b = ; ${'c = 1; '.repeat(100_000)}`;
    const start = text.indexOf('b = ;');
    const [line = '', carets = ''] = renderCodeFrame(file(text), {
      file: 0,
      start,
      end: start + 4,
    }).split('\n');
    expect(line.length).toBeLessThan(200);
    expect(line).toMatch(/^ {2}1 \| ….*…$/);
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('b = ');
  });

  it('shows a long line whole up to its end', () => {
    const text = `${' '.repeat(200)}b`;
    expect(renderCodeFrame(file(text), { file: 0, start: 200, end: 201 })).toMatch(/ b\n.* \^$/);
  });
});

describe('suggestions for the names of one program', () => {
  it('stop when thousands of names are unknown', () => {
    const known = Array.from({ length: 4000 }, (_, i) => `alpha_${i}`);
    const suggestions = new NameSuggestions();
    let compared = 0;
    const found = known.map((name) =>
      suggestions.closest(`x${name}`, () => {
        compared += known.length;
        return known;
      }),
    );
    expect(found[0]).toBe('alpha_0');
    expect(found.at(-1)).toBeNull();
    expect(compared).toBeLessThan(60_000);
  });

  it('are not searched for a name longer than anyone types', () => {
    const untouched = {
      [Symbol.iterator]: () => {
        throw new Error('compared');
      },
    };
    expect(closestName('a'.repeat(20_000), untouched)).toBeNull();
  });
});

describe('closestName', () => {
  it('finds swaps, slips and missing letters', () => {
    const known = ['normal', 'lognormal', 'gamma', 'theta_tilde'];
    expect(closestName('nromal', known)).toBe('normal');
    expect(closestName('Normal', known)).toBe('normal');
    expect(closestName('theta_tild', known)).toBe('theta_tilde');
  });

  it('suggests nothing far away', () => {
    expect(closestName('x', ['y', 'z'])).toBeNull();
    expect(closestName('poisson', ['normal', 'gamma'])).toBeNull();
    expect(closestName('same', ['same'])).toBeNull();
  });
});
