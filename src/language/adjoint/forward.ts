/** The forward sweep: texts that compute the values of nodes and keep those that the reverse sweep reads. */
import { assertNever } from '../../shared/assert-never.ts';
import { type InlineFunction, inlineFunctions } from '../emit/derivatives.ts';
import { quote } from '../emit/printer.ts';
import type { Unit } from '../emit/unit.ts';
import type { IrVariable } from '../lower/ir.ts';
import {
  alongText,
  dataViewOf,
  datumSizes,
  datumText,
  elementAddress,
  imageAddress,
  isWholeMatrix,
  type ViewPlace,
  viewOf,
  within,
} from './addresses.ts';
import { type Guard, isAtom, type Library, type Node, type Reduction, type View } from './node.ts';
import { NotReversible, type Product, sizeName, valueName } from './region-scope.ts';
import type { Lines } from './step.ts';
import { Sweep } from './sweep.ts';

export class Forward extends Sweep {
  /** Whether indexes are checked: not before the region, where it is unknown what will be read. */
  checks = true;

  value(node: Node): string {
    const known = this.known.get(node.key);
    if (known !== undefined) return known;
    const text = this.atom(node);
    this.known.set(node.key, text);
    if (this.step.isKept(node)) this.lines.push(`${this.step.keep(node)} = ${text};`);
    return text;
  }

  /** A local with the current value, whatever happens to the variables it is computed from. */
  snapshot(node: Node): string {
    const text = this.value(node);
    return node.kind === 'literal' || /^t\d+$/.test(text) ? text : this.local(text);
  }

  /** Text of a condition for `if`. */
  test(node: Node): string {
    const given = node.kind === 'plain' && !this.step.isKept(node) ? node.text : '';
    const condition = /^\((.+) \? 1 : 0\)$/.exec(given);
    if (condition) return condition[1];
    const text = this.value(node);
    return `${text} !== 0`;
  }

  /** All elements of what a loop computes from vectors: fills an array with this name. */
  fillWhole: (node: Node, name: string) => Lines | null = () => null;

  /** What holds each value, by the keys of nodes. */
  get names(): ReadonlyMap<string, string> {
    return this.known;
  }

  push(line: string): void {
    this.lines.push(line);
  }

  private atom(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.text;
      case 'plain':
        return isAtom(node.text) ? node.text : this.local(node.text);
      case 'datum': {
        const indexes = node.indexes.map((index) => this.value(index));
        const sizes = datumSizes(node.variable, node.dataKind, indexes);
        sizes.forEach((size, k) => this.checkOf(node, k, indexes[k], size));
        return this.local(datumText(node.variable, node.dataKind, indexes));
      }
      case 'scalar':
        return valueName(node.variable);
      case 'element': {
        const indexes = node.indexes.map((index) => this.value(index));
        return this.local(`K[${this.address(node, indexes)}]`);
      }
      case 'image': {
        const indexes = node.element.indexes.map((index) => this.value(index));
        this.checkAll(node.element, indexes);
        return this.local(`K[${imageAddress(node, indexes)}]`);
      }
      case 'along':
        return this.local(alongText(this.places, node));
      case 'part':
        return this.local(`${node.name}[${node.index}]`);
      case 'hoisted':
        this.checkWithin(node.node);
        return node.name;
      case 'operation': {
        const operands = node.operands.map((operand) => this.value(operand));
        if (node.guard) this.guard(node.guard);
        if (node.inline.value('x') === 'x' && operands.length === 1) return operands[0];
        return this.local(node.inline.value(...operands));
      }
      case 'choice':
        return this.choice(node.test, node.yes, node.no);
      case 'reduction':
        return this.reduction(node);
      case 'library':
        return this.library(node);
      default:
        return assertNever(node, 'node');
    }
  }

  /**
   * Adds the node, or its negative, to the target. In a loop, logarithms that nothing else reads become factors of a
   * product, so that one logarithm replaces many.
   */
  addToTarget(node: Node, sign: 1 | -1, isInLoop: boolean): void {
    const terms: string[] = [];
    if (isInLoop) this.collect(node, sign, terms);
    else terms.push(`${sign > 0 ? '+' : '-'} ${this.value(node)}`);
    if (terms.length === 0) return;
    const [first, ...rest] = terms;
    if (rest.length === 0) this.lines.push(`lp ${first.replace(' ', '= ')};`);
    else this.lines.push(`lp += ${[first.replace(/^\+ /, ''), ...rest].join(' ')};`);
  }

  /** The summands of the node with their signs; factors are written immediately. */
  private collect(node: Node, sign: 1 | -1, terms: string[]): void {
    const isFree =
      node.kind === 'operation' && !this.known.has(node.key) && !this.step.isKept(node);
    const signs = isFree && node.guard === null ? signsOf(node.inline) : undefined;
    if (isFree && signs) {
      node.operands.forEach((operand, k) => {
        this.collect(operand, (sign * signs[k]) as 1 | -1, terms);
      });
      return;
    }
    const form = isFree ? node.inline.asLog : undefined;
    if (!isFree || !form) {
      const text = this.value(node);
      if (text !== '0') terms.push(`${sign > 0 ? '+' : '-'} ${text}`);
      return;
    }
    const operands = node.operands.map((operand) => this.value(operand));
    if (node.guard) this.guard(node.guard);
    if (form.rest) terms.push(`${sign > 0 ? '+' : '-'} ${this.local(form.rest(...operands))}`);
    this.multiply(form.of(...operands), sign === form.sign ? 'times' : 'over');
  }

  /** When a product is about to leave the range of numbers, its logarithm is taken. */
  private multiply(factor: string, product: Product): void {
    this.scope.products.add(product);
    const next = this.local(`${product} * ${factor}`);
    const operator = product === 'times' ? '+=' : '-=';
    this.lines.push(
      `if (${next} > 1e-290 && ${next} < 1e290) ${product} = ${next};`,
      `else { lp ${operator} Math.log(${product}) + Math.log(${factor}); ${product} = 1; }`,
    );
  }

  /** Declares `name` with the value of an operation. */
  declare(name: string, node: Node): void {
    const before = this.lines.length;
    const text = this.value(node);
    const last = this.lines.at(-1);
    const head = `const ${text} = `;
    if (this.lines.length > before && typeof last === 'string' && last.startsWith(head)) {
      this.lines[this.lines.length - 1] = `const ${name} = ${last.slice(head.length)}`;
    } else {
      this.lines.push(`const ${name} = ${text};`);
    }
    this.known.set(node.key, name);
  }

  /** The position of an element whose indexes have been checked. */
  address(node: Extract<Node, { kind: 'element' }>, indexes: readonly string[]): string {
    this.checkAll(node, indexes);
    return elementAddress(node.variable, indexes);
  }

  private checkAll(node: Extract<Node, { kind: 'element' }>, indexes?: readonly string[]): void {
    const texts = indexes ?? node.indexes.map((index) => this.value(index));
    texts.forEach((index, k) => this.checkOf(node, k, index));
  }

  /** Indexes not checked when computed before a loop are checked where they are read. */
  private checkWithin(node: Node): void {
    switch (node.kind) {
      case 'element':
        return this.checkAll(node);
      case 'hoisted':
        return this.checkWithin(node.node);
      case 'operation':
        for (const operand of node.operands) this.checkWithin(operand);
        return;
      default:
        return;
    }
  }

  /** Throws what the library throws for an index of a dimension that is out of range. */
  private checkOf(
    { variable, label }: { readonly variable: IrVariable; readonly label: string },
    dimension: number,
    index: string,
    size = sizeName(variable, dimension),
  ): void {
    if (this.scope.isInRange(variable, dimension, index)) return;
    const key = `check ${index} ${size}`;
    if (!this.checks || this.known.has(key)) return;
    this.known.set(key, '');
    const fail = this.scope.frame.unit.use('$position');
    const holds = /^[1-9]\d*$/.test(index)
      ? `${index} <= ${size}`
      : `${index} >= 1 && ${index} <= ${size}`;
    this.lines.push(`if (!(${holds})) ${fail}(${index}, ${size}, ${quote(label)});`);
  }

  /** Outside the domain the library's function throws. */
  private guard({ density, operands, holds }: Guard): void {
    const { unit } = this.scope.frame;
    const texts = operands.map((operand) => this.value(operand));
    const fills: Lines = [];
    // In a loop over a vector the library gets all of it, so that it can report which element is wrong.
    const wholes = operands.map((operand, k): WholeOperand => {
      const place = operand.kind === 'along' ? this.places.get(operand.key) : undefined;
      if (place) return wholeOf(unit, place);
      if (operand.kind === 'part') return { kind: 'R', text: `new Float64Array(${operand.name})` };
      const name = this.scope.temporary();
      const fill = this.fillWhole(operand, name);
      if (fill === null) return { kind: 'r', text: texts[k] };
      fills.push(...fill);
      return { kind: 'R', text: name };
    });
    const call = density.includes('__')
      ? `${unit.use(density)}(${texts.join(', ')})`
      : densityCall(unit, density, wholes);
    const demand = withoutSettled(holds(...texts));
    if (demand === '') return;
    if (fills.length === 0) this.lines.push(`if (!(${demand})) ${call};`);
    else this.lines.push(`if (!(${demand})) {`, [...fills, `${call};`], '}');
  }

  private choice(test: Node, yes: Node, no: Node): string {
    const condition = this.test(test);
    const name = this.scope.temporary();
    const [first, second] = [yes, no].map((node) => this.inBranch(() => this.value(node)));
    if (first.written.length === 0 && second.written.length === 0) {
      this.lines.push(`const ${name} = ${condition} ? ${first.result} : ${second.result};`);
      return name;
    }
    const ofBranch = ({ written, result }: typeof first): Lines => [
      ...written,
      `${name} = ${result};`,
    ];
    this.lines.push(`let ${name};`, `if (${condition}) {`, ofBranch(first));
    this.lines.push('} else {', ofBranch(second), '}');
    return name;
  }

  /** The call on a separate tape; the derivatives that the reverse sweep requested are kept. */
  private library(node: Library): string {
    const { unit } = this.scope.frame;
    // Everything computed from nodes comes first: the tape has room for one call.
    const given = node.operands.map((operand) => {
      if (operand.kind === 'data') return operand.text;
      return operand.kind === 'scalar' ? this.value(operand.node) : this.operandText(operand.view);
    });
    const known = directFunctions[`${node.name} ${node.head[1]}`];
    if (isMultiNormal(node)) return this.multiNormal(node, given);
    if (known !== undefined) {
      const area = this.step.knownArea(node) ?? '-1';
      return this.local(`${unit.use(known)}(${[...given, area].join(', ')})`);
    }
    const tape = this.local(`${unit.use('$own_tape')}()`);
    const texts = node.operands.map((operand, k) => {
      if (operand.kind === 'data') return given[k];
      if (operand.kind === 'view') {
        const input = isWholeMatrix(operand.view.indexes) ? '$input_matrix' : '$input_view';
        return this.local(`${unit.use(input)}(${given[k]})`);
      }
      return operand.node.active ? this.local(`${tape}.input(${given[k]})`) : given[k];
    });
    const call = `${unit.use(node.name)}(${[tape, ...node.head, ...texts].join(', ')})`;
    const value = this.local(`${unit.use('$own_value')}(${call})`);
    const area = this.step.knownArea(node);
    if (area) this.lines.push(`${unit.use('$own_slopes')}(K, ${area});`);
    let place = 0;
    for (const operand of node.operands) {
      if (operand.kind !== 'scalar' || !operand.node.active) continue;
      const slope = slopeOf(node, place++);
      if (!this.step.isKept(slope)) continue;
      this.lines.push(`${this.step.keep(slope)} = ${unit.use('$own_slope')}(${place - 1});`);
    }
    return value;
  }

  /** A density that keeps what its derivatives are made from. */
  private multiNormal(node: Library, given: readonly string[]): string {
    const texts = node.operands.map((operand, k) => {
      if (operand.kind !== 'data') return given[k];
      const name = isAtom(operand.text) ? operand.text : this.local(operand.text);
      if (operand.dataKind !== 'M') return `${name}, 0, 1, ${name}.length`;
      return `${name}.data, 0, ${name}.rows, ${name}.cols`;
    });
    const isFixed = String(node.operands[2].kind === 'data');
    const area = this.step.knownArea(node) ?? '-1';
    const name = this.scope.frame.unit.use('$multi_normal_cholesky');
    return this.local(`${name}(${[...texts, isFixed, node.head[0], 'K', area].join(', ')})`);
  }

  private reduction(node: Reduction): string {
    const { unit } = this.scope.frame;
    const views = node.views.map((view) => this.view(view));
    const area = this.step.knownArea(node);
    if (area) return this.local(`${unit.use('$log_sum_exp_weights')}(${views[0]}, ${area})`);
    const key = reductionKeys[node.name];
    if (!key) throw new NotReversible(`\`${node.name}\``);
    return this.local(`${unit.use(key)}(${views.join(', ')})`);
  }

  /** {@link view} of a vector; of a matrix array, start, rows, columns. */
  private operandText(view: View): string {
    if (!isWholeMatrix(view.indexes)) return this.view(view);
    const { array, start } = this.placeOf(view);
    const rank = view.indexes.length;
    const sizes = [sizeName(view.variable, rank - 2), sizeName(view.variable, rank - 1)];
    return [array, start, ...sizes].join(', ');
  }

  /** The arguments of a library function that name a view: array, start, stride, count. */
  view(view: View): string {
    const { array, start, stride, count } = this.placeOf(view);
    return `${array}, ${start}, ${stride}, ${count}`;
  }

  placeOf(view: View): ViewPlace {
    const place = this.wholePlaceOf(view);
    if (view.range === null) return place;
    const from = this.value(view.range.from);
    const to = view.range.to === null ? place.count : this.value(view.range.to);
    const span = this.scope.frame.unit.use(view.range.isCounted ? '$counted_span' : '$span');
    const texts = [from, to, place.count, quote(view.label)];
    return within(place, from, this.local(`${span}(${texts.join(', ')})`));
  }

  private wholePlaceOf(view: View): ViewPlace {
    const { variable, indexes } = view;
    const texts = indexes.map((index) => (index === null ? null : this.value(index)));
    if (!this.scope.isActiveVariable(variable)) {
      const kind = this.scope.kindOfVariable(variable);
      const sizes = datumSizes(
        variable,
        kind,
        texts.map((text) => text ?? '1'),
      );
      texts.forEach((index, k) => {
        if (index !== null) this.checkOf(view, k, index, sizes[k]);
      });
      return dataViewOf(variable, kind, texts);
    }
    texts.forEach((index, k) => {
      if (index !== null) this.checkOf(view, k, index);
    });
    return { array: 'K', ...viewOf(variable, texts) };
  }
}

/** A condition without the parts that compare numbers of the program's text and are true. */
function withoutSettled(demand: string): string {
  return demand
    .split(' && ')
    .filter((part) => !isSettled(part))
    .join(' && ');
}

function isSettled(comparison: string): boolean {
  const found = /^(?:Math\.abs\((\S+)\)|(\S+)) (<|>|<=|>=) (\S+)$/.exec(comparison);
  if (found === null) return false;
  const [, inside, plain, operator, other] = found;
  const left = inside === undefined ? Number(plain) : Math.abs(Number(inside));
  const right = Number(other);
  if (operator.startsWith('<') && left < right) return true;
  if (operator.startsWith('>') && left > right) return true;
  return operator.endsWith('=') && left === right;
}

/** The signs of operands that are only added. */
function signsOf(inline: InlineFunction): readonly (1 | -1)[] | undefined {
  const { add, subtract, minus } = inlineFunctions;
  if (inline === add) return [1, 1];
  if (inline === subtract) return [1, -1];
  return inline === minus ? [-1] : undefined;
}

/** The node under which the derivative of a library function in its active scalar `k` is kept. */
export function slopeOf(node: Library, k: number): Node {
  return { kind: 'literal', key: `${node.key}#${k}`, active: false, text: '0', value: 0 };
}

/** Library functions that write their derivatives without a tape, by name and kinds of operands. */
const directFunctions: Readonly<Record<string, string>> = {
  'ordered_logistic_lpmf "ivV"': '$ordered_logistic',
  'ordered_probit_lpmf "ivV"': '$ordered_probit',
  'categorical_logit_lpmf "iV"': '$categorical_logit',
};

/** Of one vector, given a Cholesky factor: the sweeps need no tape for it. */
export function isMultiNormal({ name, head }: Library): boolean {
  return name === 'multi_normal_cholesky_lpdf' && /^"[RV][RV][MW]"$/.test(head[1]);
}

/** The library's functions of views. */
const reductionKeys: Readonly<Record<string, string>> = {
  log_sum_exp: '$log_sum_exp_view',
  sum: '$sum_view',
  mean: '$mean_view',
  dot_product: '$dot_view',
  dot_self: '$dot_self_view',
};

export interface WholeOperand {
  readonly kind: 'r' | 'R';
  readonly text: string;
}

export function wholeOf(unit: Unit, { array, start, stride, count }: ViewPlace): WholeOperand {
  const text = `${unit.use('$gather')}(${array}, ${start}, ${stride}, ${count})`;
  return { kind: 'R', text };
}

/** The library's density of data. */
export function densityCall(unit: Unit, name: string, operands: readonly WholeOperand[]): string {
  const kinds = quote(operands.map(({ kind }) => kind).join(''));
  const texts = operands.map(({ text }) => text);
  return `${unit.use(name)}(${[`${unit.use('$idleTape')}()`, 'false', kinds, ...texts].join(', ')})`;
}
