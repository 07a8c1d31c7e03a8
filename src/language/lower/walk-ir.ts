/** Walks over the intermediate representation: the parts of expressions and statements, and visits to all of them. */
import type { IrDeclaration, IrExpression, IrIndex, IrStatement, IrVariable } from './ir.ts';

/** The direct subexpressions of an expression. */
export function childrenOf(e: IrExpression): readonly IrExpression[] {
  switch (e.op) {
    case 'call':
    case 'density':
    case 'random':
    case 'user':
    case 'mixed':
    case 'higher-order':
      return e.arguments;
    case 'conditional':
      return [e.test, e.yes, e.no];
    case 'and':
    case 'or':
    case 'compare':
      return [e.left, e.right];
    case 'not':
    case 'measure':
      return [e.operand];
    case 'index':
      return [e.base, ...e.entries.flatMap(ofIndex)];
    case 'list':
    case 'pack':
      return e.elements;
    case 'member':
      return [e.tuple];
    default:
      return [];
  }
}

function ofIndex(entry: IrIndex): IrExpression[] {
  if (entry.kind === 'all') return [];
  if (entry.kind !== 'range') return [entry.at];
  return [entry.from, entry.to].filter((end) => end !== null);
}

export function visitVariables(e: IrExpression, visit: (variable: IrVariable) => void): void {
  if (e.op === 'variable') visit(e.variable);
  for (const child of childrenOf(e)) visitVariables(child, visit);
}

/** The expressions of a statement itself, without those of nested statements. */
export function expressionsOf(statement: IrStatement): readonly IrExpression[] {
  switch (statement.op) {
    case 'declare':
      return [
        ...statement.arraySizes,
        ...statement.baseSizes,
        ...(statement.initial ? [statement.initial] : []),
      ];
    case 'bind':
      return statement.guard ? [statement.guard, statement.value] : [statement.value];
    case 'assign':
    case 'increment':
      return [statement.value];
    case 'store':
      return [...statement.entries.flatMap(ofIndex), statement.value];
    case 'check':
      return checkedIn(statement.declaration);
    case 'support':
      return [statement.condition];
    case 'evaluate':
      return [statement.call];
    case 'if':
    case 'while':
      return [statement.test];
    case 'for':
      return [statement.from, statement.to];
    case 'for-each':
      return [statement.over];
    case 'print':
    case 'reject':
      return statement.parts.filter((part) => typeof part !== 'string');
    case 'return':
      return statement.value ? [statement.value] : [];
    default:
      return [];
  }
}

/** The variable and its bounds. */
function checkedIn({ variable, constraint }: IrDeclaration): IrExpression[] {
  const bounds = constraint.kind === 'bounds' ? [constraint.lower, constraint.upper] : [];
  const value: IrExpression = { op: 'variable', variable, type: variable.type };
  return [value, ...bounds.filter((bound) => bound !== null)];
}

export function bodiesOf(statement: IrStatement): readonly (readonly IrStatement[])[] {
  switch (statement.op) {
    case 'if':
      return [statement.yes, statement.no];
    case 'for':
    case 'for-each':
    case 'while':
    case 'block':
      return [statement.body];
    default:
      return [];
  }
}

/** Calls `visit` with each statement and those nested in it. */
export function visitStatements(
  statements: readonly IrStatement[],
  visit: (statement: IrStatement) => void,
): void {
  for (const statement of statements) {
    visit(statement);
    for (const body of bodiesOf(statement)) visitStatements(body, visit);
  }
}

/** Whether evaluating the expression twice would differ from once, or cost too much: it calls or draws. */
export function holdsCall(e: IrExpression): boolean {
  if (e.op === 'user' || e.op === 'random' || e.op === 'mixed' || e.op === 'higher-order')
    return true;
  return childrenOf(e).some(holdsCall);
}

/** The statement that a body consists of, if it is one and is not timed on its own. */
export function onlyStatement(body: readonly IrStatement[]): IrStatement | null {
  if (body.length !== 1) return null;
  const [statement] = body;
  if (statement.op !== 'block') return statement;
  return statement.profile === undefined ? onlyStatement(statement.body) : null;
}
