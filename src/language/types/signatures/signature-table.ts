/** The complete signature table: every library function by name, with its overloads parsed on first use. */
import type { LibrarySignature } from '../../syntax/ast.ts';
import type { StanType } from '../stan-type.ts';
import { complex } from './complex.ts';
import { containers } from './containers.ts';
import { distributionLines } from './distributions.ts';
import { elementwise } from './elementwise.ts';
import { expandSignature } from './expand.ts';
import { higherOrder } from './higher-order.ts';
import { laplace, laplaceOptions } from './laplace.ts';
import { type Match, matchSignature } from './match.ts';
import { matrices } from './matrices.ts';
import { special } from './mixed.ts';
import { readSignature, readTable, type SignatureLine, type SignaturePattern } from './notation.ts';
import { operators } from './operators.ts';
import { transforms } from './transforms.ts';

/** Functions replaced by other spellings → what to write now. */
export const deprecatedFunctions: Readonly<Record<string, string>> = {
  fabs: 'abs',
  multiply_log: 'lmultiply',
  binomial_coefficient_log: 'lchoose',
  cov_exp_quad: 'gp_exp_quad_cov',
  integrate_ode_rk45: 'ode_rk45',
  integrate_ode_bdf: 'ode_bdf',
  integrate_ode: 'ode_rk45',
  integrate_ode_adams: 'ode_adams',
  lkj_cov_lpdf: 'lkj_corr_lpdf',
  lkj_cov_lupdf: 'lkj_corr_lupdf',
  algebra_solver: 'solve_powell',
  algebra_solver_newton: 'solve_newton',
};

/** Functions that Stan no longer has → what to write now. */
export const removedFunctions: Readonly<Record<string, string>> = {
  if_else: 'condition ? a : b',
};

let linesByName: Map<string, SignatureLine[]> | null = null;
const patternsByName = new Map<string, readonly SignaturePattern[]>();

function lines(): Map<string, SignatureLine[]> {
  if (linesByName) return linesByName;
  const byName = new Map<string, SignatureLine[]>();
  const all = [
    // Complex functions come last: if real arguments fit as well, the real ones win.
    ...[
      elementwise,
      special,
      operators,
      containers,
      matrices,
      transforms,
      higherOrder,
      laplace,
      laplaceOptions,
      complex,
    ].flatMap(readTable),
    ...distributionLines(),
  ];
  for (const line of all) {
    for (const name of line.names) {
      const list = byName.get(name);
      if (list) list.push(line);
      else byName.set(name, [line]);
    }
  }
  linesByName = byName;
  return byName;
}

export function isLibraryFunction(name: string): boolean {
  return lines().has(name);
}

/** Overloads in the order they are tried; empty when there is no such function. */
export function signaturesOf(name: string): readonly SignaturePattern[] {
  let patterns = patternsByName.get(name);
  if (!patterns) {
    patterns = (lines().get(name) ?? []).map((line) => readSignature(name, line));
    patternsByName.set(name, patterns);
  }
  return patterns;
}

/** A signature of the table that fits, with its concrete types. */
export interface Resolution {
  readonly signature: LibrarySignature;
  readonly pattern: SignaturePattern;
  readonly promotions: number;
}

/** Cached by name and plain types; long programs repeat the same few calls. */
const resolved = new Map<string, Resolution | null>();
const mostResolved = 20_000;

/** The overload of `name` that accepts these arguments with the fewest promotions; the first listed wins ties. */
export function resolveLibrary(name: string, types: readonly StanType[]): Resolution | null {
  let key = name;
  for (const { base, arrayDepth, members } of types) {
    if (members !== undefined) return findOverload(name, types);
    key += ` ${base}${arrayDepth}`;
  }
  let found = resolved.get(key);
  if (found === undefined) {
    found = findOverload(name, types);
    if (resolved.size >= mostResolved) resolved.clear();
    resolved.set(key, found);
  }
  return found;
}

function findOverload(name: string, types: readonly StanType[]): Resolution | null {
  let best: { readonly match: Match; readonly pattern: SignaturePattern } | null = null;
  for (const pattern of signaturesOf(name)) {
    const match = matchSignature(pattern, types);
    if (match && (!best || match.promotions < best.match.promotions)) best = { match, pattern };
    if (match?.promotions === 0) break;
  }
  if (!best) return null;
  const { match, pattern } = best;
  const signature = { name, arguments: match.arguments, result: match.result };
  return { signature, pattern, promotions: match.promotions };
}

/** Names of all supported functions, operators under their function names. */
export function libraryNames(): readonly string[] {
  return [...lines().keys()];
}

/** Every supported overload with concrete types, of all functions or of some; containers nest up to `maxArrayDepth` (default 2). */
export function* librarySignatures(
  maxArrayDepth = 2,
  names = libraryNames(),
): Generator<LibrarySignature> {
  for (const name of names) {
    const seen = new Set<string>();
    for (const pattern of signaturesOf(name)) {
      for (const types of expandSignature(pattern, maxArrayDepth)) {
        const key = types.map((type) => `${type.base}${type.arrayDepth}`).join();
        if (seen.has(key)) continue;
        seen.add(key);
        const resolution = resolveLibrary(name, types);
        if (resolution) yield resolution.signature;
      }
    }
  }
}

/** Distributions that may follow `~`, with the suffix of their density. */
export function libraryDistributions(): readonly { name: string; suffix: 'lpdf' | 'lpmf' }[] {
  return libraryNames().flatMap((name) => {
    const found = /^(.*)_(lpdf|lpmf)$/.exec(name);
    return found ? [{ name: found[1], suffix: found[2] as 'lpdf' | 'lpmf' }] : [];
  });
}
