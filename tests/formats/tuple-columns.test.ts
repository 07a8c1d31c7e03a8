/** Members of tuples in the names of draws: the order of CmdStan's files, the arrays of ArviZ. */
import { describe, expect, it } from 'vitest';
import { fromDottedName, toDottedName } from '../../src/formats/flat-name.ts';
import { cmdStanOrder } from '../../src/formats/tuple-order.ts';
import { flatNames, foldNames } from '../../src/formats/variable-shape.ts';
import { modelOf } from '../support/stan-program.ts';

/** From stanc's own test `tuple-constraints-params`, as its C++ names them, with two elements instead of none. */
const { columns } = modelOf(`parameters {
  tuple(real<lower=0>, real<lower=0>) ps;
  array[3, 2] tuple(real<lower=0>, simplex[2]) ps2;
  real t;
  array[2] tuple(real, array[2] tuple(real, matrix[1, 2])) deep;
}`);
const inCmdStan = [
  'ps:1',
  'ps:2',
  'ps2.1.1:1',
  'ps2.1.1:2.1',
  'ps2.1.1:2.2',
  'ps2.2.1:1',
  'ps2.2.1:2.1',
  'ps2.2.1:2.2',
  'ps2.3.1:1',
  'ps2.3.1:2.1',
  'ps2.3.1:2.2',
  'ps2.1.2:1',
  'ps2.1.2:2.1',
  'ps2.1.2:2.2',
  'ps2.2.2:1',
  'ps2.2.2:2.1',
  'ps2.2.2:2.2',
  'ps2.3.2:1',
  'ps2.3.2:2.1',
  'ps2.3.2:2.2',
  't',
  'deep.1:1',
  'deep.1:2.1:1',
  'deep.1:2.1:2.1.1',
  'deep.1:2.1:2.1.2',
  'deep.1:2.2:1',
  'deep.1:2.2:2.1.1',
  'deep.1:2.2:2.1.2',
  'deep.2:1',
  'deep.2:2.1:1',
  'deep.2:2.1:2.1.1',
  'deep.2:2.1:2.1.2',
  'deep.2:2.2:1',
  'deep.2:2.2:2.1.1',
  'deep.2:2.2:2.1.2',
];

describe('columns of tuples', () => {
  it('are written in the order of CmdStan, and read back by the same names', () => {
    const written = cmdStanOrder(columns).map((place) => toDottedName(columns[place] ?? ''));
    expect(written).toEqual(inCmdStan);
    expect(written.map(fromDottedName).toSorted()).toEqual(columns.toSorted());
  });

  it('leave other columns where they are', () => {
    const names = ['lp__', 'b', 'a[2]', 'a[1]', 'z.real', 'x:2', 'x:1', 'c'];
    expect(cmdStanOrder(names).map((place) => names[place])).toEqual([
      'lp__',
      'b',
      'a[2]',
      'a[1]',
      'z.real',
      'x:1',
      'x:2',
      'c',
    ]);
  });

  it('are separate for each variable, and keep parts of complex numbers together', () => {
    const names = ['x:2', 'x:1', 'y:1', 'y:2', 'z[1].real', 'z[2].real', 'z[1].imag', 'z[2].imag'];
    expect(cmdStanOrder(names).map((place) => names[place])).toEqual([
      'x:1',
      'x:2',
      'y:1',
      'y:2',
      'z[1].real',
      'z[1].imag',
      'z[2].real',
      'z[2].imag',
    ]);
    const inTuples = ['t:2.imag', 't:1[2].real', 't:2.real', 't:1[1].imag', 't:1[1].real'];
    expect(cmdStanOrder(inTuples).map((place) => inTuples[place])).toEqual([
      't:1[1].real',
      't:1[1].imag',
      't:1[2].real',
      't:2.real',
      't:2.imag',
    ]);
    expect(cmdStanOrder([])).toEqual([]);
  });

  it('are sorted by number, even of two digits, and under names of any kind', () => {
    for (const name of ['x', '1x']) {
      const tuple = Array.from({ length: 12 }, (_, i) => `${name}:${i + 1}`);
      expect(cmdStanOrder(tuple.toReversed())).toEqual(Array.from(tuple, (_, i) => 11 - i));
    }
    const names = ['a.imagined[2]', 'a.imagined[1]'];
    expect(cmdStanOrder(names)).toEqual([0, 1]);
  });

  it('fold into arrays that unfold to the same names', () => {
    const unfolded = foldNames(columns).flatMap(({ name, dims }) => flatNames(name, dims));
    expect(unfolded.toSorted()).toEqual(columns.toSorted());
  });
});

describe('names of elements', () => {
  const folded = (...names: string[]) =>
    foldNames(names).map(({ name, dims }) => `${name} ${dims.join('×')}`.trim());

  it.each<[string, string[], string[]]>([
    ['an array', ['a[1]', 'a[2]'], ['a 2']],
    [
      'an array in any order, in place of its first element',
      ['b', 'a[2]', 'c', 'a[1]'],
      ['b', 'a 2', 'c'],
    ],
    ['a matrix', ['a[1,1]', 'a[2,1]', 'a[1,2]', 'a[2,2]'], ['a 2×2']],
    ['an array of one element', ['a[1]'], ['a 1']],
    [
      'the parts of complex numbers',
      ['z[1].real', 'z[2].real', 'z[1].imag', 'z[2].imag'],
      ['z.real 2', 'z.imag 2'],
    ],
    ['an array whose name has brackets', ['a[x][1]', 'a[x][2]'], ['a[x] 2']],
    ['an array whose name has a line end', ['a\nb[1]'], ['a\nb 1']],
    ['scalars where an element is missing', ['a[1]', 'a[3]'], ['a[1]', 'a[3]']],
    ['scalars where the first is missing', ['a[2]'], ['a[2]']],
    ['scalars of a ragged array', ['a[1,1]', 'a[2,1]', 'a[2,2]'], ['a[1,1]', 'a[2,1]', 'a[2,2]']],
    ['scalars of two shapes', ['a[1]', 'a[1,1]'], ['a[1]', 'a[1,1]']],
    ['scalars if one has the name of the array', ['a[1]', 'a'], ['a[1]', 'a']],
    ['scalars of two shapes, the larger first', ['a[1,2]', 'a[1]'], ['a[1,2]', 'a[1]']],
    ['an array of many elements', Array.from({ length: 12 }, (_, i) => `a[${i + 1}]`), ['a 12']],
    ['a matrix of many columns', Array.from({ length: 12 }, (_, i) => `a[1,${i + 1}]`), ['a 1×12']],
    ['scalars if an element has the name of an array', ['a[2]', 'a[2][1]'], ['a[2]', 'a[2][1]']],
    [
      'scalars if the array is named like a part',
      ['z.real[1]', 'z.real[2]'],
      ['z.real[1]', 'z.real[2]'],
    ],
    ['an array whose name only looks like a part', ['z.really[1]'], ['z.really 1']],
    ['scalars if one has the name of a part', ['z[1].real', 'z.real'], ['z[1].real', 'z.real']],
    [
      'scalars with other brackets',
      ['a[0]', 'a[01]', 'a[]', '[1]', 'a[1].x', 'a[1]x'],
      ['a[0]', 'a[01]', 'a[]', '[1]', 'a[1].x', 'a[1]x'],
    ],
    ['nothing', [], []],
  ])('fold into %s', (_, names, expected) => expect(folded(...names)).toEqual(expected));

  it('run through an array with the last index fastest', () => {
    expect(foldNames(['a[2,1]', 'a[1,1]', 'a[1,2]', 'a[2,2]'])).toEqual([
      { name: 'a', dims: [2, 2], elements: ['a[1,1]', 'a[1,2]', 'a[2,1]', 'a[2,2]'] },
    ]);
    expect(foldNames(['b'])).toEqual([{ name: 'b', dims: [], elements: ['b'] }]);
    expect(flatNames('z.imag', [2])).toEqual(['z[1].imag', 'z[2].imag']);
    expect(flatNames('z.imag', [])).toEqual(['z.imag']);
    expect(flatNames('x.imagined', [1])).toEqual(['x.imagined[1]']);
    expect(flatNames('a', [2, 0])).toEqual([]);
  });
});
