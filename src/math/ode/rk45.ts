/**
 * Non-stiff solver: steps of Dormand & Prince (1980), as long as the step control of Boost's odeint makes them, which Stan
 * uses. State and forward sensitivities are one coupled system under one error control.
 */
import { DomainError } from '../errors.ts';
import { type Steps, withSteps } from './dormand-prince.ts';
import type { OdeProblem, VisitState } from './ode-problem.ts';
import type { StepRecord } from './step-record.ts';

/** Stan's first step. */
const initialStep = 0.1;

/** Steps are as long as the tolerance allows; output times within a step are read off its continuous extension. */
export function solveRk45(
  problem: OdeProblem,
  visit: VisitState,
  record: StepRecord | null = null,
): void {
  const { times } = problem;
  const last = times[times.length - 1];
  withSteps(problem, (steps) => {
    const integrator = new Integrator(problem, steps, record);
    for (let k = 0; k < times.length; k++) visit(integrator.stateAt(times[k], last), k);
  });
}

class Integrator {
  /** Time of the state. */
  private t: number;
  /** Length of the step that led to it. */
  private lastStep = 0;
  private step = initialStep;

  constructor(
    private readonly problem: OdeProblem,
    private readonly steps: Steps,
    private readonly record: StepRecord | null,
  ) {
    this.t = problem.t0;
  }

  /** State and sensitivities at `time`; no step goes beyond `last`. */
  stateAt(time: number, last: number): Float64Array {
    const { maxSteps } = this.problem.settings;
    for (let count = 0; this.t < time; count++) {
      if (count >= maxSteps) {
        throw new DomainError(
          `ode_rk45: Failed to integrate to next output time (${time}) in less than max_num_steps steps`,
        );
      }
      this.tryStep(last);
    }
    const x = this.t === time ? 1 : 1 - (this.t - time) / this.lastStep;
    this.record?.addOutput(x);
    return x === 1 ? this.steps.current() : this.steps.between(x, this.lastStep);
  }

  private tryStep(last: number): void {
    const { t } = this;
    // a last step that would leave only a sliver is stretched or cut to end there
    const isLast = t + 1.0000001 * this.step >= last;
    const h = isLast ? last - t : this.step;
    if (!(h > 1e-14 * Math.max(1e-10, Math.abs(t)))) {
      throw new DomainError(`ode_rk45: step size became too small at time ${t}`);
    }
    const error = this.steps.attempt(t, h);
    if (error > 1 || Number.isNaN(error)) {
      // odeint: the error estimate has order 4, so its third root; at most a fifth
      this.step = h * (Number.isNaN(error) ? 0.2 : Math.max(0.9 * error ** (-1 / 3), 0.2));
      return;
    }
    this.steps.accept();
    this.record?.addStep(t, h, this.steps.before());
    for (let s = 0; s < 7; s++) this.record?.setSlope(s, this.steps.slope(s));
    this.t = isLast ? last : t + h;
    this.lastStep = h;
    const grown = error < 0.5 ? h * 0.9 * Math.max(error, 5 ** -5) ** (-1 / 5) : h;
    this.step = isLast ? Math.max(this.step, grown) : grown;
  }
}
