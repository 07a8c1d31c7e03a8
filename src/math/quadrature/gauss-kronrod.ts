/** Adaptive Gauss–Kronrod quadrature with 10 and 21 points (Piessens et al. 1983, *QUADPACK*, routine QK21), by bisection. */
import { DomainError } from '../errors.ts';
import { type Integrand, requireAccuracy, type Tolerances } from './integrand.ts';

/** Abscissas of the 21-point rule in (0, 1) from the outermost in, and 0. */
const abscissas = [
  0.9956571630258081, 0.9739065285171717, 0.9301574913557082, 0.8650633666889845,
  0.7808177265864169, 0.6794095682990244, 0.5627571346686047, 0.4333953941292472,
  0.2943928627014602, 0.14887433898163122, 0,
];
const kronrodWeights = [
  0.011694638867371874, 0.032558162307964725, 0.054755896574351995, 0.07503967481091996,
  0.0931254545836976, 0.10938715880229764, 0.12349197626206584, 0.13470921731147334,
  0.14277593857706009, 0.1477391049013385, 0.1494455540029169,
];
/** Weights of the 10-point rule, at every second abscissa from the second on. */
const gaussWeights = [
  0.06667134430868814, 0.1494513491505806, 0.21908636251598204, 0.26926671930999635,
  0.29552422471475287,
];

interface Piece {
  readonly value: Float64Array;
  readonly error: Float64Array;
  readonly norm: Float64Array;
}

/** x and dx/du for u in (−1, 1). */
type Map = (u: number) => readonly [x: number, slope: number];

function mapOf(a: number, b: number): Map {
  if (a === -Infinity && b === Infinity)
    return (u) => [u / (1 - u * u), (1 + u * u) / (1 - u * u) ** 2];
  if (b === Infinity) return (u) => [a + (1 + u) / (1 - u), 2 / (1 - u) ** 2];
  if (a === -Infinity) return (u) => [b - (1 - u) / (1 + u), 2 / (1 + u) ** 2];
  return (u) => [(a + b) / 2 + ((b - a) / 2) * u, (b - a) / 2];
}

/** The integrals from `a` to `b`, either of which may be infinite; `refinements` bounds the depth of the bisection. */
export function integrateGaussKronrod(
  name: string,
  integrand: Integrand,
  [a, b]: readonly [number, number],
  tolerances: Tolerances,
): Float64Array {
  if (!(a <= b)) throw new DomainError(`${name}: lower limit is ${a}, but must be at most ${b}`);
  if (a === b) return new Float64Array(integrand.count);
  const map = mapOf(a, b);
  const whole = apply(name, integrand, map, [-1, 1]);
  const norm = whole.norm.slice();
  const refine = (from: number, to: number, piece: Piece, depth: number): Piece => {
    const share = (to - from) / 2;
    const isGood = piece.error.every(
      (e, k) => e <= Math.max(tolerances.relative * norm[k], tolerances.absolute) * share,
    );
    if (isGood || depth >= tolerances.refinements) return piece;
    const middle = (from + to) / 2;
    const halves = [
      refine(from, middle, apply(name, integrand, map, [from, middle]), depth + 1),
      refine(middle, to, apply(name, integrand, map, [middle, to]), depth + 1),
    ];
    const add = (what: keyof Piece) =>
      halves[0][what].map((x, k) => x + halves[1][what][k]) as Float64Array;
    return { value: add('value'), error: add('error'), norm: add('norm') };
  };
  const { value, error, norm: last } = refine(-1, 1, whole, 0);
  for (let k = 0; k < value.length; k++) requireAccuracy(name, error[k], last[k], tolerances);
  return value;
}

function apply(
  name: string,
  integrand: Integrand,
  map: Map,
  [from, to]: readonly [number, number],
): Piece {
  const { count } = integrand;
  const half = (to - from) / 2;
  const middle = (from + to) / 2;
  const value = new Float64Array(count);
  const gauss = new Float64Array(count);
  const norm = new Float64Array(count);
  const at = new Float64Array(count);
  const add = (u: number, i: number) => {
    const [x, slope] = map(u);
    at.fill(0);
    integrand.evaluate(x, Number.NaN, at);
    for (let k = 0; k < count; k++) {
      const y = at[k] === 0 ? 0 : at[k] * slope * half;
      if (!Number.isFinite(y)) throw new DomainError(`${name}: the integrand is ${at[k]} at ${x}`);
      value[k] += kronrodWeights[i] * y;
      norm[k] += kronrodWeights[i] * Math.abs(y);
      if (i % 2 === 1) gauss[k] += gaussWeights[(i - 1) / 2] * y;
    }
  };
  for (const [i, u] of abscissas.entries()) {
    add(middle + half * u, i);
    if (u > 0) add(middle - half * u, i);
  }
  return { value, error: value.map((x, k) => Math.abs(x - gauss[k])), norm };
}
