/**
 * Terms of vectors: what a density, an assignment or the target needs for each element of vector expressions, as one
 * node in a loop over the elements. Anything that is the same for all elements is moved out of the loop.
 */
import { emitBorrowed } from '../emit/emit-expression.ts';
import { isOfDataOnly } from '../emit/invariant.ts';
import type {
  CallExpression,
  DensityExpression,
  IndexExpression,
  IrExpression,
  IrIndex,
} from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { visitVariables } from '../lower/walk-ir.ts';
import type { NodeBuilder } from './build-node.ts';
import { densityForms } from './density-forms.ts';
import { inlineFunction } from './functions.ts';
import type { Along, Element, Hoisted, Node, Operation, Part, View } from './node.ts';
import { NotReversible, type RegionScope, rankOf } from './region-scope.ts';

/** A data array that a loop reads, under a name that both sweeps declare before it. */
export interface DataArray {
  readonly name: string;
  readonly text: string;
}

/** One vector among the arguments of what a loop computes. */
export interface Operand {
  readonly node: Node;
  /** Keys of vectors and names of arrays that it reads: all of the same length. */
  readonly lengths: readonly (Along | DataArray)[];
  /** Not a vector by itself: the library gets it computed when something is wrong. */
  readonly isComputed: boolean;
}

export interface Term {
  readonly node: Node;
  /** Name of the loop's 0-based index. */
  readonly index: string;
  /** By argument of a density; null for scalars. */
  readonly operands: readonly (Operand | null)[];
  readonly along: readonly Along[];
  readonly arrays: readonly DataArray[];
  /** Values that are the same for all elements. */
  readonly once: readonly Hoisted[];
  /** Elements whose indexes are checked before the loop. */
  readonly checked: readonly Hoisted[];
}

/** Functions that give the same elements in another container; of a matrix, all but its transpose. */
export const sameElements: ReadonlySet<string> = new Set([
  'to_vector',
  'to_row_vector',
  'to_array_1d',
  'transpose',
]);

/** Functions of two matrices that combine their elements one by one. */
const pairwise: ReadonlySet<string> = new Set([
  'add',
  'subtract',
  'elt_multiply',
  'elt_divide',
  'elt_pow',
  'pow',
]);

/** A matrix computed element by element from matrices, and not a matrix by itself. */
export function isOfElements(e: IrExpression): boolean {
  if (e.op !== 'call' || !isMatrix(e)) return false;
  if (!e.arguments.every((part) => isScalar(part.type) || isMatrix(part))) return false;
  const [first, second] = e.arguments;
  if (second === undefined) return inlineFunction(e.name, 1) !== null;
  if (pairwise.has(e.name)) return true;
  if (e.name === 'divide') return isScalar(second.type);
  return e.name === 'multiply' && (isScalar(first.type) || isScalar(second.type));
}

function isMatrix({ type }: IrExpression): boolean {
  return type.base === 'matrix' && type.arrayDepth === 0;
}

function isRow({ type }: IrExpression): boolean {
  if (type.base === 'matrix') return false;
  return type.base === 'vector' || type.base === 'row_vector'
    ? type.arrayDepth === 0
    : type.arrayDepth === 1;
}

/** Computed element by element from vectors, and not a vector by itself. */
export function isElementwise(e: IrExpression): boolean {
  if (!isRow(e)) return false;
  if (e.op === 'index') return e.entries.some(({ kind }) => kind === 'multiple');
  return e.op === 'call' && e.arguments.every((part) => isScalar(part.type) || isRow(part));
}

export class TermBuilder {
  private readonly along: Along[] = [];
  private readonly arrays: DataArray[] = [];
  private readonly once = new Map<string, Hoisted>();
  private readonly checked = new Set<Hoisted>();
  private lengths: (Along | DataArray)[] = [];
  private readonly index: string;

  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
  ) {
    this.index = scope.temporary();
  }

  /** One term of a density of vectors. */
  density(e: DensityExpression): Term {
    if (!Object.hasOwn(densityForms, e.name)) throw new NotReversible(`\`${e.name}\``);
    const drop = e.propto ? this.scope.frame.propto : 'false';
    const operands = e.arguments.map((argument) => this.operand(argument));
    const nodes = e.arguments.map((argument, k) => {
      const operand = operands[k];
      return operand === null ? this.builder.build(argument) : operand.node;
    });
    const node = densityForms[e.name](this.builder, nodes, drop);
    return this.term(node, operands);
  }

  /** One element of an expression of vectors. */
  elementOf(e: IrExpression): Term {
    const operand = this.operand(e);
    if (operand === null) throw new NotReversible('a scalar where a vector is expected');
    return this.term(operand.node, [operand]);
  }

  private term(node: Node, operands: readonly (Operand | null)[]): Term {
    const { index, along, arrays } = this;
    if (along.length + arrays.length === 0) throw new NotReversible('a vector of unknown length');
    const inside = this.outside(node);
    const outer = operands.map(
      (operand) => operand && { ...operand, node: this.outside(operand.node) },
    );
    const [once, checked] = [[...this.once.values()], [...this.checked]];
    return { node: inside, index, operands: outer, along, arrays, once, checked };
  }

  private operand(e: IrExpression): Operand | null {
    if (isScalar(e.type)) return null;
    if (!isRow(e) && !isMatrix(e)) throw new NotReversible('a container of several dimensions');
    this.lengths = [];
    const node = this.each(e);
    const { lengths } = this;
    return { node, lengths, isComputed: node.kind !== 'along' };
  }

  // ---------------------------------------------------------------- elements

  private each(e: IrExpression): Node {
    if (isScalar(e.type)) return this.builder.build(e);
    if (!isRow(e) && !isMatrix(e)) throw new NotReversible('a container of several dimensions');
    if (!this.namesActive(e) && isOfDataOnly(e)) return this.ofData(e);
    if (e.op === 'call') return this.ofCall(e);
    if (e.op === 'index' && this.isGather(e)) return this.gathered(e);
    const view = this.builder.view(e, true);
    const active = this.scope.isActiveVariable(view.variable);
    const key = `${view.key}@${this.index}`;
    const known = this.along.find((other) => other.key === key);
    const node: Along = known ?? { kind: 'along', key, active, view, index: this.index };
    if (!known) this.along.push(node);
    this.lengths.push(node);
    return node;
  }

  private namesActive(e: IrExpression): boolean {
    let found = false;
    visitVariables(e, (variable) => {
      found ||= this.scope.isActiveVariable(variable);
    });
    return found;
  }

  /** The emitter caches what it computes from data, so both sweeps name the same array. */
  private ofData(e: IrExpression): Part {
    const { text: own, kind } = emitBorrowed(this.scope.frame, e);
    if (kind !== 'R' && kind !== 'I' && kind !== 'M')
      throw new NotReversible('a container of data');
    const text = kind === 'M' ? `${own}.data` : own;
    const array = this.arrays.find((other) => other.text === text) ?? {
      name: /^[\w$]+$/.test(text) ? text : this.scope.temporary(),
      text,
    };
    if (!this.arrays.includes(array)) this.arrays.push(array);
    this.lengths.push(array);
    const { name } = array;
    return { kind: 'part', key: `${name}[${this.index}]`, active: false, name, index: this.index };
  }

  private ofCall(e: CallExpression): Node {
    const [first] = e.arguments;
    const isSame = e.arguments.length === 1 && sameElements.has(e.name);
    if (isSame && !(e.name === 'transpose' && isMatrix(first))) return this.each(first);
    if (!isOfElements(e) && !e.arguments.every((part) => isScalar(part.type) || isRow(part))) {
      throw new NotReversible(`\`${e.name}\` of a matrix`);
    }
    const power = e.name === 'elt_pow' ? 'pow' : e.name;
    const operands = e.arguments.map((argument) => this.each(argument));
    return this.builder.functionOf(power, operands);
  }

  /** `x[k]` of a vector x and data k. */
  private isGather({ base, entries }: IndexExpression): boolean {
    return base.op === 'variable' && entries.length === 1 && entries[0].kind === 'multiple';
  }

  private gathered({ base, entries, label }: IndexExpression): Element {
    const [entry] = entries as readonly [Extract<IrIndex, { kind: 'multiple' }>];
    if (base.op !== 'variable' || rankOf(base.variable) !== 1) {
      throw new NotReversible('several rows of a container');
    }
    if (!this.scope.isActiveVariable(base.variable) || !isOfDataOnly(entry.at)) {
      throw new NotReversible('several indexes that are not data');
    }
    const part = this.ofData(entry.at);
    const { variable } = base;
    const key = `${this.scope.version(variable)}[${part.key}]`;
    return { kind: 'element', key, active: true, variable, indexes: [part], label };
  }

  // ---------------------------------------------------------------- the same for all elements

  private isInside(node: Node): boolean {
    switch (node.kind) {
      case 'along':
      case 'part':
        return true;
      case 'element':
      case 'datum':
        return node.indexes.some((index) => this.isInside(index));
      case 'image':
        return this.isInside(node.element);
      case 'operation':
        return [...node.operands, ...(node.guard?.operands ?? [])].some((x) => this.isInside(x));
      case 'choice':
        return [node.test, node.yes, node.no].some((part) => this.isInside(part));
      case 'library':
        return node.operands.some((part) => part.kind === 'scalar' && this.isInside(part.node));
      default:
        return false;
    }
  }

  /** The node with names in place of what is computed once. */
  private outside(node: Node): Node {
    if (node.kind === 'hoisted' && node.node.kind === 'element') this.checked.add(node);
    if (isFree(node)) return node;
    if (!this.isInside(node)) return this.named(node);
    if (node.kind === 'operation') {
      const guard = node.guard && { ...node.guard, operands: this.outsideAll(node.guard.operands) };
      const inner: Operation = { ...node, operands: this.outsideAll(node.operands), guard };
      return inner;
    }
    if (node.kind === 'library') {
      const operands = node.operands.map((part) =>
        part.kind === 'scalar' ? { ...part, node: this.outside(part.node) } : part,
      );
      return { ...node, operands };
    }
    if (node.kind !== 'choice') return node;
    const [test, yes, no] = this.outsideAll([node.test, node.yes, node.no]);
    return { ...node, test, yes, no };
  }

  private outsideAll(nodes: readonly Node[]): Node[] {
    return nodes.map((node) => this.outside(node));
  }

  private named(node: Node): Hoisted {
    const known = this.once.get(node.key);
    if (known) return known;
    const name = this.scope.temporary();
    const once: Hoisted = { kind: 'hoisted', key: `#${name}`, active: node.active, name, node };
    this.once.set(node.key, once);
    return once;
  }
}

/** Free of cost in a loop. */
function isFree({ kind }: Node): boolean {
  return kind === 'literal' || kind === 'scalar' || kind === 'hoisted';
}

/** Whether a loop that writes the elements of `target` reads elements of its variable that it has already written. */
export function readsOther({ node }: Term, target: View): boolean {
  const reads = (part: Node): boolean => {
    switch (part.kind) {
      case 'along':
        return part.view.variable === target.variable && part.view.key !== target.key;
      case 'element':
        return part.variable === target.variable;
      case 'operation':
        return part.operands.some(reads);
      case 'choice':
        return [part.test, part.yes, part.no].some(reads);
      case 'library':
        return part.operands.some((operand) => {
          if (operand.kind === 'scalar') return reads(operand.node);
          return operand.kind === 'view' && operand.view.variable === target.variable;
        });
      default:
        return false;
    }
  };
  return reads(node);
}
