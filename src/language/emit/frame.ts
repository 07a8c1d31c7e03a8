/** What emission needs to know of the function body it is in. */

import type { Adjoint } from '../adjoint/region.ts';
import type { Activity } from '../lower/activity.ts';
import type { IrVariable } from '../lower/ir.ts';
import { type Kind, kindOf } from '../lower/kinds.ts';
import type { Writer } from './printer.ts';
import type { Unit } from './unit.ts';

export interface Frame {
  readonly unit: Unit;
  readonly activity: Activity;
  /** Whether `tape` is in scope: parameters are active. */
  readonly hasTape: boolean;
  /** Text of the flag that lets densities drop constants: `propto` if it is a parameter, otherwise `false`. */
  readonly propto: string;
  /** Whether expressions of data alone may be cached between evaluations. */
  readonly caches: boolean;
  /** Transformed data may be assigned to. */
  readonly isTransformedData: boolean;
  /** The kind that `return` gives. */
  readonly resultKind: Kind;
  /** For a function that returns a tuple: the kinds of its leaves. */
  readonly resultLeaves?: readonly Kind[];
  /** `tape` is a Taylor tape: functions are recorded with second and third derivatives. */
  readonly isTaylor?: boolean;
  /** Where runs of statements become regions; null if everything is recorded statement by statement. */
  readonly adjoint: Adjoint | null;
}

export function kindOfVariable(frame: Frame, variable: IrVariable): Kind {
  return kindOf(variable.type, frame.activity.has(variable));
}

/** Whether elements of the variable may be assigned to in this body, so that reading all of it shares it. */
export function isWritten(frame: Frame, variable: IrVariable): boolean {
  if (variable.writtenLevel < 0) return false;
  return variable.place !== 'transformed data' || frame.isTransformedData;
}

/** Sets the place that errors name. */
export function emitLocation(frame: Frame, out: Writer, location: number): void {
  frame.unit.location = location;
  const line = `at = ${location};`;
  if (!out.alreadySays(line)) out.line(line);
}
