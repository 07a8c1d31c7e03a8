/**
 * The model of one simulation: the program given the data that this chain has simulated, with the true values added to
 * its draws. Everything follows from the seed and the chain's number, so no checkpoint needs to store it.
 */
import type { OutputVariable } from '../../language/program.ts';
import type { Rng } from '../../math/random/rng.ts';
import { indicatorName, trueLogDensity, truthName } from '../../posterior/calibration-columns.ts';
import { columnNames } from '../column-names.ts';
import type { Model } from '../model.ts';
import type { TruthSource } from './plan.ts';

/** Added columns, in order; `write` fills them, possibly from the program's own output. */
interface AddedColumns {
  readonly variables: readonly OutputVariable[];
  /** False: known before the program has written its output. */
  readonly areDerived: boolean;
  readonly write: (own: Float64Array, added: Float64Array) => void;
}

/** For a program that simulates its data itself. */
export function withOwnTruths(model: Model, truths: readonly TruthSource[]): Model {
  const variables = truths.map(({ quantity, source, kind }) =>
    addedVariable(kind === 'truth' ? truthName(quantity) : indicatorName(quantity), source),
  );
  const parts = truths.map(({ source, kind }) => ({ kind, ...placeOf(model, source) }));
  return withColumns(model, {
    variables: [scalar(trueLogDensity), ...variables],
    areDerived: true,
    write(own, added) {
      added[0] = Number.NaN;
      let at = 1;
      for (const { from, count, kind } of parts)
        for (let i = 0; i < count; i++)
          added[at++] = kind === 'above' ? 1 - own[from + i] : own[from + i];
    },
  });
}

/** More transformed parameters than this are not compared: each costs the others some power to reveal a fault. */
const mostTransformed = 100;

export interface Truth {
  /** The true values on the unconstrained scale. */
  readonly position: Float64Array;
  /** For generated quantities of the true values, which are never read. */
  readonly rng: Rng;
}

/** For a program that is given data drawn from its prior. */
export function withTruth(model: Model, { position, rng }: Truth): Model {
  const transformed = model.variables.filter(({ block }) => block === 'transformed parameters');
  const areFew = transformed.reduce((sum, one) => sum + sizeOf(one), 0) <= mostTransformed;
  const compared = model.variables.filter(
    ({ block }) => block === 'parameters' || (areFew && block === 'transformed parameters'),
  );
  const output = new Float64Array(model.columns.length);
  model.constrain(position, rng, output);
  const truths = compared.flatMap((variable) => {
    const { from, count } = placeOf(model, variable);
    return [...output.subarray(from, from + count)];
  });
  const logDensity = model.logDensityGradient(position, new Float64Array(position.length));
  return withColumns(model, {
    variables: [
      scalar(trueLogDensity),
      ...compared.map((variable) => addedVariable(truthName(variable.name), variable, truthName)),
    ],
    areDerived: false,
    write: (_, added) => added.set([logDensity, ...truths]),
  });
}

const scalar = (name: string): OutputVariable => ({
  name,
  block: 'generated quantities',
  dims: [],
  isInt: false,
});

/** `nameOf` of a tuple member also names its columns, whose indexes are not at the end. */
const addedVariable = (
  name: string,
  { dims, tuple }: OutputVariable,
  nameOf?: (pattern: string) => string,
): OutputVariable => ({
  ...scalar(name),
  dims,
  ...(tuple && nameOf ? { tuple: { ...tuple, pattern: nameOf(tuple.pattern) } } : {}),
});

const sizeOf = ({ dims }: OutputVariable): number => dims.reduce((n, size) => n * size, 1);

/** The position of a variable among the columns. */
export function placeOf(model: Model, variable: OutputVariable): { from: number; count: number } {
  let from = 0;
  for (const one of model.variables) {
    if (one.name === variable.name) break;
    from += sizeOf(one);
  }
  return { from, count: sizeOf(variable) };
}

function withColumns(model: Model, { variables, areDerived, write }: AddedColumns): Model {
  const all = [...model.variables, ...variables];
  const numOwn = model.columns.length;
  return {
    numUnconstrained: model.numUnconstrained,
    variables: all,
    columns: columnNames(all),
    logDensityGradient: (theta, gradient, jacobian) =>
      model.logDensityGradient(theta, gradient, jacobian),
    constrain(theta, rng, out) {
      const own = out.subarray(0, numOwn);
      const added = out.subarray(numOwn);
      // before the program, which may reject a draw in generated quantities
      if (!areDerived) write(own, added);
      model.constrain(theta, rng, own);
      if (areDerived) write(own, added);
    },
    unconstrain: (inits, theta) => model.unconstrain(inits, theta),
    profiles: model.profiles,
  };
}
