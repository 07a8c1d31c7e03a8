/** Which variables statements and expressions name, read and write. */
import type { IrDeclaration, IrExpression, IrIndex, IrStatement, IrVariable } from '../lower/ir.ts';
import { childrenOf, expressionsOf, visitStatements, visitVariables } from '../lower/walk-ir.ts';

/** How often each variable is named in `statements`, as a value or as what is assigned to. */
export function countReferences(statements: readonly IrStatement[]): Map<IrVariable, number> {
  const counts = new Map<IrVariable, number>();
  const count = (variable: IrVariable) => {
    counts.set(variable, (counts.get(variable) ?? 0) + 1);
  };
  visitStatements(statements, (statement) => {
    for (const e of expressionsOf(statement)) visitVariables(e, count);
    if (statement.op === 'assign' || statement.op === 'store') count(statement.variable);
  });
  return counts;
}

export interface Writes {
  /** Assigned to after their declaration, or without one. */
  readonly assigned: ReadonlySet<IrVariable>;
  readonly declared: ReadonlySet<IrVariable>;
}

export function writesOf(statements: readonly IrStatement[]): Writes {
  const assigned = new Set<IrVariable>();
  const declared = new Set<IrVariable>();
  visitStatements(statements, (statement) => {
    if (statement.op === 'assign' || statement.op === 'store') assigned.add(statement.variable);
    if (statement.op === 'declare') declared.add(statement.variable);
    if (statement.op === 'bind') for (const variable of statement.variables) declared.add(variable);
    if (statement.op === 'for' || statement.op === 'for-each') declared.add(statement.variable);
  });
  return { assigned, declared };
}

/** A number in the program's text, or a variable of its data block, which nothing changes. */
export type FixedCount = number | IrVariable;

export function fixedCount(e: IrExpression): FixedCount | null {
  if (e.op === 'int') return e.value;
  return e.op === 'variable' && e.variable.place === 'data' ? e.variable : null;
}

/** The sizes of each variable, outermost array first; null if they are no fixed counts. */
export type DeclaredSizes = ReadonlyMap<IrVariable, readonly (FixedCount | null)[]>;

/** A declared variable keeps its sizes whatever is assigned to it. */
export function declaredSizes(
  declarations: readonly IrDeclaration[],
  statements: readonly IrStatement[],
): DeclaredSizes {
  const sizes = new Map<IrVariable, readonly (FixedCount | null)[]>();
  const note = ({ variable, arraySizes, baseSizes }: IrDeclaration) => {
    sizes.set(variable, [...arraySizes, ...baseSizes].map(fixedCount));
  };
  for (const declaration of declarations) note(declaration);
  visitStatements(statements, (statement) => {
    if (statement.op === 'declare') note(statement);
  });
  return sizes;
}

/** Whether an expression reads other elements of a variable than those at `key`; null: any of them. */
export function readsElsewhere(e: IrExpression, variable: IrVariable, key: string | null): boolean {
  if (e.op === 'measure') return false;
  if (e.op === 'variable') return e.variable === variable && key !== keyOf([]);
  const isPart = e.op === 'index' && e.base.op === 'variable' && e.base.variable === variable;
  const parts = isPart && keyOf(e.entries) === key ? childrenOf(e).slice(1) : childrenOf(e);
  return parts.some((part) => readsElsewhere(part, variable, key));
}

/** Equal for the same indexes. */
export function keyOf(entries: readonly IrIndex[]): string {
  return JSON.stringify(entries, (name, value) => {
    if (name === 'variable') return value.id;
    return name === 'function' ? value.name : value;
  });
}
