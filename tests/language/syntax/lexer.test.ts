import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lex } from '../../../src/language/syntax/lexer.ts';

const texts = (text: string): string[] => lex(text, 0).tokens.map((token) => token.text);

describe('tokens', () => {
  it.each([
    ['a.*b', ['a', '.*', 'b']],
    ['1.*b', ['1.', '*', 'b']],
    ['x[1:n]', ['x', '[', '1', ':', 'n', ']']],
    ["x'*y'", ['x', "'", '*', 'y', "'"]],
    ['a<-b', ['a', '<', '-', 'b']],
    ['a%/%b%c', ['a', '%/%', 'b', '%', 'c']],
    ['x.*=y', ['x', '.*=', 'y']],
    ['a||b&&!c', ['a', '||', 'b', '&&', '!', 'c']],
    ['.5+5.', ['.5', '+', '5.']],
    ['1_000', ['1_000']],
    ['3i', ['3i']],
  ] as const)('%s', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it('exclude comments, which are kept separately', () => {
    const { tokens, comments } = lex('a // one\n/* two\n */ b # three', 0);
    expect(tokens.map(({ text }) => text)).toEqual(['a', 'b']);
    expect(comments.map(({ style }) => style)).toEqual(['line', 'block', 'hash']);
  });

  it('hold strings without their quotes', () => {
    const [token] = lex('"it\'s"', 0).tokens;
    expect(token).toMatchObject({ kind: 'string', text: "it's", start: 0, end: 6 });
  });
});

describe('any text', () => {
  it('is covered by tokens, comments and blanks without overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { tokens, comments } = lex(text, 0);
        const parts = [...tokens, ...comments].sort((a, b) => a.start - b.start);
        let at = 0;
        for (const { start, end } of parts) {
          expect(text.slice(at, start)).toMatch(/^[\s\uFEFF]*$/);
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
