/** Functions that take a part of a container, as the indexes that mean the same. */
import type { IrExpression, IrIndex } from '../lower/ir.ts';
import { intType } from '../lower/kinds.ts';

const one: IrExpression = { op: 'int', value: 1, type: intType };

const call = (name: string, ...given: IrExpression[]): IrExpression => {
  return { op: 'call', name, arguments: given, type: intType };
};

const single = (at: IrExpression): IrIndex => ({ kind: 'single', at });
const all: IrIndex = { kind: 'all' };

/** `from:(from + count - 1)`. */
function span(from: IrExpression, count: IrExpression): IrIndex {
  const isFromStart = from.op === 'int' && from.value === 1;
  const to = isFromStart ? count : call('subtract', call('add', from, count), one);
  return { kind: 'range', from, to, isCounted: true };
}

/** `sub_col(x, i, j, n)` as `x[i:(i + n - 1), j]`, and the like; null for anything else. */
export function sliceOf(e: IrExpression): IrExpression | null {
  if (e.op !== 'call') return null;
  const [base, ...given] = e.arguments;
  if (base.op !== 'variable' && base.op !== 'index') return null;
  const entries = entriesOf(e.name, base, given);
  if (entries === null) return null;
  const label = base.op === 'variable' ? base.variable.name : base.label;
  return { op: 'index', base, entries, label, type: e.type };
}

function entriesOf(
  name: string,
  base: IrExpression,
  [first, second, third]: readonly IrExpression[],
): IrIndex[] | null {
  switch (name) {
    case 'col':
      return [all, single(first)];
    case 'row':
      return [single(first), all];
    case 'sub_col':
      return [span(first, third), single(second)];
    case 'sub_row':
      return [single(first), span(second, third)];
    case 'segment':
      return [span(first, second)];
    case 'head':
      return [span(one, first)];
    case 'tail': {
      const size: IrExpression = { op: 'measure', what: 'length', operand: base, type: intType };
      const from = call('add', call('subtract', size, first), one);
      return [{ kind: 'range', from, to: null, isCounted: true }];
    }
    default:
      return null;
  }
}
