/**
 * Operations on complex values to operations on their real and imaginary parts. Anything without a short formula is a
 * function of `complex-functions.ts`, or a library function for matrices, which takes both parts and returns the real
 * part of its result on top of the imaginary one.
 */
import type { Span } from '../source/span.ts';
import { resolveLibrary } from '../types/signatures/signature-table.ts';
import {
  complexType,
  isComplex,
  isSameType,
  numDimensions,
  promoteToReal,
  realPartOf,
  type StanType,
} from '../types/stan-type.ts';
import { areAlike, complexFunction } from './complex-functions.ts';
import type { IrExpression } from './ir.ts';
import { intType, isScalar, realType } from './kinds.ts';
import { leavesOf, loweredType } from './leaves.ts';
import { lowerOperation } from './lower-call.ts';
import { InternalCompilerError, type LoweringScope } from './scope.ts';

/** A value as its parts: two if it is complex, one if not. */
export interface Operand {
  readonly type: StanType;
  readonly parts: readonly IrExpression[];
}

interface Operation {
  readonly scope: LoweringScope;
  readonly name: string;
  readonly span: Span;
  /** That of the result. */
  readonly type: StanType;
}

/** The parts of a complex value after it has been promoted from a real one. */
export function promoteParts(
  scope: LoweringScope,
  { type: from, parts }: Operand,
  { to, span }: { readonly to: StanType; readonly span: Span },
): readonly IrExpression[] {
  if (isComplex(to) && !isComplex(from)) {
    const real = asReal(scope, held(scope, parts[0], span), span);
    return [real, zerosLike(real)];
  }
  if (!from.members || !to.members) return parts;
  const wanted = to.members;
  let at = 0;
  return from.members.flatMap((member, i) => {
    const count = leavesOf(member).length;
    at += count;
    const own = { type: member, parts: parts.slice(at - count, at) };
    return promoteParts(scope, own, { to: wanted[i], span });
  });
}

/** An operation with a complex operand or result. */
export function lowerComplex(
  operation: Operation,
  operands: readonly Operand[],
): readonly IrExpression[] {
  const { scope, name, span, type } = operation;
  const given = operands.map((operand) => ({
    ...operand,
    parts: operand.parts.map((part) => held(scope, part, span)),
  }));
  const own = takesParts.has(name) ? given : promoted(operation, given);
  const [first] = own;
  const real = (f: string, args: readonly IrExpression[], to = realPartOf(type)) =>
    lowerOperation(f, args, to);
  const [a, b] = first?.parts ?? [];
  switch (name) {
    case 'get_real':
      return [a];
    case 'get_imag':
      return [b];
    case 'abs':
      return [real('hypot', [a, b])];
    case 'arg':
      return [real('atan2', [b, a])];
    case 'norm':
      return [sumOfSquares(a, b)];
    case 'conj':
      return [a, real('minus', [b])];
    case 'polar':
      return ['cos', 'sin'].map((f) => real('multiply', [a, real(f, own[1].parts)]));
    case 'size':
    case 'rows':
    case 'cols':
    case 'num_elements':
    case 'dims':
      return [lowerOperation(name, [a], type)];
    case 'to_complex':
      return toComplex(operation, own);
    case 'add':
    case 'subtract':
      return lowerSum(operation, own);
    case 'logical_eq':
    case 'logical_neq':
      return [lowerComparison(operation, own)];
    case 'divide':
    case 'elt_divide':
      return lowerQuotient(operation, own);
    case 'dot_product':
      return first.type.arrayDepth > 0
        ? lowerProduct(operation, own)
        : lowerProduct(operation, [conjugate(first), own[1]]);
    case 'pow':
      return isSquare(own)
        ? lowerProduct(squareOf(operation), [first, first])
        : callComplex(operation, own);
    case 'dot_self':
    case 'columns_dot_self':
    case 'rows_dot_self': {
      const sum = real('add', [real(name, [a]), real(name, [b])]);
      const result = held(scope, sum, span);
      return [result, zerosLike(result)];
    }
    default:
      return lowerByTable(operation, own);
  }
}

/** Functions that accept real operands as they are. */
const takesParts: ReadonlySet<string> = new Set(
  'to_complex polar add subtract multiply elt_multiply divide elt_divide'.split(' '),
);

/** Functions applied to each part. */
const eachPart: ReadonlySet<string> = new Set(
  `plus minus transpose row col block sub_row sub_col head tail segment reverse to_vector to_row_vector to_matrix
  to_array_1d to_array_2d diagonal diag_matrix sum trace cumulative_sum rep_vector rep_row_vector rep_matrix rep_array
  append_array append_row append_col add_diag`.split(/\s+/),
);

const products: ReadonlySet<string> = new Set(
  `multiply elt_multiply diag_pre_multiply diag_post_multiply columns_dot_product rows_dot_product`.split(
    ' ',
  ),
);

/** Functions of matrices and vectors, with the names of what computes them, and whether that is complex. */
const ofMatrices: Readonly<Record<string, string>> = {
  fft: '$fft',
  inv_fft: '$inv_fft',
  fft2: '$fft2',
  inv_fft2: '$inv_fft2',
  eigenvalues: '$eigenvalues',
  eigenvectors: '$eigenvectors',
  eigenvalues_sym: '$hermitian_values',
  eigenvectors_sym: '$hermitian_vectors',
  complex_schur_decompose_t: '$schur_t',
  complex_schur_decompose_u: '$schur_u',
  singular_values: '$complex_singular_values',
  svd_U: '$complex_svd_U',
  svd_V: '$complex_svd_V',
};

function lowerByTable(operation: Operation, operands: readonly Operand[]): readonly IrExpression[] {
  const { name, type } = operation;
  if (products.has(name)) return lowerProduct(operation, operands);
  if (eachPart.has(name)) {
    return [0, 1].map((k) =>
      lowerOperation(
        name,
        operands.map((operand) => operand.parts[k] ?? operand.parts[0]),
        realPartOf(type),
      ),
    );
  }
  if (name in ofMatrices) return lowerOfMatrix(operation, operands[0]);
  return callComplex(operation, operands);
}

/** The operands as the matching signature accepts them. */
function promoted(operation: Operation, operands: readonly Operand[]): readonly Operand[] {
  const { scope, name, span } = operation;
  const found = resolveLibrary(
    name,
    operands.map(({ type }) => type),
  );
  if (!found) throw new InternalCompilerError(`${name} of complex numbers`, span);
  const { arguments: wanted } = found.signature;
  return operands.map((operand, i) => ({
    type: wanted[i],
    parts: promoteParts(scope, operand, { to: wanted[i], span }),
  }));
}

/** The function of `complex-functions.ts`. */
function callComplex(operation: Operation, operands: readonly Operand[]): readonly IrExpression[] {
  const { scope, name, span, type } = operation;
  const given =
    name === 'prod'
      ? lowerComplex({ ...operation, name: 'to_array_1d', type: arrayOfComplex }, operands)
      : operands.flatMap(({ parts }) => parts);
  const types = operands.map((operand) => operand.type);
  const call: IrExpression = {
    op: 'user',
    function: scope.function(complexFunction(name, types, type)),
    arguments: given,
    propto: false,
    type: loweredType(type),
  };
  const leaves = leavesOf(type);
  const variables = scope.unpack(call, leaves, span);
  if (variables) return variables.map((v) => ({ op: 'variable', variable: v, type: v.type }));
  return leaves.map((leaf, at) => ({ op: 'member', tuple: call, at, type: leaf.type }));
}

const arrayOfComplex: StanType = { base: 'complex', arrayDepth: 1 };

/** The library function on both parts; the upper half of its result is real, the lower imaginary. */
function lowerOfMatrix(
  { scope, name, span, type }: Operation,
  operand: Operand,
): readonly IrExpression[] {
  const parts = promoteParts(scope, operand, { to: complexType, span });
  const result = realPartOf(type);
  const call = lowerOperation(ofMatrices[name], parts, result);
  if (!isComplex(type)) return [call];
  if (name === 'eigenvalues_sym') {
    const values = scope.bind(call, span) ?? call;
    return [values, zerosLike(values)];
  }
  const stacked = scope.bind(call, span) ?? call;
  const two: IrExpression = { op: 'int', value: 2, type: intType };
  const one: IrExpression = { ...two, value: 1 };
  const rows = lowerOperation('rows', [stacked], intType);
  const half = held(scope, lowerOperation('divide', [rows, two], intType), span);
  const slice = (from: IrExpression | null, to: IrExpression | null): IrExpression => ({
    op: 'index',
    base: stacked,
    entries: [{ kind: 'range', from, to }],
    label: name,
    type: result,
  });
  return [slice(null, half), slice(lowerOperation('add', [half, one], intType), null)];
}

function toComplex(operation: Operation, operands: readonly Operand[]): readonly IrExpression[] {
  const { scope, span } = operation;
  if (!areAlike(operands.map(({ type }) => promoteToReal(type)))) {
    return callComplex(operation, promoted(operation, operands));
  }
  const zero: IrExpression = { op: 'real', value: 0, type: realType };
  return [0, 1].map((k) => (operands[k] ? asReal(scope, operands[k].parts[0], span) : zero));
}

function lowerSum(operation: Operation, operands: readonly Operand[]): readonly IrExpression[] {
  const { name, type } = operation;
  const result = realPartOf(type);
  const sum = (k: 0 | 1, [x, y]: readonly Operand[]) =>
    lowerOperation(name, [x.parts[k], y.parts[k]], result);
  const [x, y] = operands;
  // A real number has no imaginary part, not even one that is added as a zero.
  if (isSameType(x.type, type) && !isComplex(y.type)) return [sum(0, operands), x.parts[1]];
  if (isSameType(y.type, type) && !isComplex(x.type)) {
    const [, imaginary] = y.parts;
    const other = name === 'add' ? imaginary : lowerOperation('minus', [imaginary], result);
    return [sum(0, operands), other];
  }
  const whole = promoted(operation, operands);
  return [sum(0, whole), sum(1, whole)];
}

function lowerComparison({ name, type }: Operation, [x, y]: readonly Operand[]): IrExpression {
  const isEqual = name === 'logical_eq';
  const [left, right] = [0, 1].map(
    (k): IrExpression => ({
      op: 'compare',
      operator: isEqual ? '===' : '!==',
      left: x.parts[k],
      right: y.parts[k],
      type,
    }),
  );
  return { op: isEqual ? 'and' : 'or', left, right, type };
}

/** (a + bi)(c + di) for anything linear in both operands, without the terms that the parts of a real one would add. */
function lowerProduct(operation: Operation, operands: readonly Operand[]): readonly IrExpression[] {
  const { scope, name, span, type } = operation;
  const result = realPartOf(type);
  const [[a, b], [c, d]] = operands.map(({ parts }) =>
    parts.map((part) => asReal(scope, part, span)),
  );
  const product = (x: IrExpression, y: IrExpression) => lowerOperation(name, [x, y], result);
  if (!d) return [product(a, c), product(b, c)];
  if (!b) return [product(a, c), product(a, d)];
  return [
    lowerOperation('subtract', [product(a, c), product(b, d)], result),
    lowerOperation('add', [product(a, d), product(b, c)], result),
  ];
}

function lowerQuotient(
  operation: Operation,
  operands: readonly Operand[],
): readonly IrExpression[] {
  const { scope, name, span, type } = operation;
  const [x, y] = operands;
  if (isComplex(y.type)) {
    const scalar = numDimensions(type) === 0;
    return callComplex(
      scalar ? { ...operation, name: 'divide' } : operation,
      promoted(operation, operands),
    );
  }
  if (!isSameType(x.type, type)) {
    return callComplex(operation, promoted(operation, operands));
  }
  const by = asReal(scope, y.parts[0], span);
  return x.parts.map((part) => lowerOperation(name, [part, by], realPartOf(type)));
}

/** `z ^ 2`, outside of arrays. */
function isSquare([base, { parts }]: readonly Operand[]): boolean {
  const values = parts.map((part) => (part.op === 'real' ? part.value : Number.NaN));
  return base.type.arrayDepth === 0 && values[0] === 2 && values[1] === 0;
}

function squareOf(operation: Operation): Operation {
  const isScalarResult = numDimensions(operation.type) === 0;
  return { ...operation, name: isScalarResult ? 'multiply' : 'elt_multiply' };
}

function conjugate({ type, parts: [a, b] }: Operand): Operand {
  return { type, parts: [a, lowerOperation('minus', [b], b.type)] };
}

function sumOfSquares(a: IrExpression, b: IrExpression): IrExpression {
  const square = (x: IrExpression) => lowerOperation('square', [x], realType);
  return lowerOperation('add', [square(a), square(b)], realType);
}

/** Ints would use integer division. */
function asReal(scope: LoweringScope, part: IrExpression, span: Span): IrExpression {
  if (part.type.base !== 'int') return part;
  const type = promoteToReal(part.type);
  if (part.op === 'int') return { op: 'real', value: part.value, type };
  const bound = scope.bind(part, span, type);
  if (bound) return bound;
  const one: IrExpression = { op: 'real', value: 1, type: realType };
  return isScalar(type) ? lowerOperation('multiply', [one, part], type) : part;
}

/** Zeros as imaginary part for `part`. */
function zerosLike(part: IrExpression): IrExpression {
  const type = promoteToReal(part.type);
  if (isScalar(type)) return { op: 'real', value: 0, type };
  return { op: 'measure', what: 'zeros', operand: part, type };
}

/** An expression that may be read again without recomputing it. */
function held(scope: LoweringScope, e: IrExpression, span: Span): IrExpression {
  if (isCheap(e)) return e;
  return scope.bind(e, span) ?? e;
}

function isCheap(e: IrExpression): boolean {
  if (e.op === 'int' || e.op === 'real' || e.op === 'variable') return true;
  if (e.op === 'measure') return isCheap(e.operand);
  if (e.op !== 'index' || !isScalar(e.type) || !isCheap(e.base)) return false;
  return e.entries.every((entry) => entry.kind === 'single' && isCheap(entry.at));
}
