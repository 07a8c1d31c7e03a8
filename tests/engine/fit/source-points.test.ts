import { describe, expect, it } from 'vitest';
import type { SourceDraws } from '../../../src/engine/chain-state.ts';
import { createPointReader } from '../../../src/engine/fit/source-points.ts';
import type { Model } from '../../../src/engine/model.ts';
import { ShapeError } from '../../../src/math/errors.ts';
import { analyticModel } from '../../support/analytic-models.ts';

const advice =
  'Its parameters must have the names and sizes of the finished run; change transformed parameters and generated quantities only.';

const source = (columns: readonly string[], isParametersOnly = true): SourceDraws => ({
  columns,
  count: 2,
  values: Float64Array.from(columns.flatMap((_, c) => [10 * c, 10 * c + 1])),
  isParametersOnly,
});

const modelOf = (names: readonly string[], unconstrain?: Model['unconstrain']) =>
  analyticModel({ names, density: () => 0, unconstrain });

describe('the draws of a run', () => {
  it('are read by name, on both scales', () => {
    const reader = createPointReader(modelOf(['b', 'a']), source(['lp__', 'a', 'b']));
    const q = new Float64Array(2);
    reader.read(1, q);
    expect([...q]).toEqual([21, 11]);
    expect([...reader.row]).toEqual([21, 11]);
  });

  it.each<[string, string[], SourceDraws, string]>([
    [
      'lack a parameter',
      ['a', 'b'],
      source(['a']),
      'the program declares b, which the draws do not have',
    ],
    [
      'have an extra parameter',
      ['a'],
      source(['a', 'b']),
      'the draws have b, which the program does not declare',
    ],
    [
      'have another size',
      ['a'],
      source(['a[1]', 'a[2]', 'other[1]'], false),
      'the program declares a, which the draws do not have; the draws have a[1], a[2], which the program does not declare',
    ],
  ])('are refused if they %s', (_, names, draws, fault) => {
    expect(() => createPointReader(modelOf(names), draws)).toThrow(
      expect.objectContaining({
        reason: 'program-invalid',
        message: `The draws do not fit the program: ${fault}. ${advice}`,
      }),
    );
  });

  it('are refused if they have another shape, while errors of the program are rethrown', () => {
    const readerOf = (error: Error) =>
      createPointReader(
        modelOf(['a'], () => {
          throw error;
        }),
        source(['a']),
      );
    expect(() => readerOf(new ShapeError('`a` has size 1')).read(1, new Float64Array(1))).toThrow(
      expect.objectContaining({
        reason: 'program-invalid',
        message:
          'Draw 2 does not fit the program: `a` has size 1. Declare the parameters with the constraints of the finished run; if the draws come from files, use files with more digits.',
      }),
    );
    expect(() => readerOf(new Error('a bug')).read(0, new Float64Array(1))).toThrow(/^a bug$/);
  });
});
