/** Checks of declared constraints in the forward sweep. */
import { checkLines } from '../emit/emit-checks.ts';
import { quote } from '../emit/printer.ts';
import type { IrExpression, StatementOf } from '../lower/ir.ts';
import { isScalar, kindOf } from '../lower/kinds.ts';
import type { NodeBuilder } from './build-node.ts';
import { Forward } from './forward.ts';
import { locationText, type Piece } from './piece.ts';
import {
  elementCount,
  NotReversible,
  offsetName,
  type RegionScope,
  sizeNames,
  valueName,
} from './region-scope.ts';
import { type Lines, Step } from './step.ts';

type Check = StatementOf<'check'>;

/** Values are tested where they are; a container is rebuilt only for constraints without such a test, and to report a fault. */
export function sweepCheck(
  scope: RegionScope,
  builder: NodeBuilder,
  { declaration, location }: Check,
): Piece {
  const { unit } = scope.frame;
  const { variable, constraint } = declaration;
  const forward: Lines = [locationText(scope, location)];
  const sweep = new Forward(scope, new Step(), forward);
  const bounds = new Map<IrExpression, string>();
  if (constraint.kind === 'bounds') {
    for (const bound of [constraint.lower, constraint.upper]) {
      if (bound === null) continue;
      if (!isScalar(bound.type)) throw new NotReversible('bounds of separate elements');
      bounds.set(bound, sweep.value(builder.build(bound)));
    }
  }
  const linesOf = (value: string) =>
    checkLines(unit, declaration, value, (bound) => {
      return { text: bounds.get(bound) ?? 'NaN', isNumber: true };
    });
  if (isScalar(variable.type)) {
    forward.push(...linesOf(valueName(variable)));
    return { forward, reverse: [], keeps: 0, makesRoom: false };
  }
  const count = elementCount(variable);
  const first = offsetName(variable);
  const sizes = sizeNames(variable);
  const rebuilt = scope.temporary();
  const kind = quote(kindOf(variable.type, false));
  const values = `K.slice(${first}, ${first} + ${count})`;
  const report: Lines = [
    `const ${rebuilt} = ${unit.use('$reshape')}(${values}, [${sizes.join(', ')}], ${kind});`,
    ...linesOf(rebuilt),
  ];
  const limit = (side: 'lower' | 'upper', otherwise: string) => {
    const bound = constraint.kind === 'bounds' ? constraint[side] : null;
    return bound === null ? otherwise : bounds.get(bound);
  };
  if (constraint.kind === 'bounds') {
    const between = `${limit('lower', '-Infinity')}, ${limit('upper', 'Infinity')}`;
    const test = `${unit.use('$all_between')}(K, ${first}, ${count}, ${between})`;
    forward.push(`if (!${test}) {`, report, '}');
  } else if (constraint.kind === 'simplex') {
    const test = `${unit.use('$are_simplexes')}(K, ${first}, ${count}, ${sizes.at(-1)})`;
    forward.push(`if (!${test}) {`, report, '}');
  } else {
    forward.push('{', report, '}');
  }
  return { forward, reverse: [], keeps: 0, makesRoom: false };
}
