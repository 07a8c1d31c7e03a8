import { describe, expect, it } from 'vitest';
import { LogProduct } from '../../../src/math/special/log-product.ts';

describe('LogProduct', () => {
  it('is the sum of logarithms, past where the product would overflow', () => {
    const product = new LogProduct();
    let sum = 0;
    for (let k = 1; k <= 5000; k++) {
      product.multiply(k);
      sum += Math.log(k);
    }
    expect(Math.abs(product.log - sum)).toBeLessThan(1e-12 * sum);
  });

  it('accepts huge factors and starts over after a reset', () => {
    const product = new LogProduct();
    product.multiply(1e300);
    product.multiply(1e300);
    expect(product.log).toBeCloseTo(600 * Math.LN10, 9);
    product.reset();
    expect(product.log).toBe(0);
  });

  it('keeps NaN', () => {
    const product = new LogProduct();
    product.multiply(Number.NaN);
    product.multiply(2);
    expect(product.log).toBeNaN();
  });
});
