/** The draws of a finished run as points of a program: their parameters, read back to the unconstrained scale. */
import { DomainError } from '../../math/errors.ts';
import { isSamplerColumn } from '../../posterior/draws.ts';
import { ChainEnd } from '../chain-end.ts';
import type { SourceDraws } from '../chain-state.ts';
import { columnNames } from '../column-names.ts';
import type { Model } from '../model.ts';
import { addInit } from '../tuple-inits.ts';

/** Whether a column describes the draws of a run, not its program. */
export const isOwnColumn = (name: string): boolean => isSamplerColumn(name) || name === 'lp__';

export interface PointReader {
  /** Writes draw `index` (from 0) into `q`, on the unconstrained scale, and its parameters into `row`. */
  read(index: number, q: Float64Array): void;
  /** Parameters of the draw that was read last, as in the draws: the first columns of the model. */
  readonly row: Float64Array;
}

/** Throws `ChainEnd` if the draws cannot come from the program. */
export function createPointReader(model: Model, source: SourceDraws): PointReader {
  const fault = sourceFault(model, source);
  if (fault !== null) throw new ChainEnd('program-invalid', fault);
  const { columns, count, values } = source;
  const places = new Map(columns.map((name, c) => [name, c]));
  // parameters are the first columns of a model, in the order of its variables
  const parameters = columnNames(parametersOf(model)).map((name) => places.get(name) ?? 0);
  const inits = createReader(model);
  const row = new Float64Array(parameters.length);
  return {
    row,
    read(index, q) {
      parameters.forEach((c, k) => {
        row[k] = values[c * count + index];
      });
      unconstrainRow(model, inits(row), q, index);
    },
  };
}

/** Why the draws cannot come from the program's parameters; null if they can. */
function sourceFault(model: Model, source: SourceDraws): string | null {
  const parameters = columnNames(parametersOf(model));
  const there = new Set(source.columns);
  const wanted = new Set(parameters);
  const missing = parameters.filter((name) => !there.has(name));
  const baseOf = (name: string) => name.replace(/\[.*/s, '');
  const declared = new Set([...wanted].map(baseOf));
  // files do not say which columns are parameters: only those of a variable of the same name count
  const extra = source.columns.filter(
    (name) =>
      !isOwnColumn(name) &&
      !wanted.has(name) &&
      (source.isParametersOnly || declared.has(baseOf(name))),
  );
  if (missing.length === 0 && extra.length === 0) return null;
  const faults = [
    ...(missing.length > 0
      ? [`the program declares ${listed(missing)}, which the draws do not have`]
      : []),
    ...(extra.length > 0
      ? [`the draws have ${listed(extra)}, which the program does not declare`]
      : []),
  ];
  return `The draws do not fit the program: ${faults.join('; ')}. Its parameters must have the names and sizes of the finished run; change transformed parameters and generated quantities only.`;
}

const mostNamed = 4;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ');
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}

const parametersOf = (model: Model) =>
  model.variables.filter(({ block }) => block === 'parameters');

function unconstrainRow(
  model: Model,
  inits: Readonly<Record<string, unknown>>,
  q: Float64Array,
  index: number,
): void {
  q.fill(0);
  try {
    model.unconstrain(inits, q);
  } catch (error) {
    if (!(error instanceof DomainError) && (error as Error).name !== 'ShapeError') throw error;
    throw new ChainEnd(
      'program-invalid',
      `Draw ${index + 1} does not fit the program: ${(error as Error).message}. Declare the parameters with the constraints of the finished run; if the draws come from files, use files with more digits.`,
    );
  }
}

/** Turns the values of all parameters, in the order of their columns, into nested arrays by name. */
function createReader(model: Model): (row: Float64Array) => Readonly<Record<string, unknown>> {
  const variables = parametersOf(model);
  return (row) => {
    const inits: Record<string, unknown> = {};
    let first = 0;
    for (const variable of variables) {
      const { dims } = variable;
      addInit(inits, variable, nested(row, { first, step: 1 }, dims));
      first += dims.reduce((size, length) => size * length, 1);
    }
    return inits;
  };
}

/** Columns are ordered first index fastest. */
function nested(
  row: Float64Array,
  { first, step }: { readonly first: number; readonly step: number },
  [length, ...others]: readonly number[],
): unknown {
  if (length === undefined) return row[first];
  return Array.from({ length }, (_, i) =>
    nested(row, { first: first + i * step, step: step * length }, others),
  );
}
