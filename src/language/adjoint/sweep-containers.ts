/** Vectors and arrays that depend on parameters as two texts: their elements are among the kept numbers. */
import { emitBorrowed } from '../emit/emit-expression.ts';
import { quote } from '../emit/printer.ts';
import type {
  IrDeclaration,
  IrExpression,
  IrStatement,
  IrVariable,
  StatementOf,
} from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { isWholeMatrix } from './addresses.ts';
import type { NodeBuilder } from './build-node.ts';
import { isElementwise, isOfElements, readsOther, TermBuilder } from './build-term.ts';
import { Forward } from './forward.ts';
import type { View } from './node.ts';
import { fillText, locationText, type Piece, roomText, takeText } from './piece.ts';
import { countReferences, fixedCount } from './references.ts';
import {
  elementCount,
  NotReversible,
  offsetName,
  type RegionScope,
  rankOf,
  sizeName,
  sizeNames,
} from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { type Lines, Step } from './step.ts';
import { sweepVectorAssignment } from './sweep-terms.ts';
import { sweepWhole } from './whole-containers.ts';

type Assignment = StatementOf<'assign'>;

interface Value {
  readonly variable: IrVariable;
  readonly value: IrExpression;
  readonly isFirst: boolean;
  /** See `IrDeclaration`. */
  readonly isFitting?: true | undefined;
}

/** Whether the statement after a declaration is a loop that gives every element a value, before anything reads one. */
function isFilledBy(
  { variable, arraySizes, baseSizes }: IrDeclaration,
  next: IrStatement | undefined,
): boolean {
  const [size, ...others] = [...arraySizes, ...baseSizes].map(fixedCount);
  if (next?.op !== 'for' || next.until || size === null || others.length > 0) return false;
  const goesThroughAll = fixedCount(next.from) === 1 && fixedCount(next.to) === size;
  const store = next.body.find((one) => one.op === 'store' && one.variable === variable);
  if (!goesThroughAll || store?.op !== 'store' || store.entries.length !== 1) return false;
  const [entry] = store.entries;
  const isOfTurn =
    entry.kind === 'single' && entry.at.op === 'variable' && entry.at.variable === next.variable;
  const isOnlyMention = countReferences(next.body).get(variable) === 1;
  return isOfTurn && isOnlyMention;
}

/** Checks of a matrix computed element by element: a loop over its elements sees only how many there are. */
class ShapeChecks {
  private readonly found: Lines = [];

  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
  ) {}

  /** Throws what the library throws for matrices of different sizes, then what `check` throws if the target's differ. */
  lines(value: IrExpression, { variable, indexes }: View, check: string): Lines {
    const { unit } = this.scope.frame;
    const given = this.shapeOf(value);
    const sizes = sizeNames(variable).slice(indexes.length - 2);
    if (given === null) throw new NotReversible('a matrix of unknown size');
    const texts = `[${given.join(', ')}], [${sizes.join(', ')}]`;
    this.found.push(`${unit.use(check)}(${texts}, ${quote(variable.name)});`);
    return this.found;
  }

  /** Rows and columns; null for a scalar. */
  private shapeOf(e: IrExpression): readonly [rows: string, cols: string] | null {
    if (isScalar(e.type)) return null;
    if (!this.scope.isActive(e) && !isOfElements(e)) {
      const { text } = emitBorrowed(this.scope.frame, e);
      return [`${text}.rows`, `${text}.cols`];
    }
    if (e.op !== 'call') {
      const { variable, indexes } = this.builder.view(e);
      const [rows, cols] = sizeNames(variable).slice(indexes.length - 2);
      return [rows, cols];
    }
    if (!isOfElements(e)) throw new NotReversible(`\`${e.name}\` of a matrix`);
    const shapes = e.arguments.map((part) => this.shapeOf(part));
    const [first, second] = shapes;
    if (first && second && first.join() !== second.join()) this.compare(e.name, first, second);
    return first ?? second;
  }

  private compare(name: string, a: readonly string[], b: readonly string[]): void {
    const { unit } = this.scope.frame;
    const blank = unit.use('$blank_matrix');
    const fail = `${unit.use(`${name}__MM`)}(${blank}(${a.join(', ')}), ${blank}(${b.join(', ')}))`;
    this.found.push(`if (${a[0]} !== ${b[0]} || ${a[1]} !== ${b[1]}) ${fail};`);
  }
}

export class ContainerWriter {
  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
  ) {}

  /** `next`: the statement after it. */
  declare(declaration: IrDeclaration, next: IrStatement | undefined): Piece {
    const { variable, arraySizes, baseSizes, initial, location, isFitting } = declaration;
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
    forward.push(...takeText(offsetName(variable), count));
    if (!initial) {
      if (!isFilledBy(declaration, next))
        forward.push(fillText('K', 'NaN', offsetName(variable), count));
      return { forward, reverse: [back], keeps: 0, makesRoom: true };
    }
    const value = this.value({ variable, value: initial, isFirst: true, isFitting }, forward);
    return { forward, reverse: [...value.reverse, back], keeps: 0, makesRoom: true };
  }

  assign({ variable, value, location }: Assignment): Piece {
    return this.value({ variable, value, isFirst: false }, [locationText(this.scope, location)]);
  }

  private value({ variable, value, isFirst, isFitting }: Value, forward: Lines): Piece {
    const { scope } = this;
    const target = { variable, view: null, isDeclared: isFirst, isFitting };
    const whole = sweepWhole(scope, this.builder, value, target, forward);
    if (whole !== null) return whole;
    const isOfMatrices = rankOf(variable) === 2 && isOfElements(value);
    if (rankOf(variable) !== 1 && !isOfMatrices)
      throw new NotReversible('a container of several dimensions');
    if (isOfMatrices || isElementwise(value)) {
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
    if (isWholeMatrix(target.indexes)) {
      const label = extent === 'part' ? '$check_element_sizes' : '$check_sizes';
      forward.push(...new ShapeChecks(scope, builder).lines(value, target, label));
    }
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
