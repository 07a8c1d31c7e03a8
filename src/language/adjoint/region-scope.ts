/** What is known of a region while its sweeps are written: its variables, and what the reverse sweep reads of them. */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { Frame } from '../emit/frame.ts';
import { variableName } from '../emit/unit.ts';
import type { IrExpression, IrStatement, IrVariable } from '../lower/ir.ts';
import { isScalar, kindOf } from '../lower/kinds.ts';
import { childrenOf, visitVariables } from '../lower/walk-ir.ts';
import type { Hoisted, Node } from './node.ts';
import {
  type DeclaredSizes,
  type FixedCount,
  fixedCount,
  type Writes,
  writesOf,
} from './references.ts';

/** A construct that the adjoint phase does not reverse: the statement stays on the tape. */
export class NotReversible extends Error {
  override readonly name = 'NotReversible';
  /** Which statement of the region it is in. */
  statement: number | null = null;
}

export interface ContainerImage {
  /** Where it is among the kept numbers, in the order of the container. */
  readonly name: string;
  readonly variable: IrVariable;
  readonly inline: InlineFunction;
}

/** Of factors whose logarithms are added to the target, or subtracted from it. */
export type Product = 'times' | 'over';

const cheapCalls = new Set(['add', 'subtract', 'multiply', 'divide', 'minus', 'modulus']);

/** The integers `from + shift` to `to + shift`: those of a loop variable, or of one more or less a number. */
interface Range {
  readonly from: number;
  readonly to: FixedCount | null;
  readonly shift: number;
}

export class RegionScope {
  readonly writes: Writes;
  /** Variables whose values the reverse sweep reads: overwritten values are kept. */
  readonly needed: Set<IrVariable>;
  readonly hoisted: Hoisted[] = [];
  readonly images = new Map<string, ContainerImage>();
  /** What loops multiply instead of adding logarithms to the target. */
  readonly products = new Set<Product>();
  private readonly versions = new Map<IrVariable, number>();
  private readonly hoistedByKey = new Map<string, Hoisted>();
  private readonly loopVariables = new Set<IrVariable>();
  private readonly ranges = new Map<string, Range>();
  private numTemporaries = 0;

  /** Variables that are assigned to after the reverse sweep's reads of them: overwritten values are restored. */
  readonly restored = new Set<IrVariable>();
  /** The statement being written, in each of the lists around it. */
  private readonly path: { readonly list: object; index: number }[] = [];
  private readonly homes = new Map<IrVariable, object>();
  private readonly firstReads = new Map<IrVariable, number>();
  private readonly lastWrites = new Map<IrVariable, number>();

  /** `before`: an earlier pass over the same statements, which found what the reverse sweep reads. */
  constructor(
    readonly frame: Frame,
    readonly statements: readonly IrStatement[],
    private readonly before: RegionScope | null = null,
    private readonly sizes: DeclaredSizes = new Map(),
  ) {
    this.writes = writesOf(statements);
    this.needed = new Set(before?.needed);
  }

  /** Whether another pass would find nothing more. */
  get isSettled(): boolean {
    const { before } = this;
    if (before === null || before.needed.size !== this.needed.size) return false;
    return before.restored.size === this.restored.size;
  }

  /** Whether an index, a number or a loop variable more or less a number, cannot be out of range, whatever the data are. */
  isInRange(variable: IrVariable, dimension: number, index: string): boolean {
    const sizes = this.sizes.get(variable);
    const size = sizes?.length === rankOf(variable) ? sizes[dimension] : null;
    const range = this.rangeOf(index);
    if (size === null || range === null || !(range.from + range.shift >= 1)) return false;
    const { to, shift } = range;
    if (typeof to === 'number' && typeof size === 'number') return to + shift <= size;
    return to === size && shift <= 0;
  }

  private rangeOf(text: string): Range | null {
    if (/^\d+$/.test(text)) return { from: Number(text), to: Number(text), shift: 0 };
    return this.ranges.get(text) ?? null;
  }

  /** A constant in the text with the value of an expression: a loop variable more or less a number stays in a known range. */
  noteValue(name: string, text: string): void {
    const [, variable, sign, number] = /^\(?([\w$]+) ([-+]) (\d+)\)?$/.exec(text) ?? [];
    const range = variable === undefined ? null : this.rangeOf(variable);
    if (range === null) return;
    const shift = range.shift + (sign === '-' ? -1 : 1) * Number(number);
    this.ranges.set(name, { ...range, shift });
  }

  // ---------------------------------------------------------------- order of reads and writes

  enterList(): { readonly list: object; index: number } {
    const entry = { list: {}, index: 0 };
    this.path.push(entry);
    return entry;
  }

  /** Which statement of the region is being written. */
  get outermostIndex(): number {
    return this.path[0]?.index ?? 0;
  }

  leaveList(): void {
    this.path.pop();
  }

  /** The variable is declared in the list being written. */
  declare(variable: IrVariable): void {
    const entry = this.path.at(-1);
    if (entry) this.homes.set(variable, entry.list);
    this.firstReads.delete(variable);
    this.lastWrites.delete(variable);
  }

  /** Where the current statement is in the list that declares the variable. */
  private indexOf(variable: IrVariable): number {
    const home = this.homes.get(variable) ?? this.path[0].list;
    return this.path.find(({ list }) => list === home)?.index ?? 0;
  }

  write(variable: IrVariable): void {
    const index = this.indexOf(variable);
    this.lastWrites.set(variable, index);
    if ((this.firstReads.get(variable) ?? Infinity) <= index) this.restored.add(variable);
  }

  private read(variable: IrVariable): void {
    const index = this.indexOf(variable);
    if (!this.firstReads.has(variable)) this.firstReads.set(variable, index);
    if (this.lastWrites.get(variable) === index) this.restored.add(variable);
  }

  /** Whether an assignment keeps what it overwrites. */
  isRestored(variable: IrVariable): boolean {
    return this.before?.restored.has(variable) ?? false;
  }

  temporary(): string {
    return `t${++this.numTemporaries}`;
  }

  isActive(e: IrExpression): boolean {
    return this.frame.activity.isActive(e);
  }

  isActiveVariable(variable: IrVariable): boolean {
    return this.frame.activity.has(variable);
  }

  /** Declared before the region and not assigned to in it. */
  isFixed(variable: IrVariable): boolean {
    return !this.writes.assigned.has(variable) && !this.writes.declared.has(variable);
  }

  /** Assigned to in the region: an earlier value may be needed after it is gone. */
  isOverwritten(variable: IrVariable): boolean {
    return this.writes.assigned.has(variable);
  }

  /** Loops around the statement being written. */
  depth = 0;

  enterLoop(variable: IrVariable, from: IrExpression, to: IrExpression): void {
    this.loopVariables.add(variable);
    if (from.op === 'int')
      this.ranges.set(variableName(variable), { from: from.value, to: fixedCount(to), shift: 0 });
  }

  /** `f` of all elements of a container, computed beforehand. */
  imageOf(variable: IrVariable, inline: InlineFunction, key: string): ContainerImage {
    const known = this.images.get(`${key} ${variable.id}`);
    if (known) return known;
    const image = { name: `i$$${this.images.size}`, variable, inline };
    this.images.set(`${key} ${variable.id}`, image);
    return image;
  }

  version(variable: IrVariable): string {
    return `${variableName(variable)}@${this.versions.get(variable) ?? 0}`;
  }

  /** From here on the variable has another value. */
  advance(variable: IrVariable): void {
    this.versions.set(variable, (this.versions.get(variable) ?? 0) + 1);
  }

  advanceAll(statements: readonly IrStatement[]): void {
    const { assigned, declared } = writesOf(statements);
    for (const variable of [...assigned, ...declared]) this.advance(variable);
  }

  /** Whether the reverse sweep can recompute an expression of data at its statement. */
  isRepeatable(e: IrExpression): boolean {
    let holds = isCheap(e);
    visitVariables(e, (variable) => {
      holds &&= this.isAvailable(variable);
    });
    return holds;
  }

  isAvailable(variable: IrVariable): boolean {
    if (this.isActiveVariable(variable)) return false;
    if (variable.place === 'data' || variable.place === 'transformed data') return true;
    if (isScalar(variable.type)) return true;
    return this.isFixed(variable) && variable.writtenLevel < 0;
  }

  /** Marks the variables of a repeated expression as read by the reverse sweep. */
  need(variable: IrVariable): void {
    if (this.isFixed(variable) || this.loopVariables.has(variable)) return;
    this.needed.add(variable);
    this.read(variable);
  }

  /** The same operation before everything else, or `node` if it depends on what happens in the region. */
  hoist(node: Node): Node {
    const known = this.hoistedByKey.get(node.key);
    if (known) return known;
    const name = `h${this.hoisted.length + 1}`;
    const hoisted: Hoisted = { kind: 'hoisted', key: `#${name}`, active: node.active, name, node };
    this.hoistedByKey.set(node.key, hoisted);
    this.hoisted.push(hoisted);
    return hoisted;
  }

  kindOfVariable(variable: IrVariable): string {
    return kindOf(variable.type, this.isActiveVariable(variable));
  }
}

function isCheap(e: IrExpression): boolean {
  switch (e.op) {
    case 'density':
    case 'random':
    case 'user':
    case 'mixed':
    case 'higher-order':
    case 'list':
      return false;
    case 'call':
      if (!cheapCalls.has(e.name) || !isScalar(e.type)) return false;
      break;
    case 'index':
      if (!isScalar(e.type)) return false;
      break;
    default:
  }
  return childrenOf(e).every(isCheap);
}

// ---------------------------------------------------------------- names of the sweeps' locals

export const valueName = (variable: IrVariable) => `v$$${variableName(variable)}`;
export const adjointName = (variable: IrVariable) => `d$$${variableName(variable)}`;
/** The start of the elements of a container in the kept numbers. */
export const offsetName = (variable: IrVariable) => `o$$${variableName(variable)}`;
export const sizeName = (variable: IrVariable, k: number) => `n${k}$$${variableName(variable)}`;

/** How many sizes a container has, one per index. */
export function rankOf(variable: Pick<IrVariable, 'type'>): number {
  const { base, arrayDepth } = variable.type;
  if (base === 'matrix') return arrayDepth + 2;
  return base === 'vector' || base === 'row_vector' ? arrayDepth + 1 : arrayDepth;
}

/** One per index, outermost first. */
export function sizeNames(variable: IrVariable): string[] {
  return Array.from({ length: rankOf(variable) }, (_, k) => sizeName(variable, k));
}

export function elementCount(variable: IrVariable): string {
  return sizeNames(variable).join(' * ');
}
