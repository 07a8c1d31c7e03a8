/** How values live at run time, and what their elements are. */
import { expect, it } from 'vitest';
import { elementType, isScalar } from '../../../src/language/lower/kinds.ts';
import type { BaseType, StanType } from '../../../src/language/types/stan-type.ts';

const type = (base: BaseType, arrayDepth = 0): StanType => ({ base, arrayDepth });

it('an int and a real are scalars, and neither an array of them nor a vector', () => {
  const scalars = [type('int'), type('real')];
  const others = [type('int', 1), type('real', 1), type('vector'), type('void')];
  expect(scalars.map(isScalar)).toEqual([true, true]);
  expect(others.map(isScalar)).toEqual([false, false, false, false]);
});

it('the element of an array has one dimension less, of a matrix is a row, of a vector a real', () => {
  expect(elementType(type('matrix', 2))).toEqual(type('matrix', 1));
  expect(elementType(type('int', 1))).toEqual(type('int'));
  expect(elementType(type('matrix'))).toEqual(type('row_vector'));
  expect(elementType(type('vector'))).toEqual(type('real'));
  expect(elementType(type('row_vector'))).toEqual(type('real'));
});
