/** Functions of complex numbers as functions of the language. */
import { describe, expect, it } from 'vitest';
import { complexFunction } from '../../../src/language/lower/complex-functions.ts';
import { functionLines, lowered } from './ir-text.ts';

/** Functions are cached by their text, so each run of a test requests a new one. */
let arrayDepth = 3;

describe('a function of complex numbers', () => {
  const complex = { base: 'complex', arrayDepth: 0 } as const;

  it('is read once for arguments of the same types', () => {
    arrayDepth++;
    const array = { ...complex, arrayDepth };
    const first = complexFunction('pow', [array, complex], array);
    expect(first.name.name).toBe('complex_pow');
    expect(first.arguments.map(({ type }) => type)).toEqual([array, complex]);
    expect(complexFunction('pow', [array, complex], array)).toBe(first);
    expect(complexFunction('pow', [complex, array], array)).not.toBe(first);
  });

  it('is refused if it is unknown', () => {
    expect(() => complexFunction('phase', [complex], complex)).toThrow(
      'refused: phase of complex numbers',
    );
  });

  it.each<[string, string[]]>([
    [
      'pow(c2, z)',
      [
        'plain tuple(array[,] real, array[,] real) complex_pow(argument array[,] real x[*,*].real, argument array[,] real x[*,*].imag, argument real y.real, argument real y.imag):',
        '  local array[] int n [2; ] = array[] int dims(x[*,*].real)',
        '  local array[,] real out[*,*].real [int n[1] of "n", int n[2] of "n"; ]',
        '  local array[,] real out[*,*].imag [int n[1] of "n", int n[2] of "n"; ]',
        '  for loop int i1 in 1 to int n[1] of "n"',
        '    for loop int i2 in 1 to int n[2] of "n"',
        '      local real value.real, local real value.imag := tuple(real, real) user complex_pow(real x[*,*].real[i1, i2] of "x", real x[*,*].imag[i1, i2] of "x", y.real, y.imag)',
        '      out[*,*].real[i1, i2] = value.real',
        '      out[*,*].imag[i1, i2] = value.imag',
        '  return tuple(array[,] real, array[,] real) pack(out[*,*].real, out[*,*].imag)',
      ],
    ],
    [
      'to_complex(am, 2)',
      [
        'plain tuple(array[] matrix, array[] matrix) complex_to_complex(argument array[] matrix x, argument real y):',
        '  local array[] int n [3; ] = array[] int dims(x)',
        '  local array[] matrix out[*,*,*].real [int n[1] of "n"; int n[2] of "n", int n[3] of "n"]',
        '  local array[] matrix out[*,*,*].imag [int n[1] of "n"; int n[2] of "n", int n[3] of "n"]',
        '  for loop int i1 in 1 to int n[1] of "n"',
        '    for loop int i2 in 1 to int n[2] of "n"',
        '      for loop int i3 in 1 to int n[3] of "n"',
        '        out[*,*,*].real[i1, i2, i3] = real x[i1, i2, i3] of "x"',
        '        out[*,*,*].imag[i1, i2, i3] = y',
        '  return tuple(array[] matrix, array[] matrix) pack(out[*,*,*].real, out[*,*,*].imag)',
      ],
    ],
    [
      'z ./ zv',
      [
        'plain tuple(vector, vector) complex_elt_divide(argument real x.real, argument real x.imag, argument vector y[*].real, argument vector y[*].imag):',
        '  local array[] int n [1; ] = array[] int dims(y[*].real)',
        '  local vector out[*].real [; int n[1] of "n"]',
        '  local vector out[*].imag [; int n[1] of "n"]',
        '  for loop int i1 in 1 to int n[1] of "n"',
        '    local real value.real, local real value.imag := tuple(real, real) user complex_divide(x.real, x.imag, real y[*].real[i1] of "y", real y[*].imag[i1] of "y")',
        '    out[*].real[i1] = value.real',
        '    out[*].imag[i1] = value.imag',
        '  return tuple(vector, vector) pack(out[*].real, out[*].imag)',
      ],
    ],
    [
      'zv ./ zv',
      [
        'plain tuple(vector, vector) complex_elt_divide(argument vector x[*].real, argument vector x[*].imag, argument vector y[*].real, argument vector y[*].imag):',
        '  local array[] int n [1; ] = array[] int dims(x[*].real)',
        '  for loop int k in 1 to 1',
        '    if (int array[] int dims(y[*].real)[k] of "dims(…)" !== int n[k] of "n")',
        '      reject "elt_divide: sizes are ", n, " and ", array[] int dims(y[*].real), ", but must match"',
        '  local vector out[*].real [; int n[1] of "n"]',
        '  local vector out[*].imag [; int n[1] of "n"]',
        '  for loop int i1 in 1 to int n[1] of "n"',
        '    local real value.real, local real value.imag := tuple(real, real) user complex_divide(real x[*].real[i1] of "x", real x[*].imag[i1] of "x", real y[*].real[i1] of "y", real y[*].imag[i1] of "y")',
        '    out[*].real[i1] = value.real',
        '    out[*].imag[i1] = value.imag',
        '  return tuple(vector, vector) pack(out[*].real, out[*].imag)',
      ],
    ],
  ])('loops over the elements of containers: %s', (call, lines) => {
    const { functions } = lowered(`data {
        complex z; array[2, 3] complex c2; complex_vector[3] zv; array[2] matrix[2, 2] am;
      }
      model { print(${call}); }`);
    expect(functionLines(functions[0])).toEqual(lines);
  });
});
