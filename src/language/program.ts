/** The result of compilation: JavaScript text plus what is known about the program without data. */
import type { Diagnostic } from './diagnostics.ts';
import type { BlockName } from './syntax/ast.ts';
import type { StanType } from './types/stan-type.ts';

/** A block-level variable. */
export interface ProgramVariable {
  readonly name: string;
  readonly block: BlockName;
  readonly type: StanType;
  /** As a user would write it, without the name: `vector<lower=0>[J]`. */
  readonly declared: string;
}

export interface CompiledProgram {
  /**
   * Body of a function of one argument `L` (the linked library, an object of implementations by key, see
   * `math/library/machinery/implementation.ts`) and returns a {@link ProgramFactory}. Has mangled identifiers only.
   */
  readonly javascript: string;
  /** Keys of `L` that the text uses. */
  readonly libraryKeys: readonly string[];
  /** Statements that are not differentiated at compile time, and why: "a user function (model, line 12)". */
  readonly onTape: readonly string[];
  readonly variables: readonly ProgramVariable[];
}

export interface CompileResult {
  /** Null when there is an error among the diagnostics. */
  readonly program: CompiledProgram | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Data as parsed JSON: numbers, nested arrays, and NaN or infinities as numbers or the strings "NaN", "Inf", "-Inf". */
export type DataJson = Readonly<Record<string, unknown>>;

/** A flat column of output: `theta[1,2]`. */
export interface OutputVariable {
  readonly name: string;
  readonly block: 'parameters' | 'transformed parameters' | 'generated quantities';
  /** Dimensions, outermost first; empty for a scalar. Columns follow last-index-major (column-major) order. */
  readonly dims: readonly number[];
  readonly isInt: boolean;
  /**
   * The declared bounds: one number, or one value per element in column order; if the variable is an array with more
   * dimensions than its bound, the bound is that of each element of the array. Absent if none is declared, or
   * if it depends on parameters, since it then differs from draw to draw.
   */
  readonly lower?: number | Float64Array;
  readonly upper?: number | Float64Array;
  /** A constrained type, whose elements are bounded by nature. */
  readonly constraint?: BoundingConstraint;
  /** For a leaf of a tuple, named `x:2`: the variable, and the names of columns with `*` for indexes of arrays. */
  readonly tuple?: { readonly variable: string; readonly pattern: string };
  /** For a parameter: where its free values are in the unconstrained vector. */
  readonly free?: FreeValues;
}

export interface FreeValues {
  /** How many of the outermost dimensions are those of arrays. */
  readonly arrayRank: number;
  /** Free values of one element of the array, or of the variable if it is not an array. */
  readonly each: number;
  /** Whether each of them is one value of the variable, constrained separately. */
  readonly isElementwise: boolean;
}

/** The constrained types that bound their elements. */
export type BoundingConstraint =
  | 'positive_ordered'
  | 'simplex'
  | 'unit_vector'
  | 'cholesky_factor_cov'
  | 'cholesky_factor_corr'
  | 'cov_matrix'
  | 'corr_matrix'
  | 'column_stochastic_matrix'
  | 'row_stochastic_matrix';

/** What the emitted text calls back while it runs; `Tape` as in {@link ProgramFactory}. */
export interface ProgramHost<Tape> {
  /** Text of `print`, without newline. */
  print(text: string): void;
  /** Spends one unit of the loop budget; throws when none is left. Called once per loop iteration and function call. */
  tick(): void;
  /** Spends `n` units together: for all iterations of a loop before it begins. */
  spend(n: number): void;
  /** Around the statements of a profile; with the tape that they are recorded on, if any. */
  beginProfile(name: string, tape: Tape | null): void;
  endProfile(name: string, tape: Tape | null): void;
}

/**
 * What the emitted text returns: reads and checks `data`, runs transformed data (random numbers from `rng`), and gives
 * the program's verbs. The types of `math` are parameters, since `language` does not know them.
 */
export type ProgramFactory<Tape, Rng> = (
  host: ProgramHost<Tape>,
  data: DataJson,
  rng: Rng,
) => ProgramInstance<Tape, Rng>;

export interface ProgramInstance<Tape, Rng> {
  readonly numUnconstrained: number;
  /** In the order of `constrain`'s output. */
  readonly variables: readonly OutputVariable[];
  /**
   * Records the log density on a tape whose inputs, slots 1…D, hold the unconstrained values; returns its slot.
   * `jacobian`: with the log Jacobian of the constraints; `propto`: without constants.
   */
  logDensity(tape: Tape, jacobian: boolean, propto: boolean): number;
  constrain(theta: Float64Array, rng: Rng, out: Float64Array): void;
  unconstrain(inits: DataJson, theta: Float64Array): void;
}
