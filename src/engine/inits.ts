/** Where a chain starts: uniform on the unconstrained scale or as the user specifies, at a point of finite density. */
import { DomainError } from '../math/errors.ts';
import type { Rng } from '../math/random/rng.ts';
import { updateDensity } from './hmc/hamiltonian.ts';
import { createPhasePoint, type PhasePoint } from './hmc/phase-point.ts';
import type { Model } from './model.ts';

/** Stan's number of tries. */
const maxTries = 100;

export interface StartRequest {
  readonly model: Model;
  readonly rng: Rng;
  /** Half-width of the uniform distribution. */
  readonly radius: number;
  /** Constrained values of some or all parameters. */
  readonly inits: Readonly<Record<string, unknown>> | null;
}

export type StartSearch =
  | { readonly ok: true; readonly start: PhasePoint; readonly tries: number }
  | { readonly ok: false; readonly message: string };

export function findStart({ model, rng, radius, inits }: StartRequest): StartSearch {
  const start = createPhasePoint(model.numUnconstrained);
  const previous = new Float64Array(model.numUnconstrained).fill(Number.NaN);
  const trouble = { density: 0, gradient: 0, lastReason: '' };
  let tries = 0;
  while (tries < maxTries) {
    for (let i = 0; i < start.q.length; i++) start.q[i] = radius * (2 * rng.uniform() - 1);
    const refused = inits === null ? null : placeInits(model, inits, start.q);
    if (refused !== null) return { ok: false, message: refused };
    // radius 0 or inits for everything: another try would be the same
    if (tries > 0 && start.q.every((value, i) => value === previous[i])) break;
    previous.set(start.q);

    tries += 1;
    updateDensity(model, start, (reason) => {
      trouble.lastReason = reason;
    });
    if (!Number.isFinite(start.logDensity)) trouble.density += 1;
    else if (!start.gradient.every(Number.isFinite)) trouble.gradient += 1;
    else return { ok: true, start, tries };
  }
  return { ok: false, message: explain({ ...trouble, tries, radius, hasInits: inits !== null }) };
}

/** Returns why the inits cannot be used, or null. */
function placeInits(
  model: Model,
  inits: Readonly<Record<string, unknown>>,
  q: Float64Array,
): string | null {
  try {
    model.unconstrain(inits, q);
  } catch (error) {
    if (error instanceof DomainError || (error instanceof Error && error.name === 'ShapeError')) {
      return `The inits cannot be used: ${error.message}`;
    }
    throw error;
  }
  return q.every(Number.isFinite)
    ? null
    : 'The inits cannot be used: a value lies on the boundary of its constraint or is not finite.';
}

interface Trouble {
  readonly density: number;
  readonly gradient: number;
  readonly lastReason: string;
  readonly tries: number;
  readonly radius: number;
  readonly hasInits: boolean;
}

function explain({ density, gradient, lastReason, tries, radius, hasInits }: Trouble): string {
  const where = hasInits
    ? `from the inits given (the rest between −${radius} and ${radius} on the unconstrained scale)`
    : `between −${radius} and ${radius} on the unconstrained scale`;
  const times = (n: number) => (n === 1 ? 'once' : `${n} times`);
  const faults = [
    ...(density > 0 ? [`the log density was not finite ${times(density)}`] : []),
    ...(gradient > 0 ? [`its gradient was not finite ${times(gradient)}`] : []),
  ];
  const last = lastReason === '' ? '' : ` The last reason given: ${lastReason}.`;
  return (
    `No starting point found in ${tries} ${tries === 1 ? 'try' : 'tries'} ${where}: ${faults.join(', ')}.${last} ` +
    'Check that declared constraints match what the model needs, or give inits or a smaller init_radius.'
  );
}
