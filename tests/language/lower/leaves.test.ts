/** What tuples and complex numbers are made of, and what their leaves are called. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import {
  bareLeafName,
  isComposite,
  leafName,
  leavesOf,
  loweredType,
  rangeOfMember,
} from '../../../src/language/lower/leaves.ts';
import type { StanType } from '../../../src/language/types/stan-type.ts';

function typeOf(text: string): StanType {
  const { program, diagnostics } = checkProgram(`data { ${text} x; }`);
  expect(diagnostics).toEqual([]);
  return program.data[0].type;
}

describe('leaves', () => {
  it.each([
    ['real', ['x real'], ['x']],
    ['array[2] vector[3]', ['x vector 1'], ['x']],
    ['complex', ['x.real real', 'x.imag real'], ['x.real', 'x.imag']],
    [
      'array[2] complex_vector[2]',
      ['x[*,*].real vector 1', 'x[*,*].imag vector 1'],
      ['x.real', 'x.imag'],
    ],
    ['complex_matrix[2, 2]', ['x[*,*].real matrix', 'x[*,*].imag matrix'], ['x.real', 'x.imag']],
    ['tuple(int, vector[2])', ['x.1 int', 'x.2 vector'], ['x:1', 'x:2']],
    [
      'array[2, 3] tuple(int, array[4] tuple(real, real))',
      ['x[*,*].1 int 2', 'x[*,*].2[*].1 real 3', 'x[*,*].2[*].2 real 3'],
      ['x:1', 'x:2:1', 'x:2:2'],
    ],
    [
      'array[2] tuple(complex, complex_vector[3])',
      [
        'x[*].1.real real 1',
        'x[*].1.imag real 1',
        'x[*].2[*].real vector 1',
        'x[*].2[*].imag vector 1',
      ],
      ['x:1.real', 'x:1.imag', 'x:2.real', 'x:2.imag'],
    ],
  ])('of %s', (text, expected, bare) => {
    const type = typeOf(text);
    const leaves = leavesOf(type);
    const shown = leaves.map((leaf) => {
      const { base, arrayDepth } = leaf.type;
      return `${leafName('x', leaf)} ${base}${arrayDepth === 0 ? '' : ` ${arrayDepth}`}`;
    });
    expect(shown).toEqual(expected);
    expect(leaves.map((leaf) => bareLeafName('x', leaf))).toEqual(bare);
    expect(isComposite(type)).toBe(leaves.length > 1);
  });

  it('have a colon before members in output columns', () => {
    const [leaf] = leavesOf(typeOf('array[2] tuple(complex, int)'));
    expect(leafName('x', leaf, ':')).toBe('x[*]:1.real');
    expect(leaf).toMatchObject({ steps: [{ dims: 1, position: 1, count: 2 }], part: 'real' });
  });

  it('of a member start where those before it end', () => {
    const type = typeOf('tuple(int, complex, tuple(real, real, real), vector[2])');
    expect([1, 2, 3, 4].map((position) => rangeOfMember(type, position))).toEqual([
      [0, 1],
      [1, 3],
      [3, 6],
      [6, 7],
    ]);
  });

  it('form a tuple for a tuple of one member and for a complex number', () => {
    const one = typeOf('tuple(int,)');
    expect([isComposite(one), loweredType(one)]).toEqual([true, one]);
    const real = { base: 'real', arrayDepth: 0 };
    expect(loweredType(typeOf('complex'))).toEqual({
      base: 'tuple',
      arrayDepth: 0,
      members: [real, real],
    });
  });
});
