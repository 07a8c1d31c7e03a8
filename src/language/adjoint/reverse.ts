/**
 * The reverse sweep: texts that add the adjoint of a node times its partial derivatives to the adjoints of its
 * operands. Values that these need are recomputed if that is cheap, and otherwise read from what was kept.
 */
import { assertNever } from '../../shared/assert-never.ts';
import { visitVariables } from '../lower/walk-ir.ts';
import {
  alongText,
  dataViewOf,
  datumText,
  elementAddress,
  imageAddress,
  type ViewPlace,
  viewOf,
  within,
} from './addresses.ts';
import { isMultiNormal, slopeOf } from './forward.ts';
import {
  type Image,
  isAtom,
  isCostly,
  type Library,
  type Node,
  type Operation,
  type Reduction,
  type View,
} from './node.ts';
import { adjointName, NotReversible, sizeName, valueName } from './region-scope.ts';
import type { Lines } from './step.ts';
import { Sweep } from './sweep.ts';

export class Reverse extends Sweep {
  /** How many branches of choices surround the text being written. */
  private depth = 0;
  /** Whether weights may be kept in a separate area, for which the statement makes room. */
  keepsAreas = true;
  private sharesLocals = false;

  /** The locals of the forward sweep are available as well: nothing is kept. */
  knowAll(names: ReadonlyMap<string, string>): void {
    this.known = new Map(names);
    this.sharesLocals = true;
  }

  /** A name or literal with the value that the node had when the statement ran. */
  value(node: Node): string {
    const known = this.known.get(node.key);
    if (known !== undefined) return known;
    const text = this.atom(node);
    this.known.set(node.key, text);
    return text;
  }

  private atom(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.text;
      case 'plain':
        if (!node.isRepeatable) return this.kept(node);
        if (node.expression) {
          visitVariables(node.expression, (variable) => this.scope.need(variable));
        }
        return isAtom(node.text) ? node.text : this.local(node.text);
      case 'datum': {
        if (!node.isRepeatable) return this.kept(node);
        const indexes = node.indexes.map((index) => this.value(index));
        return this.local(datumText(node.variable, node.dataKind, indexes));
      }
      case 'scalar':
        this.scope.need(node.variable);
        return valueName(node.variable);
      case 'element': {
        this.scope.need(node.variable);
        return this.local(`K[${this.address(node)}]`);
      }
      case 'image':
        return this.local(`K[${this.imagePlace(node)}]`);
      case 'along':
        if (node.active) this.scope.need(node.view.variable);
        return this.local(alongText(this.places, node));
      case 'part':
        return this.local(`${node.name}[${node.index}]`);
      case 'hoisted':
        return node.name;
      case 'operation':
        return this.operation(node);
      case 'choice':
      case 'reduction':
      case 'library':
        return this.kept(node);
      default:
        return assertNever(node, 'node');
    }
  }

  private operation(node: Operation): string {
    if (isCostly(node)) return this.kept(node);
    const operands = node.operands.map((operand) => this.value(operand));
    if (node.inline.value('x') === 'x' && operands.length === 1) return operands[0];
    return this.local(node.inline.value(...operands));
  }

  private kept(node: Node): string {
    return this.local(this.step.keep(node));
  }

  address(node: Extract<Node, { kind: 'element' }>): string {
    return elementAddress(
      node.variable,
      node.indexes.map((index) => this.value(index)),
    );
  }

  private imagePlace(node: Image): string {
    const indexes = node.element.indexes.map((index) => this.value(index));
    return imageAddress(node, indexes);
  }

  /** Adds the adjoint `g` of `node` to those of its operands. */
  add(node: Node, g: string): void {
    if (!node.active) return;
    switch (node.kind) {
      case 'scalar':
        this.lines.push(`${adjointName(node.variable)} += ${g};`);
        return;
      case 'hoisted':
        this.lines.push(`d${node.name} += ${g};`);
        return;
      case 'element':
        this.lines.push(`D[${this.address(node)}] += ${g};`);
        return;
      case 'along':
        this.lines.push(`${alongText(this.places, node, 'D')} += ${g};`);
        return;
      case 'image':
        this.lines.push(`D[${this.imagePlace(node)}] += ${g};`);
        return;
      case 'operation':
        return this.addOperation(node, g);
      case 'choice': {
        const test = this.sharesLocals
          ? this.value(node.test)
          : this.local(this.step.keep(node.test));
        const branch = (side: Node): Lines => {
          this.depth++;
          const { written } = this.inBranch(() => this.add(side, g));
          this.depth--;
          return written;
        };
        this.lines.push(`if (${test} !== 0) {`, branch(node.yes), '} else {', branch(node.no), '}');
        return;
      }
      case 'reduction':
        return this.addReduction(node, g);
      case 'library':
        return this.addLibrary(node, g);
      default:
        throw new NotReversible(`an adjoint of ${node.kind}`);
    }
  }

  private addOperation(node: Operation, given: string): void {
    const { inline, operands } = node;
    const active = operands.filter((operand) => operand.active);
    const g = active.length > 1 && !isAtom(given) ? this.local(given) : given;
    operands.forEach((operand, k) => {
      if (!operand.active) return;
      const partial = this.partial(node, k);
      if (partial === '0') return;
      const product = multiplyTexts(g, partial);
      const isLeaf = leaves.has(operand.kind);
      this.add(operand, isLeaf || isAtom(product) ? product : this.local(product));
    });
    if (inline.partials.length !== operands.length) throw new NotReversible('a partial derivative');
  }

  /** Text of d node / d operand k, with the values that it names. */
  private partial({ inline, operands, ...node }: Operation, k: number): string {
    const own = 'self$$$$';
    const names = operands.map((_, i) => `operand$$${i}$`);
    let text = inline.partials[k](own, ...names);
    if (text.includes(own)) {
      const value = this.value({ ...node, inline, operands });
      text = text.replaceAll(own, () => value);
    }
    operands.forEach((operand, i) => {
      if (!text.includes(names[i])) return;
      const value = this.value(operand);
      text = text.replaceAll(names[i], () => value);
    });
    return text;
  }

  /** The derivatives of log_sum_exp are exponentials that its value was computed from: each costs one store to keep. */
  private addWeights(node: Reduction, g: string): void {
    const [view] = node.views;
    const { start, stride, count } = this.placeOf(view);
    const area = this.step.areaOf(node, this.extent(view), () => this.scope.temporary());
    const key = this.scope.frame.unit.use('$weights_adjoint');
    this.lines.push(`${key}(K, D, ${g}, ${area}, ${start}, ${stride}, ${count});`);
  }

  /** Derivatives in scalars are kept one by one; if vectors are among the operands, all are in one area. */
  private addLibrary(node: Library, given: string): void {
    if (this.sharesLocals) throw new NotReversible(`\`${node.name}\``);
    const g = isAtom(given) ? given : this.local(given);
    if (node.operands.some(({ kind }) => kind === 'view')) {
      this.addLibraryOfVectors(node, g);
      return;
    }
    let place = 0;
    for (const operand of node.operands) {
      if (operand.kind !== 'scalar' || !operand.node.active) continue;
      const slope = this.local(this.step.keep(slopeOf(node, place++)));
      this.add(operand.node, this.local(`${g} * ${slope}`));
    }
  }

  private addLibraryOfVectors(node: Library, g: string): void {
    if (this.depth > 0 || !this.keepsAreas) throw new NotReversible(`\`${node.name}\` in a branch`);
    if (isMultiNormal(node)) {
      this.addMultiNormal(node, g);
      return;
    }
    const places = node.operands.map((operand) =>
      operand.kind === 'view' ? this.placeOf(operand.view) : null,
    );
    const counts = node.operands.map((operand, k) => {
      if (operand.kind === 'scalar') return operand.node.active ? '1' : '0';
      return places[k]?.count ?? '0';
    });
    const sizes = node.operands.flatMap((operand, k) => {
      if (operand.kind === 'view') return [this.extent(operand.view)];
      return counts[k] === '0' ? [] : [counts[k]];
    });
    const area = this.step.areaOf(node, `(${sizes.join(' + ')})`, () => this.scope.temporary());
    const key = this.scope.frame.unit.use('$weights_adjoint');
    let at = area;
    node.operands.forEach((operand, k) => {
      const place = places[k];
      if (operand.kind === 'scalar' && operand.node.active) {
        this.add(operand.node, this.local(`${g} * K[${at}]`));
      } else if (place) {
        this.lines.push(
          `${key}(K, D, ${g}, ${at}, ${place.start}, ${place.stride}, ${place.count});`,
        );
      }
      if (counts[k] !== '0') at = `${at} + ${counts[k]}`;
    });
  }

  private addMultiNormal(node: Library, g: string): void {
    const { unit } = this.scope.frame;
    const views = node.operands.map((operand) => (operand.kind === 'view' ? operand.view : null));
    const known = views.find((view) => view !== null) as View;
    const n =
      known === views[2] ? sizeName(known.variable, known.indexes.length - 1) : this.extent(known);
    const area = this.step.areaOf(node, `3 * ${n}`, () => this.scope.temporary());
    views.forEach((view, k) => {
      if (view === null) return;
      const { start, stride } = this.placeOf(view);
      const from = ['K', 'D', k === 0 ? `-${g}` : g, area, start].join(', ');
      if (k === 2) this.lines.push(`${unit.use('$factor_adjoint')}(${from}, ${n});`);
      else this.lines.push(`${unit.use('$location_adjoint')}(${from}, ${stride}, ${n});`);
    });
  }

  private addReduction(node: Reduction, g: string): void {
    const { unit } = this.scope.frame;
    if (node.name === 'log_sum_exp' && this.depth === 0 && this.keepsAreas) {
      this.addWeights(node, g);
      return;
    }
    const isData = node.views.map(({ variable }) => !this.scope.isActiveVariable(variable));
    if (isData.includes(true)) {
      const [active, data] = isData[0] ? [node.views[1], node.views[0]] : node.views;
      const key = unit.use('$dot_data_adjoint');
      const texts = [this.viewText(active, false), this.viewText(data, true)];
      this.lines.push(`${key}(D, ${[g, ...texts].join(', ')});`);
      return;
    }
    const isLinear = node.name === 'sum' || node.name === 'mean';
    const views = node.views.map((view) => this.viewText(view, !isLinear));
    const value = node.name === 'log_sum_exp' ? [this.value(node)] : [];
    const key = adjointKeys[node.name];
    this.lines.push(`${unit.use(key)}(K, D, ${[g, ...value, ...views].join(', ')});`);
  }

  /** Where a view is; see the forward sweep. */
  placeOf(view: View): ViewPlace {
    const { variable, indexes, range } = view;
    const texts = indexes.map((index) => (index === null ? null : this.value(index)));
    const place = this.scope.isActiveVariable(variable)
      ? { array: 'K', ...viewOf(variable, texts) }
      : dataViewOf(variable, this.scope.kindOfVariable(variable), texts);
    if (range === null) return place;
    const from = this.value(range.from);
    const to = range.to === null ? place.count : this.value(range.to);
    return within(place, from, this.local(`Math.max(0, ${to} - ${from} + 1)`));
  }

  /** How many elements a view has, as text that is right before the statement in both sweeps. */
  private extent({ variable, indexes, range }: View): string {
    const free = indexes.flatMap((index, k) => (index === null ? [sizeName(variable, k)] : []));
    const whole = free.join(' * ');
    if (range === null) return whole;
    const from = this.textBefore(range.from);
    const to = range.to === null ? whole : this.textBefore(range.to);
    return `Math.max(0, ${to} - ${from} + 1)`;
  }

  /** Text of an index that no statement before it computes. */
  private textBefore(node: Node): string {
    switch (node.kind) {
      case 'literal':
        return node.text;
      case 'plain':
        if (!node.isRepeatable) break;
        if (node.expression) {
          visitVariables(node.expression, (variable) => this.scope.need(variable));
        }
        return isAtom(node.text) ? node.text : `(${node.text})`;
      case 'datum': {
        if (!node.isRepeatable) break;
        const indexes = node.indexes.map((index) => this.textBefore(index));
        return datumText(node.variable, node.dataKind, indexes);
      }
      default:
    }
    throw new NotReversible('a slice whose size is computed');
  }

  private viewText(view: View, isRead: boolean): string {
    const { array, start, stride, count } = this.placeOf(view);
    if (!this.scope.isActiveVariable(view.variable)) return `${array}, ${start}, ${stride}`;
    if (isRead) this.scope.need(view.variable);
    return `${start}, ${stride}, ${count}`;
  }
}

const adjointKeys: Readonly<Record<string, string>> = {
  log_sum_exp: '$log_sum_exp_adjoint',
  sum: '$sum_adjoint',
  mean: '$mean_adjoint',
  dot_product: '$dot_adjoint',
  dot_self: '$dot_self_adjoint',
};

/** Nodes whose adjoint is a single place to add to. */
const leaves: ReadonlySet<Node['kind']> = new Set([
  'scalar',
  'element',
  'image',
  'along',
  'hoisted',
]);

function multiplyTexts(a: string, b: string): string {
  if (a === '1') return b;
  if (b === '1') return a;
  if (b === '-1') return `-${inBrackets(a)}`;
  if (a === '-1') return `-${inBrackets(b)}`;
  return `${inBrackets(a)} * ${inBrackets(b)}`;
}

function inBrackets(text: string): string {
  return /^([\w$]+(\.\d+)?|\([^()]*\))$/.test(text) ? text : `(${text})`;
}
