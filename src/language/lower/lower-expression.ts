/** Expressions of the checked tree to the intermediate representation. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  Binary,
  BinaryOperator,
  Call,
  Conditional,
  Expression,
  FunctionDefinition,
  Index,
  IndexItem,
  Unary,
} from '../syntax/ast.ts';
import { callings } from '../types/signatures/higher-order.ts';
import { isLaplace } from '../types/signatures/laplace.ts';
import { isComplex, type StanType } from '../types/stan-type.ts';
import type { Comparison, IrExpression, IrIndex } from './ir.ts';
import { intType, realType } from './kinds.ts';
import { densityName, lowerOperation } from './lower-call.ts';
import { lowerLaplace } from './lower-laplace.ts';
import {
  indexed,
  lowerComplexCall,
  lowerComplexOperator,
  lowerMember,
  lowerParts,
  lowerPartsAs,
  negation,
  settled,
  settledTest,
} from './lower-tuples.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

const comparisons = {
  '==': '===',
  '!=': '!==',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
} as const satisfies Partial<Record<BinaryOperator, Comparison>>;

type ComparisonOperator = keyof typeof comparisons;

function isComparison(operator: BinaryOperator): operator is ComparisonOperator {
  return operator in comparisons;
}

/** The library's names of the arithmetic operators. */
const operatorNames: Readonly<
  Record<Exclude<BinaryOperator, '&&' | '||' | ComparisonOperator>, string>
> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulus',
  '%/%': 'divide',
  '\\': 'mdivide_left',
  '^': 'pow',
  '.*': 'elt_multiply',
  './': 'elt_divide',
  '.^': 'pow',
};

function typeOf(expression: Expression): StanType {
  if (!expression.type || expression.type.base === 'error') {
    throw new InternalCompilerError('an expression without a type', expression.span);
  }
  return expression.type;
}

export function lowerExpression(scope: LoweringScope, expression: Expression): IrExpression {
  const lower = (e: Expression) => lowerExpression(scope, e);
  const type = typeOf(expression);
  switch (expression.kind) {
    case 'int':
      return { op: 'int', value: expression.value, type };
    case 'real':
      return { op: 'real', value: expression.value, type };
    case 'variable':
      return {
        op: 'variable',
        variable: scope.variable(expression.declaration, expression.name),
        type,
      };
    case 'unary':
      return lowerUnary(scope, expression, type);
    case 'postfix':
      return lowerOperation('transpose', [lower(expression.operand)], type);
    case 'binary':
      return lowerBinary(scope, expression, type);
    case 'conditional':
      return lowerConditional(scope, expression, type);
    case 'call':
      return lowerCall(scope, expression, type);
    case 'index':
      return lowerIndex(scope, expression, type);
    case 'array':
    case 'row-vector':
      return { op: 'list', elements: expression.elements.map(lower), type };
    case 'member':
      return lowerMember(scope, expression);
    case 'target':
      return { op: 'target', type };
    case 'imaginary':
    case 'tuple':
    case 'string':
    case 'error':
      throw new InternalCompilerError(`a ${expression.kind} as a value`, expression.span);
    default:
      return assertNever(expression, 'expression');
  }
}

function lowerConditional(
  scope: LoweringScope,
  expression: Conditional,
  type: StanType,
): IrExpression {
  const { condition, then, otherwise } = expression;
  const whole = lowerExpression(scope, condition);
  const test = settledTest(scope, whole, [condition, then, otherwise]);
  const yes = scope.guarded(test, () => lowerExpression(scope, then));
  const no = scope.guarded(negation(test), () => lowerExpression(scope, otherwise));
  return { op: 'conditional', test, yes, no, type };
}

function lowerUnary(scope: LoweringScope, { operator, operand }: Unary, type: StanType) {
  const value = lowerExpression(scope, operand);
  if (operator === '+') return value;
  if (operator === '!') return { op: 'not', operand: value, type } as const;
  if (value.op === 'int') return { ...value, value: 0 - value.value };
  if (value.op === 'real') return { ...value, value: -value.value };
  return lowerOperation('minus', [value], type);
}

function lowerBinary(scope: LoweringScope, binary: Binary, type: StanType): IrExpression {
  const { operator } = binary;
  if ([binary.left, binary.right].some(({ type: operand }) => operand && isComplex(operand))) {
    return lowerComplexOperator(scope, binary, type)[0];
  }
  const left = lowerExpression(scope, binary.left);
  if (operator === '&&' || operator === '||') {
    // The right side is evaluated only if the left does not decide.
    const test = settledTest(scope, left, [binary.left, binary.right]);
    const guard = operator === '&&' ? test : negation(test);
    const right = scope.guarded(guard, () => lowerExpression(scope, binary.right));
    return { op: operator === '&&' ? 'and' : 'or', left: test, right, type };
  }
  const right = lowerExpression(scope, binary.right);
  if (isComparison(operator)) {
    return { op: 'compare', operator: comparisons[operator], left, right, type };
  }
  return lowerOperation(operatorNames[operator], [left, right], type);
}

export function lowerCall(scope: LoweringScope, call: Call, type: StanType): IrExpression {
  const { callee } = call;
  if (!callee) throw new InternalCompilerError(`\`${call.name.name}\` unresolved`, call.span);
  if ('user' in callee) {
    const wanted = callee.user.arguments;
    const own = call.arguments.flatMap((argument, i) =>
      lowerPartsAs(scope, argument, wanted[i].type),
    );
    return {
      op: 'user',
      function: scope.function(callee.user),
      arguments: call.name.name.endsWith('_jacobian') ? [scope.flag(), ...own] : own,
      propto: densityName(call.name.name).propto,
      type,
    };
  }
  if (isLaplace(call.name.name)) return lowerLaplace(scope, call.name.name, call.arguments, type);
  const [first] = call.arguments;
  if (first?.kind === 'variable' && first.callable) {
    return lowerHigherOrder(scope, call, { name: first.name, callable: first.callable, type });
  }
  if (callee.library.arguments.some(isComplex)) {
    return lowerComplexCall(scope, call, type)[0];
  }
  const args = call.arguments.map((argument) => lowerExpression(scope, argument));
  const { name } = call.name;
  return lowerOperation(name, name.endsWith('_jacobian') ? [scope.flag(), ...args] : args, type);
}

/** `name`: what the call calls the given function, possibly with a suffix for dropping constants. */
function lowerHigherOrder(
  scope: LoweringScope,
  call: Call,
  {
    name,
    callable,
    type,
  }: { readonly name: string; readonly callable: FunctionDefinition; readonly type: StanType },
): IrExpression {
  const rest = call.arguments.slice(1);
  const caller = call.name.name;
  if (caller.startsWith('reduce_sum')) {
    return lowerReduceSum(scope, rest, { partialSum: callable, propto: densityName(name).propto });
  }
  const { own, leading } = callings[caller];
  return {
    op: 'higher-order',
    name: caller,
    function: scope.function(callable),
    arguments: rest.flatMap((argument, i) => {
      const wanted = callable.arguments[i - own + leading]?.type;
      return wanted ? lowerPartsAs(scope, argument, wanted) : lowerParts(scope, argument);
    }),
    type,
  };
}

/** The partial sum of all terms at once, as Stan computes it on one thread; zero if there are no terms. */
function lowerReduceSum(
  scope: LoweringScope,
  args: readonly Expression[],
  { partialSum, propto }: { readonly partialSum: FunctionDefinition; readonly propto: boolean },
): IrExpression {
  const [terms, , ...handed] = args;
  // read twice: for their number, and by the sum
  const all = lowerPartsAs(scope, terms, partialSum.arguments[0].type).map((part) =>
    settled(scope, part, terms),
  );
  const one: IrExpression = { op: 'int', value: 1, type: intType };
  const size: IrExpression = { op: 'measure', what: 'length', operand: all[0], type: intType };
  const sum: IrExpression = {
    op: 'user',
    function: scope.function(partialSum),
    arguments: [
      ...all,
      one,
      size,
      ...handed.flatMap((argument, i) =>
        lowerPartsAs(scope, argument, partialSum.arguments[i + 3].type),
      ),
    ],
    propto,
    type: realType,
  };
  const test: IrExpression = {
    op: 'compare',
    operator: '>=',
    left: size,
    right: one,
    type: intType,
  };
  return {
    op: 'conditional',
    test,
    yes: sum,
    no: { op: 'real', value: 0, type: realType },
    type: realType,
  };
}

/** The name of an indexed expression in messages. */
export function labelOf(expression: Expression): string {
  if (expression.kind === 'variable') return expression.name;
  if (expression.kind === 'index') return labelOf(expression.base);
  if (expression.kind === 'member') return `${labelOf(expression.base)}.${expression.position}`;
  return expression.kind === 'call' ? `${expression.name.name}(…)` : '(…)';
}

function lowerIndex(scope: LoweringScope, { base, indexes }: Index, type: StanType): IrExpression {
  const whole = lowerExpression(scope, base);
  const entries = indexes.map((item) => lowerIndexItem(scope, item));
  const label = labelOf(base);
  if (base.kind === 'member') return indexed(whole, entries, { type, label });
  return { op: 'index', base: whole, entries, label, type };
}

export function lowerIndexItem(scope: LoweringScope, item: IndexItem): IrIndex {
  if (item.kind === 'slice') {
    if (item.from === null && item.to === null) return { kind: 'all' };
    const end = (e: Expression | null) => (e === null ? null : lowerExpression(scope, e));
    return { kind: 'range', from: end(item.from), to: end(item.to) };
  }
  const at = lowerExpression(scope, item.expression);
  return { kind: at.type.arrayDepth > 0 ? 'multiple' : 'single', at };
}

/** Picks the density a `~` names, with the variate first. */
export function lowerDensity(
  scope: LoweringScope,
  density: { readonly user: FunctionDefinition } | { readonly library: { readonly name: string } },
  args: readonly IrExpression[],
): IrExpression {
  if ('user' in density) {
    const f = scope.function(density.user);
    return { op: 'user', function: f, arguments: args, propto: true, type: realType };
  }
  const { name } = densityName(density.library.name);
  return { op: 'density', name, arguments: args, propto: true, type: realType };
}
