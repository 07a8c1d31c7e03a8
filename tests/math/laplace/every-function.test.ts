/**
 * Every function of latent likelihoods with arguments in its domain: value and gradient match the library's, second and
 * third derivatives match differences.
 */
import { describe, expect, it } from 'vitest';
import {
  libraryNames,
  librarySignatures,
} from '../../../src/language/types/signatures/signature-table.ts';
import type { StanType } from '../../../src/language/types/stan-type.ts';
import { ActiveMatrix, ActiveVector } from '../../../src/math/autodiff/containers.ts';
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
  /** Its name in the library: `normal_lpdf`, `multiply__VV`. */
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
  // arrays of arrays are the same function with more elements and less exact differences
  const keys = Object.keys(library).filter(
    (key) => key.startsWith(`${name}__`) && /[vVW]/.test(key.slice(name.length)),
  );
  const plain = keys.filter((key) => !key.includes('[') && !(name === 'log_mix' && /v/.test(key)));
  return [
    ...plain,
    ...keys.filter((key) => /\[V/.test(key) && !key.includes('[[')).slice(0, 1),
  ].map((key) => ({ name, key, kinds: key.slice(name.length + 2), domains }));
}

/** Functions without their own form on a Taylor tape; others are in tests/language/emit/laplace.test.ts. */
const differenced = [
  'eigenvalues_sym',
  'eigenvectors_sym',
  'generalized_inverse',
  'lkj_cov_lpdf',
  'log_modified_bessel_first_kind',
  'qr_Q',
  'qr_R',
  'singular_values',
  'svd_U',
  'svd_V',
  'wiener_lpdf',
];

const cases = [...Object.keys(termFunctions), ...differenced].flatMap(casesOf);

function kindOfResult(y: unknown): string {
  if (Array.isArray(y)) return `[${kindOfResult(y[0])}`;
  if (y instanceof ActiveMatrix) return 'W';
  return y instanceof ActiveVector ? 'V' : 'v';
}

/** Calls the library's function on the tape of the results, of whatever kind. */
function call(tape: Tape, one: Case, operands: readonly unknown[]): unknown {
  const isExact = one.key.includes('__');
  const plain = (on: Tape, ...given: unknown[]) =>
    library[one.key](...(isExact ? [on] : [on, false, one.kinds]), ...given);
  if (!(tape instanceof TaylorTape)) return plain(tape, ...operands);
  const own = library[`$taylor_${one.name}`];
  if (own !== undefined) return own(tape, one.kinds, ...operands);
  const resultKind = kindOfResult(plain(copyOf(tape), ...operands));
  return library.$differenced(tape, plain, one.kinds, resultKind, ...operands);
}

function copyOf(tape: Tape): Tape {
  const copy = new Tape();
  copy.reset(tape.value.slice(1, tape.numSlots));
  return copy;
}

/** Records the function and a combination of its results; returns the slot. */
function record(tape: Tape, one: Case, args: readonly Argument[], theta: Float64Array): number {
  tape.reset(theta);
  let at = 0;
  const built = args.map(({ kind, numbers }) => {
    if (!isActive(kind)) return build(kind, numbers, 0);
    const value = build(kind, theta.slice(at, at + numbers.length), at + 1);
    at += numbers.length;
    return value;
  });
  return combineSlots(tape, call(tape, one, built));
}

/** Sixth-order difference. */
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

/** Functions that a latent likelihood may not call, with the reason. */
const refused: readonly (readonly [RegExp, string])[] = [
  [/^(ode_|integrate_|dae|solve_|algebra_solver)/, 'Stan has first derivatives of solvers only'],
  [/^(map_rect|reduce_sum|hmm_)|laplace_/, 'Stan has first derivatives of these only'],
  [/_jacobian$/, 'changes the target, which a likelihood may not'],
  [/^(linspaced|quantile)/, 'take data only'],
];
/** Functions that only move values, handled by the library's own form. */
const moving =
  /^(append_|block|col$|diagonal$|head|rep_|reverse|row$|segment|sub_|tail|to_|transpose|symmetrize|csr_extract)/;

it('at most 80 functions of reals lack exact derivatives, besides those refused with a reason', () => {
  const isReal = ({ base }: StanType) => base !== 'int' && base !== 'void';
  const takesReals = (name: string) => {
    for (const { arguments: given, result } of librarySignatures(0, [name]))
      if (given.some(isReal) && isReal(result)) return true;
    return false;
  };
  const ofReals = libraryNames().filter(takesReals);
  expect(ofReals.length).toBeGreaterThan(400);
  const others = ofReals.filter(
    (name) =>
      !/_rng$|_lup[dm]f$/.test(name) &&
      !(name in termFunctions) &&
      !moving.test(name) &&
      !refused.some(([pattern]) => pattern.test(name)),
  );
  expect(others.length).toBeLessThanOrEqual(80);
  for (const name of differenced) expect(others).toContain(name);
});
