/** Turns a Stan program and its data into a {@link Model}: compiles, links to the math library, runs it once. */
import { compileProgram } from '../language/compile.ts';
import type { Diagnostic } from '../language/diagnostics.ts';
import type {
  CompiledProgram,
  DataJson,
  ProgramFactory,
  ProgramHost,
  ProgramInstance,
} from '../language/program.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import { Tape } from '../math/autodiff/tape.ts';
import { DomainError } from '../math/errors.ts';
import { library } from '../math/library/library.ts';
import type { LibraryFunction } from '../math/library/machinery/implementation.ts';
import type { Rng } from '../math/random/rng.ts';
import { explainAllocation } from './chain-end.ts';
import { columnNames } from './column-names.ts';
import { dataPart } from './data-check.ts';
import type { Model } from './model.ts';
import { Profiler, type ProfileTimes } from './profiler.ts';

export interface ModelOptions {
  /** The program, and its name for messages. */
  readonly source: string;
  readonly fileName?: string;
  /** Files that `#include` may refer to, by path. */
  readonly files?: ReadonlyMap<string, string>;
  readonly data: DataJson;
  /** Random numbers for transformed data. */
  readonly rng: Rng;
  /** Receives the output of `print`; dropped by default. */
  readonly print?: (text: string) => void;
  readonly limits?: ModelLimits;
  /** False records the entire density on the tape, for comparison in tests and benchmarks. Default true. */
  readonly adjoint?: boolean;
}

export interface ModelLimits {
  /** Loop iterations and calls one evaluation may take. Default 50 million. */
  readonly ticks?: number;
  /** Bytes the tape may take. Default 1 GiB. */
  readonly tapeBytes?: number;
  /** Called about every 100 000 ticks; throws when the run should end. */
  readonly checkTime?: () => void;
}

export type ModelResult =
  | { readonly ok: true; readonly model: Model; readonly program: CompiledProgram }
  | {
      readonly ok: false;
      /** Diagnostics of the program; empty if the data are at fault. */
      readonly diagnostics: readonly Diagnostic[];
      /** The files that the spans of the diagnostics point into. */
      readonly files: readonly SourceFile[];
      readonly message: string;
    };

/** Thrown when a program loops longer than its budget; ends the chain. */
export class LoopBudgetError extends Error {
  override readonly name = 'LoopBudgetError';
}

/** Implementations by the keys that compiled programs use. */
const linked: Readonly<Record<string, LibraryFunction>> = Object.freeze(
  Object.assign(Object.create(null), library, dataPart),
);

/** For {@link compileProgram}: everything this engine can link. */
export const libraryKeys: ReadonlySet<string> = new Set(Object.keys(linked));

/** Compiles `source` and reads `data`; what a user can fix is returned as `ok: false`, never thrown. */
export function compileModel(options: ModelOptions): ModelResult {
  const { source, fileName = 'main.stan', files, adjoint } = options;
  const include = (name: string) => files?.get(name) ?? null;
  const compiled = compileProgram(
    { name: fileName, text: source },
    { include, libraryKeys, adjoint },
  );
  if (compiled.program === null) {
    const { diagnostics } = compiled;
    const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    const message = first?.message ?? 'the program cannot be compiled';
    return { ok: false, diagnostics, files: compiled.files, message };
  }
  try {
    return { ok: true, model: linkModel(compiled.program, options), program: compiled.program };
  } catch (error) {
    const message =
      explainAllocation(error) ?? (error instanceof Error ? error.message : String(error));
    return { ok: false, diagnostics: [], files: compiled.files, message };
  }
}

type LinkOptions = Omit<ModelOptions, 'source' | 'files' | 'fileName'>;

/** Links a compiled program and reads its data; throws what is wrong with the data. */
export function linkModel(program: CompiledProgram, options: LinkOptions): Model {
  const budget = new TickBudget(options.limits ?? {});
  const profiler = new Profiler();
  const instance = linkProgram(program, options, budget, profiler);
  return new ProgramModel(instance, budget, new Tape(options.limits?.tapeBytes), profiler);
}

/** The program's own functions, for callers that choose the flags of the density themselves. */
export function linkProgram(
  program: CompiledProgram,
  { data, rng, print = () => {}, limits = {} }: LinkOptions,
  budget: TickBudget = new TickBudget(limits),
  profiler: Profiler = new Profiler(),
): ProgramInstance<Tape, Rng> {
  const host: ProgramHost<Tape> = {
    print,
    tick: () => budget.spend(1),
    spend: (n) => budget.spend(n),
    beginProfile: (name, tape) => profiler.begin(name, tape),
    endProfile: (name, tape) => profiler.end(name, tape),
  };
  // The text is ours: names are mangled and strings escaped, see language/emit/printer.ts.
  // oxlint-disable-next-line typescript/no-implied-eval
  const makeFactory = new Function('L', program.javascript) as (
    L: Readonly<Record<string, LibraryFunction>>,
  ) => ProgramFactory<Tape, Rng>;
  return makeFactory(linked)(host, data, rng);
}

const timeInterval = 100_000;

class TickBudget {
  private left: number;
  private untilTime = timeInterval;
  private readonly ticks: number;
  private readonly checkTime: () => void;

  constructor({ ticks = 50_000_000, checkTime = () => {} }: ModelLimits) {
    this.ticks = ticks;
    this.left = ticks;
    this.checkTime = checkTime;
  }

  /** Resets the budget for a new evaluation. */
  refill(): void {
    this.left = this.ticks;
  }

  spend(n: number): void {
    this.left -= n;
    if (this.left < 0) {
      throw new LoopBudgetError(`the program takes more than ${this.ticks} loop steps`);
    }
    this.untilTime -= n;
    if (this.untilTime < 0) {
      this.untilTime = timeInterval;
      this.checkTime();
    }
  }
}

class ProgramModel implements Model {
  readonly numUnconstrained: number;
  readonly variables: Model['variables'];
  readonly columns: readonly string[];
  readonly profiles: () => ProfileTimes[];

  constructor(
    private readonly instance: ProgramInstance<Tape, Rng>,
    private readonly budget: TickBudget,
    private readonly tape: Tape,
    profiler: Profiler,
  ) {
    this.profiles = () => profiler.times();
    this.numUnconstrained = instance.numUnconstrained;
    this.variables = instance.variables;
    this.columns = columnNames(instance.variables);
  }

  logDensityGradient(theta: Float64Array, gradient: Float64Array, jacobian = true): number {
    const { tape } = this;
    this.budget.refill();
    tape.reset(theta);
    const target = this.instance.logDensity(tape, jacobian, true);
    const value = tape.value[target];
    if (Number.isNaN(value)) throw new DomainError('the log density is not a number');
    tape.sweep(target, gradient);
    return value;
  }

  constrain(theta: Float64Array, rng: Rng, out: Float64Array): void {
    this.budget.refill();
    this.instance.constrain(theta, rng, out);
  }

  unconstrain(inits: DataJson, theta: Float64Array): void {
    this.budget.refill();
    this.instance.unconstrain(inits, theta);
  }
}
