/** Checks of declared constraints on values: data, transformed data, transformed parameters, generated quantities. */
import type { IrDeclaration, IrExpression, IrVariable } from '../lower/ir.ts';
import { dataKind } from '../lower/kinds.ts';
import { emitValue } from './emit-expression.ts';
import { transformOf } from './emit-sizes.ts';
import { emitLocation, type Frame, kindOfVariable } from './frame.ts';
import { quote, type Writer } from './printer.ts';
import { type Unit, variableName } from './unit.ts';

export function isChecked({ constraint }: IrDeclaration): boolean {
  return constraint.kind !== 'none' && constraint.kind !== 'offset-multiplier';
}

export function emitChecks(frame: Frame, out: Writer, declaration: IrDeclaration): void {
  if (!isChecked(declaration)) return;
  emitLocation(frame, out, declaration.location);
  const value = emitVariableValue(frame, declaration.variable);
  const textOf = (bound: IrExpression) => {
    const { text, kind } = emitValue(frame, bound);
    return { text, isNumber: kind === 'r' || kind === 'i' };
  };
  for (const line of checkLines(frame.unit, declaration, value, textOf)) out.line(line);
}

/** `value`: the text of the variable's value as data. */
export function checkLines(
  unit: Unit,
  declaration: IrDeclaration,
  value: string,
  textOf: (bound: IrExpression) => { readonly text: string; readonly isNumber: boolean },
): string[] {
  const { variable, constraint } = declaration;
  const { arrayDepth } = variable.type;
  const label = quote(variable.name);
  if (constraint.kind !== 'bounds') {
    const check = unit.use(checkName(declaration));
    return [`${unit.use('$check_each')}(${value}, ${arrayDepth}, ${check}, ${label});`];
  }
  return (['lower', 'upper'] as const).flatMap((side) => {
    const bound = constraint[side];
    if (bound === null) return [];
    const { text, isNumber } = textOf(bound);
    // A bound with fewer array dimensions than the variable applies to each element.
    const depth = isNumber ? 0 : arrayDepth - bound.type.arrayDepth;
    return [`${unit.use(`$check_${side}`)}(${value}, ${text}, ${label}, ${depth});`];
  });
}

/** The value of an active variable as data. */
function emitVariableValue(frame: Frame, variable: IrVariable): string {
  const name = variableName(variable);
  const kind = kindOfVariable(frame, variable);
  if (kind === dataKind(kind)) return name;
  return kind === 'v' ? `tape.value[${name}]` : `${frame.unit.use('$deactivate')}(tape, ${name})`;
}

function checkName({ constraint }: IrDeclaration): string {
  if (constraint.kind === 'column_stochastic_matrix') return '$check_stochastic_columns';
  if (constraint.kind === 'row_stochastic_matrix') return '$check_stochastic_rows';
  if (constraint.kind === 'sum_to_zero_matrix') return '$check_sum_to_zero_matrix';
  return `check_${transformOf(constraint)}`;
}
