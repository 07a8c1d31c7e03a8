/**
 * Step size adaptation by dual averaging (Hoffman and Gelman 2014, section 3.2, algorithm 6), with Stan's constants.
 *
 * Letters: mu the point x = log(step size) is shrunk to, gamma how strongly, t0 weight of early iterations, kappa
 * decay of the averaging weights, delta the target of the accept statistic.
 */

const gamma = 0.05;
const t0 = 10;
const kappa = 0.75;

/** All of its state, so that a checkpoint can store it. */
export interface DualAveraging {
  mu: number;
  counter: number;
  sBar: number;
  xBar: number;
  /** Transitions in a row, up to the last, whose statistic was nearer to 1 than to its target. */
  nearOne: number;
}

/** Restarts around a step size found by the heuristic: log(10 · step size), since larger steps are cheaper to try. */
export function startDualAveraging(stepSize: number): DualAveraging {
  return { mu: Math.log(10 * stepSize), counter: 0, sBar: 0, xBar: 0, nearOne: 0 };
}

/** Learns from one transition; returns the step size to try next. */
export function learnStepSize(state: DualAveraging, acceptStat: number, delta: number): number {
  state.counter += 1;
  const eta = 1 / (state.counter + t0);
  state.sBar = (1 - eta) * state.sBar + eta * (delta - Math.min(1, acceptStat));
  const x = state.mu - (state.sBar * Math.sqrt(state.counter)) / gamma;
  state.nearOne = acceptStat > 0.5 * (1 + delta) ? state.nearOne + 1 : 0;
  const weight = state.counter ** -kappa;
  state.xBar = (1 - weight) * state.xBar + weight * x;
  return Math.exp(x);
}

/** The averaged step size, used for sampling. Needs at least one transition. */
export function averagedStepSize(state: DualAveraging): number {
  return Math.exp(state.xBar);
}
