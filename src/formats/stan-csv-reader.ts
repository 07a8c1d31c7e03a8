/** Reads CmdStan's CSV files (versions 1 to today), one chain a file, from text that may arrive in pieces. */
import { fromDottedName } from './flat-name.ts';
import { createGrowingColumn, type GrowingColumn } from './growing-column.ts';
import { parseNumber } from './number-text.ts';
import { createLineSplitter } from './text-lines.ts';

export interface StanCsvChain {
  /** Every `key = value` of the comments, keys without nesting, `(Default)` removed: `delta` → `0.8`. */
  readonly config: ReadonlyMap<string, string>;
  /** Flat names, `theta[1,2]`, `lp__` and the sampler's columns among them. */
  readonly variables: readonly string[];
  /** A column for each variable. */
  readonly draws: readonly Float64Array[];
  /** Saved warmup draws, columns likewise; empty columns when none were saved. */
  readonly warmup: readonly Float64Array[];
  readonly chainId: number | null;
  readonly stepSize: number | null;
  /** Diagonal, or all elements row by row; empty when the file does not say. */
  readonly inverseMetric: Float64Array;
  readonly warmupSeconds: number | null;
  readonly samplingSeconds: number | null;
  /** The last line was cut short and left out: the run was still going or was killed. */
  readonly isCut: boolean;
}

/** A file that is no CmdStan output, with the line that shows it. */
export class StanCsvError extends Error {
  override readonly name = 'StanCsvError';
  readonly line: number;
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`);
    this.line = line;
  }
}

export interface StanCsvReader {
  /** Throws {@link StanCsvError}. */
  push(text: string): void;
  /** Throws {@link StanCsvError} when there was no header row. */
  end(): StanCsvChain;
}

/** Reads a whole file at once. Throws {@link StanCsvError}. */
export function readStanCsv(text: string): StanCsvChain {
  const reader = createStanCsvReader();
  reader.push(text);
  return reader.end();
}

export function createStanCsvReader(): StanCsvReader {
  const comments = createCommentReader();
  let variables: string[] = [];
  let columns: GrowingColumn[] = [];
  let lineNumber = 0;
  let rows = 0;
  let warmupRows: number | null = null;
  let isCut = false;

  const readRow = (line: string, isLast: boolean) => {
    const cells = line.split(',');
    const numbers = cells.map(parseNumber);
    if (cells.length !== columns.length || numbers.includes(null)) {
      if (!isLast) throw rowError(cells, numbers, columns.length);
      isCut = true;
      return;
    }
    for (let i = 0; i < columns.length; i++) columns[i].push(numbers[i] ?? NaN);
    rows++;
  };
  const rowError = (cells: string[], numbers: (number | null)[], expected: number) => {
    if (cells.length !== expected) {
      return new StanCsvError(
        `has ${cells.length} values where the header names ${expected}`,
        lineNumber,
      );
    }
    return new StanCsvError(
      `"${cells[numbers.indexOf(null)].slice(0, 40)}" is not a number`,
      lineNumber,
    );
  };

  const splitter = createLineSplitter((line, isLast) => {
    lineNumber++;
    if (line.startsWith('#')) {
      const text = line.slice(1);
      if (/^\s*Adaptation terminated/.test(text)) warmupRows = rows;
      comments.read(text);
    } else if (line.trim() !== '') {
      comments.leave();
      if (columns.length > 0) readRow(line, isLast);
      else {
        variables = readHeader(line, lineNumber);
        columns = variables.map(createGrowingColumn);
      }
    }
  });

  return {
    push: (text) => splitter.push(text),
    end() {
      splitter.end();
      if (columns.length === 0) throw new StanCsvError('there is no header row', lineNumber);
      const { config } = comments;
      const numWarmup = Math.min(rows, warmupRows ?? savedWarmup(config));
      const all = columns.map((column) => column.finish());
      return {
        ...comments.result(),
        variables,
        draws: all.map((column) => column.subarray(numWarmup)),
        warmup: all.map((column) => column.subarray(0, numWarmup)),
        isCut,
      };
    },
  };
}

/** Names of the header row; refused when a name is missing, doubled or a number. */
function readHeader(line: string, lineNumber: number): string[] {
  const names = line.split(',').map((name) => fromDottedName(unquote(name.trim())));
  const numeric = names.find((name) => name === '' || parseNumber(name) !== null);
  if (numeric !== undefined) {
    throw new StanCsvError(`the header row contains "${numeric}" instead of a name`, lineNumber);
  }
  const seen = new Set<string>();
  const doubled = names.find((name) => seen.size === seen.add(name).size);
  if (doubled !== undefined)
    throw new StanCsvError(`the column "${doubled}" is there twice`, lineNumber);
  return names;
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

/** Warmup rows by the settings, for files without the comment that ends warmup. */
function savedWarmup(config: ReadonlyMap<string, string>): number {
  if (!['1', 'true'].includes(config.get('save_warmup') ?? '')) return 0;
  return (
    Math.ceil(
      Number(config.get('num_warmup') ?? 0) / Math.max(1, Number(config.get('thin') ?? 1)),
    ) || 0
  );
}

/** Keeps what the comments say: settings, step size, metric, times. */
function createCommentReader() {
  const config = new Map<string, string>();
  const metric: number[] = [];
  let isInMetric = false;
  let stepSize: number | null = null;
  let warmupSeconds: number | null = null;
  let samplingSeconds: number | null = null;

  /** A row of the metric; false when the comment is something else. */
  const readMetricRow = (text: string): boolean => {
    const numbers = text.split(',').map(parseNumber);
    if (numbers.some((value) => value === null)) return false;
    for (const value of numbers) metric.push(value ?? NaN);
    return true;
  };
  return {
    config,
    read(text: string) {
      if (isInMetric && readMetricRow(text)) return;
      isInMetric = /lements of inverse mass matrix/.test(text);
      const setting = /^\s*([A-Za-z]\w*(?: \w+)*) =(.*)$/.exec(text);
      if (setting !== null) {
        const value = setting[2].replace(/\(Default\)\s*$/, '').trim();
        if (setting[1] === 'Step size') stepSize = parseNumber(value);
        // The first wins: nested keys of the same name (`file` of data, then of output) come later.
        else if (!config.has(setting[1])) config.set(setting[1], value);
      }
      const time = /([\d.eE+-]+) seconds \((Warm-up|Sampling)\)/.exec(text);
      if (time?.[2] === 'Warm-up') warmupSeconds = parseNumber(time[1]);
      if (time?.[2] === 'Sampling') samplingSeconds = parseNumber(time[1]);
    },
    leave() {
      isInMetric = false;
    },
    result() {
      const id = parseNumber(config.get('id') ?? config.get('chain_id') ?? '');
      const inverseMetric = Float64Array.from(metric);
      return { config, chainId: id, stepSize, inverseMetric, warmupSeconds, samplingSeconds };
    },
  };
}
