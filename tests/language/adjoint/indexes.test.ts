/** Indexes: those out of range fail as on the tape, and those that cannot be are not checked. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, countRegions, evaluate, worstDifference } from '../../support/back-ends.ts';

const programOf = (read: string, size = '3') => `
  data { int<lower=0> n; }
  parameters { vector[${size}] m; }
  model { for (i in 1:n) { real a = ${read}; target += -a * a * i; } }`;

const emittedText = (source: string) =>
  compileProgram(source, { libraryKeys }).program?.javascript ?? '';

function errorsOf(source: string, data: Record<string, unknown>) {
  expect(countRegions(emittedText(source))).toBe(1);
  const { adjoint, tape } = backEndsOf(source, data as never);
  const theta = Float64Array.from({ length: tape.numUnconstrained }, (_, i) => 0.3 + i);
  return [adjoint, tape].map((model) => evaluate(model, theta).error);
}

describe('an index out of range', () => {
  it.each(['0', '4'])('%s is found where the element is read', (index) => {
    for (const size of ['3', 'n + 1']) {
      const [own, expected] = errorsOf(programOf(`m[${index}]`, size), { n: 2 });
      expect(own).toContain(`index ${index} is out of range 1 to 3`);
      expect(own).toBe(expected);
    }
  });

  it('is detected in values computed before the loop', () => {
    for (const size of ['3', 'n + 1']) {
      const [own, expected] = errorsOf(programOf('inv(m[1] * (m[2] + m[4]))', size), { n: 2 });
      expect(own).toContain('index 4 is out of range 1 to 3');
      expect(own).toBe(expected);
    }
  });

  it('is not reported when nothing reads it', () => {
    expect(errorsOf(programOf('m[4]'), { n: 0 })).toEqual([null, null]);
  });
});

describe('an index within the declared size', () => {
  it('is not checked again', () => {
    expect(emittedText(programOf('m[1] * m[3]'))).not.toContain('$position(');
    expect(emittedText(programOf('m[1] * m[4]'))).toContain('$position(4, ');
    expect(emittedText(programOf('m[1]', 'n'))).toContain('$position(1, ');
    expect(emittedText(programOf('m[i]'))).toContain('$position(');
    expect(emittedText(programOf('m[i]', 'n'))).not.toContain('$position(');
  });

  it.each([
    ['parameters', 'array[2] vector[3] m; matrix[2, 3] a;', '', 'm[2, 3] * a[2, 1] + m[1][2]'],
    ['transformed parameters', 'real p;', "vector[2] m = [p, p ^ 2]'; m[2] += p;", 'm[1] * m[2]'],
  ])('reads the same element: %s', (_, parameters, declarations, read) => {
    const both = backEndsOf(
      `data { int n; } parameters { ${parameters} } transformed parameters { ${declarations} }
       model { for (i in 1:n) target += -square(${read}) * i; }`,
      { n: 3 },
    );
    expect(worstDifference(both, 5)).toBeLessThan(1e-12);
  });
});

describe('a loop variable as index', () => {
  const sumOf = (loop: string, read: string, sizes = 'n') => `
    data { int<lower=0> n; array[n] real y; array[2, n] int z; }
    transformed data { int k = n; array[k] real x = y; k = k + 1; }
    parameters { vector[${sizes}] m; matrix[n, 3] a; }
    model { for (i in ${loop}) target += ${read} * m[1]; }`;
  const data = { n: 4, y: [1, 2, 3, 4], z: [0, 1].map((k) => [k, 1, 2, 3]) };

  it.each([
    ['1:n', 'm[i]'],
    ['2:n', 'm[i - 1]'],
    ['2:n', 'y[i] * a[i - 1, 2]'],
    ['1:3', 'a[n, i]'],
    ['1:2', 'a[n, i + 1]'],
    ['1:n', 'z[2, i] * a[i, 3]'],
  ])('is not checked where declarations keep it in range: %s of %s', (loop, read) => {
    const source = sumOf(loop, read);
    const checks = emittedText(source).match(/\$position\((?!1, |n\$)/g);
    expect(checks).toBeNull();
    expect(worstDifference(backEndsOf(source, data), 5)).toBeLessThan(1e-12);
  });

  it.each([
    ['1:n', 'm[i + 1]', 5],
    ['1:n', 'm[i - 1]', 0],
    ['0:n', 'm[i]', 0],
    ['1:(n + 1)', 'y[i]', 5],
    ['1:k', 'x[i]', 5],
    ['1:n', 'a[2, i]', 4],
    ['2:n', 'z[i - 1, 1]', 3],
  ])('is found out of range: %s of %s', (loop, read, index) => {
    const [own, expected] = errorsOf(sumOf(loop, read), data);
    expect(own).toContain(`index ${index} is out of range`);
    expect(own).toBe(expected);
  });
});

describe('elements of a local array', () => {
  const programWith = (statements: string) => `
    data { int<lower=0> n; }
    parameters { vector[n] m; }
    model { for (i in 1:n) { ${statements} target += -square(sum(x)); } }`;

  it.each([
    ['vector[n] x; for (j in 1:n) x[j] = m[j] * i;', true],
    ['vector[n] x; for (j in 1:n) { real b = m[j]; x[j] = b * b; }', true],
    ['vector[n] x; for (j in 2:n) x[j] = m[j];', false],
    ['vector[n] x; for (j in 1:n) if (j < i) x[j] = m[j];', false],
    ['vector[n] x; for (j in 1:n) x[i] = m[j];', false],
    ['vector[n] x; for (j in 1:n) { if (j == 3) break; x[j] = m[j]; }', false],
    ['vector[n] x; for (j in 1:n) { x[j] = m[j]; x[1] = x[j]; }', false],
    ['vector[n] x; for (j in 1:n) x[j] = m[j] + x[n];', false],
    ['vector[n] x; x[1] = m[1]; for (j in 1:n) x[j] = m[j];', false],
  ])('are NaN until they have a value: %s', (statements, isFilled) => {
    const source = programWith(statements);
    const text = emittedText(source);
    expect(countRegions(text)).toBe(1);
    expect(text.includes('K[i] = NaN')).toBe(!isFilled);
    const both = backEndsOf(source, { n: 4 });
    expect(worstDifference(both, 5)).toBeLessThan(1e-12);
  });
});
