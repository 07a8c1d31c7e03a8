/** The output of readers of finished runs, whatever the file was: columns, chains, and facts about the run. */

export interface ImportedColumn {
  /** Flat name: `theta[1,2]`, `lp__`, `divergent__`. */
  readonly name: string;
  /** True for what the sampler reports about itself, including `lp__`. */
  readonly sampler?: boolean;
  readonly type?: 'int' | 'bool';
}

/** `C`: where its numbers are stored, in memory or in a store. */
export interface ImportedChain<C = Float64Array> {
  /** As in the file; empty if it does not say. */
  readonly name: string;
  /** One array per column, all of the same length. */
  readonly draws: readonly C[];
  /** Likewise; arrays of length 0 if no warmup was saved. */
  readonly warmup: readonly C[];
  readonly stepSize: number | null;
  readonly warmupSeconds: number | null;
  readonly samplingSeconds: number | null;
  /** The run's owner had left it out of summary, verdict and plots; only our own files say so. */
  readonly leftOut?: boolean;
}

export interface ImportedDraws<C = Float64Array> {
  readonly columns: readonly ImportedColumn[];
  readonly chains: readonly ImportedChain<C>[];
  /** Settings of the run in the files, by our keys: `num_samples`, `seed`, `adapt_delta`, … */
  readonly settings: Readonly<Record<string, number | string | boolean>>;
  /** What was left out or looked odd, one sentence each. */
  readonly notes: readonly string[];
}

export const importTypes = ['stan csv', 'turing csv', 'arviz netcdf', 'draws csv'] as const;
/** `draws csv`: long form as we export it, or any table with one column per variable. */
export type ImportType = (typeof importTypes)[number];

/** Files that are not a finished run; the message is for people and says what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

export interface ImportLimits {
  /** Columns of one chain, including the sampler's. */
  readonly columns: number;
  /** Numbers in all files together. */
  readonly values: number;
}

/** 256 MB of numbers; as many columns as the summary processes in about a minute. */
export const defaultImportLimits: ImportLimits = { columns: 20_000, values: 2 ** 25 };

/** For files of any size, whose numbers are stored on disk: 32 GB. */
export const storedImportLimits: ImportLimits = { columns: 20_000, values: 2 ** 32 };

/** Throws {@link ImportError} if a limit is exceeded. */
export function checkSize(numColumns: number, numValues: number, limits: ImportLimits): void {
  if (numColumns > limits.columns) {
    throw new ImportError(
      `There are ${numColumns} columns; at most ${limits.columns} can be imported. Leave out variables that are not needed.`,
    );
  }
  if (numValues > limits.values) {
    throw new ImportError(
      `There are ${numValues} values; at most ${limits.values} can be imported. Thin the draws or leave out variables.`,
    );
  }
}

/** Known sampler columns, by our names. */
export function samplerColumn(name: string): ImportedColumn {
  if (name === 'divergent__') return { name, sampler: true, type: 'bool' };
  const isCount = name === 'treedepth__' || name === 'n_leapfrog__';
  return isCount ? { name, sampler: true, type: 'int' } : { name, sampler: true };
}
