/** Checks of declared constraints on values: data, transformed data, transformed parameters, generated quantities. */
import type { IrDeclaration } from '../lower/ir.ts';
import { emitValue } from './emit-expression.ts';
import { transformOf } from './emit-sizes.ts';
import { emitLocation, emitVariableValue } from './emit-statement.ts';
import type { Frame } from './frame.ts';
import { quote, type Writer } from './printer.ts';

export function emitChecks(frame: Frame, out: Writer, declaration: IrDeclaration): void {
  const { variable, constraint, location } = declaration;
  const { unit } = frame;
  if (constraint.kind === 'none' || constraint.kind === 'offset-multiplier') return;
  emitLocation(frame, out, location);
  const label = quote(variable.name);
  const value = emitVariableValue(frame, variable);
  if (constraint.kind === 'bounds') {
    for (const side of ['lower', 'upper'] as const) {
      const bound = constraint[side];
      if (bound === null) continue;
      const { text, kind } = emitValue(frame, bound);
      // A bound with fewer array dimensions than the variable applies to each element.
      const depth =
        kind === 'r' || kind === 'i' ? 0 : variable.type.arrayDepth - bound.type.arrayDepth;
      out.line(`${unit.use(`$check_${side}`)}(${value}, ${text}, ${label}, ${depth});`);
    }
    return;
  }
  const element = unit.temporary();
  const index = unit.temporary();
  const check = unit.use(checkName(declaration));
  const where = `${unit.use('$label')}(${label}, ${index})`;
  out.line(
    `${unit.use('$each')}(${value}, ${variable.type.arrayDepth}, (${element}, ${index}) => ${check}(${where}, ${element}));`,
  );
}

function checkName({ constraint }: IrDeclaration): string {
  if (constraint.kind === 'column_stochastic_matrix') return '$check_stochastic_columns';
  if (constraint.kind === 'row_stochastic_matrix') return '$check_stochastic_rows';
  if (constraint.kind === 'sum_to_zero_matrix') return '$check_sum_to_zero_matrix';
  return `check_${transformOf(constraint)}`;
}
