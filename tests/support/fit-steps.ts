/** A fit without its chain, for tests: its request, and its steps one after another. */
import { fitSettings } from '../../src/engine/chain-settings.ts';
import type { ChainSettings, FitSettings } from '../../src/engine/chain-state.ts';
import type { Approximation, Fit, FitRequest } from '../../src/engine/fit/fit.ts';
import type { Model } from '../../src/engine/model.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { chainSettings } from './run-model.ts';
import { seededRng } from './seeded-rng.ts';

export interface FitChange {
  readonly fit?: Partial<FitSettings>;
  readonly settings?: Partial<ChainSettings>;
  readonly rng?: FitRequest['rng'];
}

export function fitRequest(model: Model, { fit, settings, rng }: FitChange = {}): FitRequest {
  return {
    model,
    settings: { ...chainSettings, ...settings },
    fit: { ...fitSettings(defaultSettings), ...fit },
    startRng: seededRng(1),
    rng: rng ?? seededRng(2),
  };
}

export interface FitSteps {
  /** What each step yielded: a log line, or null. */
  readonly steps: readonly (string | null)[];
  readonly lines: readonly string[];
  readonly fitted: Approximation;
}

export function runFit(fit: Fit): FitSteps {
  const steps: (string | null)[] = [];
  for (;;) {
    const step = fit.next();
    if (step.done)
      return { steps, lines: steps.filter((line) => line !== null), fitted: step.value };
    steps.push(step.value);
  }
}

/** The model, counting the evaluations of its density; none may omit the Jacobian. */
export function counted(model: Model): Model & { readonly calls: () => number } {
  let calls = 0;
  return {
    ...model,
    calls: () => calls,
    logDensityGradient(theta, gradient, jacobian = true) {
      if (!jacobian) throw new Error('the Jacobian is left out');
      calls += 1;
      return model.logDensityGradient(theta, gradient);
    },
  };
}
