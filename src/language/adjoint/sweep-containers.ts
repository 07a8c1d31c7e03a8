/** Vectors and arrays that depend on parameters as two texts: their elements are among the kept numbers. */
import { quote } from '../emit/printer.ts';
import type { IrDeclaration, IrExpression, IrStatement, IrVariable } from '../lower/ir.ts';
import type { NodeBuilder } from './build-node.ts';
import { isElementwise, readsOther, TermBuilder } from './build-term.ts';
import { Forward } from './forward.ts';
import type { View } from './node.ts';
import { fillText, locationText, type Piece, roomText } from './piece.ts';
import {
  elementCount,
  NotReversible,
  offsetName,
  type RegionScope,
  rankOf,
  sizeName,
} from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { type Lines, Step } from './step.ts';
import { sweepVectorAssignment } from './sweep-terms.ts';
import { sweepWhole } from './whole-containers.ts';

type Assignment = Extract<IrStatement, { op: 'assign' }>;

export class ContainerWriter {
  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
  ) {}

  declare({ variable, arraySizes, baseSizes, initial, location }: IrDeclaration): Piece {
    const { scope } = this;
    const { unit } = scope.frame;
    const forward: Lines = [locationText(this.scope, location)];
    const sweep = new Forward(scope, new Step(), forward);
    [...arraySizes, ...baseSizes].forEach((size, k) => {
      const text = sweep.value(this.builder.build(size));
      forward.push(`const ${sizeName(variable, k)} = ${unit.use('$checked_size')}(${text});`);
    });
    const count = elementCount(variable);
    const back = `sp = ${offsetName(variable)};`;
    forward.push(roomText(count), `const ${offsetName(variable)} = sp;`, `sp += ${count};`);
    if (!initial) {
      forward.push(fillText('K', 'NaN', offsetName(variable), count));
      return { forward, reverse: [back], keeps: 0, makesRoom: true };
    }
    const value = this.value({ variable, value: initial, isFirst: true }, forward);
    return { forward, reverse: [...value.reverse, back], keeps: 0, makesRoom: true };
  }

  assign({ variable, value, location }: Assignment): Piece {
    return this.value({ variable, value, isFirst: false }, [locationText(this.scope, location)]);
  }

  private value(
    { variable, value, isFirst }: { variable: IrVariable; value: IrExpression; isFirst: boolean },
    forward: Lines,
  ): Piece {
    const { scope } = this;
    const target = { variable, view: null, isDeclared: isFirst };
    const whole = sweepWhole(scope, this.builder, value, target, forward);
    if (whole !== null) return whole;
    if (rankOf(variable) !== 1) throw new NotReversible('a container of several dimensions');
    if (isElementwise(value)) {
      const target = this.builder.view({ op: 'variable', variable, type: variable.type });
      return this.elements(target, value, forward, isFirst ? 'declared' : 'all');
    }
    const copy = this.copy(variable, value);
    if (isFirst) {
      forward.push(...copy.forward);
      return { forward, reverse: copy.reverse, keeps: 0, makesRoom: false };
    }
    const count = elementCount(variable);
    const o = offsetName(variable);
    scope.write(variable);
    const isKept = scope.isRestored(variable);
    const keep: Lines = isKept
      ? [roomText(count), `K.copyWithin(sp, ${o}, ${o} + ${count});`, `sp += ${count};`]
      : [];
    const restore: Lines = isKept
      ? [`sp -= ${count};`, `K.copyWithin(${o}, sp, sp + ${count});`]
      : [];
    scope.advance(variable);
    forward.push(...keep, ...copy.forward);
    return { forward, reverse: [...copy.reverse, ...restore], keeps: 0, makesRoom: isKept };
  }

  /** A vector, row, column or range whose elements are each computed from those of others. */
  elements(
    target: View,
    value: IrExpression,
    forward: Lines,
    extent: 'declared' | 'all' | 'part' = 'part',
  ): Piece {
    const { scope, builder } = this;
    const part = { variable: target.variable, view: target, isDeclared: false };
    const whole = extent === 'part' ? sweepWhole(scope, builder, value, part, forward) : null;
    if (whole !== null) return whole;
    const term = new TermBuilder(scope, builder).elementOf(value);
    if (readsOther(term, target)) throw new NotReversible('a vector assigned to itself');
    return sweepVectorAssignment(scope, term, { view: target, extent }, forward);
  }

  /** All elements of a vector from another. */
  private copy(variable: IrVariable, value: IrExpression): { forward: Lines; reverse: Lines } {
    const { scope, builder } = this;
    const { unit } = scope.frame;
    const view = builder.view(value);
    if (view.variable === variable) throw new NotReversible('a vector assigned to itself');
    const step = new Step();
    const reverse: Lines = [];
    const forward: Lines = [];
    const from = new Forward(scope, step, forward).view(view);
    const to = `${offsetName(variable)}, ${sizeName(variable, 0)}`;
    forward.push(`${unit.use('$copy_view')}(${from}, K, ${to}, ${quote(variable.name)});`);
    if (!scope.isActiveVariable(view.variable)) {
      reverse.push(fillText('D', '0', offsetName(variable), elementCount(variable)));
      return { forward, reverse };
    }
    const sweep = new Reverse(scope, step, reverse);
    const { start, stride } = sweep.placeOf(view);
    reverse.push(`${unit.use('$copy_adjoint')}(D, ${start}, ${stride}, ${to});`);
    if (step.count > 0) throw new NotReversible('an index that is not computed again');
    return { forward, reverse };
  }
}
