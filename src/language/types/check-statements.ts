/** Statements: one function per kind, if it takes more than a line. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  Assignment,
  Binary,
  CallStatement,
  Expression,
  For,
  ForEach,
  LoopVariable,
  Return,
  Statement,
  TargetIncrement,
} from '../syntax/ast.ts';
import { printExpression, printType } from '../syntax/printer.ts';
import { rootOf } from '../syntax/walk.ts';
import { resolveCall } from './check-calls.ts';
import { checkDeclaration } from './check-declarations.ts';
import { checkTilde } from './check-distributions.ts';
import { binaryType, checkCondition, checkExpression } from './check-expressions.ts';
import { checkDistinctPlaces, checkUnpacking, placesOf } from './check-tuples.ts';
import { isDataOnly } from './data-only.ts';
import type { Binding, CheckContext } from './scope.ts';
import {
  complexType,
  intType,
  isAssignable,
  isComplex,
  isError,
  isInt,
  numDimensions,
  realType,
  type StanType,
} from './stan-type.ts';
import * as problems from './type-problems.ts';

export function checkStatements(context: CheckContext, statements: readonly Statement[]): void {
  for (const statement of statements) checkStatement(context, statement);
}

/** Statements in a separate scope, where declarations are local. */
function checkInner(context: CheckContext, statements: readonly Statement[]): void {
  context.inScope(() => {
    context.inPlace({ topLevel: false }, () => checkStatements(context, statements));
  });
}

function checkStatement(context: CheckContext, statement: Statement): void {
  switch (statement.kind) {
    case 'declaration':
      return checkDeclaration(context, statement);
    case 'assignment':
      return checkAssignment(context, statement);
    case 'tilde':
      return checkTilde(context, statement);
    case 'target-increment':
      return checkTargetIncrement(context, statement);
    case 'call-statement':
      return checkCallStatement(context, statement);
    case 'if':
      checkCondition(context, statement.condition);
      checkInner(context, [statement.then]);
      if (statement.otherwise) checkInner(context, [statement.otherwise]);
      return;
    case 'while':
      checkCondition(context, statement.condition);
      return checkLoopBody(context, statement.body);
    case 'for':
      return checkFor(context, statement);
    case 'for-each':
      return checkForEach(context, statement);
    case 'block':
    case 'profile':
      return checkInner(context, statement.statements);
    case 'print':
    case 'reject':
      return checkReported(context, statement.arguments);
    case 'return':
      return checkReturn(context, statement);
    case 'break':
    case 'continue':
      if (context.place.loopDepth === 0) {
        context.report(problems.outsideLoop(statement.span, statement.kind));
      }
      return;
    case 'skip':
      return;
    default:
      return assertNever(statement, 'statement');
  }
}

function checkLoopBody(context: CheckContext, body: Statement): void {
  const loopDepth = context.place.loopDepth + 1;
  context.inPlace({ loopDepth }, () => checkInner(context, [body]));
}

function checkFor(context: CheckContext, statement: For): void {
  for (const end of [statement.from, statement.to]) {
    const type = checkExpression(context, end);
    if (isError(type) || isInt(type)) continue;
    context.report(problems.wrongType(end.span, 'The end of a loop', 'an int', type));
  }
  checkLoop(context, statement, { type: intType, dataOnly: true });
}

function checkForEach(context: CheckContext, statement: ForEach): void {
  const over = checkExpression(context, statement.over);
  const type = elementType(over);
  if (!type) {
    const wanted = 'an array, vector, row vector or matrix, or a range such as `1:n`';
    context.report(problems.wrongType(statement.over.span, 'The range of a loop', wanted, over));
  }
  const dataOnly = isDataOnly(context, statement.over);
  checkLoop(context, statement, { type: type ?? { base: 'error', arrayDepth: 0 }, dataOnly });
}

function elementType(over: StanType): StanType | null {
  if (isError(over)) return over;
  if (over.arrayDepth > 0) return { ...over, arrayDepth: over.arrayDepth - 1 };
  if (['int', 'real', 'complex', 'tuple', 'void'].includes(over.base)) return null;
  return isComplex(over) ? complexType : realType;
}

function checkLoop(
  context: CheckContext,
  { variable, body }: { readonly variable: LoopVariable; readonly body: Statement },
  { type, dataOnly }: { readonly type: StanType; readonly dataOnly: boolean },
): void {
  variable.type = type;
  context.inScope(() => {
    context.declare(variable.name, { declaration: variable, type, origin: 'loop', dataOnly });
    checkLoopBody(context, body);
  });
}

function checkAssignment(context: CheckContext, statement: Assignment): void {
  const to = checkExpression(context, statement.target);
  const from = checkExpression(context, statement.value);
  const { target, operator: sign } = statement;
  for (const place of placesOf(target)) checkPlace(context, place);
  checkDistinctPlaces(context, target);
  if (target.kind === 'tuple') {
    if (sign !== '=') context.report(problems.compoundUnpacking(statement.span, sign));
    checkUnpacking(context, target, { type: from, span: statement.value.span });
    return;
  }
  if (isError(to) || isError(from)) return;
  const name = target.kind === 'member' ? printExpression(target) : rootName(target);
  if (sign === '=') {
    if (!isAssignable(from, to)) {
      context.report(problems.wrongAssignment(statement.value.span, name, to, from));
    }
    return;
  }
  const operator = statement.operator.slice(0, -1) as Binary['operator'];
  // In assignments, Stan has the elementwise operators for containers only.
  const isElementwise = operator.startsWith('.');
  const result = isElementwise && numDimensions(to) === 0 ? null : binaryType(operator, to, from);
  if (!result) {
    context.report(problems.wrongOperands(statement.span, statement.operator, [to, from]));
  } else if (!isAssignable(result, to)) {
    context.report(problems.wrongAssignment(statement.value.span, name, to, result));
  }
}

/** Whether a variable, or a part of it, may be written. */
function checkPlace(context: CheckContext, place: Expression): void {
  const binding = context.find(rootName(place));
  if (binding) checkWritable(context, place, binding);
  if (place.type && !isError(place.type) && indexesSlice(place)) {
    context.report(problems.assignBehindSlice(place.span));
  }
}

function indexesSlice(target: Expression): boolean {
  if (target.kind === 'member') return indexesSlice(target.base);
  if (target.kind !== 'index' || target.base.kind !== 'index') return false;
  return target.base.indexes.some((index) => index.kind !== 'single') || indexesSlice(target.base);
}

function rootName(target: Expression): string {
  const root = rootOf(target);
  return root.kind === 'variable' ? root.name : '';
}

function checkWritable(context: CheckContext, place: Expression, binding: Binding): void {
  const reason = whyReadOnly(context, binding);
  if (!reason) return;
  const name = binding.declaration.name.name;
  context.report(problems.assignToReadOnly(place.span, name, reason));
}

function whyReadOnly(context: CheckContext, { origin }: Binding): string | null {
  switch (origin) {
    case 'local':
      return null;
    case 'loop':
      return 'it is a loop variable';
    case 'argument':
      return 'it is an argument of the function. Copy it into a local variable';
    case 'data':
      return 'it is data';
    case 'parameters':
      return 'it is a parameter';
    default:
      return origin === context.place.block ? null : `it belongs to the \`${origin}\` block`;
  }
}

function checkTargetIncrement(context: CheckContext, statement: TargetIncrement): void {
  const { block, function: definition } = context.place;
  const [suffix, ownBlock, title] = statement.isJacobian
    ? ['_jacobian', 'transformed parameters', 'transformed parameters']
    : ['_lp', 'model', 'the model block'];
  const allowed = definition ? definition.name.name.endsWith(suffix) : block === ownBlock;
  if (!allowed) {
    const what = statement.isJacobian ? '`jacobian +=`' : '`target +=`';
    const where = `${title} and functions that end in \`${suffix}\``;
    context.report(problems.notInThisBlock(statement.span, what, where));
  }
  // Containers are summed; an array of anything numeric will do.
  const type = checkExpression(context, statement.value);
  if (type.base === 'void' || type.base === 'tuple' || isComplex(type)) {
    context.report(problems.wrongType(statement.value.span, 'An increment', 'a number', type));
  }
}

function checkCallStatement(context: CheckContext, { call }: CallStatement): void {
  const type = resolveCall(context, call);
  call.type = type;
  if (!isError(type) && type.base !== 'void') {
    context.report(problems.valueIgnored(call.span, call.name.name));
  }
}

function checkReported(context: CheckContext, args: readonly Expression[]): void {
  for (const argument of args) {
    if (argument.kind !== 'string') checkExpression(context, argument);
  }
}

function checkReturn(context: CheckContext, statement: Return): void {
  const { function: definition } = context.place;
  const type = statement.value ? checkExpression(context, statement.value) : null;
  if (!definition) {
    context.report(problems.returnOutsideFunction(statement.span));
    return;
  }
  const { name, returnType } = definition;
  if (returnType.base === 'void') {
    if (statement.value) context.report(problems.returnValue(statement.span, name.name));
  } else if (!statement.value || !type) {
    context.report(problems.returnWithoutValue(statement.span, returnType));
  } else if (!isAssignable(type, returnType)) {
    const what = `The result of \`${name.name}\``;
    const wanted = `\`${printType(returnType)}\``;
    context.report(problems.wrongType(statement.value.span, what, wanted, type));
  }
}
