/**
 * L-BFGS, one iteration at a time: Pathfinder follows its path, optimisation takes its end.
 * Source: Nocedal & Wright 2006, Numerical Optimization, section 7.2, with the convergence tests and defaults of Stan.
 */
import type { FitSettings } from '../chain-state.ts';
import { dot } from './fit.ts';
import { type Objective, type Point, searchLine } from './line-search.ts';

/** One step of the path. */
export interface PathPoint extends Point {
  readonly iteration: number;
  /** Where this step came from: x − x before, and the difference of the gradients; null at the start. */
  readonly move: Move | null;
}

export interface Move {
  readonly s: Float64Array;
  readonly y: Float64Array;
}

export interface PathEnd {
  readonly point: PathPoint;
  readonly isConverged: boolean;
  /** "the gradient is close to zero". */
  readonly reason: string;
}

export type LbfgsSettings = Pick<
  FitSettings,
  | 'iter'
  | 'historySize'
  | 'initAlpha'
  | 'tolObj'
  | 'tolRelObj'
  | 'tolGrad'
  | 'tolRelGrad'
  | 'tolParam'
>;

/** Minimises; yields the start and every point after it. The start must have a finite value. */
export function* followLbfgs(
  objective: Objective,
  start: Float64Array,
  settings: LbfgsSettings,
): Generator<PathPoint, PathEnd> {
  const gradient = new Float64Array(start.length);
  const value = objective(start, gradient);
  let point: PathPoint = { iteration: 0, x: start, gradient, value, move: null };
  yield point;
  const ended = (isConverged: boolean, reason: string): PathEnd => ({ point, isConverged, reason });
  if (norm(gradient) < settings.tolGrad) return ended(true, 'the gradient is close to zero');

  let history: Move[] = [];
  while (point.iteration < settings.iter) {
    const next = stepFrom(objective, point, history, settings.initAlpha);
    if (next === null && history.length > 0) {
      // the curvature may mislead: try again along the gradient
      history = [];
      continue;
    }
    if (next === null) return ended(false, 'the line search finds no maximum in this direction');
    const { x } = point;
    const move = {
      s: next.x.map((at, i) => at - x[i]),
      y: next.gradient.map((slope, i) => slope - point.gradient[i]),
    };
    const before = point;
    const reached = { ...next, iteration: before.iteration + 1, move };
    point = reached;
    yield point;
    if (isCurved(move)) history = [...history, move].slice(-settings.historySize);
    const reason = convergence(before, reached, history, settings);
    if (reason !== null) return ended(true, reason);
  }
  return ended(false, `it has not converged in ${settings.iter} iterations (iter)`);
}

function stepFrom(
  objective: Objective,
  point: Point,
  history: readonly Move[],
  initAlpha: number,
): Point | null {
  const direction = directionAt(point.gradient, history);
  return searchLine(objective, point, direction, history.length === 0 ? initAlpha : 1);
}

/** −H⁻¹g by the two loops (algorithm 7.4), H⁻¹ beginning at the scaled identity of eq. 7.20. */
function directionAt(gradient: Float64Array, history: readonly Move[]): Float64Array {
  const direction = gradient.map((slope) => -slope);
  const alphas: number[] = [];
  for (const { s, y } of history.toReversed()) {
    const alpha = dot(s, direction) / dot(s, y);
    for (let i = 0; i < direction.length; i++) direction[i] -= alpha * y[i];
    alphas.push(alpha);
  }
  const last = history.at(-1);
  if (last !== undefined) {
    const scale = dot(last.s, last.y) / dot(last.y, last.y);
    for (let i = 0; i < direction.length; i++) direction[i] *= scale;
  }
  history.forEach(({ s, y }, k) => {
    const beta = dot(y, direction) / dot(s, y);
    const factor = alphas[alphas.length - 1 - k] - beta;
    for (let i = 0; i < direction.length; i++) direction[i] += factor * s[i];
  });
  return direction;
}

/** Whether the step is informative about the curvature (Zhang et al. 2022, algorithm 3). */
export function isCurved({ s, y }: Move): boolean {
  return dot(y, y) < 1e12 * dot(s, y);
}

/** Why it has converged, tested in Stan's order; null while it has not. */
function convergence(
  before: Point,
  point: Point & { readonly move: Move },
  history: readonly Move[],
  settings: LbfgsSettings,
): string | null {
  const change = Math.abs(before.value - point.value);
  const scale = Math.max(Math.abs(point.value), Math.abs(before.value), 1);
  if (change < settings.tolObj) return 'the log density changes by less than tol_obj';
  if (norm(point.gradient) < settings.tolGrad) return 'the gradient is smaller than tol_grad';
  if (norm(point.move.s) < settings.tolParam) return 'the parameters move by less than tol_param';
  if (change / scale < settings.tolRelObj * Number.EPSILON)
    return 'the relative change of the log density is below tol_rel_obj';
  const decrease = -dot(directionAt(point.gradient, history), point.gradient);
  if (decrease / Math.max(Math.abs(point.value), 1) < settings.tolRelGrad * Number.EPSILON)
    return 'the relative gradient is below tol_rel_grad';
  return null;
}

const norm = (vector: Float64Array): number => Math.sqrt(dot(vector, vector));
