/** Random functions whose parameters may each be a number or a container: the calling convention and its checks. */
import { kindCode, Operand } from '../../autodiff/operand.ts';
import { ShapeError } from '../../errors.ts';
import type { Rng } from '../../random/rng.ts';
import type { LibraryFunction } from './implementation.ts';

/** What a parameter must be: [label, test, requirement]. */
export type ParameterRule = readonly [string, (x: number) => boolean, string];

const anyFinite = (x: number): boolean => Math.abs(x) < Infinity;
const isPositiveFinite = (x: number): boolean => x > 0 && x < Infinity;
const isProbability = (x: number): boolean => x >= 0 && x <= 1;

export const rules = {
  location: ['Location parameter', anyFinite, 'finite'],
  scale: ['Scale parameter', isPositiveFinite, 'positive finite'],
  inverseScale: ['Inverse scale parameter', isPositiveFinite, 'positive finite'],
  shape: ['Shape parameter', isPositiveFinite, 'positive finite'],
  firstShape: ['First shape parameter', isPositiveFinite, 'positive finite'],
  secondShape: ['Second shape parameter', isPositiveFinite, 'positive finite'],
  precision: ['Precision parameter', isPositiveFinite, 'positive finite'],
  freedom: ['Degrees of freedom parameter', isPositiveFinite, 'positive finite'],
  finite: ['Parameter', anyFinite, 'finite'],
  probability: ['Probability parameter', isProbability, 'in the interval [0, 1]'],
  rate: ['Rate parameter', (x: number) => x >= 0 && x < Infinity, 'nonnegative finite'],
  count: ['Population size parameter', (x: number) => x >= 0, 'nonnegative'],
} as const satisfies Readonly<Record<string, ParameterRule>>;

const operands = [new Operand(), new Operand(), new Operand(), new Operand()];

/** `(rng, kinds, ...args)`: a number if all arguments are numbers, otherwise an array of `Result` of their common size. */
export function vectorisedRng(
  name: string,
  parameters: readonly ParameterRule[],
  isInt: boolean,
  draw: (rng: Rng, a: number, b: number, c: number, d: number) => number,
): LibraryFunction {
  const [a, b, c, d] = operands;
  return (rng: Rng, kinds: string, ...args: unknown[]) => {
    const n = openAll(name, kinds, args);
    for (let k = 0; k < parameters.length; k++) checkParameter(name, operands[k], parameters[k]);
    if (n < 0) return draw(rng, a.at(0), b.at(0), c.at(0), d.at(0));
    const out = isInt ? new Int32Array(n) : new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = draw(rng, a.at(i), b.at(i), c.at(i), d.at(i));
    return out;
  };
}

/** The common size of the containers, −1 when there is none. */
function openAll(name: string, kinds: string, args: readonly unknown[]): number {
  let n = -1;
  for (let k = 0; k < operands.length; k++) {
    if (k >= args.length) {
      operands[k].open(null, kindCode.r, 0);
      continue;
    }
    operands[k].open(null, kinds.charCodeAt(k), args[k]);
    if (operands[k].stride === 0) continue;
    if (n >= 0 && operands[k].size !== n) {
      throw new ShapeError(
        `${name}: sizes ${n} and ${operands[k].size} of the arguments must match`,
      );
    }
    n = operands[k].size;
  }
  return n;
}

function checkParameter(
  name: string,
  operand: Operand,
  [label, test, requirement]: ParameterRule,
): void {
  operand.label = label;
  for (let i = 0; i < operand.size; i++) {
    if (!test(operand.at(i))) operand.fail(name, i, requirement);
  }
}
