/** Which expressions of data alone are worth computing once and caching. */
import type { IndexExpression, IrExpression } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';

const cheapOperators = new Set(['add', 'subtract', 'multiply', 'divide', 'minus', 'modulus']);
/** Rough costs: an arithmetic operation 1, a function 5, anything on containers 10. */
const worthwhile = 5;

/** Depends on data and transformed data only, and calls no user function, which might print or reject. */
export function isOfDataOnly(e: IrExpression): boolean {
  return costOf(e) >= 0;
}

/** Costs of expressions that depend on data and transformed data only; −1 for all others. */
const costs = new WeakMap<IrExpression, number>();

export function isWorthCaching(e: IrExpression): boolean {
  return costOf(e) >= worthwhile;
}

function costOf(e: IrExpression): number {
  const known = costs.get(e);
  if (known !== undefined) return known;
  const cost = computeCost(e);
  costs.set(e, cost);
  return cost;
}

function computeCost(e: IrExpression): number {
  switch (e.op) {
    case 'int':
    case 'real':
      return 0;
    case 'variable':
      return e.variable.place === 'data' || e.variable.place === 'transformed data' ? 0 : -1;
    case 'call':
      return sum(e.arguments, ownCost(e, cheapOperators.has(e.name) ? 1 : 5));
    case 'density':
      return e.propto ? -1 : sum(e.arguments, 10);
    case 'conditional':
      return sum([e.test, e.yes, e.no], 0);
    case 'and':
    case 'or':
    case 'compare':
      return sum([e.left, e.right], 1);
    case 'not':
      return sum([e.operand], 1);
    case 'index':
      return sum([e.base, ...e.entries.flatMap(entryExpressions)], ownCost(e, 1));
    case 'list':
      return sum(e.elements, 10);
    case 'measure':
      return sum([e.operand], 0);
    default:
      return -1;
  }
}

function ownCost(e: IrExpression, scalarCost: number): number {
  return isScalar(e.type) ? scalarCost : 10;
}

function sum(parts: readonly IrExpression[], own: number): number {
  let total = own;
  for (const part of parts) {
    const cost = costOf(part);
    if (cost < 0) return -1;
    total += cost;
  }
  return total;
}

function entryExpressions(entry: IndexExpression['entries'][number]): IrExpression[] {
  if (entry.kind === 'all') return [];
  if (entry.kind !== 'range') return [entry.at];
  return [entry.from, entry.to].filter((end) => end !== null);
}
