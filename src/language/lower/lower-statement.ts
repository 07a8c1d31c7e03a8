/** Statements of the checked tree to the intermediate representation. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  Assignment,
  Constraint,
  Declaration,
  Expression,
  For,
  ForEach,
  Statement,
} from '../syntax/ast.ts';
import type {
  IrConstraint,
  IrDeclaration,
  IrExpression,
  IrPrintPart,
  IrStatement,
  VariablePlace,
} from './ir.ts';
import { elementType, intType, kindOf, levelsOf } from './kinds.ts';
import { lowerOperation } from './lower-call.ts';
import { lowerExpression, lowerIndexItem } from './lower-expression.ts';
import { lowerTilde } from './lower-tilde.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

export function lowerStatements(
  scope: LoweringScope,
  statements: readonly Statement[],
  place: VariablePlace = 'local',
): IrStatement[] {
  return statements.flatMap((statement) => lowerStatement(scope, statement, place));
}

/** A nested statement as a list: the statements of a block, or the one. */
function lowerBody(scope: LoweringScope, statement: Statement): IrStatement[] {
  return statement.kind === 'block'
    ? lowerStatements(scope, statement.statements)
    : lowerStatements(scope, [statement]);
}

function lowerStatement(
  scope: LoweringScope,
  statement: Statement,
  place: VariablePlace,
): IrStatement[] {
  const lower = (e: Expression) => lowerExpression(scope, e);
  switch (statement.kind) {
    case 'declaration':
      return [lowerDeclaration(scope, statement, place)];
    case 'assignment':
      return [lowerAssignment(scope, statement)];
    case 'tilde':
      return lowerTilde(scope, statement);
    case 'target-increment': {
      const location = scope.locate(statement.span);
      const increment = {
        op: 'increment',
        value: lower(statement.value),
        sign: 1,
        location,
      } as const;
      if (!statement.isJacobian) return [increment];
      return [{ op: 'if', test: scope.flag(), yes: [increment], no: [], location }];
    }
    case 'call-statement': {
      const location = scope.locate(statement.span);
      const call = { type: { base: 'void', arrayDepth: 0 }, ...statement.call } as const;
      return [{ op: 'evaluate', call: lower(call), location }];
    }
    case 'if':
      return [
        {
          op: 'if',
          test: lower(statement.condition),
          yes: lowerBody(scope, statement.then),
          no: statement.otherwise ? lowerBody(scope, statement.otherwise) : [],
          location: scope.locate(statement.condition.span),
        },
      ];
    case 'while':
      return [
        {
          op: 'while',
          test: lower(statement.condition),
          body: lowerBody(scope, statement.body),
          location: scope.locate(statement.condition.span),
        },
      ];
    case 'for':
      return [lowerFor(scope, statement)];
    case 'for-each':
      return [lowerForEach(scope, statement)];
    case 'block':
    case 'profile':
      return [{ op: 'block', body: lowerStatements(scope, statement.statements) }];
    case 'print':
    case 'reject': {
      const parts = statement.arguments.map((part) => lowerPart(scope, part));
      const location = scope.locate(statement.span);
      if (statement.kind === 'print') return [{ op: 'print', parts, location }];
      return [{ op: 'reject', fatal: statement.fatal, parts, location }];
    }
    case 'return': {
      const value = statement.value ? lower(statement.value) : null;
      return [{ op: 'return', value, location: scope.locate(statement.span) }];
    }
    case 'break':
    case 'continue':
      return [{ op: statement.kind }];
    case 'skip':
      return [];
    default:
      return assertNever(statement, 'statement');
  }
}

function lowerPart(scope: LoweringScope, part: Expression): IrPrintPart {
  return part.kind === 'string' ? part.value : lowerExpression(scope, part);
}

export function lowerDeclaration(
  scope: LoweringScope,
  declaration: Declaration,
  place: VariablePlace,
): IrDeclaration {
  const lower = (e: Expression) => lowerExpression(scope, e);
  const arraySizes = declaration.arraySizes.map(lower);
  const given = declaration.baseSizes.map(lower);
  const square = declaration.type.base === 'matrix' && given.length === 1;
  const constraint = lowerConstraint(scope, declaration.constraint);
  const initial = declaration.initialiser ? lower(declaration.initialiser) : null;
  return {
    op: 'declare',
    variable: scope.declare(declaration, declaration.type, place),
    arraySizes,
    baseSizes: square ? [given[0], given[0]] : given,
    constraint,
    initial,
    location: scope.locate(declaration.span),
  };
}

function lowerConstraint(scope: LoweringScope, constraint: Constraint): IrConstraint {
  const lower = (e: Expression | null) => (e === null ? null : lowerExpression(scope, e));
  switch (constraint.kind) {
    case 'bounds':
      if (constraint.lower === null && constraint.upper === null) return { kind: 'none' };
      return {
        kind: 'bounds',
        lower: lower(constraint.lower),
        upper: lower(constraint.upper),
      };
    case 'offset-multiplier':
      return {
        kind: 'offset-multiplier',
        offset: lower(constraint.offset),
        multiplier: lower(constraint.multiplier),
      };
    default:
      return constraint;
  }
}

const compoundNames = {
  '+=': 'add',
  '-=': 'subtract',
  '*=': 'multiply',
  '/=': 'divide',
  '.*=': 'elt_multiply',
  './=': 'elt_divide',
} as const;

function lowerAssignment(scope: LoweringScope, assignment: Assignment): IrStatement {
  const { target, operator } = assignment;
  const location = scope.locate(assignment.span);
  let value = lowerExpression(scope, assignment.value);
  if (operator !== '=') {
    const current = lowerExpression(scope, target);
    value = lowerOperation(compoundNames[operator], [current, value], current.type);
  }
  const [name, indexes] = flattenTarget(target);
  const variable = scope.variable(name.declaration, name.name);
  if (indexes.length === 0) return { op: 'assign', variable, value, location };
  const entries = indexes.map((item) => lowerIndexItem(scope, item));
  const levels = levelsOf(kindOf(variable.type, false));
  const written = Math.min(entries.length, levels) - 1;
  variable.writtenLevel = Math.max(variable.writtenLevel, written);
  return { op: 'store', variable, entries, value, location };
}

type Target = Assignment['target'];
type Items = Extract<Target, { kind: 'index' }>['indexes'];

/** `x[i][j]` assigns to what `x[i, j]` names, since single indexes take one dimension each. */
function flattenTarget(target: Target): [Extract<Target, { kind: 'variable' }>, Items] {
  if (target.kind === 'variable') return [target, []];
  const { base } = target;
  if (base.kind !== 'variable' && base.kind !== 'index') {
    throw new InternalCompilerError('assignment to an expression', target.span);
  }
  const [name, before] = flattenTarget(base);
  return [name, [...before, ...target.indexes]];
}

function lowerFor(scope: LoweringScope, statement: For): IrStatement {
  const from = lowerExpression(scope, statement.from);
  const to = lowerExpression(scope, statement.to);
  const variable = scope.declare(statement.variable, intType, 'loop');
  const location = scope.locate(statement.from.span);
  return { op: 'for', variable, from, to, body: lowerBody(scope, statement.body), location };
}

function lowerForEach(scope: LoweringScope, statement: ForEach): IrStatement {
  const over: IrExpression = lowerExpression(scope, statement.over);
  const type =
    over.type.base === 'matrix' && over.type.arrayDepth === 0
      ? elementType(elementType(over.type))
      : elementType(over.type);
  const variable = scope.declare(statement.variable, type, 'loop');
  const location = scope.locate(statement.over.span);
  return { op: 'for-each', variable, over, body: lowerBody(scope, statement.body), location };
}
