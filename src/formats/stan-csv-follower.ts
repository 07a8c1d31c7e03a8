/** Reads a CmdStan CSV file that is still being written: returns draws as soon as their lines are complete. */
import {
  createStanCsvParser,
  expectedDraws,
  type StanCsvFacts,
  savedWarmup,
} from './stan-csv-parser.ts';

export interface FollowedHead {
  readonly config: ReadonlyMap<string, string>;
  readonly variables: readonly string[];
  /** The comment lines up to the header row, which identify the run that wrote them. */
  readonly comments: string;
  readonly chainId: number | null;
}

export interface FollowedProgress extends Omit<StanCsvFacts, 'chainId'> {
  /** `head`: the header row is not there yet. `done`: all rows are there, or CmdStan wrote its times, which come last. */
  readonly phase: 'head' | 'warmup' | 'sampling' | 'done';
  readonly warmupRows: number;
  /** Draws of sampling, including those already taken. */
  readonly draws: number;
  /** Null: the file does not say. */
  readonly expected: number | null;
  readonly divergences: number;
}

export interface StanCsvFollower {
  /** Appended text, cut anywhere. Throws `StanCsvError`. */
  push(text: string): void;
  /** Null until the header row is complete. */
  head(): FollowedHead | null;
  progress(): FollowedProgress;
  /** The first draw of sampling; null: there is none yet. */
  firstDraw(): readonly number[] | null;
  /** Waiting draws of sampling, oldest first, at most this many; they are returned only once. */
  take(most: number): readonly (readonly number[])[];
  /** How many are waiting. */
  waiting(): number;
}

/**
 * Saved warmup ends with CmdStan's comment on the adaptation, or after the number of rows in the settings, since a run
 * without adaptation has no such comment.
 */
export function createStanCsvFollower(): StanCsvFollower {
  let head: Omit<FollowedHead, 'chainId'> | null = null;
  let commentText = '';
  let rows: (readonly number[])[] = [];
  let first: readonly number[] | null = null;
  let warmupRows = 0;
  let draws = 0;
  let divergences = 0;
  let divergentAt = -1;
  let isAdapted = false;

  const parser = createStanCsvParser({
    onHeader(variables) {
      head = { config: new Map(parser.comments.config), variables, comments: commentText };
      divergentAt = variables.indexOf('divergent__');
    },
    onRow(values) {
      if (!isAdapted && warmupRows < savedWarmup(parser.comments.config)) {
        warmupRows++;
        return;
      }
      draws++;
      first ??= values;
      if (divergentAt >= 0 && values[divergentAt] !== 0) divergences++;
      rows.push(values);
    },
    onAdapted() {
      isAdapted = true;
    },
    onComment(text) {
      if (head === null) commentText += `${text}\n`;
    },
  });

  const phase = (samplingSeconds: number | null, expected: number | null) => {
    if (head === null) return 'head';
    if (samplingSeconds !== null || (expected !== null && draws >= expected)) return 'done';
    return draws > 0 || isAdapted ? 'sampling' : 'warmup';
  };
  return {
    push: (text) => parser.push(text),
    head: () => head && { ...head, chainId: parser.comments.facts().chainId },
    progress() {
      const { chainId: _, ...facts } = parser.comments.facts();
      const expected = expectedDraws(parser.comments.config);
      const counts = { warmupRows, draws, expected, divergences };
      return { phase: phase(facts.samplingSeconds, expected), ...counts, ...facts };
    },
    firstDraw: () => first,
    take(most) {
      const taken = rows.slice(0, most);
      rows = rows.slice(most);
      return taken;
    },
    waiting: () => rows.length,
  };
}
