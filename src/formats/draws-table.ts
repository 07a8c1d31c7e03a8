/** The output of draw readers: named chains, and for each variable its draws chain by chain. */
import {
  type ColumnStore,
  type GrowingColumn,
  memoryColumns,
  type NumberColumn,
} from './growing-column.ts';

export interface DrawsTable<C = Float64Array> {
  /** Names as in the file, in order of appearance; numbers become `chain#N`. */
  readonly chains: readonly string[];
  /** In order of appearance; `chains` of each parallels the names, with an empty array if a chain lacks it. */
  readonly variables: readonly { readonly variable: string; readonly chains: readonly C[] }[];
  /** Iterations of each chain's draws, if the file numbers them; otherwise empty arrays. */
  readonly iterations: readonly Float64Array[];
}

export interface DrawsTableBuilder<C = Float64Array> {
  /** `iteration` NaN: in order of arrival. */
  add(chain: string, variable: string, value: number, iteration: number): void;
  finish(): DrawsTable<C>;
}

interface Column {
  readonly values: GrowingColumn;
  readonly iterations: GrowingColumn;
}

export interface DrawsTableLimits {
  readonly chains: number;
  /** Number of variables over all chains. */
  readonly columns: number;
}

/** A table that exceeds its limits. */
export class DrawsTableError extends Error {
  override readonly name = 'DrawsTableError';
}

export const noLimits: DrawsTableLimits = { chains: Infinity, columns: Infinity };

/** Collects values in any order of chains and variables. `add` throws {@link DrawsTableError} beyond the limits. */
export function createDrawsTable(limits?: DrawsTableLimits): DrawsTableBuilder;
export function createDrawsTable<C extends NumberColumn<C>>(
  limits: DrawsTableLimits,
  store: ColumnStore<C>,
): DrawsTableBuilder<C>;
export function createDrawsTable(
  limits: DrawsTableLimits = noLimits,
  store: ColumnStore = memoryColumns,
): DrawsTableBuilder {
  let numColumns = 0;
  const chains: string[] = [];
  const variables = new Map<string, (Column | undefined)[]>();
  const chainIndex = new Map<string, number>();
  // Files stay with one variable of one chain for long, so the last column is tried first.
  let lastChain: string | null = null;
  let lastVariable: string | null = null;
  let last: Column | undefined;

  const columnOf = (chain: string, variable: string): Column => {
    let index = chainIndex.get(chain);
    if (index === undefined) {
      index = chains.length;
      if (index >= limits.chains)
        throw new DrawsTableError(`There are more than ${limits.chains} chains.`);
      chains.push(chain);
      chainIndex.set(chain, index);
    }
    let columns = variables.get(variable);
    if (columns === undefined) {
      columns = [];
      variables.set(variable, columns);
    }
    const known = columns[index];
    if (known !== undefined) return known;
    if (++numColumns > limits.columns)
      throw new DrawsTableError(`There are more than ${limits.columns} columns.`);
    const made = { values: store.grow(), iterations: store.grow() };
    columns[index] = made;
    return made;
  };
  return {
    add(chain, variable, value, iteration) {
      if (last === undefined || chain !== lastChain || variable !== lastVariable) {
        last = columnOf(chain, variable);
        lastChain = chain;
        lastVariable = variable;
      }
      last.values.push(value);
      if (iteration === iteration) last.iterations.push(iteration);
    },
    finish() {
      const iterations: Float64Array[] = chains.map(() => new Float64Array(0));
      const table = [...variables].map(([variable, columns]) => ({
        variable,
        chains: chains.map((_, index) => {
          const column = columns[index];
          if (column === undefined) return store.keep(new Float64Array(0));
          const placed = placeByIteration(column, store);
          if (iterations[index].length === 0) iterations[index] = placed.iterations;
          return placed.values;
        }),
      }));
      return { chains, variables: table, iterations };
    },
  };
}

/** Ascending iterations; if an iteration occurs twice (a resent batch), the later value. */
function placeByIteration(
  column: Column,
  store: ColumnStore,
): { values: Float64Array; iterations: Float64Array } {
  const values = column.values.finish();
  const iterations = store.load(column.iterations.finish());
  if (iterations.length !== values.length) return { values, iterations: new Float64Array(0) };
  if (iterations.every((iteration, i) => i === 0 || iteration > iterations[i - 1]))
    return { values, iterations };
  const loaded = store.load(values);
  const byIteration = new Map<number, number>();
  for (let i = 0; i < loaded.length; i++) byIteration.set(iterations[i], loaded[i]);
  const sorted = Float64Array.from(byIteration.keys()).sort();
  return {
    values: store.keep(sorted.map((iteration) => byIteration.get(iteration) ?? NaN)),
    iterations: sorted,
  };
}
