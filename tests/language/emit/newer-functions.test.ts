/** Functions that are newer than the Stan whose numbers stand in tests/fixtures/rstan: values against mpmath's. */
import { expect, it } from 'vitest';
import expressions from '../../fixtures/math/expressions.json';
import { modelOf, outputsAt } from '../../support/stan-program.ts';

it.each(expressions as [string, number][])('%s', (expression, expected) => {
  const model = modelOf(`generated quantities { real value = ${expression}; }`);
  const { value } = outputsAt(model);
  expect(Math.abs(value - expected) / Math.max(1, Math.abs(expected))).toBeLessThan(1e-12);
});
