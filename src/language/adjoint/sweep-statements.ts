/** Statements as two texts: what the forward sweep does, and what the reverse sweep does when it comes back to them. */
import { emitOneStatement } from '../emit/emit-statement.ts';
import { quote, Writer } from '../emit/printer.ts';
import { variableName } from '../emit/unit.ts';
import type { IrDeclaration, IrExpression, IrStatement, IrVariable } from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import { viewOf } from './addresses.ts';
import { NodeBuilder } from './build-node.ts';
import { densityCall, Forward, type WholeOperand, wholeOf } from './forward.ts';
import type { Node } from './node.ts';
import {
  bodiesOf,
  expressionsOf,
  visitStatements,
  visitVariables,
  writesOf,
} from './references.ts';
import {
  adjointName,
  elementCount,
  NotReversible,
  offsetName,
  type RegionScope,
  rankOf,
  sizeName,
  valueName,
} from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { keptText, type Lines, Step } from './step.ts';

/** The two texts of a statement or of several. */
export interface Piece {
  readonly forward: Lines;
  readonly reverse: Lines;
  /** The most numbers the forward text keeps, when it makes no room for them itself. */
  readonly keeps: number;
  /** Makes room itself: it holds loops or containers. */
  readonly makesRoom: boolean;
}

/** What is declared in a list of statements, and must be there again when the reverse sweep enters it. */
export interface Locals {
  readonly scalars: IrVariable[];
  readonly containers: IrVariable[];
  readonly plain: IrVariable[];
}

type DensityExpression = Extract<IrExpression, { op: 'density' }>;
type Of<Op extends IrStatement['op']> = Extract<IrStatement, { op: Op }>;

export class SweepWriter {
  private readonly builder: NodeBuilder;
  /** Whether anything was added to the target. */
  incrementsTarget = false;

  constructor(private readonly scope: RegionScope) {
    this.builder = new NodeBuilder(scope);
  }

  // ---------------------------------------------------------------- lists

  /** A list in a scope of its own. */
  block(statements: readonly IrStatement[]): Piece {
    const { piece, locals } = this.list(statements);
    const pushed = this.leave(locals);
    const forward = [...piece.forward];
    if (piece.makesRoom && pushed.count > 0) forward.push(roomText(String(pushed.count)));
    forward.push(...pushed.forward);
    return {
      forward,
      reverse: [...pushed.reverse, ...piece.reverse],
      keeps: piece.makesRoom ? 0 : piece.keeps + pushed.count,
      makesRoom: piece.makesRoom,
    };
  }

  /** The list of the region itself. */
  outermost(statements: readonly IrStatement[]): { piece: Piece; locals: Locals } {
    try {
      return this.list(statements);
    } catch (error) {
      if (error instanceof NotReversible) error.statement = this.scope.outermostIndex;
      throw error;
    }
  }

  list(statements: readonly IrStatement[]): { piece: Piece; locals: Locals } {
    const locals: Locals = { scalars: [], containers: [], plain: [] };
    const pieces: Piece[] = [];
    const place = this.scope.enterList();
    for (const statement of statements) {
      if (statement.op === 'declare') {
        this.note(locals, statement.variable);
        this.scope.declare(statement.variable);
      }
      pieces.push(this.statement(statement));
      place.index++;
    }
    this.scope.leaveList();
    const makesRoom = pieces.some((piece) => piece.makesRoom);
    const forward: Lines = [];
    pieces.forEach((piece, k) => {
      const isStart = k === 0 || pieces[k - 1].makesRoom;
      if (makesRoom && isStart && !piece.makesRoom) {
        const end = pieces.findIndex((other, j) => j > k && other.makesRoom);
        const run = pieces.slice(k, end < 0 ? undefined : end);
        const keeps = run.reduce((sum, other) => sum + other.keeps, 0);
        if (keeps > 0) forward.push(roomText(String(keeps)));
      }
      forward.push(...piece.forward);
    });
    const reverse = [...pieces].reverse().flatMap((piece) => piece.reverse);
    const keeps = makesRoom ? 0 : pieces.reduce((sum, piece) => sum + piece.keeps, 0);
    return { piece: { forward, reverse, keeps, makesRoom }, locals };
  }

  private note(locals: Locals, variable: IrVariable): void {
    if (!this.scope.isActiveVariable(variable)) locals.plain.push(variable);
    else if (isScalar(variable.type)) locals.scalars.push(variable);
    else locals.containers.push(variable);
  }

  /** Keeps what the reverse sweep of a list reads of its variables, and takes it up again. */
  leave({ scalars, containers, plain }: Locals): { count: number; forward: Lines; reverse: Lines } {
    const { needed } = this.scope;
    const names: string[] = [
      ...scalars.filter((variable) => needed.has(variable)).map(valueName),
      ...plain.filter((variable) => needed.has(variable)).map(variableName),
    ];
    const sizes = containers.flatMap((variable) => [
      offsetName(variable),
      ...Array.from({ length: rankOf(variable) }, (_, k) => sizeName(variable, k)),
    ]);
    const all = [...names, ...sizes];
    const forward: Lines = all.map((name, k) => `${keptText(k)} = ${name};`);
    if (all.length > 0) forward.push(`sp += ${all.length};`);
    const reverse: Lines = all.length > 0 ? [`sp -= ${all.length};`] : [];
    names.forEach((name, k) => reverse.push(`let ${name} = ${keptText(k)};`));
    sizes.forEach((name, k) => reverse.push(`const ${name} = ${keptText(names.length + k)} | 0;`));
    for (const variable of scalars) reverse.push(`let ${adjointName(variable)} = 0;`);
    for (const variable of containers) {
      const o = offsetName(variable);
      reverse.push(fillText('D', '0', o, elementCount(variable)));
    }
    return { count: all.length, forward, reverse };
  }

  // ---------------------------------------------------------------- statements

  private statement(statement: IrStatement): Piece {
    if (this.isPlain(statement)) return this.plain(statement);
    switch (statement.op) {
      case 'declare':
        return this.declaration(statement);
      case 'assign':
        if (!isScalar(statement.variable.type)) return this.assignContainer(statement);
        return this.assign(statement.variable, statement.value, statement.location);
      case 'store':
        return this.store(statement);
      case 'increment':
        return this.increment(statement);
      case 'support':
        return this.support(statement);
      case 'block':
        return this.nested(this.block(statement.body));
      case 'if':
        return this.branch(statement);
      case 'for':
        return this.loop(statement);
      case 'while':
        return this.whileLoop(statement);
      case 'reject':
        return this.reject(statement);
      default:
        throw new NotReversible(`\`${statement.op}\``);
    }
  }

  private nested(piece: Piece): Piece {
    return { ...piece, forward: ['{', piece.forward, '}'], reverse: ['{', piece.reverse, '}'] };
  }

  private at(location: number): string {
    this.scope.frame.unit.location = location;
    return `at = ${location};`;
  }

  /** Neither reads nor writes what depends on parameters. */
  private isPlain(statement: IrStatement): boolean {
    let holds = true;
    const visit = (variable: IrVariable) => {
      if (this.scope.isActiveVariable(variable)) holds = false;
    };
    visitStatements([statement], (inner) => {
      if (inner.op === 'increment' || inner.op === 'support' || inner.op === 'return')
        holds = false;
      if (inner.op === 'assign' || inner.op === 'store' || inner.op === 'declare')
        visit(inner.variable);
      for (const e of expressionsOf(inner)) {
        visitVariables(e, visit);
        if (this.scope.isActive(e) || namesTarget(e)) holds = false;
      }
    });
    return holds;
  }

  /** Data: the emitter's text in the forward sweep; what the reverse sweep reads is put back. */
  private plain(statement: IrStatement): Piece {
    const { scope } = this;
    if (hasJump(statement)) throw new NotReversible('`break` or `continue`');
    const { assigned } = writesOf([statement]);
    for (const variable of assigned) {
      const isOuter = scope.isOverwritten(variable) && !scope.writes.declared.has(variable);
      if (isOuter) throw new NotReversible('data of an outer scope that is assigned to');
    }
    for (const variable of assigned) scope.write(variable);
    const overwritten = [...assigned].filter((variable) => scope.isRestored(variable));
    if (overwritten.some(({ type }) => !isScalar(type)))
      throw new NotReversible('a container of data');
    const out = new Writer();
    emitOneStatement(scope.frame, out, statement);
    const forward: Lines = overwritten.map(
      (variable, k) => `${keptText(k)} = ${variableName(variable)};`,
    );
    const count = overwritten.length;
    if (count > 0) forward.push(`sp += ${count};`);
    forward.push(...out.toString().split('\n'));
    const reverse: Lines = count > 0 ? [`sp -= ${count};`] : [];
    overwritten.forEach((variable, k) => {
      reverse.push(`${variableName(variable)} = ${keptText(k)};`);
    });
    scope.advanceAll([statement]);
    return { forward, reverse, keeps: count, makesRoom: false };
  }

  private declaration(declaration: IrDeclaration): Piece {
    const { variable, initial, location } = declaration;
    if (!isScalar(variable.type)) return this.container(declaration);
    if (initial) {
      const piece = this.assign(variable, initial, location, true);
      return piece;
    }
    return {
      forward: [`let ${valueName(variable)} = NaN;`],
      reverse: [],
      keeps: 0,
      makesRoom: false,
    };
  }

  private assign(variable: IrVariable, e: IrExpression, location: number, isFirst = false): Piece {
    const { scope } = this;
    const node = this.builder.build(e);
    const step = new Step();
    const name = valueName(variable);
    const adjoint = adjointName(variable);
    const reverse: Lines = [];
    if (!isFirst) scope.write(variable);
    const isKept = !isFirst && scope.isRestored(variable);
    if (isKept) reverse.push(`${name} = ${step.keepOverwritten()};`);
    const g = scope.temporary();
    const inner: Lines = [];
    new Reverse(scope, step, inner).add(node, g);
    reverse.push(`const ${g} = ${adjoint};`);
    if (!isFirst) reverse.push(`${adjoint} = 0;`);
    if (inner.length > 0) reverse.push(`if (${g} !== 0) {`, inner, '}');
    const forward: Lines = [this.at(location)];
    const text = new Forward(scope, step, forward).value(node);
    if (isKept) forward.push(`${step.keepOverwritten()} = ${name};`);
    forward.push(isFirst ? `let ${name} = ${text};` : `${name} = ${text};`);
    scope.advance(variable);
    return stepPiece(step, forward, inner.length > 0 || isKept || !isFirst ? reverse : []);
  }

  private store({ variable, entries, value, location }: Of<'store'>): Piece {
    const { scope, builder } = this;
    if (!scope.isActiveVariable(variable)) throw new NotReversible('a container of data');
    const indexes = entries.map((entry) => {
      if (entry.kind !== 'single') throw new NotReversible('assignment to a slice');
      return entry.at;
    });
    if (indexes.length !== rankOf(variable)) throw new NotReversible('assignment to a row');
    const node = builder.build(value);
    const target = builder.placeOf(variable, indexes, variable.name);
    const step = new Step();
    const reverse: Lines = [];
    const sweep = new Reverse(scope, step, reverse);
    const place = sweep.local(sweep.address(target));
    const g = sweep.local(`D[${place}]`);
    reverse.push(`D[${place}] = 0;`);
    scope.write(variable);
    const isKept = scope.isRestored(variable);
    if (isKept) reverse.push(`K[${place}] = ${step.keepOverwritten()};`);
    const inner: Lines = [];
    new Reverse(scope, step, inner).add(node, g);
    if (inner.length > 0) reverse.push(`if (${g} !== 0) {`, inner, '}');
    const forward: Lines = [this.at(location)];
    const text = new Forward(scope, step, forward);
    const stored = text.value(node);
    const address = text.address(
      target,
      target.indexes.map((index) => text.value(index)),
    );
    const position = scope.temporary();
    forward.push(`const ${position} = ${address};`);
    if (isKept) forward.push(`${step.keepOverwritten()} = K[${position}];`);
    forward.push(`K[${position}] = ${stored};`);
    scope.advance(variable);
    return stepPiece(step, forward, reverse);
  }

  private increment({ value, sign, location }: Of<'increment'>): Piece {
    const { scope, builder } = this;
    this.incrementsTarget = true;
    const forward: Lines = [this.at(location)];
    const operator = sign > 0 ? '+=' : '-=';
    if (!scope.isActive(value)) {
      if (!isScalar(value.type)) throw new NotReversible('a container of data added to the target');
      const droppable = value.op === 'density' && value.propto && scope.frame.propto !== 'false';
      const lines: Lines = [];
      const text = new Forward(scope, new Step(), lines).value(builder.build(value));
      lines.push(`lp ${operator} ${text};`);
      if (droppable) forward.push(`if (!${scope.frame.propto}) {`, lines, '}');
      else forward.push(...lines);
      return { forward, reverse: [], keeps: 0, makesRoom: false };
    }
    if (value.op === 'density' && value.arguments.some(({ type }) => !isScalar(type))) {
      return this.densityOfVectors(value, sign, forward);
    }
    const node = isScalar(value.type) ? builder.build(value) : builder.sumOf(value);
    const step = new Step();
    const reverse: Lines = [];
    new Reverse(scope, step, reverse).add(node, sign > 0 ? 'G' : '-G');
    const text = new Forward(scope, step, forward).value(node);
    forward.push(`lp ${operator} ${text};`);
    return stepPiece(step, forward, reverse);
  }

  /** A density of vectors as a loop over its terms; `forward` begins with its place. */
  private densityOfVectors(e: DensityExpression, sign: 1 | -1, forward: Lines): Piece {
    const { scope } = this;
    const { unit } = scope.frame;
    const index = scope.temporary();
    const { node, along } = this.builder.densityTerm(e, index);
    const step = new Step();
    const reverse: Lines = [];
    const outside = new Step();
    const before = new Reverse(scope, outside, reverse);
    const inner: Lines = [];
    const back = new Reverse(scope, step, inner);
    for (const { key, view } of along) back.places.set(key, before.placeOf(view));
    back.add(node, sign > 0 ? 'G' : '-G');
    if (outside.count > 0) throw new NotReversible('an index that is not computed again');
    const places = new Forward(scope, outside, forward);
    const body: Lines = [];
    const sweep = new Forward(scope, step, body);
    for (const { key, view } of along) sweep.places.set(key, places.placeOf(view));
    const all = along.flatMap(({ key }) => sweep.places.get(key) ?? []);
    let next = 0;
    const operands = e.arguments.map(
      ({ type }): WholeOperand =>
        isScalar(type) ? { kind: 'r', text: '1' } : wholeOf(unit, all[next++]),
    );
    const [{ count }, ...others] = all;
    for (const other of others) {
      forward.push(`if (${other.count} !== ${count}) ${densityCall(unit, e.name, operands)};`);
    }
    const text = sweep.value(node);
    body.push(`lp ${sign > 0 ? '+=' : '-='} ${text};`);
    if (step.count > 0) {
      body.push(`sp += ${step.count};`);
      inner.unshift(`sp -= ${step.count};`);
      forward.push(roomText(`${count} * ${step.count}`));
    }
    forward.push(`for (let ${index} = 0; ${index} < ${count}; ${index}++) {`, body, '}');
    reverse.push(`for (let ${index} = ${count} - 1; ${index} >= 0; ${index}--) {`, inner, '}');
    return { forward, reverse, keeps: 0, makesRoom: step.count > 0 };
  }

  private support({ condition, location }: Of<'support'>): Piece {
    this.incrementsTarget = true;
    const forward: Lines = [this.at(location)];
    const test = new Forward(this.scope, new Step(), forward).test(this.builder.test(condition));
    forward.push(`if (!(${test})) lp += -Infinity;`);
    return { forward, reverse: [], keeps: 0, makesRoom: false };
  }

  private reject({ fatal, parts, location }: Of<'reject'>): Piece {
    const { unit } = this.scope.frame;
    const forward: Lines = [this.at(location)];
    const sweep = new Forward(this.scope, new Step(), forward);
    const show = unit.use('$show');
    const texts = parts.map((part) =>
      typeof part === 'string' ? quote(part) : `${show}(${sweep.value(this.builder.build(part))})`,
    );
    const fail = unit.use(fatal ? '$fatal' : '$reject');
    forward.push(`${fail}(${texts.length === 0 ? '""' : texts.join(' + ')});`);
    return { forward, reverse: [], keeps: 0, makesRoom: false };
  }

  // ---------------------------------------------------------------- control

  private branch({ test, yes, no, location }: Of<'if'>): Piece {
    const { scope } = this;
    const node = this.builder.test(test);
    const forward: Lines = [this.at(location)];
    const sweep = new Forward(scope, new Step(), forward);
    const condition = this.isStable(node) ? sweep.test(node) : `${sweep.snapshot(node)} !== 0`;
    const [first, second] = [this.block(yes), this.block(no)];
    scope.advanceAll([...yes, ...no]);
    const step = new Step();
    const reverse: Lines = [];
    const decision = this.again(node, step, reverse);
    const makesRoom = first.makesRoom || second.makesRoom;
    const branchText = (piece: Piece) =>
      makesRoom && !piece.makesRoom && piece.keeps > 0
        ? [roomText(String(piece.keeps)), ...piece.forward]
        : piece.forward;
    forward.push(`if (${condition}) {`, branchText(first));
    if (no.length > 0) forward.push('} else {', branchText(second));
    forward.push('}');
    if (makesRoom && step.count > 0) forward.push(roomText(String(step.count)));
    for (const kept of step.keptNodes) {
      forward.push(`${step.keep(kept)} = ${condition} ? 1 : 0;`);
    }
    reverse.push(`if (${decision} !== 0) {`, first.reverse);
    if (second.reverse.length > 0) reverse.push('} else {', second.reverse);
    reverse.push('}');
    const keeps = makesRoom ? 0 : Math.max(first.keeps, second.keeps) + step.count;
    const both = stepPiece(step, forward, reverse);
    return { ...both, keeps, makesRoom };
  }

  /** The value of a test or bound after the statement: computed again when nothing changed it, otherwise kept. */
  private again(node: Node, step: Step, reverse: Lines): string {
    const sweep = new Reverse(this.scope, step, reverse);
    return this.isStable(node) ? sweep.value(node) : sweep.local(step.keep(node));
  }

  private isStable(node: Node): boolean {
    const { scope } = this;
    switch (node.kind) {
      case 'literal':
        return true;
      case 'plain': {
        let holds = node.isRepeatable;
        if (node.expression) {
          visitVariables(node.expression, (variable) => {
            holds &&= !scope.isOverwritten(variable);
          });
        }
        return holds;
      }
      case 'datum':
        return node.isRepeatable && node.indexes.every((index) => this.isStable(index));
      default:
        return false;
    }
  }

  private loop({ variable, from, to, body, location }: Of<'for'>): Piece {
    const { scope, builder } = this;
    scope.enterLoop(variable);
    const bounds = [from, to].map((end) => builder.build(end));
    const forward: Lines = [this.at(location)];
    const sweep = new Forward(scope, new Step(), forward);
    // Bounds are what they are when the loop begins, even where its body assigns to what they name.
    const [low, high] = bounds.map((end) =>
      this.isStable(end) ? sweep.value(end) : sweep.snapshot(end),
    );
    // What the body changes may have another value when the body begins again.
    scope.advanceAll(body);
    scope.depth++;
    const inside = this.block(body);
    scope.depth--;
    scope.advanceAll(body);
    const i = variableName(variable);
    const turns = scope.temporary();
    forward.push(`const ${turns} = Math.max(0, ${high} - ${low} + 1);`, `host.spend(${turns});`);
    if (!inside.makesRoom && inside.keeps > 0) {
      forward.push(roomText(inside.keeps === 1 ? turns : `${turns} * ${inside.keeps}`));
    }
    forward.push(`for (let ${i} = ${low}; ${i} <= ${high}; ${i}++) {`, inside.forward, '}');
    const step = new Step();
    const reverse: Lines = [];
    const [first, last] = bounds.map((end) => this.again(end, step, reverse));
    if (step.count > 0) forward.push(roomText(String(step.count)));
    bounds.forEach((end, k) => {
      if (step.isKept(end)) forward.push(`${step.keep(end)} = ${[low, high][k]};`);
    });
    if (inside.reverse.length > 0) {
      reverse.push(`for (let ${i} = ${last}; ${i} >= ${first}; ${i}--) {`, inside.reverse, '}');
    }
    return { ...stepPiece(step, forward, reverse), keeps: 0, makesRoom: true };
  }

  private whileLoop({ test, body, location }: Of<'while'>): Piece {
    const { scope } = this;
    scope.advanceAll(body);
    const condition: Lines = [];
    const text = new Forward(scope, new Step(), condition).test(this.builder.test(test));
    scope.depth++;
    const inside = this.block(body);
    scope.depth--;
    scope.advanceAll(body);
    const turns = scope.temporary();
    const room = !inside.makesRoom && inside.keeps > 0 ? [roomText(String(inside.keeps))] : [];
    const forward: Lines = [
      this.at(location),
      `let ${turns} = 0;`,
      'for (;;) {',
      [
        ...condition,
        `if (!(${text})) break;`,
        'host.spend(1);',
        `${turns}++;`,
        ...room,
        ...inside.forward,
      ],
      '}',
      roomText('1'),
      `K[sp] = ${turns};`,
      'sp += 1;',
    ];
    const reverse: Lines = [
      'sp -= 1;',
      `for (let ${turns} = K[sp]; ${turns} > 0; ${turns}--) {`,
      inside.reverse,
      '}',
    ];
    return { forward, reverse, keeps: 0, makesRoom: true };
  }

  // ---------------------------------------------------------------- containers

  private container({ variable, arraySizes, baseSizes, initial, location }: IrDeclaration): Piece {
    const { scope } = this;
    const { unit } = scope.frame;
    const forward: Lines = [this.at(location)];
    const sweep = new Forward(scope, new Step(), forward);
    [...arraySizes, ...baseSizes].forEach((size, k) => {
      const text = sweep.value(this.builder.build(size));
      forward.push(`const ${sizeName(variable, k)} = ${unit.use('$checked_size')}(${text});`);
    });
    const count = elementCount(variable);
    const back = `sp = ${offsetName(variable)};`;
    forward.push(roomText(count), `const ${offsetName(variable)} = sp;`, `sp += ${count};`);
    if (!initial) {
      forward.push(fillText('K', 'NaN', offsetName(variable), count));
      return { forward, reverse: [back], keeps: 0, makesRoom: true };
    }
    const copy = this.copy(variable, initial);
    forward.push(...copy.forward);
    return { forward, reverse: [...copy.reverse, back], keeps: 0, makesRoom: true };
  }

  private assignContainer({ variable, value, location }: Of<'assign'>): Piece {
    const copy = this.copy(variable, value);
    const count = elementCount(variable);
    const o = offsetName(variable);
    this.scope.write(variable);
    const isKept = this.scope.isRestored(variable);
    const keep: Lines = isKept
      ? [roomText(count), `K.copyWithin(sp, ${o}, ${o} + ${count});`, `sp += ${count};`]
      : [];
    const restore: Lines = isKept
      ? [`sp -= ${count};`, `K.copyWithin(${o}, sp, sp + ${count});`]
      : [];
    this.scope.advance(variable);
    const forward = [this.at(location), ...keep, ...copy.forward];
    return { forward, reverse: [...copy.reverse, ...restore], keeps: 0, makesRoom: isKept };
  }

  /** All elements of a vector from another. */
  private copy(variable: IrVariable, value: IrExpression): { forward: Lines; reverse: Lines } {
    const { scope, builder } = this;
    const { unit } = scope.frame;
    if (rankOf(variable) !== 1) throw new NotReversible('a container of several dimensions');
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
    const texts = view.indexes.map((index) => (index === null ? null : sweep.value(index)));
    const { start, stride } = viewOf(view.variable, texts);
    reverse.push(`${unit.use('$copy_adjoint')}(D, ${start}, ${stride}, ${to});`);
    if (step.count > 0) throw new NotReversible('an index that is not computed again');
    return { forward, reverse };
  }
}

function stepPiece(step: Step, forward: Lines, reverse: Lines): Piece {
  const { count, allAreas } = step;
  if (count > 0) forward.push(`sp += ${count};`);
  const back: Lines = count > 0 ? [`sp -= ${count};`] : [];
  if (allAreas.length === 0) {
    return { forward, reverse: [...back, ...reverse], keeps: count, makesRoom: false };
  }
  const room = [...allAreas.map((area) => area.count), String(count)].join(' + ');
  const open = allAreas.flatMap(({ name, count: n }) => [`const ${name} = sp;`, `sp += ${n};`]);
  // Kept nodes stand behind the areas: `sp` stays between the two while the statement is reversed.
  let behind = 'sp';
  const names: Lines = [...allAreas].reverse().map((area) => {
    const line = `const ${area.name} = ${behind} - ${area.count};`;
    behind = area.name;
    return line;
  });
  return {
    forward: [roomText(room), ...open, ...forward],
    reverse: [...back, ...names, ...reverse, `sp = ${behind};`],
    keeps: 0,
    makesRoom: true,
  };
}

/** A loop costs less than the built-in function where there are few elements. */
export function fillText(array: string, value: string, from: string, count: string): string {
  return `for (let i = ${from}, end = ${from} + ${count}; i < end; i++) ${array}[i] = ${value};`;
}

/** Makes room for `count` more kept numbers. */
export function roomText(count: string): string {
  return `if (sp + ${count} > K.length) K = tape.keepRoom(sp + ${count});`;
}

function namesTarget(e: IrExpression): boolean {
  if (e.op === 'target') return true;
  return e.op === 'user' && e.function.role === 'target';
}

/** Leaves a loop that is not part of the statement. */
function hasJump(statement: IrStatement): boolean {
  if (statement.op === 'break' || statement.op === 'continue') return true;
  if (statement.op === 'for' || statement.op === 'for-each' || statement.op === 'while')
    return false;
  return bodiesOf(statement).some((body) => body.some(hasJump));
}
