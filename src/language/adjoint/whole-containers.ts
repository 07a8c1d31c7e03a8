/**
 * Containers that are assigned as a whole: copies of others, one number repeated, cumulative sums, and what
 * `matrix-operations.ts` writes. Each is one call of the library per sweep.
 */
import { quote } from '../emit/printer.ts';
import type { CallExpression, IrExpression, IrVariable } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import type { NodeBuilder } from './build-node.ts';
import { Forward } from './forward.ts';
import { isMatrixOperation, MatrixOperations } from './matrix-operations.ts';
import type { View } from './node.ts';
import { fillText, type Piece, roomText } from './piece.ts';
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
import type { Sweep } from './sweep.ts';

/** All of a variable, without a value yet if it is being declared, or a view of one. */
export interface WholeTarget {
  readonly variable: IrVariable;
  /** Null: all of the variable. */
  readonly view: View | null;
  readonly isDeclared: boolean;
  /** See `IrDeclaration`. */
  readonly isFitting?: true | undefined;
}

/** Where the elements are in the kept numbers. */
export interface Place {
  readonly start: string;
  readonly stride: string;
  readonly count: string;
}

/** The two texts of a value, once it is known where it goes; both may read the target's place. */
export interface WholeValue {
  /** Checks the sizes and fills the target. */
  readonly forward: (sweep: Forward, to: Place, lines: Lines) => void;
  /** Reads the target's adjoints, which then become 0; adds them to those of vectors. */
  readonly collect: (sweep: Reverse, to: Place, lines: Lines) => void;
  /** Adds what was collected to the adjoints of scalars and elements, which may be the target's own earlier ones. */
  readonly spread?: (sweep: Reverse) => void;
}

/** Functions that repeat a number. */
const repeating: ReadonlySet<string> = new Set([
  'rep_vector',
  'rep_row_vector',
  'rep_matrix',
  'rep_array',
]);

/** An operation on all of a container: written by one call of the library per sweep. */
export function isWholeOperation(e: IrExpression, isActive: (e: IrExpression) => boolean): boolean {
  if (e.op !== 'call' || !isActive(e)) return false;
  if (e.name === 'cumulative_sum') return e.type.arrayDepth === 0;
  return isMatrixOperation(e);
}

/** Null: the value is assigned in another way. */
export function sweepWhole(
  scope: RegionScope,
  builder: NodeBuilder,
  value: IrExpression,
  target: WholeTarget,
  forward: Lines,
): Piece | null {
  const writer = new WholeWriter(scope, builder, target);
  const whole = writer.valueOf(value);
  return whole && writer.write(whole, forward);
}

class WholeWriter {
  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
    private readonly target: WholeTarget,
  ) {}

  valueOf(value: IrExpression): WholeValue | null {
    const { scope, target } = this;
    if (value.op === 'variable' && target.view === null && rankOf(target.variable) > 1) {
      if (scope.isActiveVariable(value.variable)) return this.copyOf(value.variable);
    }
    const isRepeated = value.op === 'call' && repeating.has(value.name);
    if (isRepeated && isScalar(value.arguments[0].type)) return this.repeated(value);
    const matrices = new MatrixOperations(scope, this.builder, target, (given, to) =>
      this.sizeCheck(given, to),
    );
    if (!scope.isActive(value)) {
      const isOther = value.type.base === 'matrix' || value.op === 'list';
      return isOther && value.type.arrayDepth === 0 ? matrices.data(value) : null;
    }
    if (value.op === 'list') return matrices.literal(value.elements);
    if (value.op !== 'call' || !isWholeOperation(value, (e) => scope.isActive(e))) return null;
    if (value.name === 'cumulative_sum') return this.cumulativeSum(value.arguments[0]);
    return matrices.valueOf(value);
  }

  write(value: WholeValue, forward: Lines): Piece {
    const { scope, target } = this;
    const step = new Step();
    const body: Lines = [];
    const back = new Reverse(scope, step, body);
    back.keepsAreas = false;
    const from = this.placeIn(back);
    if (!target.isDeclared) scope.write(target.variable);
    value.collect(back, from, body);
    body.push(this.each(from, 'D', '0'));
    const isKept = !target.isDeclared && scope.isRestored(target.variable);
    const { unit } = scope.frame;
    if (isKept) {
      // the overwritten elements are below what the value keeps
      const texts = `${from.start}, ${from.stride}, ${from.count}`;
      body.push(`${unit.use('$restore_view')}(K, ${texts}, sp - ${inParentheses(from.count)});`);
    }
    value.spread?.(back);
    if (isKept) body.push(`sp -= ${from.count};`);
    const lines: Lines = [];
    const sweep = new Forward(scope, step, lines);
    const to = this.placeIn(sweep);
    if (isKept) {
      const texts = `${to.start}, ${to.stride}, ${to.count}`;
      lines.push(roomText(`${to.count} + ${step.count}`));
      lines.push(`${unit.use('$keep_view')}(K, ${texts}, sp);`, `sp += ${to.count};`);
    }
    value.forward(sweep, to, lines);
    if (step.count > 0) lines.push(`sp += ${step.count};`);
    forward.push('{', lines, '}');
    scope.advance(target.variable);
    const reverse: Lines = step.count > 0 ? [`sp -= ${step.count};`, ...body] : body;
    return {
      forward,
      reverse: ['{', reverse, '}'],
      keeps: isKept ? 0 : step.count,
      makesRoom: isKept,
    };
  }

  private placeIn(sweep: Sweep): Place {
    const { variable, view } = this.target;
    if (view !== null) return sweep.placeOf(view);
    return { start: offsetName(variable), stride: '1', count: elementCount(variable) };
  }

  private each({ start, stride, count }: Place, array: string, value: string): string {
    if (stride === '1') return fillText(array, value, start, count);
    const i = this.scope.temporary();
    return `for (let ${i} = 0, end = ${count}; ${i} < end; ${i}++) ${array}[${start} + ${i} * ${stride}] = ${value};`;
  }

  /** Throws for a value of other sizes than the target's. */
  private sizeCheck(given: readonly string[], to: Place): Lines {
    if (this.target.isFitting) return [];
    const { variable, view } = this.target;
    const { unit } = this.scope.frame;
    const label = quote(variable.name);
    if (view !== null && given.length === 2) {
      const rank = view.indexes.length;
      const wanted = [sizeName(variable, rank - 2), sizeName(variable, rank - 1)].join(', ');
      const check = unit.use('$check_element_sizes');
      return [`${check}([${given.join(', ')}], [${wanted}], ${label});`];
    }
    if (view !== null) return [`${unit.use('$check_places')}(${given[0]}, ${to.count}, ${label});`];
    const sizes = sizeNames(variable);
    if (sizes.length === 1)
      return [`${unit.use('$check_size')}(${given[0]}, ${sizes[0]}, ${label});`];
    return [`${unit.use('$check_sizes')}([${given.join(', ')}], [${sizes.join(', ')}], ${label});`];
  }

  private repeated({ arguments: [number, ...sizes] }: CallExpression): WholeValue {
    const { scope, builder } = this;
    const node = builder.build(number);
    const counts = sizes.map((size) => builder.build(size));
    const g = scope.temporary();
    return {
      forward: (sweep, to, lines) => {
        const { unit } = scope.frame;
        const given = counts.map((count) => `${unit.use('$checked_size')}(${sweep.value(count)})`);
        lines.push(...this.sizeCheck(given, to));
        lines.push(this.each(to, 'K', sweep.value(node)));
      },
      collect: (_sweep, to, lines) => {
        if (!node.active) return;
        const i = scope.temporary();
        const at = to.stride === '1' ? `${to.start} + ${i}` : `${to.start} + ${i} * ${to.stride}`;
        lines.push(`let ${g} = 0;`);
        lines.push(`for (let ${i} = 0, end = ${to.count}; ${i} < end; ${i}++) ${g} += D[${at}];`);
      },
      spread: (sweep) => {
        if (node.active) sweep.add(node, g);
      },
    };
  }

  private copyOf(source: IrVariable): WholeValue {
    const { variable } = this.target;
    const { base, arrayDepth } = source.type;
    const isSame = base === variable.type.base && arrayDepth === variable.type.arrayDepth;
    if (!isSame || source === variable) throw new NotReversible('a container assigned to itself');
    const [from, to] = [offsetName(source), offsetName(variable)];
    return {
      forward: (_sweep, place, lines) => {
        lines.push(...this.sizeCheck(sizeNames(source), place));
        lines.push(`K.copyWithin(${to}, ${from}, ${from} + ${place.count});`);
      },
      collect: (_sweep, place, lines) => {
        const i = this.scope.temporary();
        lines.push(
          `for (let ${i} = 0, end = ${place.count}; ${i} < end; ${i}++) D[${from} + ${i}] += D[${to} + ${i}];`,
        );
      },
    };
  }

  private cumulativeSum(vector: IrExpression): WholeValue {
    const { scope, builder } = this;
    const { unit } = scope.frame;
    const view = this.source(builder.view(vector));
    return {
      forward: (sweep, to, lines) => {
        const from = sweep.placeOf(view);
        lines.push(...this.sizeCheck([from.count], to));
        const texts = `${from.array}, ${from.start}, ${from.stride}, ${from.count}`;
        lines.push(`${unit.use('$cumulative_sum')}(${texts}, K, ${to.start}, ${to.stride});`);
      },
      collect: (sweep, to, lines) => {
        if (!scope.isActiveVariable(view.variable)) return;
        const { start, stride, count } = sweep.placeOf(view);
        const texts = `${start}, ${stride}, ${count}, ${to.start}, ${to.stride}`;
        lines.push(`${unit.use('$cumulative_sum_adjoint')}(D, ${texts});`);
      },
    };
  }

  private source(view: View): View {
    if (view.variable === this.target.variable)
      throw new NotReversible('a vector assigned to itself');
    return view;
  }
}

const inParentheses = (text: string) => (/^[\w$]+$/.test(text) ? text : `(${text})`);
