/** Ints that result from comparing parameters, in loops. */
import { expect, it } from 'vitest';
import { gradientError, modelOf } from '../../support/stan-program.ts';

it.each([
  'int s = b > 0 ? 1 : -1; target += s * square(b);',
  'real x = 0; if (b < 5) { int s = b > 0; x = s * b; } target += x;',
  'real x = 0; int s = 1; if (b < n) s = -1; x = s * b; target += square(x) + s;',
  'real s = b > 0 || b == -3 ? 1 : -1; target += s * square(b) * n;',
])('reads an int that depends on parameters: %s', (body) => {
  const model = modelOf(`parameters { real b; } model { for (n in 1:3) { ${body} } }`);
  for (const seed of [1, 2, 3]) expect(gradientError(model, seed)).toBeLessThan(1e-9);
});
