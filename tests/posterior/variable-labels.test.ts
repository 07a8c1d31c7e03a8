import { describe, expect, it } from 'vitest';
import {
  hasLabels,
  labelOf,
  nameWithLabel,
  noLabels,
  readLabels,
  shownName,
} from '../../src/posterior/variable-labels.ts';

const labels = readLabels({
  coords: { school: ['A', 'B', ''], time: ['early', 'late'] },
  dims: { theta: ['school'], effect: ['school', 'time'], cov: ['school', ''] },
});

describe('the label of a variable', () => {
  it.each([
    ['theta[2]', 'theta[B]'],
    ['effect[1,2]', 'effect[A,late]'],
    ['cov[2,1]', 'cov[B,1]'],
    // An index without a label, or beyond the labels, stays a number.
    ['theta[3]', undefined],
    ['theta[4]', undefined],
    ['effect[4,1]', 'effect[4,early]'],
    ['theta', undefined],
    // As documented clients name values.
    ['theta[2]/val', 'theta[B]/val'],
    ['theta[2]/stat/Mean', undefined],
    ['mu', undefined],
    ['constructor', undefined],
    ['constructor[1]', undefined],
  ])('of %s is %s', (variable, label) => {
    expect(labelOf(variable, labels)).toBe(label);
  });

  it('replaces its name if there is one', () => {
    expect(shownName({ variable: 'theta[2]', label: 'theta[B]' })).toBe('theta[B]');
    expect(shownName({ variable: 'theta[2]' })).toBe('theta[2]');
  });
});

it('a name in a sentence is followed by its labels', () => {
  expect(
    ['theta[2]', 'effect[1,2]', 'effect[9,2]', 'cov[2,1]', 'theta[9]', 'mu', 'b[1]'].map((name) =>
      nameWithLabel(name, labels),
    ),
  ).toEqual([
    'theta[2] (B)',
    'effect[1,2] (A, late)',
    'effect[9,2] (late)',
    'cov[2,1] (B)',
    undefined,
    undefined,
    undefined,
  ]);
});

it('labels of more or fewer dimensions than an array has are used where they fit', () => {
  const odd = readLabels({
    coords: { school: ['A', 'B'], year: ['x'] },
    dims: { theta: ['school', 'year'], effect: ['school'] },
  });
  expect([labelOf('theta[1]', odd), labelOf('effect[2,1]', odd)]).toEqual([
    'theta[A]',
    'effect[B,1]',
  ]);
});

it('entries that are not lists of strings are ignored', () => {
  for (const stored of [null, undefined, 'text', 3, [], { coords: [], dims: 'a' }])
    expect(readLabels(stored)).toEqual(noLabels);
  expect(readLabels({ coords: { a: ['x', 1], b: 'xy' }, dims: { a: ['b'] } })).toEqual({
    coords: {},
    dims: { a: ['b'] },
  });
  expect(Object.getPrototypeOf(readLabels({}).coords)).toBeNull();
  expect(readLabels({ coords: { a: null, b: [1], c: ['x'] }, dims: [] })).toEqual({
    coords: { c: ['x'] },
    dims: {},
  });
  expect([hasLabels(labels), hasLabels(noLabels)]).toEqual([true, false]);
  expect(hasLabels(readLabels({ coords: { a: ['x'] }, dims: { b: ['c'] } }))).toBe(false);
  expect(hasLabels(readLabels({ coords: { a: ['x'] }, dims: { b: ['c', 'a'] } }))).toBe(true);
});
