import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeFloats, encodeFloats } from '../../src/engine/checkpoint.ts';

it('floats survive encoding as text bit for bit', () => {
  fc.assert(
    fc.property(fc.float64Array(), (values) => {
      const back = decodeFloats(encodeFloats(values));
      expect(back.length).toBe(values.length);
      values.forEach((value, i) => expect(Object.is(back[i], value)).toBe(true));
    }),
  );
  const many = Float64Array.from({ length: 3000 }, (_, i) => Math.sqrt(i));
  expect(decodeFloats(encodeFloats(many))).toEqual(many);
  const special = Float64Array.of(-0, Number.NaN, Number.NEGATIVE_INFINITY, 5e-324);
  expect([...decodeFloats(encodeFloats(special))]).toEqual([...special]);
});

it('floats of a checkpoint are little-endian doubles in base64, on every machine', () => {
  expect(encodeFloats([1, -2])).toBe('AAAAAAAA8D8AAAAAAAAAwA==');
  expect([...decodeFloats('AAAAAAAA8D8AAAAAAAAAwA==')]).toEqual([1, -2]);
});
