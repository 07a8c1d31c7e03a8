/** Variables on another scale: their logarithm, their log odds, or the scale on which the sampler moves. */
import { shownName } from '../posterior/variable-labels.ts';
import type { FigureChain, FigureVariable } from './figure.ts';

/** Draws before plotting; `overview` of a trace: draws that are already thinned. */
interface ScalableChain extends FigureChain {
  readonly overview?: {
    readonly warmup?: ScalableColumn;
    readonly sampling: ScalableColumn;
  };
}
interface ScalableColumn {
  readonly places: Float64Array;
  readonly values: Float64Array;
  readonly count: number;
}

interface Transform {
  /** The axis label for `name`: `log(tau)`. */
  readonly label: (name: string) => string;
  readonly of: (x: number) => number;
}

const log: Transform = { label: (name) => `log(${name})`, of: Math.log };
const logit: Transform = {
  label: (name) => `logit(${name})`,
  of: (x) => Math.log(x) - Math.log1p(-x),
};

/** Null: the draws as they are. All transforms are monotone, so extremes stay extremes. */
function transformOf({
  scale,
  lower,
  upper,
}: Omit<FigureVariable, 'variable' | 'label' | 'chains'>) {
  switch (scale) {
    case 'log':
      return log;
    case 'logit':
      return logit;
    case 'unconstrained':
      return unconstrained(lower, upper);
    default:
      return null;
  }
}

/** Stan's transform of a declared range to the real line; null if none is declared. */
function unconstrained(lower?: number, upper?: number): Transform | null {
  if (lower !== undefined && upper !== undefined) {
    if (lower === 0 && upper === 1) return logit;
    const width = upper - lower;
    return {
      label: (name) => `logit((${minus(name, lower)}) / ${short(width)})`,
      of: (x) => logit.of((x - lower) / width),
    };
  }
  if (lower !== undefined)
    return lower === 0
      ? log
      : { label: (name) => `log(${minus(name, lower)})`, of: (x) => Math.log(x - lower) };
  if (upper === undefined) return null;
  return { label: (name) => `log(${short(upper)} − ${name})`, of: (x) => Math.log(upper - x) };
}

const short = (value: number) => String(Number(value.toPrecision(4))).replace('-', '−');

function minus(name: string, value: number): string {
  if (value === 0) return name;
  return value > 0 ? `${name} − ${short(value)}` : `${name} + ${short(-value)}`;
}

/** The name of a variable on its scale. */
export function scaledName(variable: Omit<FigureVariable, 'chains'>): string {
  const name = shownName(variable);
  return transformOf(variable)?.label(name) ?? name;
}

/** The variable with its draws on its scale, and named accordingly; a draw without a value there is NaN. */
export function onScale<Variable extends FigureVariable>(variable: Variable): Variable {
  const transform = transformOf(variable);
  if (transform === null) return variable;
  const map = (values: Float64Array) => values.map((x) => finiteOrNaN(transform.of(x)));
  const column = (thinned: ScalableColumn) => ({ ...thinned, values: map(thinned.values) });
  const chains = variable.chains.map((chain: ScalableChain) => ({
    ...chain,
    sampling: map(chain.sampling),
    ...(chain.warmup === undefined ? {} : { warmup: map(chain.warmup) }),
    ...(chain.overview === undefined
      ? {}
      : {
          overview: {
            ...chain.overview,
            sampling: column(chain.overview.sampling),
            ...(chain.overview.warmup === undefined
              ? {}
              : { warmup: column(chain.overview.warmup) }),
          },
        }),
  }));
  return {
    ...variable,
    variable: transform.label(variable.variable),
    ...(variable.label === undefined ? {} : { label: transform.label(variable.label) }),
    chains,
    scale: 'natural',
    // Bounds of the untransformed draws.
    lower: undefined,
    upper: undefined,
  };
}

/** log 0 has no place on an axis. */
function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : NaN;
}

/** "12 draws have no value on the log scale"; nothing when all have one. */
export function lostOnScale(variable: FigureVariable): string[] {
  const transform = transformOf(variable);
  if (transform === null) return [];
  let lost = 0;
  for (const { sampling } of variable.chains)
    for (let i = 0; i < sampling.length; i++)
      if (sampling[i] - sampling[i] === 0 && !Number.isFinite(transform.of(sampling[i]))) lost++;
  if (lost === 0) return [];
  return [
    `${lost} ${lost === 1 ? 'draw has' : 'draws have'} no ${transform.label(variable.variable)}`,
  ];
}
