import { describe, expect, it } from 'vitest';
import { cumulativePart } from '../../../src/math/library/families/cumulative.ts';
import { densitiesPart } from '../../../src/math/library/families/densities.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import type { Domain } from '../support/domains.ts';
import {
  type Argument,
  drawArgument,
  evaluate,
  gradientError,
  isActive,
  numbersOf,
  operandwiseCall,
  splitKinds,
  thetaOf,
} from '../support/gradient.ts';
import { structured, tails, vectorised } from './density-cases.ts';

const seed = 20240611;
const baseName = (key: string): string => key.replace(/_(lpdf|lpmf|lcdf|lccdf|cdf)(_unnorm)?$/, '');

/** All-scalar and all-vector with everything active, each operand active alone among vectors, and mixed with scalars. */
function kindsToTry(domains: readonly Domain[]): string[] {
  const letters = (real: string, int: string): string[] =>
    domains.map((d) => (d.isInt ? int : real));
  const kinds = [letters('v', 'i'), letters('V', 'I')];
  for (const [k, domain] of domains.entries()) {
    if (domain.isInt) continue;
    const alone = letters('R', 'I');
    alone[k] = 'V';
    const scalar = letters('R', 'I');
    scalar[k] = 'v';
    const among = letters('V', 'I');
    among[k] = 'r';
    const single = letters('r', 'i');
    single[k] = 'V';
    kinds.push(alone, scalar, among, single);
  }
  return kinds.map((k) => k.join('')).filter((k) => splitKinds(k).some(isActive));
}

function drawAll(kinds: string, domains: readonly Domain[], salt: number): Argument[] {
  const rng = createRng(seed, salt, 'densities');
  return splitKinds(kinds).map((kind, k) => drawArgument(rng, kind, domains[k]));
}

const asData = (args: readonly Argument[]): Argument[] =>
  args.map((a) => ({ ...a, kind: a.kind.replace('v', 'r').replace('V', 'R').replace('W', 'M') }));

function plainValues(args: readonly Argument[]): unknown[] {
  return args.map(({ kind, numbers }) =>
    kind === 'i' || kind === 'r' ? numbers[0] : kind === 'I' ? Int32Array.from(numbers) : numbers,
  );
}

describe.each(Object.entries({ ...densitiesPart, ...cumulativePart }))('%s', (key, fn) => {
  const name = baseName(key);
  const isTail = /cdf(?:_unnorm)?$/.test(key);
  const domains =
    (isTail ? tails[name] : undefined) ?? vectorised[name] ?? structured[name]?.domains;
  const kindList =
    vectorised[name] !== undefined ? kindsToTry(domains) : (structured[name]?.kinds ?? []);

  it('has a test case', () => {
    expect(domains).toBeDefined();
  });

  it('has the gradient of its value, with and without dropped constants', () => {
    for (const [salt, kinds] of kindList.entries()) {
      const args = drawAll(kinds, domains, salt);
      if (!args.some((a) => isActive(a.kind))) continue;
      for (const propto of [false, true]) {
        const error = gradientError(operandwiseCall(fn, propto), args);
        expect(error, `${key} ${kinds} propto ${propto}, seed ${seed}/${salt}`).toBeLessThan(2e-7);
      }
    }
  });

  it('has the same value for data and active operands', () => {
    for (const [salt, kinds] of kindList.entries()) {
      const args = drawAll(kinds, domains, salt);
      if (!args.some((a) => isActive(a.kind)) || /[[MW]/.test(kinds)) continue;
      const data = asData(args);
      const value = fn(null, false, data.map((a) => a.kind).join(''), ...plainValues(data));
      const active = evaluate(operandwiseCall(fn), args, thetaOf(args), null) / Math.sin(1);
      expect(numbersOf(value)[0]).toBeCloseTo(active, 12);
    }
  });

  it('differs only by a constant when constants are dropped', () => {
    for (const [salt, kinds] of kindList.entries()) {
      const args = drawAll(kinds, domains, salt);
      const theta = thetaOf(args);
      if (theta.length === 0) continue;
      const full = new Float64Array(theta.length);
      const dropped = new Float64Array(theta.length);
      evaluate(operandwiseCall(fn), args, theta, full);
      evaluate(operandwiseCall(fn, true), args, theta, dropped);
      expect([...dropped]).toEqual([...full]);
    }
  });

  it('sums over the elements of its operands', () => {
    if (vectorised[name] === undefined) return;
    const args = drawAll(domains.map((d) => (d.isInt ? 'I' : 'R')).join(''), domains, 99);
    const whole = fn(null, false, args.map((a) => a.kind).join(''), ...plainValues(args)) as number;
    const parts = Array.from(
      { length: args[0].numbers.length },
      (_, i) =>
        fn(
          null,
          false,
          domains.map((d) => (d.isInt ? 'i' : 'r')).join(''),
          ...args.map((a) => a.numbers[i]),
        ) as number,
    );
    const isProduct = key.endsWith('_cdf');
    const joined = parts.reduce((a, b) => (isProduct ? a * b : a + b));
    expect(Math.abs(whole - joined)).toBeLessThan(1e-11 * (1 + Math.abs(joined)));
  });

  it('is 0 for empty containers, 1 for a cumulative probability', () => {
    if (vectorised[name] === undefined) return;
    const kinds = domains.map((d) => (d.isInt ? 'I' : 'R')).join('');
    const args = domains.map((d) => (d.isInt ? new Int32Array(0) : new Float64Array(0)));
    expect(fn(null, false, kinds, ...args)).toBe(key.endsWith('_cdf') ? 1 : 0);
  });
});
