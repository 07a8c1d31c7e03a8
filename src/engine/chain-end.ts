/** Exceptions that end a chain, or only its current call, from inside. */
import { MemoryBudgetError } from '../math/autodiff/tape.ts';
import { DomainError } from '../math/errors.ts';
import type { ChainFailure, FailureReason } from './events.ts';

/** The chain cannot continue, for a known reason. */
export class ChainEnd extends Error {
  override readonly name = 'ChainEnd';
  constructor(
    readonly reason: FailureReason,
    message: string,
  ) {
    super(message);
  }
}

/** Thrown from inside the model (its loop counter, its density) to abandon an iteration that will be repeated later. */
export class ChainInterrupt extends Error {
  override readonly name = 'ChainInterrupt';
}

/** Any thrown value as a failure of `chain`. */
export function failureOf(error: unknown, chain: number): ChainFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { chain, reason: reasonOf(error), message: explain(error, message) };
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof ChainEnd) return error.reason;
  if (error instanceof MemoryBudgetError || isLoopBudget(error) || isAllocationFailure(error)) {
    return 'budget-exceeded';
  }
  return 'program-failed';
}

/** The message of a failed allocation, which the engine reports as a fault of its own; null for anything else. */
export function explainAllocation(error: unknown): string | null {
  if (!isAllocationFailure(error)) return null;
  return `The program asks for more memory than is available: ${(error as Error).message}.`;
}

function explain(error: unknown, message: string): string {
  const allocation = explainAllocation(error);
  if (allocation !== null) return allocation;
  if (error instanceof RangeError && message.includes('call stack')) {
    return 'A function of the program calls itself too deeply.';
  }
  if (error instanceof DomainError) return `The program stopped: ${message}`;
  return message;
}

/** Recognised by name: its class lives in the compiler, which a chain does not need. */
function isLoopBudget(error: unknown): boolean {
  return error instanceof Error && error.name === 'LoopBudgetError';
}

/** An array that JavaScript cannot create: V8 reports an invalid length or a failed allocation. */
function isAllocationFailure(error: unknown): boolean {
  return (
    error instanceof RangeError &&
    (/array length/i.test(error.message) || /allocation failed/i.test(error.message))
  );
}
