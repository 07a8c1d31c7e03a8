/** Vector expressions as two texts: one loop over their elements each way. */
import { quote } from '../emit/printer.ts';
import type { DensityExpression, IrExpression } from '../lower/ir.ts';
import { isWholeMatrix, type ViewPlace } from './addresses.ts';
import type { NodeBuilder } from './build-node.ts';
import { type Operand, type Term, TermBuilder } from './build-term.ts';
import { densityCall, Forward, type WholeOperand, wholeOf } from './forward.ts';
import type { Node, View } from './node.ts';
import { type Piece, roomText } from './piece.ts';
import { NotReversible, type RegionScope } from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { type Lines, namesIn, Step } from './step.ts';

/** What is done with each element, in both directions; `place` is where the target of an assignment is. */
interface ElementWork {
  readonly forward: (sweep: Forward, lines: Lines, step: Step, place: ViewPlace | null) => void;
  readonly reverse: (sweep: Reverse, lines: Lines, step: Step, place: ViewPlace | null) => void;
  /** What is checked before the loop, once all places are known. */
  readonly check: (before: Forward, places: Places, place: ViewPlace | null) => void;
}

type Places = ReadonlyMap<string, ViewPlace>;

interface BackLoop {
  readonly head: Lines;
  readonly body: Lines;
  readonly count: string;
}

/** The two loops over the elements of a term. */
class TermWriter {
  /** Kept per element, and once. */
  private readonly step = new Step();
  private readonly outside = new Step();

  constructor(
    private readonly scope: RegionScope,
    private readonly term: Term,
    private readonly work: ElementWork,
    private readonly target: View | null = null,
  ) {}

  /** `forward` begins with the statement's place. */
  write(forward: Lines): Piece {
    const { term, outside, scope } = this;
    // The reverse sweep shows what it reads, which the forward sweep then keeps.
    const loop = this.reverseLoop();
    const after: Lines = [];
    for (const { active, name, node } of [...term.once].reverse()) {
      if (!active) continue;
      const inner: Lines = [];
      const sweep = new Reverse(scope, outside, inner);
      sweep.keepsAreas = false;
      sweep.know(node, name);
      sweep.add(node, `d${name}`);
      after.push(`if (d${name} !== 0) {`, inner, '}');
    }
    const read = namesIn([...loop.body, ...after]);
    const kept = term.once
      .filter(({ name }) => read.has(name))
      .map(({ name, node }) => ({ name, text: outside.keep(node) }));
    this.forwardLoop(forward);
    const reverse = this.reverseLines(loop, after, kept);
    return { forward, reverse, keeps: 0, makesRoom: this.step.count + outside.count > 0 };
  }

  private declareArrays(lines: Lines): void {
    for (const { name, text } of this.term.arrays) {
      if (name !== text) lines.push(`const ${name} = ${text};`);
    }
  }

  // ---------------------------------------------------------------- forward

  private forwardLoop(forward: Lines): void {
    const { term, step, outside, work } = this;
    const head: Lines = [];
    this.declareArrays(head);
    const before = new Forward(this.scope, outside, head);
    const places = new Map(term.along.map((along) => [along.key, before.placeOf(along.view)]));
    for (const { name, node } of term.once) before.declare(name, node);
    for (const element of term.checked) before.value(element);
    const place = this.target && before.placeOf(this.target);
    work.check(before, places, place);
    const body: Lines = [];
    const sweep = this.inLoop(body, step, places);
    work.forward(sweep, body, step, place);
    const count = lengthText(term.along[0] ?? term.arrays[0], places);
    if (outside.count > 0) {
      forward.push(roomText(String(outside.count)));
      head.push(`sp += ${outside.count};`);
    }
    forward.push('{', head);
    if (step.count > 0) {
      body.push(`sp += ${step.count};`);
      head.push(roomText(step.count === 1 ? count : `${count} * ${step.count}`));
    }
    const i = term.index;
    head.push(`for (let ${i} = 0, end = ${count}; ${i} < end; ${i}++) {`, body, '}');
    forward.push('}');
  }

  private inLoop(lines: Lines, step: Step, places: Places): Forward {
    const sweep = new Forward(this.scope, step, lines);
    for (const [key, place] of places) sweep.places.set(key, place);
    for (const once of this.term.once) sweep.know(once, once.name);
    for (const element of this.term.checked) sweep.know(element, element.name);
    sweep.fillWhole = (node, name) => this.fillWhole(node, name, places);
    return sweep;
  }

  /** All elements of an operand of a density, so that the library can report which one is wrong. */
  private fillWhole(node: Node, name: string, places: Places): Lines | null {
    const operand = this.term.operands.find((other) => other?.node.key === node.key);
    if (!operand) return null;
    const lines: Lines = [];
    const text = this.inLoop(lines, new Step(), places).value(operand.node);
    const count = lengthText(operand.lengths[0], places);
    const i = this.term.index;
    return [
      `const ${name} = new Float64Array(${count});`,
      `for (let ${i} = 0, end = ${count}; ${i} < end; ${i}++) {`,
      [...lines, `${name}[${i}] = ${text};`],
      '}',
    ];
  }

  // ---------------------------------------------------------------- reverse

  private reverseLoop(): BackLoop {
    const { term, scope, step, outside } = this;
    const head: Lines = [];
    this.declareArrays(head);
    const before = new Reverse(scope, outside, head);
    const places = new Map(term.along.map((along) => [along.key, before.placeOf(along.view)]));
    const place = this.target && before.placeOf(this.target);
    if (outside.count > 0) throw new NotReversible('an index that is not computed again');
    const body: Lines = [];
    const sweep = new Reverse(scope, step, body);
    sweep.keepsAreas = false;
    for (const [key, other] of places) sweep.places.set(key, other);
    for (const once of term.once) sweep.know(once, once.name);
    this.work.reverse(sweep, body, step, place);
    return { head, body, count: lengthText(term.along[0] ?? term.arrays[0], places) };
  }

  /** Values that are kept once are below those of the elements. */
  private reverseLines(
    { head, body, count }: BackLoop,
    after: Lines,
    kept: readonly { readonly name: string; readonly text: string }[],
  ): Lines {
    const { step, outside, term } = this;
    const lines: Lines = [...head];
    if (kept.length > 0) {
      const base = this.scope.temporary();
      const pushed = step.count > 0 ? `${count} * ${step.count} + ` : '';
      lines.push(`const ${base} = sp - (${pushed}${outside.count});`);
      const texts = kept.map(({ name, text }) => `${name} = ${text.replace('sp', base)}`);
      lines.push(`const ${texts.join(', ')};`);
    }
    const sums = term.once.filter(({ active }) => active).map(({ name }) => `d${name} = 0`);
    if (sums.length > 0) lines.push(`let ${sums.join(', ')};`);
    const turn = step.count > 0 ? [`sp -= ${step.count};`, ...body] : body;
    const i = term.index;
    lines.push(`for (let ${i} = ${count} - 1; ${i} >= 0; ${i}--) {`, turn, '}');
    if (outside.count > 0) lines.push(`sp -= ${outside.count};`);
    return ['{', [...lines, ...after], '}'];
  }
}

/** How many elements a vector or a data array has. */
function lengthText(item: Operand['lengths'][number], places: Places): string {
  if (!('kind' in item)) return `${item.name}.length`;
  const place = places.get(item.key);
  if (!place) throw new Error('a vector without its place');
  return place.count;
}

/** Throws what a fused kernel throws for operands of different lengths. */
function checkLengths(
  scope: RegionScope,
  { operands }: Term,
  before: Forward,
  places: Places,
): void {
  for (const operand of operands) {
    if (operand === null) continue;
    const texts = new Set(operand.lengths.map((item) => lengthText(item, places)));
    if (texts.size < 2) continue;
    before.push(`${scope.frame.unit.use('$sameLength')}([${[...texts].join(', ')}]);`);
  }
}

/** The library's density of operands whose lengths differ. */
function mismatchText(
  scope: RegionScope,
  e: DensityExpression,
  term: Term,
  places: Places,
): string {
  const { unit } = scope.frame;
  const wholes = term.operands.map((operand): WholeOperand => {
    if (operand === null) return { kind: 'r', text: '1' };
    const [first] = operand.lengths;
    const place = 'kind' in first && !operand.isComputed ? places.get(first.key) : undefined;
    if (place) return wholeOf(unit, place);
    return { kind: 'R', text: `new Float64Array(${lengthText(first, places)})` };
  });
  return densityCall(unit, e.name, wholes);
}

function targetWork(
  scope: RegionScope,
  term: Term,
  sign: 1 | -1,
  check: (before: Forward, places: Places) => void,
): ElementWork {
  return {
    forward: (sweep) => sweep.addToTarget(term.node, sign, true),
    reverse: (sweep) => sweep.add(term.node, sign > 0 ? 'G' : '-G'),
    check(before, places) {
      checkLengths(scope, term, before, places);
      check(before, places);
    },
  };
}

/** A density of vectors as a loop over its terms; `forward` begins with its place. */
export function sweepVectorDensity(
  scope: RegionScope,
  builder: NodeBuilder,
  e: DensityExpression,
  sign: 1 | -1,
  forward: Lines,
): Piece {
  const term = new TermBuilder(scope, builder).density(e);
  const work = targetWork(scope, term, sign, (before, places) => {
    const vectors = term.operands.filter((operand) => operand !== null);
    const [first, ...others] = vectors.map(({ lengths }) => lengthText(lengths[0], places));
    const different = [...new Set(others)].filter((size) => size !== first);
    if (different.length === 0) return;
    const isWrong = different.map((size) => `${size} !== ${first}`).join(' || ');
    before.push(`if (${isWrong}) ${mismatchText(scope, e, term, places)};`);
  });
  return new TermWriter(scope, term, work).write(forward);
}

/** The elements of a vector expression added to the target. */
export function sweepVectorIncrement(
  scope: RegionScope,
  builder: NodeBuilder,
  e: IrExpression,
  sign: 1 | -1,
  forward: Lines,
): Piece {
  const term = new TermBuilder(scope, builder).elementOf(e);
  const work = targetWork(scope, term, sign, () => undefined);
  return new TermWriter(scope, term, work).write(forward);
}

function addressText({ start, stride }: ViewPlace, index: string): string {
  const step = stride === '1' ? index : `${index} * ${stride}`;
  return start === '0' ? step : `${start} + ${step}`;
}

/** Where a vector expression goes: into a variable without a value yet, into all or into part of one. */
export interface Target {
  readonly view: View;
  readonly extent: 'declared' | 'all' | 'part';
}

/** A vector expression assigned element by element. */
export function sweepVectorAssignment(
  scope: RegionScope,
  term: Term,
  { view, extent }: Target,
  forward: Lines,
): Piece {
  const { variable } = view;
  const isFirst = extent === 'declared';
  const isKept = () => !isFirst && scope.isRestored(variable);
  const work: ElementWork = {
    forward(sweep, lines, step, place) {
      const text = sweep.value(term.node);
      const at = scope.temporary();
      lines.push(`const ${at} = ${addressText(place as ViewPlace, term.index)};`);
      if (isKept()) lines.push(`${step.keepOverwritten()} = K[${at}];`);
      lines.push(`K[${at}] = ${text};`);
    },
    reverse(sweep, lines, step, place) {
      const at = sweep.local(addressText(place as ViewPlace, term.index));
      const g = sweep.local(`D[${at}]`);
      lines.push(`D[${at}] = 0;`);
      if (!isFirst) scope.write(variable);
      if (isKept()) lines.push(`K[${at}] = ${step.keepOverwritten()};`);
      sweep.add(term.node, g);
    },
    check(before, places, place) {
      // rows and columns have been checked
      if (isWholeMatrix(view.indexes)) return;
      checkLengths(scope, term, before, places);
      const count = lengthText(term.along[0] ?? term.arrays[0], places);
      const size = place?.count ?? count;
      if (size === count) return;
      const check = scope.frame.unit.use(extent === 'part' ? '$check_places' : '$check_size');
      before.push(`${check}(${count}, ${size}, ${quote(variable.name)});`);
    },
  };
  const piece = new TermWriter(scope, term, work, view).write(forward);
  scope.advance(variable);
  return piece;
}
