/** What a declaration says about the range of its variable, as members of the object that describes an output. */
import type { IrConstraint, IrExpression } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import type { BoundingConstraint } from '../program.ts';
import { emitExpression } from './emit-expression.ts';
import type { Frame } from './frame.ts';
import { isOfDataOnly } from './invariant.ts';
import { quote } from './printer.ts';

/** `, lower: 0, upper: …`; empty if nothing is known before there is a draw. */
export function emitRange(frame: Frame, constraint: IrConstraint): string {
  switch (constraint.kind) {
    case 'bounds':
      return (
        emitBound(frame, 'lower', constraint.lower) + emitBound(frame, 'upper', constraint.upper)
      );
    case 'none':
    case 'offset-multiplier':
    case 'ordered':
    case 'sum_to_zero_vector':
    case 'sum_to_zero_matrix':
      return '';
    default: {
      const kind: BoundingConstraint = constraint.kind;
      return `, constraint: ${quote(kind)}`;
    }
  }
}

/** A bound that depends on parameters differs from draw to draw: no single number limits a plot. */
function emitBound(frame: Frame, side: 'lower' | 'upper', bound: IrExpression | null): string {
  if (bound === null || !isOfDataOnly(bound)) return '';
  const { text } = emitExpression(frame, bound);
  const flat = isScalar(bound.type) ? text : `${frame.unit.use('$flat_columns')}(${text})`;
  return `, ${side}: ${flat}`;
}
