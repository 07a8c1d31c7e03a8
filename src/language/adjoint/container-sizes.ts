/** Sizes of vectors and matrices that an expression computes, as expressions. */
import type { CallExpression, IrExpression } from '../lower/ir.ts';
import { intType, isScalar } from '../lower/kinds.ts';

function measured(what: 'length' | 'rows' | 'cols', operand: IrExpression): IrExpression {
  return { op: 'measure', what, operand, type: intType };
}

/** The length of a vector expression, or the rows and columns of a matrix, found from what it is computed from. */
export function sizesOf(e: IrExpression): IrExpression[] {
  if (e.op === 'call') return sizesOfCall(e);
  if (e.op === 'list') return [{ op: 'int', value: e.elements.length, type: intType }];
  if (e.type.base === 'matrix' && e.type.arrayDepth === 0)
    return [measured('rows', e), measured('cols', e)];
  const only = e.op === 'index' && e.entries.length === 1 ? e.entries[0] : null;
  return [measured('length', only?.kind === 'multiple' ? only.at : e)];
}

function sizesOfCall({ name, arguments: given, type }: CallExpression): IrExpression[] {
  const [first, second] = given;
  const last = (sizes: readonly IrExpression[]) => sizes.slice(-1);
  switch (name) {
    case 'transpose':
      return sizesOf(first).reverse();
    case 'diag_matrix':
      return [...sizesOf(first), ...sizesOf(first)];
    case 'diag_pre_multiply':
      return sizesOf(second);
    case '$outer_product':
      return [...sizesOf(first), ...sizesOf(second)];
    case '$rep_rows':
      return [second, ...sizesOf(first)];
    case 'rep_matrix':
      return isScalar(first.type) ? given.slice(1) : [...sizesOf(first), second];
    case 'multiply': {
      if (isScalar(first.type) || isScalar(second.type)) break;
      const [rows, cols] = [sizesOf(first).slice(0, -1), last(sizesOf(second))];
      // a matrix times a vector, or a row times a matrix
      if (type.base === 'matrix') return [...rows, ...cols];
      return rows.length > 0 ? rows : cols;
    }
    default:
  }
  const part = given.find((argument) => !isScalar(argument.type));
  if (part === undefined) return [measured('length', { op: 'call', name, arguments: given, type })];
  const sizes = sizesOf(part);
  if (type.base === 'matrix' || sizes.length === 1) return sizes;
  // the elements of a matrix, one after another; of other functions no region asks
  return [{ op: 'call', name: 'multiply', arguments: sizes, type: intType }];
}
