/** The log density and its gradient at a point given on the constrained scale, with the names of the free values. */
import type { OutputVariable } from '../language/program.ts';
import { DomainError } from '../math/errors.ts';
import { err, ok, type Result } from '../shared/result.ts';
import type { Model } from './model.ts';

export interface PointDensity {
  /** Without constants, as in CmdStan's `log_prob` and the sampler. */
  readonly lp: number;
  /** With respect to the free values, in the order of `names`. */
  readonly gradient: Float64Array;
  /** The point on the unconstrained scale. */
  readonly unconstrained: Float64Array;
}

/** Values by parameter on the constrained scale, or all free values. */
export type DensityPoint =
  | { readonly constrained: Readonly<Record<string, unknown>> }
  | { readonly unconstrained: readonly number[] };

/** The point on the unconstrained scale. The error says what is wrong with it. */
export function freePoint(model: Model, point: DensityPoint): Result<Float64Array, string> {
  if ('constrained' in point) return unconstrainPoint(model, point.constrained);
  const { unconstrained } = point;
  if (unconstrained.length !== model.numUnconstrained)
    return err(
      `The program has ${model.numUnconstrained} free values, but the point has ${unconstrained.length}.`,
    );
  return ok(Float64Array.from(unconstrained));
}

/** The error says what is wrong with the point, or why the program has no density there. */
export function densityAt(
  model: Model,
  point: Readonly<Record<string, unknown>>,
  { jacobian }: { readonly jacobian: boolean },
): Result<PointDensity, string> {
  const free = unconstrainPoint(model, point);
  return free.ok ? densityAtFree(model, free.value, { jacobian }) : free;
}

function unconstrainPoint(
  model: Model,
  point: Readonly<Record<string, unknown>>,
): Result<Float64Array, string> {
  const names = new Set(parametersOf(model).map(({ name, tuple }) => tuple?.variable ?? name));
  const missing = [...names].filter((name) => !Object.hasOwn(point, name));
  if (missing.length > 0) return err(`The point lacks ${missing.join(', ')}.`);
  const unconstrained = new Float64Array(model.numUnconstrained);
  try {
    model.unconstrain(point, unconstrained);
  } catch (error) {
    return err(`The point cannot be used: ${reasonOf(error)}.`);
  }
  if (!unconstrained.every(Number.isFinite))
    return err(
      'The point cannot be used: a value lies on the boundary of its constraint or is not finite.',
    );
  return ok(unconstrained);
}

/** At a point on the unconstrained scale. */
export function densityAtFree(
  model: Model,
  unconstrained: Float64Array,
  { jacobian }: { readonly jacobian: boolean },
): Result<PointDensity, string> {
  const gradient = new Float64Array(model.numUnconstrained);
  try {
    const lp = model.logDensityGradient(unconstrained, gradient, jacobian);
    return ok({ lp, gradient, unconstrained });
  } catch (error) {
    return err(`The log density is undefined there: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  const isKnown = error instanceof DomainError || (error as Error).name === 'ShapeError';
  if (!isKnown) throw error;
  return (error as Error).message;
}

const parametersOf = ({ variables }: Model) =>
  variables.filter(({ block }) => block === 'parameters');

/** Names of the free values as CmdStan writes them: `mu`, `theta.1`, `w.1.2`, for tuples `x:1`, `x.3:2.1`. */
export function unconstrainedNames(model: Model): string[] {
  return parametersOf(model).flatMap(freeNames);
}

/** Elements of arrays are ordered last index first; the contents of one element, first index first. */
function freeNames({ name, dims, free, tuple }: OutputVariable): string[] {
  if (free === undefined) return [];
  const { arrayRank, each, isElementwise } = free;
  const inside = isElementwise ? dims.slice(arrayRank) : [each];
  const elements = indices(dims.slice(0, arrayRank).toReversed()).map((index) =>
    index.toReversed(),
  );
  const own = indices(inside);
  return elements.flatMap((element) =>
    own.map((index) => dotted(tuple?.pattern ?? name, [...element, ...index])),
  );
}

/** Puts indexes in place of the stars in a tuple's pattern, the rest at the end. */
function dotted(pattern: string, index: readonly number[]): string {
  let next = 0;
  const name = pattern.replace(/\[[*,]*\]/g, (stars) =>
    stars
      .split(',')
      .map(() => `.${index[next++]}`)
      .join(''),
  );
  return [name, ...index.slice(next)].join('.');
}

/** All indices of an array of these sizes, from 1, first index fastest. */
function indices(sizes: readonly number[]): number[][] {
  const count = sizes.reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, k) => {
    let rest = k;
    return sizes.map((size) => {
      const index = (rest % size) + 1;
      rest = Math.floor(rest / size);
      return index;
    });
  });
}
