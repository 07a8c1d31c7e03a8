import { describe, expect, it } from 'vitest';
import { addInit } from '../../src/engine/tuple-inits.ts';

/** Initial values of the variables that match the patterns. */
function initsOf(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inits: Record<string, unknown> = {};
  for (const [pattern, value] of Object.entries(values)) {
    const variable = /^\w+/.exec(pattern)?.[0] ?? '';
    const tuple = pattern === variable ? undefined : { variable, pattern };
    addInit(inits, { name: pattern, dims: [], block: 'parameters', isInt: false, tuple }, value);
  }
  return inits;
}

describe('initial values', () => {
  it('of plain variables are their values', () => {
    expect(initsOf({ mu: 1, x: [[1, 2]] })).toEqual({ mu: 1, x: [[1, 2]] });
  });

  it('of tuples are objects by position', () => {
    expect(initsOf({ 'x:1': 0.5, 'x:2': [1, 2], 'x:12': 3 })).toEqual({
      x: { 1: 0.5, 2: [1, 2], 12: 3 },
    });
    expect(initsOf({ 'x:1:1': 1, 'x:1:2': 2, 'x:2:1': 3 })).toEqual({
      x: { 1: { 1: 1, 2: 2 }, 2: { 1: 3 } },
    });
  });

  it('of arrays of tuples are arrays of objects', () => {
    const ones = [
      [1, 2],
      [3, 4],
    ];
    expect(initsOf({ 'x[*]:1': [1, 2], 'x[*]:2': ones })).toEqual({
      x: [
        { 1: 1, 2: [1, 2] },
        { 1: 2, 2: [3, 4] },
      ],
    });
    expect(initsOf({ 'x[*,*]:1': ones })).toEqual({
      x: [
        [{ 1: 1 }, { 1: 2 }],
        [{ 1: 3 }, { 1: 4 }],
      ],
    });
    expect(
      initsOf({
        'x[*]:2[*]:1': ones,
        'x[*]:2[*]:2': [
          [5, 6],
          [7, 8],
        ],
        'x[*]:1': [9, 0],
      }),
    ).toEqual({
      x: [
        {
          1: 9,
          2: [
            { 1: 1, 2: 5 },
            { 1: 2, 2: 6 },
          ],
        },
        {
          1: 0,
          2: [
            { 1: 3, 2: 7 },
            { 1: 4, 2: 8 },
          ],
        },
      ],
    });
  });

  it('of complex numbers are pairs, wherever they stand', () => {
    expect(initsOf({ 'z.real': 1, 'z.imag': 2 })).toEqual({ z: [1, 2] });
    expect(initsOf({ 'z[*].real': [1, 2], 'z[*].imag': [3, 4] })).toEqual({
      z: [
        [1, 3],
        [2, 4],
      ],
    });
    expect(initsOf({ 'x:1.real': 1, 'x:1.imag': 2, 'x:2': 3 })).toEqual({ x: { 1: [1, 2], 2: 3 } });
    expect(initsOf({ 'x[*]:2[*].real': [[1, 2]], 'x[*]:2[*].imag': [[3, 4]] })).toEqual({
      x: [
        {
          2: [
            [1, 3],
            [2, 4],
          ],
        },
      ],
    });
  });
});
