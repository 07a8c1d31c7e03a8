/** Statements as two texts: what the forward sweep does, and what the reverse sweep does when it returns to them. */
import { emitOneStatement } from '../emit/emit-statement.ts';
import { quote, Writer } from '../emit/printer.ts';
import { variableName } from '../emit/unit.ts';
import type {
  IrDeclaration,
  IrExpression,
  IrStatement,
  IrVariable,
  StatementOf,
} from '../lower/ir.ts';
import { isScalar } from '../lower/kinds.ts';
import {
  bodiesOf,
  childrenOf,
  expressionsOf,
  visitStatements,
  visitVariables,
} from '../lower/walk-ir.ts';
import { NodeBuilder } from './build-node.ts';
import { isElementwise } from './build-term.ts';
import { densityForms } from './density-forms.ts';
import { Forward } from './forward.ts';
import { fillText, locationText, type Piece, roomText, stepPiece } from './piece.ts';
import { writesOf } from './references.ts';
import {
  adjointName,
  elementCount,
  NotReversible,
  offsetName,
  type RegionScope,
  rankOf,
  sizeNames,
  valueName,
} from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { keptText, type Lines, Step } from './step.ts';
import { sweepCheck } from './sweep-checks.ts';
import { ContainerWriter } from './sweep-containers.ts';
import { ControlWriter } from './sweep-control.ts';
import { sweepVectorDensity, sweepVectorIncrement } from './sweep-terms.ts';

/** What is declared in a list of statements, and must exist again when the reverse sweep enters it. */
export interface Locals {
  readonly scalars: IrVariable[];
  readonly containers: IrVariable[];
  readonly plain: IrVariable[];
}

export class SweepWriter {
  private readonly builder: NodeBuilder;
  private readonly containers: ContainerWriter;
  private readonly control: ControlWriter;
  /** Whether anything was added to the target. */
  incrementsTarget = false;

  constructor(private readonly scope: RegionScope) {
    this.builder = new NodeBuilder(scope);
    this.containers = new ContainerWriter(scope, this.builder);
    this.control = new ControlWriter(scope, this.builder, (list) => this.block(list));
  }

  // ---------------------------------------------------------------- lists

  /** A list in a separate scope. */
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
    for (const [k, statement] of statements.entries()) {
      if (statement.op === 'bind') throw new NotReversible('a tuple that a function returns');
      if (statement.op === 'declare') {
        this.note(locals, statement.variable);
        this.scope.declare(statement.variable);
      }
      pieces.push(this.statement(statement, statements[k + 1]));
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

  /** Keeps what the reverse sweep of a list reads of its variables, and restores it. */
  leave({ scalars, containers, plain }: Locals): { count: number; forward: Lines; reverse: Lines } {
    const { needed } = this.scope;
    const names: string[] = [
      ...scalars.filter((variable) => needed.has(variable)).map(valueName),
      ...plain.filter((variable) => needed.has(variable)).map(variableName),
    ];
    const sizes = containers.flatMap((variable) => [offsetName(variable), ...sizeNames(variable)]);
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

  private statement(statement: IrStatement, next?: IrStatement): Piece {
    if (this.isPlain(statement)) return this.plain(statement);
    switch (statement.op) {
      case 'declare':
        return this.declaration(statement, next);
      case 'assign':
        if (!isScalar(statement.variable.type)) return this.containers.assign(statement);
        return this.assign(statement.variable, statement.value, statement.location);
      case 'store':
        return this.store(statement);
      case 'increment':
        return this.increment(statement);
      case 'check':
        return sweepCheck(this.scope, this.builder, statement);
      case 'support':
        return this.support(statement);
      case 'block':
        // a profile times both sweeps, which the tape runs one after the other
        if (statement.profile !== undefined) throw new NotReversible('`profile`');
        return this.nested(this.block(statement.body));
      case 'if':
        return this.control.branch(statement);
      case 'for':
        return this.control.loop(statement);
      case 'while':
        return this.control.whileLoop(statement);
      case 'reject':
        return this.reject(statement);
      default:
        throw new NotReversible(`\`${statement.op}\``);
    }
  }

  private nested(piece: Piece): Piece {
    return { ...piece, forward: ['{', piece.forward, '}'], reverse: ['{', piece.reverse, '}'] };
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

  /** Data: the emitter's text in the forward sweep; values that the reverse sweep reads are restored. */
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

  private declaration(declaration: IrDeclaration, next: IrStatement | undefined): Piece {
    const { variable, initial, location } = declaration;
    if (!isScalar(variable.type)) return this.containers.declare(declaration, next);
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
    if (!scope.isActiveVariable(variable)) {
      if (isFirst && this.isOfSizes(e)) return this.size(variable, e, location);
      // `int s = x > 0`: no derivative, but not known without the parameters.
      throw new NotReversible('data that parameters settle');
    }
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
    const forward: Lines = [locationText(scope, location)];
    const text = new Forward(scope, step, forward).value(node);
    if (isKept) forward.push(`${step.keepOverwritten()} = ${name};`);
    forward.push(isFirst ? `let ${name} = ${text};` : `${name} = ${text};`);
    scope.advance(variable);
    return stepPiece(step, forward, inner.length > 0 || isKept || !isFirst ? reverse : []);
  }

  /** Computed from data and from sizes of containers, not from values of parameters. */
  private isOfSizes(e: IrExpression): boolean {
    if (e.op === 'measure') return true;
    if (e.op === 'variable') return !this.scope.isActiveVariable(e.variable);
    return e.type.base === 'int' && childrenOf(e).every((part) => this.isOfSizes(part));
  }

  /** `int n = cols(x);` */
  private size(variable: IrVariable, e: IrExpression, location: number): Piece {
    const { scope } = this;
    const forward: Lines = [locationText(scope, location)];
    const text = new Forward(scope, new Step(), forward).value(this.builder.build(e));
    forward.push(`let ${variableName(variable)} = ${text};`);
    scope.advance(variable);
    return { forward, reverse: [], keeps: 0, makesRoom: false };
  }

  private store({ variable, entries, value, location }: StatementOf<'store'>): Piece {
    const { scope, builder } = this;
    if (!scope.isActiveVariable(variable)) throw new NotReversible('a container of data');
    const indexes = entries.flatMap((entry) => (entry.kind === 'single' ? [entry.at] : []));
    if (indexes.length !== rankOf(variable)) {
      const base: IrExpression = { op: 'variable', variable, type: variable.type };
      const part: IrExpression = {
        op: 'index',
        base,
        entries,
        label: variable.name,
        type: value.type,
      };
      const forward: Lines = [locationText(scope, location)];
      return this.containers.elements(builder.view(part), value, forward);
    }
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
    const forward: Lines = [locationText(scope, location)];
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

  private increment({ value, sign, location }: StatementOf<'increment'>): Piece {
    const { scope, builder } = this;
    this.incrementsTarget = true;
    const forward: Lines = [locationText(scope, location)];
    if (!scope.isActive(value)) {
      if (!isScalar(value.type)) throw new NotReversible('a container of data added to the target');
      const droppable = value.op === 'density' && value.propto && scope.frame.propto !== 'false';
      const lines: Lines = [];
      new Forward(scope, new Step(), lines).addToTarget(builder.build(value), sign, false);
      if (droppable) forward.push(`if (!${scope.frame.propto}) {`, lines, '}');
      else forward.push(...lines);
      return { forward, reverse: [], keeps: 0, makesRoom: false };
    }
    const isVectorised =
      value.op === 'density' &&
      Object.hasOwn(densityForms, value.name) &&
      value.arguments.some(({ type }) => !isScalar(type));
    if (isVectorised) {
      return sweepVectorDensity(scope, builder, value, sign, forward);
    }
    if (isElementwise(value)) return sweepVectorIncrement(scope, builder, value, sign, forward);
    const node = isScalar(value.type) ? builder.build(value) : builder.sumOf(value);
    const step = new Step();
    const reverse: Lines = [];
    new Reverse(scope, step, reverse).add(node, sign > 0 ? 'G' : '-G');
    new Forward(scope, step, forward).addToTarget(node, sign, scope.depth > 0);
    return stepPiece(step, forward, reverse);
  }

  private support({ condition, location }: StatementOf<'support'>): Piece {
    this.incrementsTarget = true;
    const forward: Lines = [locationText(this.scope, location)];
    const test = new Forward(this.scope, new Step(), forward).test(this.builder.test(condition));
    forward.push(`if (!(${test})) lp += -Infinity;`);
    return { forward, reverse: [], keeps: 0, makesRoom: false };
  }

  private reject({ fatal, parts, location }: StatementOf<'reject'>): Piece {
    const { unit } = this.scope.frame;
    const forward: Lines = [locationText(this.scope, location)];
    const sweep = new Forward(this.scope, new Step(), forward);
    const show = unit.use('$show');
    const texts = parts.map((part) =>
      typeof part === 'string' ? quote(part) : `${show}(${sweep.value(this.builder.build(part))})`,
    );
    const fail = unit.use(fatal ? '$fatal' : '$reject');
    forward.push(`${fail}(${texts.length === 0 ? '""' : texts.join(' + ')});`);
    return { forward, reverse: [], keeps: 0, makesRoom: false };
  }
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
