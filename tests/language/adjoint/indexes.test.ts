/** Literal indexes: those out of range fail as on the tape, and those that cannot be are not checked. */
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
