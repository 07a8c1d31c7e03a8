import { describe, expect, it } from 'vitest';
import { joinLines } from '../../../src/language/adjoint/join-lines.ts';

describe('lines that are joined', () => {
  it.each<[string, string[], string[]]>([
    [
      'a value with one reader in the next line',
      ['const t1 = a * b;', 'const t2 = t1 + c;'],
      ['const t2 = (a * b) + c;'],
    ],
    [
      'a chain of such values',
      ['const t1 = a * b;', 'const t2 = t1 + c;', 'const t3 = propto ? 0 : 1;', 'lp += t2 - t3;'],
      ['lp += ((a * b) + c) - (propto ? 0 : 1);'],
    ],
    [
      'one element, without brackets',
      ['const t1 = K[o + i];', 'd$$x += G * t1;'],
      ['d$$x += G * K[o + i];'],
    ],
    ['a place', ['const t1 = o + i;', 'D[t1] += g;'], ['D[o + i] += g;']],
    ['all that a line computes', ['const t1 = a + b;', 'K[sp] = t1;'], ['K[sp] = a + b;']],
    [
      'a function of the language',
      ['const t1 = Math.log(a);', 'lp += -t1;'],
      ['lp += -(Math.log(a));'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(joinLines(lines)).toEqual(expected);
  });
});

describe('lines that are not joined', () => {
  it.each<[string, string[]]>([
    ['two readers', ['const t1 = a * b;', 'const t2 = t1 * t1;']],
    [
      'a reader that is not next',
      ['const t1 = K[i];', 'K[i] = 0;', 'const t2 = t1 + c;', 'K[j] = t2 * t2;'],
    ],
    ['a call, which may write', ['const t1 = $own_value(x);', 'lp += t1;']],
    ['a reader that calls', ['const t1 = K[i];', 'const t2 = $f(K, t1);', 'lp += t2 * t2;']],
    ['a reader that tests', ['const t1 = a * b;', 'if (!(t1 > 0)) fail();']],
    [
      'another name that begins the same',
      ['const t1 = a * b;', 'lp += t12;', 'lp += t1$5;', 'lp -= t1;'],
    ],
    ['a long value', [`const t1 = ${'a + '.repeat(20)}b;`, 'lp += t1;']],
    ['a line of brackets between', ['const t1 = a * b;', 'if (c !== 0) {', 'lp += t1;', '}']],
  ])('%s', (_, lines) => {
    expect(joinLines(lines)).toEqual(lines);
  });

  it('no line grows with the program', () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `const t${i + 1} = t${i} + x;`);
    const longest = Math.max(...joinLines([...lines, 'lp += t5000;']).map(({ length }) => length));
    expect(longest).toBeLessThan(200);
  });
});
