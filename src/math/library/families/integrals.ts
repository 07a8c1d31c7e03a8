/** Integrals of a user's function over one variable: `name(tape, kinds, system, a, b, …)`, see implementation.ts. */
import { Tape } from '../../autodiff/tape.ts';
import { splitKinds } from '../../distributions/density.ts';
import { DomainError } from '../../errors.ts';
import { integrateDoubleExponential } from '../../quadrature/double-exponential.ts';
import { integrateGaussKronrod } from '../../quadrature/gauss-kronrod.ts';
import type { Integrand, Tolerances } from '../../quadrature/integrand.ts';
import {
  HandedArguments,
  isActiveKind,
  type OptionsPlace,
  splitOptions,
} from '../../user-functions/handed-arguments.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

interface IntegrandFunction {
  data(x: number, xc: number, ...handed: unknown[]): number;
  active(tape: Tape, x: number, xc: number, ...handed: unknown[]): number;
  readonly handed: readonly string[];
}

/** Stan's defaults. */
const defaults: Tolerances = {
  relative: Math.sqrt(Number.EPSILON),
  absolute: 0,
  refinements: 15,
};

/** Relative, absolute and depth; of the old form, the relative one alone. */
function readTolerances(name: string, values: readonly unknown[]): Tolerances {
  const [relative, absolute = 0, refinements = defaults.refinements] = values as number[];
  for (const [what, x] of [
    ['relative_tolerance', relative],
    ['absolute_tolerance', absolute],
    ['the number of refinements', refinements],
  ] as const) {
    if (!(x >= 0 && x < Infinity))
      throw new DomainError(`${name}: ${what} is ${x}, but must be nonnegative and finite`);
  }
  return { relative, absolute, refinements };
}

/** The user's function and its derivatives in the handed arguments. */
class UserIntegrand implements Integrand {
  readonly count: number;
  private readonly tape = new Tape();
  private readonly gradient: Float64Array;

  constructor(
    private readonly user: IntegrandFunction,
    readonly handed: HandedArguments,
  ) {
    this.count = 1 + handed.slots.length;
    this.gradient = new Float64Array(handed.slots.length);
  }

  evaluate(x: number, xc: number, out: Float64Array): void {
    const { user, handed, tape, gradient } = this;
    if (this.count === 1) {
      out[0] = user.data(x, xc, ...handed.data);
      return;
    }
    tape.reset(handed.values);
    const slot = user.active(tape, x, xc, ...handed.active);
    tape.sweep(slot, gradient);
    out[0] = tape.value[slot];
    out.set(gradient, 1);
  }
}

type Rule = (
  name: string,
  integrand: Integrand,
  limits: readonly [number, number],
  tolerances: Tolerances,
) => Float64Array;

function integralFunction(name: string, rule: Rule, place: OptionsPlace): LibraryFunction {
  return (tape: Tape | null, kinds: string, user: IntegrandFunction, ...values: unknown[]) => {
    const limitKinds = splitKinds(kinds).slice(0, 2);
    const limits = values.slice(0, 2).map((value, k) => {
      const x = value as number;
      return isActiveKind(limitKinds[k]) ? (tape as Tape).value[x] : x;
    }) as [number, number];
    const { options, handed } = splitOptions(place, values.slice(2), user.handed.length);
    const tolerances = options ? readTolerances(name, options) : defaults;
    const integrand = new UserIntegrand(user, new HandedArguments(user.handed, handed, tape, 1));
    const integrals = rule(name, integrand, limits, tolerances);
    if (tape === null) return integrals[0];
    const slots = [...integrand.handed.slots];
    const partials = [...integrals.subarray(1)];
    for (const [k, kind] of limitKinds.entries()) {
      if (!isActiveKind(kind)) continue;
      // ∂/∂b ∫ f = f(b), ∂/∂a ∫ f = −f(a)
      slots.push(values[k] as number);
      partials.push(atLimit(user, integrand.handed, limits[k]) * (k === 0 ? -1 : 1));
    }
    return tape.row(integrals[0], slots, (k) => partials[k]);
  };
}

/** An infinite limit does not change. */
function atLimit(user: IntegrandFunction, handed: HandedArguments, x: number): number {
  return Number.isFinite(x) ? user.data(x, 0, ...handed.data) : 0;
}

const exponential = integrateDoubleExponential;
const kronrod = integrateGaussKronrod;

export const integralsPart: LibraryPart = {
  integrate_1d: integralFunction('integrate_1d', exponential, 'last or none'),
  integrate_1d_double_exponential: integralFunction(
    'integrate_1d_double_exponential',
    exponential,
    'none',
  ),
  integrate_1d_double_exponential_tol: integralFunction(
    'integrate_1d_double_exponential_tol',
    exponential,
    'first',
  ),
  integrate_1d_gauss_kronrod: integralFunction('integrate_1d_gauss_kronrod', kronrod, 'none'),
  integrate_1d_gauss_kronrod_tol: integralFunction(
    'integrate_1d_gauss_kronrod_tol',
    kronrod,
    'first',
  ),
};
