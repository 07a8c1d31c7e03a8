/** A program's density from the adjoint phase and from the tape alone; they must be the same. */
import { libraryKeys, type ModelOptions } from '../../src/engine/compile-model.ts';
import type { Model } from '../../src/engine/model.ts';
import { compileProgram } from '../../src/language/compile.ts';
import type { DataJson } from '../../src/language/program.ts';
import { modelOf, testRng } from './stan-program.ts';

export interface BackEnds {
  readonly adjoint: Model;
  readonly tape: Model;
}

export function backEndsOf(
  source: string,
  data: DataJson = {},
  options: Partial<ModelOptions> = {},
): BackEnds {
  return {
    adjoint: modelOf(source, data, { ...options, adjoint: true }),
    tape: modelOf(source, data, { ...options, adjoint: false }),
  };
}

interface Evaluation {
  readonly value: number;
  readonly gradient: Float64Array;
  /** The error that the density threw, with its name. */
  readonly error: string | null;
}

export function evaluate(model: Model, theta: Float64Array): Evaluation {
  const gradient = new Float64Array(theta.length);
  try {
    return { value: model.logDensityGradient(theta, gradient), gradient, error: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { value: Number.NaN, gradient, error: `${error.name}: ${error.message}` };
  }
}

/**
 * The largest difference of density and gradient, relative to the largest of each: sums of many terms are added in
 * another order, so single small derivatives may differ by more than their size suggests. NaN against a number is ∞.
 * Throws if only one of them throws, or if the messages differ.
 */
export function differenceAt({ adjoint, tape }: BackEnds, theta: Float64Array): number {
  const a = evaluate(adjoint, theta);
  const b = evaluate(tape, theta);
  if (withoutPlace(a.error) !== withoutPlace(b.error) && !areIndexesOf(a.error, b.error)) {
    throw new Error(`adjoint: ${a.error}; tape: ${b.error}`);
  }
  if (a.error !== null) return 0;
  const scale = b.gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 1);
  let worst = distance(a.value, b.value) / Math.max(1, Math.abs(b.value));
  if (Object.is(a.value, b.value)) worst = 0;
  b.gradient.forEach((g, i) => {
    worst = Math.max(worst, distance(a.gradient[i], g) / scale);
  });
  return worst;
}

/**
 * Whether both say that an index of the same line is out of range. If a line has two, either may be read first: the adjoint
 * phase computes an expanded call before the other operands, and Stan does not define an order.
 */
function areIndexesOf(a: string | null, b: string | null): boolean {
  const [mine, other] = [a, b].map((error) =>
    /^ShapeError: .* is out of range .*(\(in .*\))$/.exec(error ?? ''),
  );
  return mine !== null && other !== null && mine[1] === other[1];
}

/** After a function call, the tape reports the function's place for other failures in the same statement. */
function withoutPlace(error: string | null): string | null {
  return error === null ? null : error.replace(/ \(in [^()]*\)$/, '');
}

function distance(a: number, b: number): number {
  if (Object.is(a, b)) return 0;
  const d = Math.abs(a - b);
  return Number.isNaN(d) ? Number.POSITIVE_INFINITY : d;
}

/** The largest {@link differenceAt} over `count` points of the given spread. */
export function worstDifference(both: BackEnds, count: number, spread = 0.7): number {
  const rng = testRng(17);
  let worst = 0;
  for (let k = 0; k < count; k++) {
    const theta = Float64Array.from(
      { length: both.tape.numUnconstrained },
      () => spread * rng.normal(),
    );
    worst = Math.max(worst, differenceAt(both, theta));
  }
  return worst;
}

/** How many regions the adjoint phase made from a program. */
export function countRegions(javascript: string): number {
  return javascript.match(/function forward\$r/g)?.length ?? 0;
}

/** How many regions a program has, and what it leaves on the tape. */
export function regionsOf(source: string): { regions: number; onTape: readonly string[] } {
  const { program } = compileProgram(source, { libraryKeys });
  return {
    regions: countRegions(program?.javascript ?? ''),
    onTape: program?.onTape ?? ['nothing compiled'],
  };
}
