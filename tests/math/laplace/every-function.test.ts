/**
 * Every function of latent likelihoods with arguments of its domain: value and gradient are the library's, second and third
 * derivatives those of differences.
 */
import { describe, expect, it } from 'vitest';
import { librarySignatures } from '../../../src/language/types/signatures/signature-table.ts';
import type { StanType } from '../../../src/language/types/stan-type.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { termFunctions } from '../../../src/math/laplace/functions.ts';
import { TaylorTape } from '../../../src/math/laplace/taylor-tape.ts';
import { library } from '../../../src/math/library/library.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import { structured, tails, vectorised } from '../library/density-cases.ts';
import { containers, elementwise, matrices } from '../library/exact-cases.ts';
import type { Domain } from '../support/domains.ts';
import {
  type Argument,
  build,
  combineSlots,
  directions,
  drawArgument,
  isActive,
  splitKinds,
  thetaOf,
} from '../support/gradient.ts';

interface Case {
  readonly name: string;
  /** What the library calls it: `normal_lpdf`, `multiply__VV`. */
  readonly key: string;
  readonly kinds: string;
  readonly domains: readonly Domain[];
}

const probability = /_(lpdf|lpmf|lcdf|lccdf|cdf)$/;

function casesOf(name: string): Case[] {
  const suffix = probability.exec(name);
  if (suffix !== null) {
    const base = name.slice(0, suffix.index);
    if (library[name] === undefined) return [];
    const isTail = suffix[0].endsWith('cdf');
    const domains = (isTail ? tails[base] : undefined) ?? vectorised[base];
    if (domains !== undefined) {
      const letters = domains.map(({ isInt }) => (isInt ? 'i' : 'v')).join('');
      return [{ name, key: name, kinds: letters, domains }];
    }
    const { domains: own, kinds } = structured[base];
    return kinds
      .filter((letters) => splitKinds(letters).some(isActive))
      .map((letters) => ({ name, key: name, kinds: letters, domains: own }));
  }
  const domains = { ...elementwise, ...containers, ...matrices }[name];
  if (domains === undefined) return [];
  // arrays of arrays are the same function of more elements, whose differences are less exact
  const keys = Object.keys(library).filter(
    (key) => key.startsWith(`${name}__`) && /[vVW]/.test(key.slice(name.length)),
  );
  const plain = keys.filter((key) => !key.includes('[') && !(name === 'log_mix' && /v/.test(key)));
  return [
    ...plain,
    ...keys.filter((key) => /\[V/.test(key) && !key.includes('[[')).slice(0, 1),
  ].map((key) => ({ name, key, kinds: key.slice(name.length + 2), domains }));
}

const cases = Object.keys(termFunctions).flatMap(casesOf);

/** Records the function and a combination of what it gives; returns the slot. */
function record(tape: Tape, one: Case, args: readonly Argument[], theta: Float64Array): number {
  tape.reset(theta);
  let at = 0;
  const built = args.map(({ kind, numbers }) => {
    if (!isActive(kind)) return build(kind, numbers, 0);
    const value = build(kind, theta.slice(at, at + numbers.length), at + 1);
    at += numbers.length;
    return value;
  });
  if (tape instanceof TaylorTape)
    return combineSlots(tape, library[`$taylor_${one.name}`](tape, one.kinds, ...built));
  const isExact = one.key.includes('__');
  const front = isExact ? [tape] : [tape, false, one.kinds];
  return combineSlots(tape, library[one.key](...front, ...built));
}

/** Sixth order. */
function slope(f: (t: number) => number, h: number): number {
  const d = (k: number) => f(k * h) - f(-k * h);
  return (45 * d(1) - 9 * d(2) + d(3)) / (60 * h);
}

const along = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function expectClose(found: number, expected: number, tolerance: number, what: string): void {
  expect(Math.abs(found - expected), `${what}: ${found} for ${expected}`).toBeLessThan(
    tolerance * (1 + Math.abs(expected)),
  );
}

describe.each(cases.map((one) => [`${one.name} of ${one.kinds}`, one] as const))('%s', (_, one) => {
  const rng = createRng(20261124, 1, one.name);
  const args = splitKinds(one.kinds).map((kind, k) =>
    drawArgument(rng, kind, one.domains[Math.min(k, one.domains.length - 1)]),
  );
  const theta = thetaOf(args);
  const allowed = directions(args);
  const n = theta.length;
  const mixture = new Float64Array(n);
  allowed.forEach((direction, k) => {
    const weight = 1 - 0.37 * k + 0.11 * k * k;
    direction.forEach((x, i) => {
      mixture[i] += (weight * x) / allowed.length;
    });
  });
  const taylor = new TaylorTape();
  const moved = (t: number) => theta.map((x, i) => x + t * mixture[i]);

  it('has the value and the gradient of the library', () => {
    const plain = new Tape();
    const [own, expected] = [new Float64Array(n), new Float64Array(n)];
    const slot = record(plain, one, args, theta);
    const value = plain.value[slot];
    plain.sweep(slot, expected);
    const target = record(taylor, one, args, theta);
    expectClose(taylor.value[target], value, 1e-12, 'value');
    taylor.sweep(target, own);
    for (const direction of allowed)
      expectClose(along(own, direction), along(expected, direction), 1e-8, 'gradient');
  });

  it('has second and third derivatives', () => {
    const out = new Float64Array(n);
    for (const order of [1, 2] as const) {
      taylor.sweepAlong(record(taylor, one, args, theta), mixture, order, out);
      const found = out.slice();
      const lower = (t: number, direction: Float64Array) => {
        const target = record(taylor, one, args, moved(t));
        if (order === 1) taylor.sweep(target, out);
        else taylor.sweepAlong(target, mixture, 1, out);
        return along(out, direction);
      };
      for (const direction of allowed)
        expectClose(
          along(found, direction),
          slope((t) => lower(t, direction), 2e-3),
          1e-6,
          `order ${order + 1}`,
        );
    }
  });
});

/** What a latent likelihood may not call, with the reason. */
const refused: readonly (readonly [RegExp, string])[] = [
  [/^(ode_|integrate_|dae|solve_|algebra_solver)/, 'Stan has first derivatives of solvers only'],
  [/^(map_rect|reduce_sum|hmm_)|laplace_/, 'Stan has first derivatives of these only'],
  [/_jacobian$/, 'changes the target, which a likelihood may not'],
  [/_(constrain|unconstrain)$/, 'for parameters, not for outcomes'],
  [
    /^(wiener_|gaussian_dlm_obs|lkj_cov)/,
    'series or filters whose third derivatives nobody has written',
  ],
  [/^hypergeometric_|^log_modified_bessel_first_kind$/, 'derivatives in orders are series'],
  [
    /^(eigen|svd|singular_values|qr|generalized_inverse|complex_schur)/,
    'decompositions have no unique third derivatives where values are close',
  ],
  [/^(gp_|cov_exp_quad)/, 'belong in the covariance function, where first derivatives do'],
  [/^csr_/, 'sparse products: `multiply` of a matrix serves'],
  [/^(get_real|get_imag|conj|to_complex|arg|norm|proj|polar|i?n?v?_?fft2?)$/, 'complex numbers'],
  [/^(linspaced|quantile)/, 'take data only'],
];
/** Moves values about, which the library's own form does. */
const moving =
  /^(append_|block|col$|diagonal$|head|rep_|reverse|row$|segment|sub_|tail|to_|transpose|symmetrize|csr_extract)/;

it('every function of reals is known here, only moves values, or is refused with a reason', () => {
  const isReal = ({ base }: StanType) => base !== 'int' && base !== 'void';
  const ofReals = new Set<string>();
  for (const { name, arguments: given, result } of librarySignatures(0))
    if (given.some(isReal) && isReal(result)) ofReals.add(name);
  expect(ofReals.size).toBeGreaterThan(400);
  const unknown = [...ofReals].filter(
    (name) =>
      !/_rng$|_lup[dm]f$/.test(name) &&
      !(name in termFunctions) &&
      !moving.test(name) &&
      !refused.some(([pattern]) => pattern.test(name)),
  );
  expect(unknown).toEqual([]);
});
