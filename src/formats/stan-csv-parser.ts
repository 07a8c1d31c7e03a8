/** The lines of CmdStan's CSV files (versions 1 to today), one by one, from text that may arrive in pieces. */
import { fromDottedName } from './flat-name.ts';
import { parseNumber } from './number-text.ts';
import { createLineSplitter, LineError } from './text-lines.ts';

/** A file that is not CmdStan output, with the line that shows this. */
export class StanCsvError extends LineError {
  override readonly name = 'StanCsvError';
}

export interface StanCsvHandlers {
  /** Flat names, `theta[1,2]`, including `lp__` and the sampler's columns. */
  onHeader(variables: string[]): void;
  /** One value per variable. */
  onRow(values: number[]): void;
  /** Warmup is over: draws of sampling follow. */
  onAdapted?(): void;
  /** A comment line without its `#`. */
  onComment?(text: string): void;
  /** The last row has no line end, so it may be incomplete, and is left out. */
  onCut?(): void;
}

export interface StanCsvParser {
  /** Reads every complete line. Throws {@link StanCsvError}. */
  push(text: string): void;
  /** Reads a last comment without a line end, and leaves out such a row. Throws {@link StanCsvError}. */
  end(): void;
  /** Lines read so far. */
  lineNumber(): number;
  /** What the comments said so far. */
  readonly comments: StanCsvComments;
}

export function createStanCsvParser(handlers: StanCsvHandlers): StanCsvParser {
  const comments = createCommentReader();
  let numColumns = 0;
  let lineNumber = 0;

  const readRow = (line: string, isLast: boolean) => {
    // CmdStan ends every line. Without its end, 0.2407 may be the beginning of 0.24079275.
    if (isLast) {
      handlers.onCut?.();
      return;
    }
    const cells = line.split(',');
    const numbers = cells.map(parseNumber);
    if (cells.length !== numColumns || numbers.includes(null)) throw rowError(cells, numbers);
    handlers.onRow(numbers as number[]);
  };
  const rowError = (cells: string[], numbers: (number | null)[]) => {
    const what =
      cells.length === numColumns
        ? `"${cells[numbers.indexOf(null)].slice(0, 40)}" is not a number`
        : `has ${cells.length} values where the header names ${numColumns}`;
    return new StanCsvError(what, lineNumber);
  };

  const splitter = createLineSplitter((line, isLast) => {
    lineNumber++;
    if (line.startsWith('#')) {
      const text = line.slice(1);
      if (/^\s*Adaptation terminated/.test(text)) handlers.onAdapted?.();
      comments.read(text);
      handlers.onComment?.(text);
    } else if (line.trim() !== '') {
      comments.leave();
      if (numColumns > 0) readRow(line, isLast);
      else {
        const variables = readHeader(line, lineNumber);
        numColumns = variables.length;
        handlers.onHeader(variables);
      }
    }
  });
  return {
    push: (text) => splitter.push(text),
    end: () => splitter.end(),
    lineNumber: () => lineNumber,
    comments,
  };
}

/** Names in the header row; refused if a name is missing, duplicated or a number. */
function readHeader(line: string, lineNumber: number): string[] {
  const names = line.split(',').map((name) => fromDottedName(unquote(name.trim())));
  // a variable may be called inf, nan or Infinity
  const isNumber = (name: string) => !/^[A-Za-z]/.test(name) && parseNumber(name) !== null;
  const numeric = names.find((name) => name === '' || isNumber(name));
  if (numeric !== undefined) {
    throw new StanCsvError(`the header row contains "${numeric}" instead of a name`, lineNumber);
  }
  const seen = new Set<string>();
  const doubled = names.find((name) => seen.size === seen.add(name).size);
  if (doubled !== undefined)
    throw new StanCsvError(`the column "${doubled}" occurs twice`, lineNumber);
  return names;
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

type Config = ReadonlyMap<string, string>;

const isYes = (text: string | undefined): boolean => text === '1' || text === 'true';

/** Iterations of a phase that are saved: the first and then every `thin`-th. */
function savedOf(config: Config, key: string): number | null {
  const iterations = Number(config.get(key));
  if (!(iterations >= 0)) return null;
  return Math.ceil(iterations / Math.max(1, Number(config.get('thin') ?? 1) || 1));
}

/** Warmup rows according to the settings, which count until, or unless, a comment ends warmup. */
export function savedWarmup(config: Config): number {
  // a sampler that does not adapt has no warmup, whatever the settings say
  if (config.get('algorithm') === 'fixed_param') return 0;
  return isYes(config.get('save_warmup')) ? (savedOf(config, 'num_warmup') ?? 0) : 0;
}

/** Rows of sampling in a complete file; null: it does not say. */
export function expectedDraws(config: Config): number | null {
  return savedOf(config, 'num_samples');
}

export interface StanCsvFacts {
  readonly chainId: number | null;
  readonly stepSize: number | null;
  readonly warmupSeconds: number | null;
  readonly samplingSeconds: number | null;
}

export interface StanCsvComments {
  /** Every `key = value`, keys without nesting, `(Default)` removed: `delta` → `0.8`. */
  readonly config: ReadonlyMap<string, string>;
  /** A comment without its `#`. */
  read(text: string): void;
  /** A line that is not a comment. */
  leave(): void;
  facts(): StanCsvFacts;
  /** Diagonal, or all elements row by row. */
  inverseMetric(): Float64Array;
}

/** Collects what the comments say: settings, step size, metric, times. */
function createCommentReader(): StanCsvComments {
  const config = new Map<string, string>();
  const metric: number[] = [];
  let isInMetric = false;
  let stepSize: number | null = null;
  let warmupSeconds: number | null = null;
  let samplingSeconds: number | null = null;

  /** A row of the metric; false if the comment is something else. */
  const readMetricRow = (text: string): boolean => {
    const numbers = text.split(',').map(parseNumber);
    if (numbers.some((value) => value === null)) return false;
    for (const value of numbers) metric.push(value ?? NaN);
    return true;
  };
  return {
    config,
    read(text) {
      if (isInMetric && readMetricRow(text)) return;
      isInMetric = /lements of inverse mass matrix/.test(text);
      const setting = /^\s*([A-Za-z]\w*(?: \w+)*) =(.*)/.exec(text);
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
    facts() {
      const chainId = parseNumber(config.get('id') ?? config.get('chain_id') ?? '');
      return { chainId, stepSize, warmupSeconds, samplingSeconds };
    },
    inverseMetric: () => Float64Array.from(metric),
  };
}
