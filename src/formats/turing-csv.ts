/** Reads the table of an MCMCChains object as Turing users write it to CSV: iteration, chain, parameters, internals. */
import { splitCsvLine, unguardText } from './csv-cell.ts';
import {
  type ColumnStore,
  type GrowingColumn,
  memoryColumns,
  type NumberColumn,
} from './growing-column.ts';
import {
  ImportError,
  type ImportedChain,
  type ImportedColumn,
  type ImportedDraws,
  samplerColumn,
} from './imported-draws.ts';
import { parseNumber } from './number-text.ts';
import { createLineSplitter } from './text-lines.ts';

/** Turing's sampler statistics → our columns. */
const internals: ReadonlyMap<string, string> = new Map([
  ['lp', 'lp__'],
  ['acceptance_rate', 'accept_stat__'],
  ['step_size', 'stepsize__'],
  ['tree_depth', 'treedepth__'],
  ['n_steps', 'n_leapfrog__'],
  ['numerical_error', 'divergent__'],
  ['hamiltonian_energy', 'energy__'],
  // No column of ours: kept under their own names, marked as the sampler's.
  ['is_accept', 'is_accept__'],
  ['log_density', 'log_density__'],
  ['hamiltonian_energy_error', 'hamiltonian_energy_error__'],
  ['max_hamiltonian_energy_error', 'max_hamiltonian_energy_error__'],
  ['nom_step_size', 'nom_step_size__'],
  ['logprior', 'logprior__'],
  ['loglikelihood', 'loglikelihood__'],
  ['logjoint', 'logjoint__'],
]);

/** True if a header row belongs to such a table. */
export function isTuringHeader(line: string): boolean {
  const names = splitCsvLine(line).map((name) => name.trim());
  return names.includes('iteration') && names.includes('chain');
}

export interface TuringCsvReader<C = Float64Array> {
  /** Throws {@link ImportError}. */
  push(text: string): void;
  /** Throws {@link ImportError}. */
  end(): ImportedDraws<C>;
}

/** More than this are not a sampling run but a column that does not number chains. */
const MOST_CHAINS = 1000;

/**
 * Chains may follow each other or alternate; within a chain, rows are ordered by iteration. An empty cell and `missing`
 * are NaN. A last line without a line end may be cut inside a number, so it is left out and noted.
 */
export function createTuringCsvReader(): TuringCsvReader;
export function createTuringCsvReader<C extends NumberColumn<C>>(
  store: ColumnStore<C>,
): TuringCsvReader<C>;
export function createTuringCsvReader(store: ColumnStore = memoryColumns): TuringCsvReader {
  let header: Header | null = null;
  const chains = new Map<string, ChainRows>();
  const notes: string[] = [];
  let lineNumber = 0;
  const fail = (message: string): never => {
    throw new ImportError(`line ${lineNumber}: ${message}`);
  };

  const readRow = (cells: string[], isLast: boolean) => {
    const { count, chain, iteration, columns } = header as Header;
    if (isLast) {
      notes.push('The last line has no line end, so it may be incomplete, and was left out.');
      return;
    }
    if (cells.length !== count) fail(`has ${cells.length} cells where the header names ${count}`);
    const at = parseNumber(cells[iteration]);
    if (!Number.isFinite(at)) fail(`"${cells[iteration].slice(0, 40)}" is not an iteration`);
    const name = cells[chain].trim();
    const rows = chains.get(name) ?? newChain(columns.length, store);
    if (!chains.has(name) && chains.size === MOST_CHAINS)
      fail(`there are more than ${MOST_CHAINS} chains`);
    chains.set(name, rows);
    rows.iterations.push(at as number);
    for (const [i, { place }] of columns.entries()) {
      const value = cellNumber(cells[place]);
      if (value === null) fail(`"${cells[place].slice(0, 40)}" is not a number`);
      rows.values[i].push(value as number);
    }
  };

  const splitter = createLineSplitter((line, isLast) => {
    lineNumber++;
    if (line.trim() === '') return;
    const cells = splitCsvLine(line);
    if (header === null) header = readHeader(cells, fail);
    else readRow(cells, isLast);
  });
  return {
    push: (text) => splitter.push(text),
    end() {
      splitter.end();
      if (header === null || chains.size === 0) return fail('there are no draws');
      const { columns } = header;
      return {
        columns: columns.map(({ column }) => column),
        chains: [...chains].map(([name, rows]) => finishChain(name, rows, { columns, store })),
        settings: {},
        notes,
      };
    },
  };
}

interface Header {
  readonly count: number;
  readonly chain: number;
  readonly iteration: number;
  readonly columns: readonly HeaderColumn[];
}

interface HeaderColumn {
  readonly place: number;
  readonly column: ImportedColumn;
}

function readHeader(cells: readonly string[], fail: (message: string) => never): Header {
  const names = cells.map((name) => unguardText(name.trim()));
  const chain = names.indexOf('chain');
  const iteration = names.indexOf('iteration');
  if (chain === -1 || iteration === -1)
    return fail('the header row must name the columns "iteration" and "chain"');
  const seen = new Set<string>();
  const columns: HeaderColumn[] = [];
  for (const [place, name] of names.entries()) {
    if (place === chain || place === iteration) continue;
    if (name === '') return fail(`column ${place + 1} has no name`);
    const internal = internals.get(name);
    const column = internal === undefined ? { name: juliaName(name) } : samplerColumn(internal);
    if (seen.has(column.name)) return fail(`the column "${column.name}" occurs twice`);
    seen.add(column.name);
    columns.push({ place, column });
  }
  if (columns.length === 0) return fail('there is no parameter column');
  return { count: names.length, chain, iteration, columns };
}

/** Julia's `x[1, 2]` → `x[1,2]`. */
function juliaName(name: string): string {
  return name.replace(/\[[^\]]*\]/g, (indices) => indices.replace(/\s/g, ''));
}

function cellNumber(cell: string): number | null {
  const text = cell.trim();
  if (text === '' || text === 'missing' || text === 'nothing') return NaN;
  return parseNumber(text);
}

interface ChainRows {
  readonly iterations: GrowingColumn;
  readonly values: readonly GrowingColumn[];
}

function newChain(numColumns: number, store: ColumnStore): ChainRows {
  return {
    iterations: store.grow(),
    values: Array.from({ length: numColumns }, () => store.grow()),
  };
}

function finishChain(
  name: string,
  rows: ChainRows,
  { columns, store }: { readonly columns: readonly HeaderColumn[]; readonly store: ColumnStore },
): ImportedChain {
  const order = orderOf(name, store.load(rows.iterations.finish()));
  const draws = rows.values.map((column, i) => {
    const read = column.finish();
    const isFlag = columns[i].column.type === 'bool';
    if (order === null && !isFlag) return read;
    const values = store.load(read);
    const placed = order === null ? values.slice() : Float64Array.from(order, (row) => values[row]);
    // A flag that a sampler omits at some draws was not set there.
    if (isFlag) for (let d = 0; d < placed.length; d++) if (Number.isNaN(placed[d])) placed[d] = 0;
    return store.keep(placed);
  });
  const steps = draws[columns.findIndex(({ column }) => column.name === 'stepsize__')];
  const stepSize = steps === undefined ? NaN : store.load(steps.subarray(steps.length - 1))[0];
  return {
    name,
    draws,
    warmup: draws.map(() => store.keep(new Float64Array(0))),
    stepSize: Number.isFinite(stepSize) ? stepSize : null,
    warmupSeconds: null,
    samplingSeconds: null,
  };
}

/** Rows by iteration; null: they are already in order. */
function orderOf(name: string, iterations: Float64Array): Uint32Array | null {
  if (iterations.every((iteration, i) => i === 0 || iteration > iterations[i - 1])) return null;
  const order = Uint32Array.from(iterations.keys()).sort((a, b) => iterations[a] - iterations[b]);
  const twice = order.findIndex((row, i) => iterations[row] === iterations[order[i - 1]]);
  if (twice !== -1)
    throw new ImportError(
      `Chain ${name} has iteration ${iterations[order[twice]]} twice. Number the chains in the column "chain".`,
    );
  return order;
}
