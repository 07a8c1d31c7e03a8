/** Lowers expressions that may be tuples or complex to the expressions of their leaves. */
import type {
  Binary,
  Call,
  Conditional,
  Expression,
  Index,
  Member,
  Postfix,
  Unary,
} from '../syntax/ast.ts';
import { everyNode } from '../syntax/walk.ts';
import { isLaplace } from '../types/signatures/laplace.ts';
import { binaryOperatorNames, unaryOperatorNames } from '../types/signatures/operators.ts';
import { resolveLibrary } from '../types/signatures/signature-table.ts';
import { isComplex, type StanType } from '../types/stan-type.ts';
import type { IrExpression, IrIndex, IrVariable } from './ir.ts';
import { intType, realType } from './kinds.ts';
import { isComposite, leavesOf, loweredType, rangeOfMember } from './leaves.ts';
import { lowerOperation } from './lower-call.ts';
import { lowerComplex, type Operand, promoteParts } from './lower-complex.ts';
import { labelOf, lowerCall, lowerExpression, lowerIndexItem } from './lower-expression.ts';
import { laplaceOptionParts, latentSolutionParts } from './lower-laplace.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';
import { holdsCall } from './walk-ir.ts';

/** The leaves of a tuple, a complex value, or an array of these; for anything else the one expression. */
export function lowerParts(scope: LoweringScope, expression: Expression): readonly IrExpression[] {
  const { type } = expression;
  if (!type || !isComposite(type)) return [lowerExpression(scope, expression)];
  switch (expression.kind) {
    case 'imaginary':
      return [0, expression.value].map((value) => ({ op: 'real', value, type: realType }));
    case 'unary':
    case 'postfix':
    case 'binary':
      return lowerComplexOperator(scope, expression, type);
    case 'variable':
      return scope
        .variables(expression.declaration, expression.name)
        .map((variable) => ({ op: 'variable', variable, type: variable.type }));
    case 'tuple':
      return expression.elements.flatMap((element) => lowerParts(scope, element));
    case 'member':
      return membersOf(scope, expression);
    case 'index':
      return indexParts(scope, expression);
    case 'row-vector':
    case 'array': {
      // promotion does not depend on the arrays and rows around a value
      const elements = expression.elements.map((e) => lowerPartsAs(scope, e, type));
      return leavesOf(type).map((leaf, k) => ({
        op: 'list',
        elements: elements.map((parts) => parts[k]),
        type: leaf.type,
      }));
    }
    case 'conditional':
      return conditionalParts(scope, expression, type);
    case 'call':
      return callParts(scope, expression, type);
    default:
      throw new InternalCompilerError(`a ${expression.kind} as a tuple`, expression.span);
  }
}

/** The leaves of a value where type `to` is needed: a real one may have to be complex. */
export function lowerPartsAs(
  scope: LoweringScope,
  expression: Expression,
  to: StanType,
): readonly IrExpression[] {
  const parts = lowerParts(scope, expression);
  const { type, span } = expression;
  return type ? promoteParts(scope, { type, parts }, { to, span }) : parts;
}

/** An operator with a complex operand. */
export function lowerComplexOperator(
  scope: LoweringScope,
  expression: Unary | Postfix | Binary,
  type: StanType,
): readonly IrExpression[] {
  const given =
    expression.kind === 'binary' ? [expression.left, expression.right] : [expression.operand];
  const operands = given.map((operand) => operandOf(scope, operand));
  const types = operands.map((operand) => operand.type);
  const names =
    expression.kind === 'binary'
      ? binaryOperatorNames[expression.operator]
      : [unaryOperatorNames[expression.operator]];
  const name = names.find((candidate) => resolveLibrary(candidate, types)) ?? names[0];
  return lowerComplex({ scope, name, span: expression.span, type }, operands);
}

/** A library call that accepts or returns complex values. */
export function lowerComplexCall(
  scope: LoweringScope,
  call: Call,
  type: StanType,
): readonly IrExpression[] {
  const operands = call.arguments.map((argument) => operandOf(scope, argument));
  return lowerComplex({ scope, name: call.name.name, span: call.span, type }, operands);
}

function operandOf(scope: LoweringScope, expression: Expression): Operand {
  return { type: expression.type ?? intType, parts: lowerParts(scope, expression) };
}

function membersOf(
  scope: LoweringScope,
  { base, position, span }: Member,
): readonly IrExpression[] {
  if (!base.type) throw new InternalCompilerError('a member of what has no type', span);
  return lowerParts(scope, base).slice(...rangeOfMember(base.type, position));
}

/** A member that is not a tuple; for a call, without names for the others. */
export function lowerMember(scope: LoweringScope, expression: Member): IrExpression {
  const called = memberOfCall(scope, expression);
  return called ?? membersOf(scope, expression)[0];
}

function memberOfCall(scope: LoweringScope, expression: Member): IrExpression | null {
  let base: Expression = expression;
  let at = 0;
  while (base.kind === 'member') {
    const tuple: StanType | undefined = base.base.type;
    if (!tuple) return null;
    at += rangeOfMember(tuple, base.position)[0];
    base = base.base;
  }
  if (base.kind !== 'call' || !base.callee || !('user' in base.callee)) return null;
  const { returnType } = base.callee.user;
  const tuple = lowerCall(scope, base, returnType);
  return { op: 'member', tuple, at, type: leavesOf(returnType)[at].type };
}

/** Indexes of an array of tuples are those of all of its leaves. */
function indexParts(scope: LoweringScope, expression: Index): readonly IrExpression[] {
  const { base, indexes, type } = expression;
  const entries = indexes.map((item) => settledEntry(scope, lowerIndexItem(scope, item), base));
  const types = leavesOf(type ?? intType).map((leaf) => leaf.type);
  return lowerParts(scope, base).map((part, k) =>
    indexed(part, entries, { type: types[k], label: labelOf(base) }),
  );
}

/** `x[i].1[j]` is `x.1[i, j]`: single indexes before and after a member form one list. */
export function indexed(
  base: IrExpression,
  entries: readonly IrIndex[],
  { type, label }: { readonly type: StanType; readonly label: string },
): IrExpression {
  const isElement = base.op === 'index' && base.entries.every(({ kind }) => kind === 'single');
  if (!isElement) return { op: 'index', base, entries, label, type };
  return { op: 'index', base: base.base, entries: [...base.entries, ...entries], label, type };
}

/** An index that several leaves share; its calls are evaluated once. */
export function settledEntry(scope: LoweringScope, entry: IrIndex, place: Expression): IrIndex {
  const settle = (e: IrExpression) => settled(scope, e, place);
  if (entry.kind === 'all') return entry;
  if (entry.kind !== 'range') return { ...entry, at: settle(entry.at) };
  return { ...entry, from: entry.from && settle(entry.from), to: entry.to && settle(entry.to) };
}

/** The expression or, if it calls user functions, draws or is costly, a variable that holds its value. */
export function settled(scope: LoweringScope, e: IrExpression, place: Expression): IrExpression {
  if (!holdsCall(e)) return e;
  return scope.bind(e, place.span) ?? e;
}

function conditionalParts(
  scope: LoweringScope,
  expression: Conditional,
  type: StanType,
): readonly IrExpression[] {
  const { condition, then, otherwise } = expression;
  const test = settled(scope, lowerExpression(scope, condition), condition);
  const yes = scope.guarded(test, () => lowerPartsAs(scope, then, type));
  const no = scope.guarded(negation(test), () => lowerPartsAs(scope, otherwise, type));
  return leavesOf(type).map((leaf, k) => ({
    op: 'conditional',
    test,
    yes: yes[k],
    no: no[k],
    type: leaf.type,
  }));
}

/** A condition that guards read again, when something it governs is computed before the statement. */
export function settledTest(
  scope: LoweringScope,
  test: IrExpression,
  [place, ...governed]: readonly Expression[],
): IrExpression {
  return governed.some(mayBind) ? settled(scope, test, place) : test;
}

/** Values with several leaves, and the terms of a sum, are computed beforehand. */
function mayBind(expression: Expression): boolean {
  return !everyNode(expression, (node) => {
    const isSum = node.kind === 'call' && node.name.name.startsWith('reduce_sum');
    return !isSum && !(node.type && isComposite(node.type));
  });
}

export function negation(operand: IrExpression): IrExpression {
  return { op: 'not', operand, type: intType };
}

/** Library functions that return tuples, and the functions that compute the members. */
export const membersOfLibrary: Readonly<Record<string, readonly string[]>> = {
  csr_extract: ['csr_extract_w', 'csr_extract_v', 'csr_extract_u'],
  complex_schur_decompose: ['complex_schur_decompose_u', 'complex_schur_decompose_t'],
  eigendecompose: ['eigenvectors', 'eigenvalues'],
  eigendecompose_sym: ['eigenvectors_sym', 'eigenvalues_sym'],
  qr: ['qr_Q', 'qr_R'],
  qr_thin: ['qr_thin_Q', 'qr_thin_R'],
  svd: ['svd_U', 'singular_values', 'svd_V'],
};

function callParts(scope: LoweringScope, call: Call, type: StanType): readonly IrExpression[] {
  const leaves = leavesOf(type);
  if (call.callee && 'library' in call.callee) {
    const { name } = call.name;
    if (isLaplace(name)) return latentSolutionParts(scope, name, call.arguments);
    if (name === 'generate_laplace_options') return laplaceOptionParts(scope, call.arguments[0]);
    if (isComplex(type)) return lowerComplexCall(scope, call, type);
    const names = membersOfLibrary[name];
    const { members = [] } = type;
    // every member is computed from them
    const operands = call.arguments.map((argument) => {
      const { type: own, parts } = operandOf(scope, argument);
      const hold = (e: IrExpression) =>
        e.op === 'variable' ? e : (scope.bind(e, argument.span) ?? e);
      return { type: own, parts: parts.map(hold) };
    });
    if (members.some(isComplex)) {
      const { span } = call;
      return members.flatMap((member, k) =>
        lowerComplex({ scope, name: names[k], span, type: member }, operands),
      );
    }
    const args = operands.flatMap(({ parts }) => parts);
    return leaves.map((leaf, k) => lowerOperation(names[k], args, leaf.type));
  }
  const tuple = lowerCall(scope, call, loweredType(type));
  const variables = scope.unpack(tuple, leaves, call.span);
  if (variables) return variables.map(asExpression);
  return leaves.map((leaf, at) => ({ op: 'member', tuple, at, type: leaf.type }));
}

export function asExpression(variable: IrVariable): IrExpression {
  return { op: 'variable', variable, type: variable.type };
}
