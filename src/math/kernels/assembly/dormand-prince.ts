/**
 * The arithmetic of `ode/rk45.ts`: state and sensitivities as one system, and the steps of Dormand & Prince (1980). There is
 * one system at a time, arranged from the start of the memory; its arrays have an even number of elements each.
 */
import { at, get, getPair, set, setPair } from './numbers';

let numStates: i32 = 0;
let numColumns: i32 = 0;
let firstParameter: i32 = 0;
/** Elements of state and sensitivities together, and rounded up to an even number. */
let size: i32 = 0;
let stride: i32 = 0;

const slopeOfSystem: usize = 0;
let byState: usize = 0;
let byParameter: usize = 0;
let trial: usize = 0;
let state: usize = 0;
let before: usize = 0;
let between: usize = 0;
let slopes: usize = 0;

/** Whether the slope of the last stage is the first of the next step. */
let isAccepted: bool = false;

function even(count: i32): i32 {
  return (count + 1) & ~1;
}

/**
 * Arranges, in this order: f(t, y), its derivatives by the state and by `parameters`, the trial state, the state, the one
 * before the last step, one between the two, and the slopes of seven stages. Columns are as in `ode/ode-problem.ts`.
 */
export function arrangeSystem(states: i32, columns: i32, first: i32, parameters: i32): void {
  numStates = states;
  numColumns = columns;
  firstParameter = first;
  size = states * (1 + columns);
  stride = even(size);
  byState = at(slopeOfSystem, even(states));
  byParameter = at(byState, even(states * states));
  trial = at(byParameter, even(states * parameters));
  state = at(trial, stride);
  before = at(state, stride);
  between = at(before, stride);
  slopes = at(between, stride);
  memory.fill(slopeOfSystem, 0, at(slopes, 7 * stride));
  isAccepted = false;
}

/** `count` numbers, rounded up to an even number: `memory.copy` takes longer for so few. */
function copy(target: usize, source: usize, count: i32): void {
  for (let i = 0; i < count; i += 2) setPair(target, i, getPair(source, i));
}

function times(factor: f64, x: v128): v128 {
  return f64x2.mul(f64x2.splat(factor), x);
}

function plus(sum: v128, factor: f64, x: v128): v128 {
  return f64x2.add(sum, times(factor, x));
}

/** The slope of a stage: f, and J S + ∂f/∂θ for the sensitivities S of the trial state. */
function takeSlope(stage: i32): void {
  const n = numStates;
  const target = at(slopes, stage * stride);
  copy(target, slopeOfSystem, n);
  for (let k = 0; k < numColumns; k++) {
    const column = at(trial, n * (1 + k));
    const direct = at(byParameter, n * (k - firstParameter));
    const out = at(target, n * (1 + k));
    const isParameter = k >= firstParameter;
    let i = 0;
    for (; i + 1 < n; i += 2) {
      let sum = isParameter ? getPair(direct, i) : f64x2.splat(0);
      for (let j = 0; j < n; j++) {
        const jacobian = getPair(byState, i + j * n);
        sum = f64x2.add(sum, f64x2.mul(jacobian, f64x2.splat(get(column, j))));
      }
      setPair(out, i, sum);
    }
    if (i < n) {
      let sum = isParameter ? get(direct, i) : 0;
      for (let j = 0; j < n; j++) sum += get(byState, i + j * n) * get(column, j);
      set(out, i, sum);
    }
  }
}

/** The slope of the first stage of the first step. The trial state is the initial one. */
export function beginSystem(): void {
  copy(state, trial, size);
  takeSlope(0);
}

/** The trial state of the second stage of a step of length h. */
export function takeFirstTrial(h: f64): void {
  if (isAccepted) copy(slopes, at(slopes, 6 * stride), size);
  isAccepted = false;
  for (let i = 0; i < size; i += 2) addToState(i, times(h * (1.0 / 5), getPair(slopes, i)));
}

/** The slope of a stage from 1 to 5, and the trial state y + h Σ a_k slope_k of the next. */
export function takeStage(stage: i32, h: f64): void {
  takeSlope(stage);
  const k2 = at(slopes, stride);
  const k3 = at(k2, stride);
  const k4 = at(k3, stride);
  const k5 = at(k4, stride);
  const k6 = at(k5, stride);
  // slopes of later stages may be NaN, so they are not read even for a weight of 0
  switch (stage) {
    case 1:
      for (let i = 0; i < size; i += 2) {
        const sum = times(h * (3.0 / 40), getPair(slopes, i));
        addToState(i, plus(sum, h * (9.0 / 40), getPair(k2, i)));
      }
      break;
    case 2:
      for (let i = 0; i < size; i += 2) {
        let sum = times(h * (44.0 / 45), getPair(slopes, i));
        sum = plus(sum, h * (-56.0 / 15), getPair(k2, i));
        addToState(i, plus(sum, h * (32.0 / 9), getPair(k3, i)));
      }
      break;
    case 3:
      for (let i = 0; i < size; i += 2) {
        let sum = times(h * (19372.0 / 6561), getPair(slopes, i));
        sum = plus(sum, h * (-25360.0 / 2187), getPair(k2, i));
        sum = plus(sum, h * (64448.0 / 6561), getPair(k3, i));
        sum = f64x2.add(getPair(state, i), sum);
        setPair(trial, i, plus(sum, h * (-212.0 / 729), getPair(k4, i)));
      }
      break;
    case 4:
      for (let i = 0; i < size; i += 2) {
        let sum = times(h * (9017.0 / 3168), getPair(slopes, i));
        sum = plus(sum, h * (-355.0 / 33), getPair(k2, i));
        sum = plus(sum, h * (46732.0 / 5247), getPair(k3, i));
        sum = f64x2.add(getPair(state, i), sum);
        sum = plus(sum, h * (49.0 / 176), getPair(k4, i));
        setPair(trial, i, plus(sum, h * (-5103.0 / 18656), getPair(k5, i)));
      }
      break;
    default:
      for (let i = 0; i < size; i += 2) {
        let sum = times(h * (35.0 / 384), getPair(slopes, i));
        sum = plus(sum, h * (500.0 / 1113), getPair(k3, i));
        sum = f64x2.add(getPair(state, i), sum);
        sum = plus(sum, h * (125.0 / 192), getPair(k4, i));
        sum = plus(sum, h * (-2187.0 / 6784), getPair(k5, i));
        setPair(trial, i, plus(sum, h * (11.0 / 84), getPair(k6, i)));
      }
  }
}

function addToState(i: i32, sum: v128): void {
  setPair(trial, i, f64x2.add(getPair(state, i), sum));
}

/** The slope of the last stage, at the trial state; returns how far apart the two orders are, in units of the tolerance. */
export function takeLastStage(h: f64, relative: f64, absolute: f64): f64 {
  takeSlope(6);
  const k3 = at(slopes, 2 * stride);
  const k4 = at(k3, stride);
  const k5 = at(k4, stride);
  const k6 = at(k5, stride);
  const k7 = at(k6, stride);
  const length = f64x2.splat(h);
  let worst = f64x2.splat(0);
  for (let i = 0; i < size; i += 2) {
    const slope = getPair(slopes, i);
    let sum = times(71.0 / 57600, slope);
    sum = plus(sum, -71.0 / 16695, getPair(k3, i));
    sum = plus(sum, 71.0 / 1920, getPair(k4, i));
    sum = plus(sum, -17253.0 / 339200, getPair(k5, i));
    sum = plus(sum, 22.0 / 525, getPair(k6, i));
    sum = plus(sum, -1.0 / 40, getPair(k7, i));
    const size = f64x2.add(f64x2.abs(getPair(state, i)), f64x2.abs(f64x2.mul(length, slope)));
    const scale = f64x2.add(f64x2.splat(absolute), f64x2.mul(f64x2.splat(relative), size));
    // NaN stays: `max` gives NaN if one of the two is
    worst = f64x2.max(worst, f64x2.div(f64x2.abs(f64x2.mul(length, sum)), scale));
  }
  return max(f64x2.extract_lane(worst, 0), f64x2.extract_lane(worst, 1));
}

/** The trial state becomes the state. The slopes of the step stay for `interpolateStep` until the next begins. */
export function acceptStep(): void {
  copy(before, state, size);
  copy(state, trial, size);
  isAccepted = true;
}

/**
 * The continuous extension of order 4 at the fraction x of the last step, of length h, into the room between its two states:
 * Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.6.
 */
export function interpolateStep(x: f64, h: f64): void {
  const k3 = at(slopes, 2 * stride);
  const k4 = at(k3, stride);
  const k5 = at(k4, stride);
  const k6 = at(k5, stride);
  const k7 = at(k6, stride);
  const length = f64x2.splat(h);
  const part = f64x2.splat(x);
  const rest = f64x2.splat(1 - x);
  for (let i = 0; i < size; i += 2) {
    const start = getPair(before, i);
    const first = getPair(slopes, i);
    const last = getPair(k7, i);
    const change = f64x2.sub(getPair(state, i), start);
    const bend = f64x2.sub(f64x2.mul(length, first), change);
    const next = f64x2.sub(f64x2.sub(change, f64x2.mul(length, last)), bend);
    let sum = times(-12715105075.0 / 11282082432, first);
    sum = plus(sum, 87487479700.0 / 32700410799, getPair(k3, i));
    sum = plus(sum, -10690763975.0 / 1880347072, getPair(k4, i));
    sum = plus(sum, 701980252875.0 / 199316789632, getPair(k5, i));
    sum = plus(sum, -1453857185.0 / 822651844, getPair(k6, i));
    sum = plus(sum, 69997945.0 / 29380423, last);
    const curve = f64x2.add(next, f64x2.mul(rest, f64x2.mul(length, sum)));
    const slope = f64x2.add(change, f64x2.mul(rest, f64x2.add(bend, f64x2.mul(part, curve))));
    setPair(between, i, f64x2.add(start, f64x2.mul(part, slope)));
  }
}
