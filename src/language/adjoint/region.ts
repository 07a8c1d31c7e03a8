/**
 * Regions: runs of statements that become one operation of the tape. The forward sweep reads its active inputs from the
 * tape, computes in locals and in the tape's kept numbers, and writes what it adds to the target and what later
 * statements read as slots; the reverse sweep takes the adjoints of these and adds to those of the inputs.
 */
import type { Frame } from '../emit/frame.ts';
import type { Writer } from '../emit/printer.ts';
import type { IrStatement, IrVariable } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { CallInliner } from './inline-calls.ts';
import { bodiesOf, countReferences, expressionsOf, writesOf } from './references.ts';
import { interfaceOf, printRegion, type Run, type Sweeps } from './region-printer.ts';
import { NotReversible, RegionScope, rankOf } from './region-scope.ts';
import { SweepWriter } from './sweep-statements.ts';

/** What the regions of a function body share. */
export interface Adjoint {
  /** How often the body names each variable. */
  readonly references: ReadonlyMap<IrVariable, number>;
  /** Texts of the sweeps. */
  readonly functions: string[];
  /** {@link emitWithRegions}: a value here, since the emitter of statements is part of what a region is written with. */
  readonly emit: typeof emitWithRegions;
}

/** Passes until what the reverse sweep reads is known: each only adds to it. */
const mostPasses = 8;

function writeSweeps(frame: Frame, run: Run): Sweeps {
  const statements = run.written.flat();
  let before: RegionScope | null = null;
  for (let pass = 0; pass < mostPasses; pass++) {
    const scope: RegionScope = new RegionScope({ ...frame, adjoint: null }, statements, before);
    const writer = new SweepWriter(scope);
    const { piece, locals } = writer.outermost(statements);
    if (scope.isSettled) {
      return { run, scope, piece, locals, incrementsTarget: writer.incrementsTarget };
    }
    before = scope;
  }
  throw new NotReversible('values that depend on each other');
}

/** The sweeps, or how many of the statements might have some. */
function tryWriting(frame: Frame, run: Run): Sweeps | number {
  const fewer = run.given.length - 1;
  try {
    const sweeps = writeSweeps(frame, run);
    const { containersOut, outer } = interfaceOf(frame, sweeps);
    // A container that goes in and out is copied whole: too much for a loop along one of its dimensions.
    const depth = loopDepth(run.written.flat());
    const isTooLarge = (variable: IrVariable) =>
      outer.includes(variable) && rankOf(variable) > depth;
    return containersOut.some(isTooLarge) ? fewer : sweeps;
  } catch (error) {
    if (!(error instanceof NotReversible)) throw error;
    if (error.statement === null) return fewer;
    // Which of the given statements the one that cannot be reversed belongs to.
    let end = 0;
    return run.written.findIndex((part) => {
      end += part.length;
      return end > (error.statement ?? 0);
    });
  }
}

/** Whether a loop over active values is among the statements: all else the tape does as well. */
function hasActiveLoop(frame: Frame, statements: readonly IrStatement[]): boolean {
  return statements.some((statement) => {
    const isLoop = statement.op === 'for' || statement.op === 'while';
    if (isLoop && isActiveInside(frame, statement.body)) return true;
    return bodiesOf(statement).some((body) => hasActiveLoop(frame, body));
  });
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
  statements: readonly IrStatement[],
  each: (statement: IrStatement) => void,
): void {
  const inliner = new CallInliner(frame.activity);
  const written = statements.map((statement) => inliner.statements([statement]));
  for (let k = 0; k < statements.length; ) {
    const sweeps = longestRun(frame, { given: statements.slice(k), written: written.slice(k) });
    if (sweeps === null) {
      each(statements[k++]);
      continue;
    }
    printRegion(frame, out, sweeps);
    k += sweeps.run.given.length;
  }
}

/** The sweeps of the longest run at the beginning of the statements. */
function longestRun(frame: Frame, { given, written }: Run): Sweeps | null {
  if (given.length === 0 || isDensityOfVectors(given[0])) return null;
  let length = given.length;
  while (length > 0) {
    length = withoutDensities(given, length);
    const run: Run = { given: given.slice(0, length), written: written.slice(0, length) };
    if (!hasActiveLoop(frame, run.written.flat())) return null;
    const sweeps = tryWriting(frame, run);
    if (typeof sweeps !== 'number') return sweeps;
    length = Math.min(sweeps, length - 1);
  }
  return null;
}

/** The library's densities of vectors are as fast, so a run holds them only where their vectors are its own. */
function withoutDensities(given: readonly IrStatement[], length: number): number {
  let end = length;
  while (end > 1 && isDensityOfVectors(given[end - 1])) {
    const { assigned, declared } = writesOf(given.slice(0, end - 1));
    const named = [...countReferences([given[end - 1]]).keys()];
    if (named.some((variable) => assigned.has(variable) || declared.has(variable))) break;
    end--;
  }
  return end;
}

function isDensityOfVectors(statement: IrStatement): boolean {
  if (statement.op !== 'increment' || statement.value.op !== 'density') return false;
  return statement.value.arguments.some(({ type }) => !isScalar(type));
}
