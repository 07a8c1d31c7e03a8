/**
 * Fuses a tree of arithmetic on active scalars or vectors into one kernel: intermediate values are locals, the chain
 * rule is applied here, and each element of the result is one row of the tape. Otherwise every operation would be a
 * row and a pass of the reverse sweep.
 */
import type { CallExpression, DensityExpression, IrExpression } from '../lower/ir.ts';
import { isActiveKind, isScalar, type Kind } from '../lower/kinds.ts';
import { type InlineFunction, inlineFunctions, literalPowers } from './derivatives.ts';
import { type Code, emitBorrowed } from './emit-expression.ts';
import type { Frame } from './frame.ts';
import { inlineDensities } from './inline-densities.ts';
import { numberLiteral, quote } from './printer.ts';
import type { Unit } from './unit.ts';

/** A leaf is an argument of the kernel or a literal; an inner node is an operation on locals. */
type Node = Leaf | Operation;
interface Leaf {
  readonly leaf: true;
  readonly kind: Kind;
  /** Name of the parameter, or the literal. */
  readonly name: string;
}
interface Operation {
  readonly leaf: false;
  readonly inline: InlineFunction;
  /** The condition on the first operands of a density, and the function that reports why it fails. */
  readonly guard?: { readonly density: string; readonly operands: readonly Node[] };
  readonly operands: readonly Node[];
  readonly isActive: boolean;
}

/** Larger trees would make kernels that the JavaScript engine does not optimise. */
const mostLeaves = 24;

/** The kernel call, or null when there is nothing to fuse: fewer than two operations, or too many operands. */
export function fuse(frame: Frame, e: CallExpression | DensityExpression, kind: Kind): Code | null {
  if (kind !== 'v' && kind !== 'V') return null;
  const tree = new TreeBuilder(frame);
  if (!tree.isFusible(e)) return null;
  if (e.op === 'call' && !e.arguments.some((argument) => tree.isFusible(argument))) return null;
  const root = tree.build(e);
  if (root.leaf || tree.leaves.length > mostLeaves) return null;
  const writer = new KernelWriter(frame.unit, tree.leaves, kind === 'V');
  const name = frame.unit.kernel(writer.write(root));
  return { text: `${name}(${['tape', ...tree.texts].join(', ')})`, kind };
}

class TreeBuilder {
  readonly leaves: Leaf[] = [];
  readonly texts: string[] = [];
  private readonly shared = new Map<string, Leaf>();

  constructor(private readonly frame: Frame) {}

  /** Whether `e` is an operation on active scalars or vectors that has an inline form. */
  isFusible(e: IrExpression): e is CallExpression | DensityExpression {
    if (!this.frame.activity.isActive(e)) return false;
    if (e.op === 'density') {
      return (
        Object.hasOwn(inlineDensities, e.name) && e.arguments.every(({ type }) => isScalar(type))
      );
    }
    if (e.op !== 'call' || !Object.hasOwn(inlineFunctions, e.name)) return false;
    if (e.arguments.length !== inlineFunctions[e.name].partials.length) return false;
    // Functions that reduce vectors to a scalar are not operations on their elements.
    const fits = isScalar(e.type) ? ({ type }: IrExpression) => isScalar(type) : isScalarOrVector;
    return isScalarOrVector(e) && e.arguments.every(fits);
  }

  build(e: IrExpression): Node {
    if (!this.isFusible(e)) return this.leaf(e);
    if (e.op === 'density') return this.density(e);
    const [first, second] = e.arguments;
    const literal = second?.op === 'int' || second?.op === 'real' ? second.value : null;
    const power = e.name === 'pow' && literal !== null ? literalPowers[literal] : undefined;
    const inline = power ?? inlineFunctions[e.name];
    const operands = (power ? [first] : e.arguments).map((argument) => this.build(argument));
    return operation(inline, operands);
  }

  private density(e: DensityExpression): Node {
    const density = inlineDensities[e.name];
    const drop = e.propto && this.frame.propto !== 'false' ? this.flag(this.frame.propto) : 'false';
    // The scale enters twice, so it is computed outside.
    const operands = e.arguments.map((argument, k) =>
      k === 2 ? this.leaf(argument) : this.build(argument),
    );
    const { standardised, inline } = density.term(operands.map(isActiveNode), drop);
    const guard = { density: e.name, operands };
    if (!standardised) return { ...operation(inline, operands), guard };
    const [y, m, s] = operands;
    const z = operation(inlineFunctions.divide, [operation(inlineFunctions.subtract, [y, m]), s]);
    return { ...operation(inline, [z, s]), guard };
  }

  /** A condition that the kernel takes as an argument. */
  private flag(text: string): string {
    const leaf: Leaf = { leaf: true, kind: 'i', name: `a${this.leaves.length}` };
    this.leaves.push(leaf);
    this.texts.push(text);
    return leaf.name;
  }

  /** Variables and elements of variables that occur twice are one argument. */
  private leaf(e: IrExpression): Leaf {
    if (e.op === 'int' || e.op === 'real') {
      return { leaf: true, kind: 'r', name: numberLiteral(e.value) };
    }
    const { text, kind } = emitBorrowed(this.frame, e);
    const pure = e.op === 'variable' || e.op === 'index';
    const known = pure ? this.shared.get(text) : undefined;
    if (known) return known;
    const leaf: Leaf = { leaf: true, kind, name: `a${this.leaves.length}` };
    this.leaves.push(leaf);
    this.texts.push(text);
    if (pure) this.shared.set(text, leaf);
    return leaf;
  }
}

function isActiveNode(node: Node): boolean {
  return node.leaf ? isActiveKind(node.kind) : node.isActive;
}

function operation(inline: InlineFunction, operands: readonly Node[]): Operation {
  return { leaf: false, inline, operands, isActive: operands.some(isActiveNode) };
}

function isScalarOrVector({ type }: IrExpression): boolean {
  if (isScalar(type)) return true;
  return type.arrayDepth === 0 && (type.base === 'vector' || type.base === 'row_vector');
}

/** Writes `(tape, a0, a1, …) { … }`. */
class KernelWriter {
  private readonly body: string[] = [];
  /** Partial derivatives by active leaf: the terms of a sum. */
  private readonly partials = new Map<Leaf, string[]>();
  private readonly values = new Map<Operation, Values>();
  private numLocals = 0;

  constructor(
    private readonly unit: Unit,
    private readonly leaves: readonly Leaf[],
    private readonly isVector: boolean,
  ) {}

  write(root: Operation): string {
    const value = this.forward(root);
    this.backward(root, value.text, '1', value.operands);
    const active = this.leaves.filter((leaf) => isActiveKind(leaf.kind));
    const edges = active.flatMap((leaf) => [
      `edgeSlot[e] = ${this.slotText(leaf)};`,
      `edgePartial[e++] = ${sumText(this.partials.get(leaf) ?? ['0'])};`,
    ]);
    const parameters = ['tape', ...this.leaves.map((leaf) => leaf.name)].join(', ');
    const lines = this.isVector
      ? this.vectorBody(value.text, edges, active.length)
      : this.scalarBody(value.text, edges, active.length);
    return `(${parameters}) {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
  }

  private local(text: string): string {
    const name = `t${this.numLocals++}`;
    this.body.push(`const ${name} = ${text};`);
    return name;
  }

  /** Writes the locals of a node, once; the values of its operands are needed again by {@link backward}. */
  private forward(node: Node): Values {
    if (node.leaf) return { text: this.valueText(node), operands: [] };
    const known = this.values.get(node);
    if (known) return known;
    if (node.guard) this.writeGuard(node.guard.density, node.guard.operands);
    const operands = node.operands.map((operand) => this.forward(operand));
    for (const key of node.inline.uses ?? []) this.unit.use(key);
    const text = this.local(node.inline.value(...operands.map((operand) => operand.text)));
    const values = { text, operands };
    this.values.set(node, values);
    return values;
  }

  /** Outside the domain the library's density throws; its operands are then computed only for it. */
  private writeGuard(density: string, operands: readonly Node[]): void {
    const { unit } = this;
    const texts = operands.map((operand) => this.forward(operand).text);
    const kinds = quote('r'.repeat(texts.length));
    const given = [`${unit.use('$idleTape')}()`, 'false', kinds, ...texts].join(', ');
    const { holds } = inlineDensities[density];
    this.body.push(`if (!(${holds(...texts)})) ${unit.use(density)}(${given});`);
  }

  /** Adds adjoint × partial to the active leaves below. */
  private backward(node: Node, value: string, adjoint: string, operands: readonly Values[]): void {
    if (node.leaf) {
      if (!isActiveKind(node.kind)) return;
      const terms = this.partials.get(node);
      if (terms) terms.push(adjoint);
      else this.partials.set(node, [adjoint]);
      return;
    }
    const texts = operands.map((operand) => operand.text);
    node.operands.forEach((operand, k) => {
      if (!isActiveNode(operand)) return;
      const partial = node.inline.partials[k](value, ...texts);
      const product = multiplyTexts(adjoint, partial);
      const isLeaf = operand.leaf || /^-?\w+$/.test(product);
      const next = isLeaf ? product : this.local(product);
      this.backward(operand, operands[k].text, next, operands[k].operands);
    });
  }

  private valueText({ kind, name }: Leaf): string {
    if (kind === 'v' || kind === 'V') return `x${name.slice(1)}`;
    return kind === 'R' ? `${name}[i]` : name;
  }

  private slotText({ kind, name }: Leaf): string {
    return kind === 'v' ? name : `s${name.slice(1)}`;
  }

  private scalarBody(value: string, edges: readonly string[], count: number): string[] {
    const reads = this.leaves
      .filter((leaf) => leaf.kind === 'v')
      .map((leaf) => `const ${this.valueText(leaf)} = value[${leaf.name}];`);
    return [
      'const value = tape.value;',
      ...reads,
      ...this.body,
      `tape.reserveEdges(${count});`,
      'const edgeSlot = tape.edgeSlot, edgePartial = tape.edgePartial;',
      'let e = tape.numEdges;',
      ...edges,
      `return tape.endRow(${value}, ${count});`,
    ];
  }

  private vectorBody(value: string, edges: readonly string[], count: number): string[] {
    const vectors = this.leaves.filter((leaf) => leaf.kind === 'V' || leaf.kind === 'R');
    const lengths = vectors.map(({ kind, name }) => `${name}.${kind === 'V' ? 'n' : 'length'}`);
    const active = vectors.filter((leaf) => leaf.kind === 'V');
    const scalars = this.leaves.filter((leaf) => leaf.kind === 'v');
    return [
      `const n = ${this.unit.use('$sameLength')}([${lengths.join(', ')}]);`,
      'tape.reserveSlots(n);',
      `tape.reserveEdges(n * ${count});`,
      'const { value, edgeEnd, edgeSlot, edgePartial } = tape;',
      ...active.map(
        ({ name }) => `const l${name.slice(1)} = ${name}.slots, b${name.slice(1)} = ${name}.base;`,
      ),
      ...scalars.map((leaf) => `const ${this.valueText(leaf)} = value[${leaf.name}];`),
      'const first = tape.numSlots;',
      'let e = tape.numEdges;',
      'for (let i = 0; i < n; i++) {',
      ...active.map(({ name }) => {
        const k = name.slice(1);
        return `  const s${k} = l${k} === null ? b${k} + i : l${k}[i], x${k} = value[s${k}];`;
      }),
      ...this.body.map((line) => `  ${line}`),
      `  value[first + i] = ${value};`,
      ...edges.map((line) => `  ${line}`),
      '  edgeEnd[first + i] = e;',
      '}',
      'tape.numSlots = first + n;',
      'tape.numEdges = e;',
      `return ${this.unit.use('$inputs')}(n, first);`,
    ];
  }
}

interface Values {
  readonly text: string;
  readonly operands: readonly Values[];
}

function multiplyTexts(a: string, b: string): string {
  if (a === '1') return b;
  if (b === '1') return a;
  if (b === '-1') return a.startsWith('-') ? `-(${a})` : `-${parenthesised(a)}`;
  if (a === '-1') return `-${parenthesised(b)}`;
  return `${parenthesised(a)} * ${parenthesised(b)}`;
}

function parenthesised(text: string): string {
  return /^\w+(\[i\])?$/.test(text) ? text : `(${text})`;
}

function sumText(terms: readonly string[]): string {
  return terms.length === 1 ? terms[0] : terms.map(parenthesised).join(' + ');
}
