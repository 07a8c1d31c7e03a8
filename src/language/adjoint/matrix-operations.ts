/**
 * Matrix algebra as two texts: products, scaled rows and columns, transposed and repeated values, literals. Operands are
 * variables, their parts, and data; each operation is one call of the library per sweep, on elements where they are.
 */
import { emitBorrowed } from '../emit/emit-expression.ts';
import { isOfDataOnly } from '../emit/invariant.ts';
import { quote } from '../emit/printer.ts';
import type { CallExpression, IrExpression } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { visitVariables } from '../lower/walk-ir.ts';
import type { NodeBuilder } from './build-node.ts';
import type { Forward } from './forward.ts';
import type { Node, View } from './node.ts';
import { NotReversible, type RegionScope, sizeName } from './region-scope.ts';
import type { Lines } from './step.ts';
import type { Sweep } from './sweep.ts';
import type { Place, WholeTarget, WholeValue } from './whole-containers.ts';

/** How the elements of a vector or a matrix are taken as a matrix. */
type Shape = 'matrix' | 'column' | 'row';

/** Where the elements of a matrix are: texts of the first, of the distances to the next, and of the sizes. */
interface Strided {
  readonly array: string;
  readonly start: string;
  readonly row: string;
  readonly col: string;
  readonly rows: string;
  readonly cols: string;
}

interface Operand {
  readonly isActive: boolean;
  /** Of an active operand, or of a vector of data. */
  readonly view: View | null;
  /** Of other data. */
  readonly text: string;
  readonly e: IrExpression;
  readonly shape: Shape;
  readonly isTransposed: boolean;
}

/** Writes what throws if a value of these sizes does not fit the target. */
type SizeCheck = (given: readonly string[], to: Place) => Lines;

const isMatrix = ({ type }: IrExpression) => type.base === 'matrix' && type.arrayDepth === 0;
const isVector = ({ type }: IrExpression) =>
  type.arrayDepth === 0 && (type.base === 'vector' || type.base === 'row_vector');

/** A matrix times a vector or a matrix, in either order, or a column times a row. */
function isProduct({ name, arguments: [first, second] }: CallExpression): boolean {
  if (name === '$outer_product') return true;
  if (name !== 'multiply') return false;
  return (isMatrix(first) && !isScalar(second.type)) || (isVector(first) && isMatrix(second));
}

/** Whether an operation on matrices is one of those that {@link MatrixOperations} writes. */
export function isMatrixOperation(e: IrExpression): boolean {
  if (e.op !== 'call' || e.type.arrayDepth > 0) return false;
  switch (e.name) {
    case 'transpose':
    case 'diag_pre_multiply':
    case 'diag_post_multiply':
    case 'diag_matrix':
    case '$rep_rows':
      return true;
    case 'rep_matrix':
      return isVector(e.arguments[0]);
    case 'softmax':
    case 'log_softmax':
      return isVector(e.arguments[0]);
    default:
      return isProduct(e);
  }
}

export class MatrixOperations {
  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
    private readonly target: WholeTarget,
    private readonly sizeCheck: SizeCheck,
  ) {}

  valueOf(e: CallExpression): WholeValue {
    const [first, second] = e.arguments;
    switch (e.name) {
      case 'transpose':
        return this.copy(this.operand(e, 'matrix'));
      case 'rep_matrix':
        return this.repeated(this.operand(first, 'column'), second, false);
      case '$rep_rows':
        return this.repeated(this.operand(first, 'row'), second, true);
      case 'diag_pre_multiply':
        return this.scaled(e.name, first, this.operand(second, 'matrix'));
      case 'diag_post_multiply':
        return this.scaled(e.name, second, this.operand(first, 'matrix'));
      case 'diag_matrix':
        return this.diagonal(this.operand(first, 'column'));
      case 'softmax':
      case 'log_softmax':
        return this.softmax(e.name, this.operand(first, 'column'));
      default: {
        const isOuter = e.name === '$outer_product';
        const left = isMatrix(first) ? 'matrix' : isOuter ? 'column' : 'row';
        const right = isMatrix(second) ? 'matrix' : isOuter ? 'row' : 'column';
        return this.product(this.operand(first, left), this.operand(second, right));
      }
    }
  }

  /** A vector or a matrix written as its elements. */
  literal(elements: readonly IrExpression[]): WholeValue | null {
    const { scope, builder } = this;
    const rows = elements.map((e) => (e.op === 'list' ? e.elements : [e]));
    const isOfRows = this.target.variable.type.base === 'matrix' && elements[0]?.op === 'list';
    const isRect = rows.every((row, i) => {
      return row.length === rows[0].length && (elements[i].op === 'list') === isOfRows;
    });
    const isOfScalars = rows.flat().every(({ type }) => isScalar(type));
    if (rows.length === 0 || !isRect || !isOfScalars) return null;
    const nodes: { node: Node; i: number; j: number; g: string }[] = rows.flatMap((row, i) =>
      row.map((e, j) => ({ node: builder.build(e), i, j, g: scope.temporary() })),
    );
    const given = isOfRows ? [rows.length, rows[0].length] : [rows.length];
    const addressOf = (to: Place, i: number, j: number) => {
      const { start, row, col } = this.targetOf(to, isOfRows ? 'matrix' : 'column');
      return `${start} + ${i} * ${row} + ${j} * ${col}`;
    };
    return {
      forward: (sweep, to, lines) => {
        lines.push(...this.sizeCheck(given.map(String), to));
        // all of them before the first is stored: they may be computed from the target
        const texts = nodes.map(({ node }) => sweep.snapshot(node));
        nodes.forEach(({ i, j }, k) => {
          lines.push(`K[${addressOf(to, i, j)}] = ${texts[k]};`);
        });
      },
      collect: (_sweep, to, lines) => {
        for (const { node, i, j, g } of nodes) {
          if (node.active) lines.push(`const ${g} = D[${addressOf(to, i, j)}];`);
        }
      },
      spread: (sweep) => {
        for (const { node, g } of nodes) if (node.active) sweep.add(node, g);
      },
    };
  }

  // ---------------------------------------------------------------- operands

  private operand(given: IrExpression, shape: Shape): Operand {
    const { scope, builder, target } = this;
    let [e, isTransposed] = [given, false];
    while (e.op === 'call' && e.name === 'transpose' && isMatrix(e.arguments[0])) {
      e = e.arguments[0];
      isTransposed = !isTransposed;
    }
    const isActive = scope.isActive(e);
    const common = { isActive, e, shape, isTransposed };
    if (isActive) {
      const view = builder.view(e);
      if (view.variable === target.variable) throw new NotReversible('a vector assigned to itself');
      return { ...common, view, text: '' };
    }
    let isAvailable = e.op === 'variable' || e.op === 'index' || isOfDataOnly(e);
    visitVariables(e, (variable) => {
      isAvailable &&= scope.isAvailable(variable);
    });
    if (!isAvailable) throw new NotReversible('a matrix of data that is computed');
    const { text, kind } = emitBorrowed(scope.frame, e);
    if (kind !== 'M' && kind !== 'R') throw new NotReversible('a container of data');
    return { ...common, view: null, text };
  }

  /** Where an operand is, with a name for data that are more than a name. */
  private placeOf(operand: Operand, sweep: Sweep, lines: Lines): Strided {
    const place = this.uprightPlaceOf(operand, sweep, lines);
    if (!operand.isTransposed) return place;
    const { row, col, rows, cols } = place;
    return { ...place, row: col, col: row, rows: cols, cols: rows };
  }

  private uprightPlaceOf(operand: Operand, sweep: Sweep, lines: Lines): Strided {
    const { view, shape } = operand;
    if (view !== null) {
      const { array, start, stride, count } = sweep.placeOf(view);
      if (shape === 'column')
        return { array, start, row: stride, col: '0', rows: count, cols: '1' };
      if (shape === 'row') return { array, start, row: '0', col: stride, rows: '1', cols: count };
      const rank = view.indexes.length;
      const rows = sizeName(view.variable, rank - 2);
      const cols = sizeName(view.variable, rank - 1);
      return { array, start, row: '1', col: rows, rows, cols };
    }
    const name = this.nameOf(operand.text, lines);
    const count = `${name}.length`;
    const start = '0';
    if (shape === 'column')
      return { array: name, start, row: '1', col: '0', rows: count, cols: '1' };
    if (shape === 'row') return { array: name, start, row: '0', col: '1', rows: '1', cols: count };
    const [rows, cols] = [`${name}.rows`, `${name}.cols`];
    return { array: `${name}.data`, start, row: '1', col: rows, rows, cols };
  }

  private nameOf(text: string, lines: Lines): string {
    if (/^[\w$]+$/.test(text)) return text;
    const name = this.scope.temporary();
    lines.push(`const ${name} = ${text};`);
    return name;
  }

  /** The reverse sweep reads the operand again. */
  private need({ view, e, isActive }: Operand): void {
    if (isActive && view !== null) this.scope.need(view.variable);
    else visitVariables(e, (used) => this.scope.need(used));
  }

  /** Where a result goes. */
  private targetOf({ start, stride }: Place, shape: Shape): Pick<Strided, 'start' | 'row' | 'col'> {
    if (shape === 'column') return { start, row: stride, col: '0' };
    if (shape === 'row') return { start, row: '0', col: stride };
    const { variable, view } = this.target;
    const rank = view === null ? 2 : view.indexes.length;
    return { start, row: '1', col: sizeName(variable, rank - 2) };
  }

  private call(name: string, ...texts: readonly string[]): string {
    return `${this.scope.frame.unit.use(name)}(${texts.join(', ')});`;
  }

  // ---------------------------------------------------------------- operations

  private product(left: Operand, right: Operand): WholeValue {
    const shape: Shape =
      right.shape === 'column' ? 'column' : left.shape === 'row' ? 'row' : 'matrix';
    const texts = (sweep: Sweep, to: Place, lines: Lines) => {
      const [a, b] = [left, right].map((operand) => this.placeOf(operand, sweep, lines));
      return { a, b, out: this.targetOf(to, shape) };
    };
    const leftOf = (array: string, a: Strided) => [array, a.start, a.row, a.col, a.rows, a.cols];
    const rightOf = (array: string, b: Strided) => [array, b.start, b.row, b.col, b.cols];
    return {
      forward: (sweep, to, lines) => {
        const { a, b, out } = texts(sweep, to, lines);
        lines.push(this.call('$check_factors', a.rows, a.cols, b.rows, b.cols));
        const given =
          shape === 'matrix' ? [a.rows, b.cols] : [shape === 'column' ? a.rows : b.cols];
        lines.push(...this.sizeCheck(given, to));
        const operands = [...leftOf(a.array, a), ...rightOf(b.array, b)];
        lines.push(this.call('$multiply_strided', ...operands, 'K', out.start, out.row, out.col));
      },
      collect: (sweep, to, lines) => {
        const { a, b, out } = texts(sweep, to, lines);
        this.need(left);
        this.need(right);
        const from = [out.start, out.row, out.col];
        if (left.isActive) {
          const operands = [...leftOf('D', a), ...rightOf(b.array, b)];
          lines.push(this.call('$left_factor_adjoint', ...operands, ...from));
        }
        if (right.isActive) {
          const operands = [...leftOf(a.array, a), ...rightOf('D', b)];
          lines.push(this.call('$right_factor_adjoint', ...operands, ...from));
        }
      },
    };
  }

  /** diag(x) A, or A diag(x), which is the transpose of diag(x) A'. */
  private scaled(name: string, vector: IrExpression, given: Operand): WholeValue {
    const isPost = name === 'diag_post_multiply';
    const scales = this.operand(vector, 'column');
    const matrix = isPost ? { ...given, isTransposed: !given.isTransposed } : given;
    const outOf = (to: Place) => {
      const out = this.targetOf(to, 'matrix');
      return isPost ? [out.start, out.col, out.row] : [out.start, out.row, out.col];
    };
    const matrixOf = (array: string, { start, row, col, rows, cols }: Strided) => {
      return [array, start, row, col, rows, cols];
    };
    return {
      forward: (sweep, to, lines) => {
        const x = this.placeOf(scales, sweep, lines);
        const a = this.placeOf(matrix, sweep, lines);
        lines.push(this.call('$check_diagonal', quote(name), x.rows, a.rows));
        lines.push(...this.sizeCheck(isPost ? [a.cols, a.rows] : [a.rows, a.cols], to));
        const operands = [x.array, x.start, x.row, ...matrixOf(a.array, a)];
        lines.push(this.call('$scale_rows', ...operands, 'K', ...outOf(to)));
      },
      collect: (sweep, to, lines) => {
        const x = this.placeOf(scales, sweep, lines);
        const a = this.placeOf(matrix, sweep, lines);
        this.need(scales);
        this.need(matrix);
        if (scales.isActive) {
          const operands = ['D', x.start, x.row, ...matrixOf(a.array, a)];
          lines.push(this.call('$row_scales_adjoint', ...operands, ...outOf(to)));
        }
        if (matrix.isActive) {
          const operands = [x.array, x.start, x.row, ...matrixOf('D', a)];
          lines.push(this.call('$scaled_rows_adjoint', ...operands, ...outOf(to)));
        }
      },
    };
  }

  /** A column or a row again and again. */
  private repeated(operand: Operand, times: IrExpression, isRow: boolean): WholeValue {
    const node = this.builder.build(times);
    return this.copy(operand, (sweep, { rows, cols }) => {
      const count = `${this.scope.frame.unit.use('$checked_size')}(${sweep.value(node)})`;
      return isRow ? [count, cols] : [rows, count];
    });
  }

  /** As many rows and columns as the target has; `given`: how many the value has, if not as many as the operand. */
  private copy(
    operand: Operand,
    given = (_sweep: Forward, { rows, cols }: Strided) => [rows, cols],
  ): WholeValue {
    const texts = ({ start, row, col }: Strided) => [start, row, col, ...this.sizes];
    return {
      forward: (sweep, to, lines) => {
        const a = this.placeOf(operand, sweep, lines);
        const out = this.targetOf(to, 'matrix');
        lines.push(...this.sizeCheck(given(sweep, a), to));
        const from = [a.array, ...texts(a)];
        lines.push(this.call('$copy_strided', ...from, 'K', out.start, out.row, out.col));
      },
      collect: (sweep, to, lines) => {
        if (!operand.isActive) return;
        const out = this.targetOf(to, 'matrix');
        const into = ['D', ...texts(this.placeOf(operand, sweep, lines))];
        lines.push(this.call('$copy_strided_adjoint', ...into, out.start, out.row, out.col));
      },
    };
  }

  /** Names of the rows and columns of the target. */
  private get sizes(): readonly [rows: string, cols: string] {
    const { variable, view } = this.target;
    const rank = view === null ? 2 : view.indexes.length;
    return [sizeName(variable, rank - 2), sizeName(variable, rank - 1)];
  }

  /** A value that does not depend on parameters: only its text is needed. */
  data(e: IrExpression): WholeValue | null {
    const { scope } = this;
    visitVariables(e, (variable) => {
      if (scope.isActiveVariable(variable))
        throw new NotReversible('a container of data that is computed');
    });
    const { text, kind } = emitBorrowed(scope.frame, e);
    if (kind !== 'M' && kind !== 'R') return null;
    const shape: Shape = kind === 'M' ? 'matrix' : 'column';
    const operand: Operand = { e, text, shape, isActive: false, view: null, isTransposed: false };
    return {
      forward: (sweep, to, lines) => {
        const a = this.placeOf(operand, sweep, lines);
        const out = this.targetOf(to, operand.shape);
        lines.push(...this.sizeCheck(kind === 'M' ? [a.rows, a.cols] : [a.rows], to));
        const from = [a.array, a.start, a.row, a.col, a.rows, a.cols];
        lines.push(this.call('$copy_strided', ...from, 'K', out.start, out.row, out.col));
      },
      collect: () => undefined,
    };
  }

  /** A matrix with the vector on its diagonal: a column whose next element is one row and one column further. */
  private diagonal(operand: Operand): WholeValue {
    const outOf = (to: Place) => {
      const { start, col } = this.targetOf(to, 'matrix');
      return [start, `${col} + 1`, '0'];
    };
    return {
      forward: (sweep, to, lines) => {
        const x = this.placeOf(operand, sweep, lines);
        lines.push(...this.sizeCheck([x.rows, x.rows], to));
        const i = this.scope.temporary();
        lines.push(
          `for (let ${i} = ${to.start}, end = ${to.start} + ${to.count}; ${i} < end; ${i}++) K[${i}] = 0;`,
        );
        const from = [x.array, x.start, x.row, x.col, x.rows, '1'];
        lines.push(this.call('$copy_strided', ...from, 'K', ...outOf(to)));
      },
      collect: (sweep, to, lines) => {
        if (!operand.isActive) return;
        const x = this.placeOf(operand, sweep, lines);
        const into = ['D', x.start, x.row, x.col, x.rows, '1'];
        lines.push(this.call('$copy_strided_adjoint', ...into, ...outOf(to)));
      },
    };
  }

  private softmax(name: 'softmax' | 'log_softmax', operand: Operand): WholeValue {
    return {
      forward: (sweep, to, lines) => {
        const x = this.placeOf(operand, sweep, lines);
        lines.push(...this.sizeCheck([x.rows], to));
        const from = [x.array, x.start, x.row, x.rows];
        lines.push(this.call(`$${name}`, ...from, 'K', to.start, to.stride));
      },
      collect: (sweep, to, lines) => {
        if (!operand.isActive) return;
        const x = this.placeOf(operand, sweep, lines);
        // from the result, which is there until its statement has been reversed
        this.scope.need(this.target.variable);
        const into = ['K', 'D', x.start, x.row, x.rows];
        lines.push(this.call(`$${name}_adjoint`, ...into, to.start, to.stride));
      },
    };
  }
}
