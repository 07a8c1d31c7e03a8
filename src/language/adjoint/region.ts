/**
 * Regions: runs of statements that become one operation of the tape. The forward sweep reads its active inputs from the
 * tape, computes in locals and in the tape's kept numbers, and writes what it adds to the target and what later
 * statements read as slots; the reverse sweep reads the adjoints of these and adds to those of the inputs.
 */
import type { Frame } from '../emit/frame.ts';
import { isOfDataOnly } from '../emit/invariant.ts';
import { settledRegression } from '../emit/linear-predictor.ts';
import type { Writer } from '../emit/printer.ts';
import type { IrDeclaration, IrExpression, IrStatement, IrVariable } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { bodiesOf, expressionsOf } from '../lower/walk-ir.ts';
import { isElementwise } from './build-term.ts';
import { densitiesOfArrays, densityOfArray } from './density-of-array.ts';
import { CallInliner } from './inline-calls.ts';
import { countReferences, type DeclaredSizes, writesOf } from './references.ts';
import { interfaceOf, printRegion, type Run, type Sweeps } from './region-printer.ts';
import { NotReversible, RegionScope, rankOf } from './region-scope.ts';
import { SweepWriter } from './sweep-statements.ts';

/** What the regions of a function body share. */
export interface Adjoint {
  /** How often the body names each variable. */
  readonly references: ReadonlyMap<IrVariable, number>;
  readonly sizes: DeclaredSizes;
  /** Texts of the sweeps. */
  readonly functions: string[];
  /** Statements with loops or vectors to reverse that stay on the tape. */
  readonly left: LeftOnTape[];
  /** {@link emitWithRegions}: a value here, since regions are written with the statement emitter. */
  readonly emit: typeof emitWithRegions;
}

export interface LeftOnTape {
  /** See `IrProgram.locations`. */
  readonly location: number;
  /** What prevents it. */
  readonly reason: string;
}

/** Passes until it is known what the reverse sweep reads: each only adds to it. */
const mostPasses = 8;

function writeSweeps(frame: Frame, run: Run): Sweeps {
  const statements = run.written.flat();
  const inner: Frame = { ...frame, adjoint: null };
  const sizes = frame.adjoint?.sizes;
  let before: RegionScope | null = null;
  for (let pass = 0; pass < mostPasses; pass++) {
    const scope: RegionScope = new RegionScope(inner, statements, before, sizes);
    const writer = new SweepWriter(scope);
    const { piece, locals } = writer.outermost(statements);
    if (scope.isSettled) {
      return { run, scope, piece, locals, incrementsTarget: writer.incrementsTarget };
    }
    before = scope;
  }
  throw new NotReversible('values that depend on each other');
}

/** Why a run is not one, and how many of its statements might be. */
interface Refusal {
  readonly length: number;
  readonly reason: string;
  /**
   * How deeply loops must be nested in a run that contains the statement after those; Infinity: no run can. Absent:
   * not known to be that statement's fault.
   */
  readonly depth?: number;
}

/** The sweeps, or why there are none. */
function tryWriting(frame: Frame, run: Run): Sweeps | Refusal {
  const fewer = run.given.length - 1;
  try {
    const sweeps = writeSweeps(frame, run);
    const { containersOut, outer } = interfaceOf(frame, sweeps);
    // A container that goes in and out is copied entirely: too much for a loop along one of its dimensions.
    const depth = loopDepth(run.written.flat());
    const isTooLarge = (variable: IrVariable) =>
      outer.includes(variable) && rankOf(variable) > depth;
    const large = containersOut.filter(isTooLarge);
    if (large.length === 0) return sweeps;
    const reason = 'a container that is copied whole for a loop along one of its dimensions';
    // Every shorter run that writes to one of them copies it too.
    const length = run.written.findIndex((part) => {
      const { assigned } = writesOf(part);
      return large.some((variable) => assigned.has(variable));
    });
    return { length, reason, depth: Math.min(...large.map(rankOf)) };
  } catch (error) {
    if (!(error instanceof NotReversible)) throw error;
    const reason = error.message;
    if (error.statement === null) return { length: fewer, reason };
    // Finds which given statement contains the one that cannot be reversed.
    let end = 0;
    const length = run.written.findIndex((part) => {
      end += part.length;
      return end > (error.statement ?? 0);
    });
    return { length, reason, depth: Infinity };
  }
}

/** Whether the statements include a loop over active values or elements: the tape does everything else as well. */
function hasActiveLoop(frame: Frame, statements: readonly IrStatement[]): boolean {
  return statements.some((statement) => {
    const isLoop = statement.op === 'for' || statement.op === 'while';
    if (isLoop && isActiveInside(frame, statement.body)) return true;
    if (computesVectors(frame, statement)) return true;
    return bodiesOf(statement).some((body) => hasActiveLoop(frame, body));
  });
}

/** Whether the tape would create slots for the elements of a vector that it computes. */
function computesVectors(frame: Frame, statement: IrStatement): boolean {
  const computes = (e: IrExpression | null) =>
    e !== null && e.op === 'call' && isElementwise(e) && frame.activity.isActive(e);
  switch (statement.op) {
    case 'declare':
      return computes(statement.initial);
    case 'assign':
    case 'store':
      return computes(statement.value);
    case 'increment':
      if (statement.value.op !== 'density') return computes(statement.value);
      return statement.value.arguments.some(computes);
    default:
      return false;
  }
}

function loopDepth(statements: readonly IrStatement[]): number {
  const depths = statements.map((statement) => {
    const isLoop = statement.op === 'for' || statement.op === 'while';
    return Math.max(0, ...bodiesOf(statement).map(loopDepth)) + (isLoop ? 1 : 0);
  });
  return Math.max(0, ...depths);
}

function isActiveInside(frame: Frame, statements: readonly IrStatement[]): boolean {
  return statements.some(
    (statement) =>
      expressionsOf(statement).some((e) => frame.activity.isActive(e)) ||
      bodiesOf(statement).some((body) => isActiveInside(frame, body)),
  );
}

/** Statements with the reversible runs among them as regions; `each` emits one that stays on the tape. */
export function emitWithRegions(
  frame: Frame,
  out: Writer,
  given: readonly IrStatement[],
  each: (statement: IrStatement) => void,
): void {
  const statements = dataFirst(given).map(densityOfArray);
  const body = new Body(frame, statements);
  for (let k = 0; k < statements.length; ) {
    const sweeps = longestRun(frame, body, k);
    if (sweeps === null || 'reason' in sweeps) {
      const statement = statements[k++];
      // Statements left inside a branch or block report this themselves.
      const isWhole = statement.op !== 'if' && statement.op !== 'block';
      if (sweeps !== null && isWhole && 'location' in statement) {
        frame.adjoint?.left.push({ location: statement.location, reason: sweeps.reason });
      }
      each(statement);
      continue;
    }
    printRegion(frame, out, sweeps);
    k += sweeps.run.given.length;
  }
}

/**
 * Containers of data that a body declares, `matrix[2, 2] F = [[1, 1], [0, 1]];`, before its other statements: regions
 * read what was there before them, in both sweeps.
 */
function dataFirst(statements: readonly IrStatement[]): readonly IrStatement[] {
  const { assigned } = writesOf(statements);
  const [data, others]: [IrStatement[], IrStatement[]] = [[], []];
  for (const statement of statements) {
    const isFixed =
      statement.op === 'declare' && isDataContainer(statement) && !assigned.has(statement.variable);
    (isFixed ? data : others).push(statement);
  }
  return data.length === 0 ? statements : [...data, ...others];
}

function isDataContainer({ variable, initial, arraySizes, baseSizes }: IrDeclaration): boolean {
  if (initial === null || isScalar(variable.type)) return false;
  return [initial, ...arraySizes, ...baseSizes].every(isOfDataOnly);
}

/** The statements of a body and what is asked about each of them again and again: found once, since there may be thousands. */
class Body {
  /** The statements that are written for each: its own, or those of the functions it calls. */
  private readonly written: readonly (readonly IrStatement[])[];
  private readonly needsRegion: readonly boolean[];
  private readonly isSettled: readonly boolean[];
  readonly isOfLibrary: readonly boolean[];
  /** The variables that densities of the library name; empty for other statements. */
  private readonly named: readonly (readonly IrVariable[])[];
  /** How deeply loops are nested in each. */
  private readonly depths: readonly number[];
  /** Statements that were refused, by place, with the depth of loops from which they would not be. */
  private readonly refused = new Map<number, { readonly reason: string; readonly depth: number }>();
  /** By variable, the statements that declare it or assign to it, in order. */
  private readonly writers = new Map<IrVariable, number[]>();

  constructor(
    frame: Frame,
    readonly statements: readonly IrStatement[],
  ) {
    const inliner = new CallInliner(frame.activity);
    this.written = statements.map((statement) => inliner.written(densitiesOfArrays(statement)));
    this.depths = this.written.map(loopDepth);
    this.needsRegion = this.written.map((part) => hasActiveLoop(frame, part));
    this.isSettled = statements.map((statement) => isSettledDensity(frame, statement));
    this.isOfLibrary = statements.map((statement) => isOfLibrary(frame, statement));
    this.named = statements.map((statement, k) =>
      this.isOfLibrary[k] ? [...countReferences([statement]).keys()] : [],
    );
    statements.forEach((statement, k) => {
      const { assigned, declared } = writesOf([statement]);
      for (const variable of new Set([...assigned, ...declared])) {
        const known = this.writers.get(variable);
        if (known === undefined) this.writers.set(variable, [k]);
        else known.push(k);
      }
    });
  }

  run(from: number, end: number): Run {
    return { given: this.statements.slice(from, end), written: this.written.slice(from, end) };
  }

  hasActiveLoop(from: number, end: number): boolean {
    const first = this.needsRegion.indexOf(true, from);
    return first >= 0 && first < end;
  }

  /**
   * Where a run that starts at `from` and may reach to `end` ends. The library's densities of vectors are as fast, so a
   * run contains them only if their vectors are its own, and stops before a regression of data, which costs the same
   * for any number of rows.
   */
  withoutDensities(from: number, end: number): number {
    const regression = this.isSettled.indexOf(true, from);
    let last = regression <= from ? end : Math.min(end, regression);
    while (last > from + 1 && this.isOfLibrary[last - 1]) {
      const before = last - 1;
      if (this.named[before].some((variable) => this.isWritten(variable, from, before))) break;
      last--;
    }
    return last;
  }

  /** Remembers why a run that starts at `from` was refused, for those that start later. */
  remember(from: number, { length, reason, depth }: Refusal): void {
    if (depth !== undefined) this.refused.set(from + length, { reason, depth });
  }

  /** Why the run would be refused, if that is known from another. */
  knownRefusal(from: number, end: number): Refusal | null {
    let deepest = 0;
    for (let k = from; k < end; k++) deepest = Math.max(deepest, this.depths[k]);
    for (let k = from; k < end; k++) {
      const refused = this.refused.get(k);
      if (refused !== undefined && refused.depth > deepest)
        return { length: k - from, reason: refused.reason };
    }
    return null;
  }

  private isWritten(variable: IrVariable, from: number, end: number): boolean {
    return (this.writers.get(variable) ?? []).some((k) => k >= from && k < end);
  }
}

/** The sweeps of the longest run that starts at `from`, or why there is none; null if none is needed. */
function longestRun(frame: Frame, body: Body, from: number): Sweeps | Refusal | null {
  const first = body.statements[from];
  // a check alone would bring in its variable
  if (body.isOfLibrary[from] || first.op === 'check') return null;
  // the region reads it from before
  if (first.op === 'declare' && isDataContainer(first) && !frame.activity.has(first.variable))
    return null;
  let refusal: Refusal | null = null;
  let end = body.statements.length;
  while (end > from) {
    end = body.withoutDensities(from, end);
    if (!body.hasActiveLoop(from, end)) return null;
    const sweeps = body.knownRefusal(from, end) ?? tryWriting(frame, body.run(from, end));
    if (!('reason' in sweeps)) return sweeps;
    body.remember(from, sweeps);
    if (sweeps.length <= 0) refusal = sweeps;
    end = from + Math.min(sweeps.length, end - from - 1);
  }
  return refusal;
}

function isSettledDensity(frame: Frame, statement: IrStatement): boolean {
  if (statement.op !== 'increment' || statement.value.op !== 'density') return false;
  return settledRegression(frame, statement.value) !== null;
}

/** A density of unmodified vectors, or a regression of data. */
function isOfLibrary(frame: Frame, statement: IrStatement): boolean {
  if (statement.op !== 'increment' || statement.value.op !== 'density') return false;
  if (isSettledDensity(frame, statement)) return true;
  if (computesVectors(frame, statement)) return false;
  return statement.value.arguments.some(({ type }) => !isScalar(type));
}
