/** The types that remain after indexing. */
import type { Index, IndexItem } from '../syntax/ast.ts';
import { checkExpression } from './check-expressions.ts';
import type { CheckContext } from './scope.ts';
import {
  errorType,
  isComplex,
  isError,
  isInt,
  matrixType,
  numDimensions,
  promoteToComplex,
  realPartOf,
  realType,
  rowVectorType,
  type StanType,
  vectorType,
} from './stan-type.ts';
import * as problems from './type-problems.ts';

/** The type of `base[…]`. Turns `single` entries that are int arrays into `multi`. */
export function checkIndex(context: CheckContext, expression: Index): StanType {
  const base = checkExpression(context, expression.base);
  const items = expression.indexes as IndexItem[];
  let sound = true;
  items.forEach((item, i) => {
    const kind = checkItem(context, item);
    if (!kind) sound = false;
    if (kind === 'multi' && item.kind === 'single') items[i] = { ...item, kind: 'multi' };
  });
  if (!sound || isError(base)) return errorType;
  const possible = numDimensions(base);
  if (items.length > possible) {
    context.report(problems.tooManyIndexes(expression.span, base, items.length, possible));
    return errorType;
  }
  return typeAfterIndexing(base, items);
}

function checkItem(context: CheckContext, item: IndexItem): 'single' | 'multi' | null {
  if (item.kind !== 'slice') {
    const type = checkExpression(context, item.expression);
    if (isError(type)) return null;
    if (isInt(type)) return 'single';
    if (type.base === 'int' && type.arrayDepth === 1) return 'multi';
    context.report(problems.wrongIndex(item.expression.span, type));
    return null;
  }
  let sound = true;
  for (const end of [item.from, item.to]) {
    if (!end) continue;
    const type = checkExpression(context, end);
    if (isInt(type)) continue;
    sound = false;
    if (!isError(type)) {
      context.report(problems.wrongType(end.span, 'The end of a slice', 'an int', type));
    }
  }
  return sound ? 'multi' : null;
}

/** A single index drops its dimension; slices and int arrays keep it. */
function typeAfterIndexing(base: StanType, items: readonly IndexItem[]): StanType {
  const isSingle = items.map((item) => item.kind === 'single');
  const forArray = isSingle.slice(0, base.arrayDepth);
  const [first, second] = isSingle.slice(base.arrayDepth);
  const arrayDepth = base.arrayDepth - forArray.filter(Boolean).length;
  const inner = innerType(realPartOf(base), first, second);
  return { ...(isComplex(base) ? promoteToComplex(inner) : inner), arrayDepth };
}

function innerType(base: StanType, first?: boolean, second?: boolean): StanType {
  if (first === undefined) return base;
  if (base.base !== 'matrix') return first ? realType : base;
  if (second === undefined) return first ? rowVectorType : matrixType;
  if (first) return second ? realType : rowVectorType;
  return second ? vectorType : matrixType;
}
