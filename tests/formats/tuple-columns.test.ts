/** Members of tuples in the names that draws go by: order of CmdStan's files, arrays of ArviZ. */
import { describe, expect, it } from 'vitest';
import { fromDottedName, toDottedName } from '../../src/formats/flat-name.ts';
import { cmdStanOrder } from '../../src/formats/tuple-order.ts';
import { flatNames, foldNames } from '../../src/formats/variable-shape.ts';
import { modelOf } from '../support/stan-program.ts';

/** Of stanc's own test `tuple-constraints-params`, as its C++ names them, with two elements in place of none. */
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

  it('fold into arrays that unfold to the same names', () => {
    const unfolded = foldNames(columns).flatMap(({ name, dims }) => flatNames(name, dims));
    expect(unfolded.toSorted()).toEqual(columns.toSorted());
  });
});
