/** Reads CmdStan's CSV files (versions 1 to today), one chain per file, from text that may arrive in pieces. */
import {
  type ColumnStore,
  type GrowingColumn,
  memoryColumns,
  type NumberColumn,
} from './growing-column.ts';
import {
  createStanCsvParser,
  StanCsvError,
  type StanCsvFacts,
  savedWarmup,
} from './stan-csv-parser.ts';

export interface StanCsvChain<C = Float64Array> extends StanCsvFacts {
  /** Every `key = value` of the comments, keys without nesting, `(Default)` removed: `delta` → `0.8`. */
  readonly config: ReadonlyMap<string, string>;
  /** Flat names, `theta[1,2]`, including `lp__` and the sampler's columns. */
  readonly variables: readonly string[];
  /** One column per variable. */
  readonly draws: readonly C[];
  /** Saved warmup draws, in the same form; empty columns if none were saved. */
  readonly warmup: readonly C[];
  /** Diagonal, or all elements row by row; empty if the file does not say. */
  readonly inverseMetric: Float64Array;
  /** The last row had no line end and was left out: the run was still going or was killed, or an editor removed it. */
  readonly isCut: boolean;
}

export interface StanCsvReader<C = Float64Array> {
  /** Throws {@link StanCsvError}. */
  push(text: string): void;
  /** Throws {@link StanCsvError} if there was no header row. */
  end(): StanCsvChain<C>;
}

export function createStanCsvReader(): StanCsvReader;
export function createStanCsvReader<C extends NumberColumn<C>>(
  store: ColumnStore<C>,
): StanCsvReader<C>;
export function createStanCsvReader(store: ColumnStore = memoryColumns): StanCsvReader {
  let variables: string[] = [];
  let columns: GrowingColumn[] = [];
  let rows = 0;
  let warmupRows: number | null = null;
  let isCut = false;
  const parser = createStanCsvParser({
    onHeader(names) {
      variables = names;
      columns = names.map(() => store.grow());
    },
    onRow(values) {
      for (let i = 0; i < columns.length; i++) columns[i].push(values[i]);
      rows++;
    },
    onAdapted() {
      warmupRows = rows;
    },
    onCut() {
      isCut = true;
    },
  });
  return {
    push: (text) => parser.push(text),
    end() {
      parser.end();
      if (columns.length === 0)
        throw new StanCsvError('there is no header row', parser.lineNumber());
      const { config } = parser.comments;
      const numWarmup = warmupRows ?? savedWarmup(config);
      const all = columns.map((column) => column.finish());
      return {
        ...parser.comments.facts(),
        config,
        inverseMetric: parser.comments.inverseMetric(),
        variables,
        draws: all.map((column) => column.subarray(numWarmup)),
        warmup: all.map((column) => column.subarray(0, numWarmup)),
        isCut,
      };
    },
  };
}
