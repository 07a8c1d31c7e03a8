/** Complex numbers in data, initial values, columns and files, as CmdStan has them. */
import { describe, expect, it } from 'vitest';
import { unconstrainedNames } from '../../../src/engine/log-density.ts';
import { addInit } from '../../../src/engine/tuple-inits.ts';
import { fromDottedName, toDottedName } from '../../../src/formats/flat-name.ts';
import { cmdStanOrder } from '../../../src/formats/tuple-order.ts';
import { foldNames } from '../../../src/formats/variable-shape.ts';
import { arrayOf, elementOf } from '../../../src/posterior/variable-kinds.ts';
import { modelOf, outputsAt, refusalOf } from '../../support/stan-program.ts';

const source = `data {
    int N; complex z; complex_vector[N] v; array[2] complex_matrix[1, 2] m; tuple(complex, int) t;
  }
  parameters { complex p; complex_matrix[2, 2] q; array[2] tuple(real, complex_vector[1]) r; }
  model { target += -norm(p); }
  generated quantities { complex_vector[N] w = v * z + m[2, 1, 2] + t.1; }`;

const data = {
  N: 2,
  z: [0, 1],
  v: [
    [1, 2],
    ['Inf', 0],
  ],
  m: [
    [
      [
        [1, 0],
        [2, 0],
      ],
    ],
    [
      [
        [3, 0],
        [4, 5],
      ],
    ],
  ],
  t: { 1: [0.5, 0], 2: 1 },
};

describe('complex data', () => {
  it('are pairs of numbers', () => {
    const out = outputsAt(modelOf(source, data));
    expect([out['w[1].real'], out['w[1].imag']]).toEqual([2.5, 6]);
    expect(out['w[2].imag']).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    [{ z: 3 }, '`z.real` is 3: must be a complex number, [real part, imaginary part]'],
    [{ z: [1, 2, 3] }, '`z.real` is an array of 3: must be a complex number'],
    [{ z: [1, 'x'] }, '`z.imag` is "x": must be a number'],
    [{ v: [[1, 2]] }, '`v[*].real` has size 1: must be 2'],
    [{ v: [[1, 2], 4] }, '`v[2].real` is 4: must be a complex number'],
    [{ z: undefined }, '`z` is missing from the data: must be a complex number'],
  ])('of any other form are refused: %j', (changed, message) => {
    const given: Record<string, unknown> = { ...data, ...changed };
    for (const [name, value] of Object.entries(given)) if (value === undefined) delete given[name];
    expect(refusalOf(source, given)).toContain(message);
  });

  it('can be initial values', () => {
    const model = modelOf(source, data);
    const theta = Float64Array.from({ length: model.numUnconstrained }, (_, i) => i + 1);
    const out = outputsAt(model, theta);
    const inits: Record<string, unknown> = {};
    const shaped = (
      dims: readonly number[],
      index: readonly number[],
      at: (i: readonly number[]) => number,
    ): unknown =>
      index.length === dims.length
        ? at(index)
        : Array.from({ length: dims[index.length] }, (_, k) => shaped(dims, [...index, k + 1], at));
    for (const variable of model.variables.filter(({ block }) => block === 'parameters')) {
      const { name, dims, tuple } = variable;
      const value = shaped(dims, [], (index) => {
        let next = 0;
        const filled = (tuple?.pattern ?? name).replace(/\*/g, () => String(index[next++]));
        return out[filled];
      });
      addInit(inits, variable, value);
    }
    expect(inits.p).toEqual([1, 2]);
    expect(inits.r).toEqual([
      { 1: expect.any(Number), 2: [[expect.any(Number), expect.any(Number)]] },
      { 1: expect.any(Number), 2: [[expect.any(Number), expect.any(Number)]] },
    ]);
    const back = new Float64Array(theta.length);
    model.unconstrain(inits as never, back);
    expect(back).toEqual(theta);
  });
});

describe('columns of complex numbers', () => {
  it('are named as in CmdStan', () => {
    const model = modelOf(source, data);
    expect(model.columns).toEqual(
      `p.real p.imag q[1,1].real q[2,1].real q[1,2].real q[2,2].real q[1,1].imag q[2,1].imag q[1,2].imag q[2,2].imag
      r[1]:1 r[2]:1 r[1]:2[1].real r[2]:2[1].real r[1]:2[1].imag r[2]:2[1].imag
      w[1].real w[2].real w[1].imag w[2].imag`.split(/\s+/),
    );
    const inOrder = cmdStanOrder(model.columns).map((place) => toDottedName(model.columns[place]));
    expect(inOrder).toEqual(
      `p.real p.imag q.1.1.real q.1.1.imag q.2.1.real q.2.1.imag q.1.2.real q.1.2.imag q.2.2.real q.2.2.imag
      r.1:1 r.1:2.1.real r.1:2.1.imag r.2:1 r.2:2.1.real r.2:2.1.imag w.1.real w.1.imag w.2.real w.2.imag`.split(
        /\s+/,
      ),
    );
    expect(inOrder.map(fromDottedName).toSorted()).toEqual(model.columns.toSorted());
    expect(unconstrainedNames(model).slice(0, 4)).toEqual([
      'p.real',
      'p.imag',
      'q.1.1.real',
      'q.2.1.real',
    ]);
  });

  it('become arrays of real and imaginary parts in ArviZ files and in variable groups', () => {
    const names = ['z.real', 'z.imag', 'v[1].real', 'v[2].real', 'v[1].imag', 'v[2].imag'];
    expect(foldNames(names)).toEqual([
      { name: 'z.real', dims: [], elements: ['z.real'] },
      { name: 'z.imag', dims: [], elements: ['z.imag'] },
      { name: 'v.real', dims: [2], elements: ['v[1].real', 'v[2].real'] },
      { name: 'v.imag', dims: [2], elements: ['v[1].imag', 'v[2].imag'] },
    ]);
    expect(arrayOf('v[1,2].imag')).toBe('v.imag');
    expect(elementOf('v[1,2].imag')).toEqual({ array: 'v.imag', indices: ['1', '2'], suffix: '' });
    expect(elementOf('z.imag')).toBeUndefined();
  });
});
