/** Types of expressions, bottom up. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  ArrayLiteral,
  Binary,
  Conditional,
  Expression,
  Postfix,
  RowVectorLiteral,
  Unary,
  Variable,
} from '../syntax/ast.ts';
import { checkCall } from './check-calls.ts';
import { checkIndex } from './check-indexes.ts';
import { checkMember, checkTuple } from './check-tuples.ts';
import type { CheckContext } from './scope.ts';
import { binaryOperatorNames, unaryOperatorNames } from './signatures/operators.ts';
import { isLibraryFunction, resolveLibrary } from './signatures/signature-table.ts';
import {
  arrayOf,
  commonType,
  complexType,
  errorType,
  intType,
  isComplex,
  isError,
  isInt,
  isScalar,
  matrixType,
  promoteToComplex,
  realPartOf,
  realType,
  rowVectorType,
  type StanType,
} from './stan-type.ts';
import * as problems from './type-problems.ts';

/** Finds and notes the type of an expression; `error` when a problem was found and reported. */
export function checkExpression(context: CheckContext, expression: Expression): StanType {
  const type = typeOf(context, expression);
  expression.type = type;
  return type;
}

function typeOf(context: CheckContext, expression: Expression): StanType {
  switch (expression.kind) {
    case 'int':
      return intType;
    case 'real':
      return realType;
    case 'imaginary':
      return complexType;
    case 'string':
      context.report(problems.stringValue(expression.span));
      return errorType;
    case 'variable':
      return checkVariable(context, expression);
    case 'unary':
    case 'postfix':
      return checkUnary(context, expression);
    case 'binary':
      return checkBinary(context, expression);
    case 'conditional':
      return checkConditional(context, expression);
    case 'call':
      return checkCall(context, expression);
    case 'index':
      return checkIndex(context, expression);
    case 'array':
      return checkArray(context, expression);
    case 'row-vector':
      return checkRowVector(context, expression);
    case 'tuple':
      return checkTuple(context, expression);
    case 'member':
      return checkMember(context, expression);
    case 'target':
      return checkTarget(context, expression);
    case 'error':
      return errorType;
    default:
      return assertNever(expression, 'expression');
  }
}

function checkVariable(context: CheckContext, variable: Variable): StanType {
  const binding = context.find(variable.name);
  if (binding) {
    variable.declaration = binding.declaration;
    return binding.type;
  }
  const { name, span } = variable;
  if (context.functions.has(name) || isLibraryFunction(name)) {
    context.report(problems.functionAsVariable(span, name));
  } else {
    context.report(
      problems.unknownVariable(
        span,
        name,
        context.suggestions.closest(name, () => context.names()),
      ),
    );
  }
  return errorType;
}

function checkUnary(context: CheckContext, expression: Unary | Postfix): StanType {
  const operand = checkExpression(context, expression.operand);
  if (isError(operand)) return errorType;
  const found = resolveLibrary(unaryOperatorNames[expression.operator], [operand]);
  if (found) return found.signature.result;
  context.report(problems.wrongOperands(expression.span, expression.operator, [operand]));
  return errorType;
}

function checkBinary(context: CheckContext, expression: Binary): StanType {
  const left = checkExpression(context, expression.left);
  const right = checkExpression(context, expression.right);
  const type = binaryType(expression.operator, left, right);
  if (!type) {
    context.report(problems.wrongOperands(expression.span, expression.operator, [left, right]));
    return errorType;
  }
  lintBinary(context, expression, left, right);
  return type;
}

/** What is allowed but often not intended. */
function lintBinary(
  context: CheckContext,
  expression: Binary,
  left: StanType,
  right: StanType,
): void {
  const { operator, span } = expression;
  if (operator === '/' && isInt(left) && isInt(right)) context.report(problems.intDivision(span));
  if (operator === '^' && left.base === 'matrix' && isScalar(right)) {
    context.report(problems.elementwisePower(span));
  }
  const { left: first } = expression;
  if (!comparisons.has(operator) || first.kind !== 'binary' || !comparisons.has(first.operator))
    return;
  // Brackets show that it is intended.
  if (first.span.start === span.start) context.report(problems.chainedComparison(span));
}

const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);

/** The type an operator gives, or null when it cannot combine these. */
export function binaryType(
  operator: Binary['operator'],
  left: StanType,
  right: StanType,
): StanType | null {
  if (isError(left) || isError(right)) return errorType;
  for (const name of binaryOperatorNames[operator]) {
    const found = resolveLibrary(name, [left, right]);
    if (!found) continue;
    const { result } = found.signature;
    return operator === '%/%' && result.base !== 'int' ? null : result;
  }
  return null;
}

function checkConditional(context: CheckContext, expression: Conditional): StanType {
  checkCondition(context, expression.condition);
  const then = checkExpression(context, expression.then);
  const otherwise = checkExpression(context, expression.otherwise);
  const type = commonType(then, otherwise);
  if (type && type.base !== 'void') return type;
  context.report(problems.conditionalTypes(expression.span, then, otherwise));
  return errorType;
}

/** Conditions are numbers: zero is false. */
export function checkCondition(context: CheckContext, condition: Expression): void {
  const type = checkExpression(context, condition);
  if (isError(type) || isScalar(type)) return;
  context.report(problems.wrongType(condition.span, 'A condition', 'an int', type));
}

function checkArray(context: CheckContext, literal: ArrayLiteral): StanType {
  let element: StanType | null = null;
  for (const expression of literal.elements) {
    const type = checkExpression(context, expression);
    const common: StanType | null = element ? commonType(element, type) : type;
    if (!common) {
      context.report(problems.mixedElements(expression.span, element ?? type, type));
      return errorType;
    }
    element = common;
  }
  if (!element) context.report(problems.emptyArray(literal.span));
  return element && !isError(element) ? arrayOf(element) : errorType;
}

function checkRowVector(context: CheckContext, literal: RowVectorLiteral): StanType {
  const types = literal.elements.map((element) => checkExpression(context, element));
  const isPlain = (type: StanType, base: string): boolean =>
    realPartOf(type).base === base && type.arrayDepth === 0;
  const isRow = (type: StanType): boolean => isPlain(type, 'row_vector');
  const isNumber = (type: StanType): boolean => isScalar(type) || isPlain(type, 'real');
  const wrong = types.findIndex((type) => !isError(type) && !isNumber(type) && !isRow(type));
  if (wrong >= 0) {
    context.report(problems.wrongRowElements(literal.elements[wrong].span, types[wrong]));
    return errorType;
  }
  if (types.some(isError)) return errorType;
  const odd = types.findIndex((type) => isRow(type) !== isRow(types[0]));
  if (odd < 0) {
    const type = types.length > 0 && isRow(types[0]) ? matrixType : rowVectorType;
    return types.some(isComplex) ? promoteToComplex(type) : type;
  }
  context.report(problems.mixedElements(literal.elements[odd].span, types[0], types[odd]));
  return errorType;
}

function checkTarget(context: CheckContext, expression: Expression): StanType {
  const { block, function: definition } = context.place;
  const allowed = definition
    ? definition.name.name.endsWith('_lp')
    : block === 'model' || block === 'transformed parameters';
  if (!allowed) {
    const where = 'transformed parameters, the model block and functions that end in `_lp`';
    context.report(problems.notInThisBlock(expression.span, '`target()`', where));
  }
  return realType;
}
