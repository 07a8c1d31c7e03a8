/** Scalar expressions of the intermediate representation as nodes that both sweeps can write. */

import { type InlineFunction, literalPowers } from '../emit/derivatives.ts';
import { emitBorrowed, emitExpression, emitTest } from '../emit/emit-expression.ts';
import { isWorthCaching } from '../emit/invariant.ts';
import { numberLiteral, quote } from '../emit/printer.ts';
import type {
  CallExpression,
  DensityExpression,
  ExpressionOf,
  IndexExpression,
  IrExpression,
  IrIndex,
  IrVariable,
} from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { visitVariables } from '../lower/walk-ir.ts';
import { isWholeMatrix } from './addresses.ts';
import { densityForms } from './density-forms.ts';
import { expOfDistance, inlineFunction, logSumOfTwo } from './functions.ts';
import {
  type Element,
  type Guard,
  isCostly,
  type LibraryOperand,
  type Node,
  type Operation,
  type View,
} from './node.ts';
import { elementCount, NotReversible, type RegionScope, rankOf, sizeName } from './region-scope.ts';

const numberOfInline = new Map<InlineFunction, number>();

function inlineKey(inline: InlineFunction): string {
  const known = numberOfInline.get(inline);
  if (known !== undefined) return `f${known}`;
  numberOfInline.set(inline, numberOfInline.size);
  return `f${numberOfInline.size - 1}`;
}

/** An operand of a library function with its kind there. */
interface GivenOperand {
  readonly kind: string;
  readonly key: string;
  readonly operand: LibraryOperand;
}

function keysOf(nodes: readonly Node[]): string {
  return nodes.map(({ key }) => key).join(',');
}

/** Functions of entire vectors that the sweeps know. */
export const reductions: ReadonlySet<string> = new Set([
  'log_sum_exp',
  'sum',
  'dot_product',
  'dot_self',
  'mean',
]);

/** Of sizes. */
const sums: ReadonlySet<string> = new Set(['add', 'subtract', 'multiply']);

export class NodeBuilder {
  constructor(readonly scope: RegionScope) {}

  // ---------------------------------------------------------------- for forms of densities

  number(value: number): Node {
    const text = numberLiteral(value);
    return { kind: 'literal', key: text, active: false, text, value };
  }

  operation(inline: InlineFunction, operands: readonly Node[], guard: Guard | null = null): Node {
    const own = `${inlineKey(inline)}(${keysOf(operands)})`;
    // Two calls with different requirements on the same operand are two nodes.
    const key = guard === null ? own : `${own}!${guard.density}(${keysOf(guard.operands)})`;
    const active = inline.partials.length > 0 && operands.some((operand) => operand.active);
    const node: Operation = { kind: 'operation', key, active, inline, operands, guard };
    for (const name of inline.uses ?? []) this.scope.frame.unit.use(name);
    const isFixed = guard === null && operands.every((operand) => this.isInvariant(operand));
    if (isFixed) return this.scope.hoist(node);
    return guard === null && isCostly(node) ? this.image(node) : node;
  }

  /** f of an element that loops read several times, if the region does not change its container. */
  private image(node: Operation): Node {
    const [element] = node.operands;
    if (node.operands.length !== 1 || element.kind !== 'element') return node;
    const { scope } = this;
    const { variable, indexes } = element;
    const isIndirect = indexes.some((index) => index.kind === 'datum');
    const isGathered = indexes.some((index) => index.kind === 'part');
    const isInLoops = scope.depth > rankOf(variable) || (scope.depth > 0 && isIndirect);
    const isRepeated = isInLoops || isGathered;
    if (!scope.isFixed(variable) || !isRepeated) return node;
    const { name } = scope.imageOf(variable, node.inline, inlineKey(node.inline));
    const { key, active, inline } = node;
    return { kind: 'image', key, active, name, element, inline };
  }

  call(name: string, ...operands: Node[]): Node {
    const [first, second] = operands;
    if (first.kind === 'literal' && name === 'inv') return this.number(1 / first.value);
    if (first.kind === 'literal' && name === 'log') return this.number(Math.log(first.value));
    if (first.kind === 'literal' && second?.kind === 'literal') {
      if (name === 'add') return this.number(first.value + second.value);
      if (name === 'subtract') return this.number(first.value - second.value);
      if (name === 'multiply') return this.number(first.value * second.value);
    }
    if (second?.kind === 'literal') {
      if (name === 'subtract' && second.value === 0) return first;
      if (name === 'multiply' && second.value === 1) return first;
    }
    const inline = inlineFunction(name, operands.length);
    if (!inline) throw new NotReversible(`\`${name}\``);
    return this.operation(inline, operands);
  }

  choice(test: Node, yes: Node, no: Node): Node {
    const active = yes.active || no.active;
    return {
      kind: 'choice',
      key: `(${test.key}?${yes.key}:${no.key})`,
      active,
      test,
      yes,
      no,
    };
  }

  /** Text of data that represents itself in both sweeps. */
  plain(text: string): Node {
    return { kind: 'plain', key: text, active: false, text, expression: null, isRepeatable: true };
  }

  logSumExp(a: Node, b: Node): Node {
    const e = this.operation(expOfDistance, [a, b]);
    return this.operation(logSumOfTwo, [a, b, e]);
  }

  // ---------------------------------------------------------------- expressions

  build(e: IrExpression): Node {
    if (e.op === 'int' || e.op === 'real') return this.number(e.value);
    if (!isScalar(e.type)) throw new NotReversible('a container where a scalar is expected');
    if (!this.scope.isActive(e)) return this.inactive(e);
    switch (e.op) {
      case 'variable':
        return this.scalar(e.variable);
      case 'index':
        return this.element(e);
      case 'call':
        return this.callOf(e);
      case 'density':
        return this.density(e);
      case 'conditional':
        return this.choice(this.test(e.test), this.build(e.yes), this.build(e.no));
      default:
        throw new NotReversible(e.op === 'user' ? 'a user function' : e.op);
    }
  }

  /** A node that is 0 or 1. */
  test(e: IrExpression): Node {
    if (!this.namesActive(e)) return this.plainOf(e, `(${emitTest(this.scope.frame, e)} ? 1 : 0)`);
    switch (e.op) {
      case 'compare': {
        const inline = comparisonForms[e.operator];
        return this.operation(inline, [this.build(e.left), this.build(e.right)]);
      }
      case 'and':
        return this.choice(this.test(e.left), this.test(e.right), this.number(0));
      case 'or':
        return this.choice(this.test(e.left), this.number(1), this.test(e.right));
      case 'not':
        return this.operation(negation, [this.test(e.operand)]);
      default:
        throw new NotReversible('a test of parameters');
    }
  }

  /** Data: arithmetic on reals is written inline, what the emitter would cache or call is left to it. */
  private inactive(e: IrExpression): Node {
    const { frame } = this.scope;
    if (this.namesActive(e)) {
      if (e.op === 'conditional') {
        return this.choice(this.test(e.test), this.build(e.yes), this.build(e.no));
      }
      if (e.op === 'measure') return this.measure(e);
      const inline = e.op === 'call' && sums.has(e.name) ? this.inlineOf(e) : null;
      return inline ? this.operation(inline.inline, inline.operands) : this.test(e);
    }
    if (frame.caches && isWorthCaching(e)) return this.plainOf(e, emitExpression(frame, e).text);
    const datum = e.op === 'index' ? this.datum(e) : null;
    if (datum) return datum;
    if (e.op === 'call' && e.type.base === 'real') {
      const inline = this.inlineOf(e);
      if (inline) return this.operation(inline.inline, inline.operands);
    }
    return this.plainOf(e, emitExpression(frame, e).text);
  }

  /** The size of an active container. */
  private measure({ what, operand }: ExpressionOf<'measure'>): Node {
    if (what === 'zeros') throw new NotReversible('an imaginary part of zeros');
    if (operand.op === 'index' && (what === 'rows' || what === 'cols')) {
      const { variable, indexes } = this.view(operand);
      if (!this.scope.isActiveVariable(variable) || !isWholeMatrix(indexes))
        throw new NotReversible('the sizes of a part');
      return this.plain(sizeName(variable, indexes.length - (what === 'rows' ? 2 : 1)));
    }
    if (operand.op === 'index' && what === 'length') {
      const { variable, indexes, range } = this.view(operand, true);
      if (!this.scope.isActiveVariable(variable)) throw new NotReversible('the size of data');
      if (isWholeMatrix(indexes)) throw new NotReversible('the sizes of a part');
      const size = sizeName(variable, indexes.indexOf(null));
      if (range === null) return this.plain(size);
      return this.operation(spanLength, [range.from, range.to ?? this.plain(size)]);
    }
    if (operand.op !== 'variable') throw new NotReversible('the size of an expression');
    const { variable } = operand;
    const rank = rankOf(variable);
    if (what === 'elements') return this.plain(`(${elementCount(variable)})`);
    if (what === 'length') return this.plain(sizeName(variable, 0));
    const isMatrix = variable.type.base === 'matrix' && rank === 2;
    if (!isMatrix || what === 'dims') throw new NotReversible('the sizes of a container');
    return this.plain(sizeName(variable, what === 'rows' ? 0 : 1));
  }

  private plainOf(e: IrExpression, text: string): Node {
    const versions: string[] = [];
    visitVariables(e, (variable) => versions.push(this.scope.version(variable)));
    return {
      kind: 'plain',
      key: `${text}:${versions.join()}`,
      active: false,
      text,
      expression: e,
      isRepeatable: this.scope.isRepeatable(e),
    };
  }

  private namesActive(e: IrExpression): boolean {
    let found = false;
    visitVariables(e, (variable) => {
      found ||= this.scope.isActiveVariable(variable);
    });
    return found;
  }

  private scalar(variable: IrVariable): Node {
    const key = this.scope.version(variable);
    return { kind: 'scalar', key, active: true, variable };
  }

  /** `x[i, j]` of data, when the indexes alone lead to a number. */
  private datum(e: IndexExpression): Node | null {
    const path = singlePath(e);
    if (!path || path.indexes.length !== rankOf(path.variable)) return null;
    const { variable } = path;
    const indexes = path.indexes.map((index) => this.build(index));
    return {
      kind: 'datum',
      key: `${this.scope.version(variable)}[${indexes.map((index) => index.key).join()}]`,
      active: false,
      variable,
      dataKind: this.scope.kindOfVariable(variable),
      indexes,
      label: e.label,
      isRepeatable: this.scope.isAvailable(variable) && !isScalar(variable.type),
    };
  }

  private element(e: IndexExpression): Node {
    const path = singlePath(e);
    if (!path) throw new NotReversible('an element of an expression');
    return this.elementOf(path.variable, path.indexes, e.label);
  }

  private elementOf(variable: IrVariable, entries: readonly IrExpression[], label: string): Node {
    const node = this.placeOf(variable, entries, label);
    const isFixed =
      this.scope.isFixed(variable) && node.indexes.every(({ kind }) => kind === 'literal');
    return isFixed ? this.scope.hoist(node) : node;
  }

  /** `variable[entries]` as a place to read or to write. */
  placeOf(variable: IrVariable, entries: readonly IrExpression[], label: string): Element {
    if (entries.length !== rankOf(variable)) throw new NotReversible('a part of a container');
    const indexes = entries.map((index) => this.build(index));
    const key = `${this.scope.version(variable)}[${indexes.map((index) => index.key).join()}]`;
    return { kind: 'element', key, active: true, variable, indexes, label };
  }

  /** The sum of a vector. */
  sumOf(e: IrExpression): Node {
    const view = this.view(e);
    return { kind: 'reduction', key: `sum(${view.key})`, active: true, name: 'sum', views: [view] };
  }

  /** Literals, variables that the region does not change, and what is computed from these before it. */
  private isInvariant(node: Node): boolean {
    if (node.kind === 'literal' || node.kind === 'hoisted') return true;
    if (node.kind === 'scalar') return this.scope.isFixed(node.variable);
    if (node.kind !== 'plain' || node.expression?.op !== 'variable') return false;
    return this.scope.isFixed(node.expression.variable);
  }

  private inlineOf(e: CallExpression): { inline: InlineFunction; operands: Node[] } | null {
    if (!e.arguments.every(({ type }) => isScalar(type))) return null;
    const [first, second] = e.arguments;
    const literal = second?.op === 'int' || second?.op === 'real' ? second.value : null;
    const power = e.name === 'pow' && literal !== null ? literalPowers[literal] : undefined;
    if (power) return { inline: power, operands: [this.build(first)] };
    const inline = inlineFunction(e.name, e.arguments.length);
    return inline && { inline, operands: e.arguments.map((argument) => this.build(argument)) };
  }

  /** A function of operands already built. */
  functionOf(name: string, operands: readonly Node[]): Node {
    const [first, second] = operands;
    if (name === 'log_sum_exp' && operands.length === 2) return this.logSumExp(first, second);
    if (name === 'log_mix') return densityForms.log_mix(this, operands, 'false');
    const isPower = name === 'pow' && second?.kind === 'literal';
    const power = isPower ? literalPowers[second.value] : undefined;
    if (power) return this.operation(power, [first]);
    const inline = inlineFunction(name, operands.length);
    if (inline) return this.operation(inline, operands);
    const given = operands.map((node): GivenOperand => {
      return { kind: node.active ? 'v' : 'r', key: node.key, operand: { kind: 'scalar', node } };
    });
    if (!operands.some(({ active }) => active)) throw new NotReversible(`\`${name}\``);
    return this.libraryCall(name, given);
  }

  private callOf(e: CallExpression): Node {
    const inline = this.inlineOf(e);
    if (inline) return this.operation(inline.inline, inline.operands);
    if (e.arguments.every(({ type }) => isScalar(type))) {
      const operands = e.arguments.map((argument) => this.build(argument));
      if (e.name === 'log_sum_exp') return this.logSumExp(operands[0], operands[1]);
      if (e.name === 'log_mix') return densityForms.log_mix(this, operands, 'false');
    } else if (reductions.has(e.name)) {
      const views = e.arguments.map((argument) => this.view(argument));
      const key = `${e.name}(${views.map((view) => view.key).join()})`;
      return { kind: 'reduction', key, active: true, name: e.name, views };
    }
    return this.library(e);
  }

  /** A function whose derivatives are not known here, as in the library. */
  private library(e: CallExpression | DensityExpression): Node {
    if (!isScalar(e.type)) throw new NotReversible(`\`${e.name}\``);
    const operands = e.arguments.map((argument) => this.libraryOperand(argument));
    if (e.op === 'call') return this.libraryCall(e.name, operands);
    const kinds = operands.map(({ kind }) => kind).join('');
    const drop = e.propto ? this.scope.frame.propto : 'false';
    return this.libraryNode(e.name, [drop, quote(kinds)], operands);
  }

  private libraryCall(name: string, operands: readonly GivenOperand[]): Node {
    const kinds = operands.map(({ kind }) => kind).join('');
    const { library } = this.scope.frame.unit;
    const key = [kinds, kinds.replaceAll('i', 'r')]
      .map((text) => `${name}__${text}`)
      .find((form) => library.has(form));
    if (key === undefined) throw new NotReversible(`\`${name}\``);
    return this.libraryNode(key, [], operands);
  }

  private libraryNode(name: string, head: string[], operands: readonly GivenOperand[]): Node {
    if (!this.scope.frame.unit.library.has(name)) throw new NotReversible(`\`${name}\``);
    const key = `${name}(${[...head, ...operands.map((given) => given.key)].join(',')})`;
    const given = operands.map(({ operand }) => operand);
    return { kind: 'library', key, active: true, name, head, operands: given };
  }

  private libraryOperand(e: IrExpression): GivenOperand {
    if (isScalar(e.type)) {
      const node = this.build(e);
      const kind = node.active ? 'v' : e.type.base === 'int' ? 'i' : 'r';
      return { kind, key: node.key, operand: { kind: 'scalar', node } };
    }
    if (this.scope.isActive(e)) {
      const view = this.view(e);
      return {
        kind: isWholeMatrix(view.indexes) ? 'W' : 'V',
        key: view.key,
        operand: { kind: 'view', view },
      };
    }
    if (this.namesActive(e)) throw new NotReversible('a container');
    const { text, kind } = emitBorrowed(this.scope.frame, e);
    const versions: string[] = [];
    visitVariables(e, (variable) => versions.push(this.scope.version(variable)));
    return {
      kind,
      key: `${text}:${versions.join()}`,
      operand: { kind: 'data', text, dataKind: kind },
    };
  }

  private density(e: DensityExpression): Node {
    const known =
      Object.hasOwn(densityForms, e.name) && e.arguments.every(({ type }) => isScalar(type));
    if (!known) return this.library(e);
    const drop = e.propto ? this.scope.frame.propto : 'false';
    return densityForms[e.name](
      this,
      e.arguments.map((argument) => this.build(argument)),
      drop,
    );
  }

  /** Views of data are of real vectors, and not of arrays across vectors; the reverse sweep reads them again. */
  private requireData(
    variable: IrVariable,
    indexes: readonly (Node | null)[],
    takesInts: boolean,
  ): void {
    const { scope } = this;
    const kind = scope.kindOfVariable(variable);
    const isAcross = indexes.slice(0, kind.length - 1).includes(null);
    if (
      isAcross ||
      !(takesInts ? /[RMI]$/ : /[RM]$/).test(kind) ||
      !scope.isAvailable(variable) ||
      isScalar(variable.type)
    ) {
      throw new NotReversible('a vector of data');
    }
  }

  /** A vector in the kept numbers, or in data; or a matrix, column by column. */
  view(e: IrExpression, takesInts = false): View {
    const entries: IrIndex[] = [];
    let base = e;
    while (base.op === 'index') {
      entries.unshift(...base.entries);
      if (base.base.op === 'index' && !base.base.entries.every(({ kind }) => kind === 'single')) {
        throw new NotReversible('a slice of a slice');
      }
      base = base.base;
    }
    if (base.op !== 'variable') throw new NotReversible('a vector that is not a variable');
    const { variable } = base;
    let range: View['range'] = null;
    const indexes = Array.from({ length: rankOf(variable) }, (_, k) => {
      const entry = entries[k];
      if (!entry || entry.kind === 'all') return null;
      if (entry.kind === 'multiple') throw new NotReversible('several indexes');
      if (entry.kind === 'single') return this.build(entry.at);
      const [from, to] = [entry.from, entry.to].map((end) => end && this.build(end));
      range = { from: from ?? this.number(1), to, isCounted: entry.isCounted ?? false };
      return null;
    });
    const isMatrix = variable.type.base === 'matrix' && range === null;
    const isInner = indexes.at(-1) === null && indexes.at(-2) === null;
    const isWhole = isMatrix && isInner && isWholeMatrix(indexes);
    if (!isWhole && indexes.filter((index) => index === null).length !== 1) {
      throw new NotReversible('a container of several dimensions');
    }
    if (!this.scope.isActiveVariable(variable)) this.requireData(variable, indexes, takesInts);
    const part = indexes.map((index) => index?.key ?? rangeKey(range)).join();
    const label = e.op === 'index' ? e.label : variable.name;
    return { variable, key: `${this.scope.version(variable)}[${part}]`, indexes, range, label };
  }
}

function rangeKey(range: View['range']): string {
  return range === null ? ':' : `${range.from.key}:${range.to?.key ?? ''}`;
}

function singlePath(e: IndexExpression): { variable: IrVariable; indexes: IrExpression[] } | null {
  const indexes: IrExpression[] = [];
  let base: IrExpression = e;
  while (base.op === 'index') {
    const singles = base.entries.flatMap((entry) => (entry.kind === 'single' ? [entry.at] : []));
    if (singles.length !== base.entries.length) return null;
    indexes.unshift(...singles);
    base = base.base;
  }
  return base.op === 'variable' ? { variable: base.variable, indexes } : null;
}

const comparison = (operator: string): InlineFunction => ({
  value: (a, b) => `(${a} ${operator} ${b} ? 1 : 0)`,
  partials: [],
});

const comparisonForms: Readonly<Record<string, InlineFunction>> = {
  '===': comparison('==='),
  '!==': comparison('!=='),
  '<': comparison('<'),
  '<=': comparison('<='),
  '>': comparison('>'),
  '>=': comparison('>='),
};

/** How many elements `from:to` has. */
const spanLength: InlineFunction = {
  value: (from, to) => `Math.max(0, ${to} - ${from} + 1)`,
  partials: [],
};

const negation: InlineFunction = { value: (a) => `(${a} === 0 ? 1 : 0)`, partials: [] };
