/** Branches and loops as two texts: the reverse sweep goes back the same way. */
import { variableName } from '../emit/unit.ts';
import type { IrStatement, IrVariable, StatementOf } from '../lower/ir.ts';
import { visitVariables } from '../lower/walk-ir.ts';
import type { NodeBuilder } from './build-node.ts';
import { Forward } from './forward.ts';
import type { Node } from './node.ts';
import { locationText, type Piece, roomText, spendText, stepPiece } from './piece.ts';
import type { RegionScope } from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { type Lines, Step } from './step.ts';

interface EndedLoop {
  readonly i: string;
  readonly low: string;
  readonly high: string;
  readonly until: IrVariable;
  readonly inside: Piece;
  /** Begins with the place of the statement and what the bounds need. */
  readonly forward: Lines;
}

function roomOfTurn({ makesRoom, keeps }: Piece): Lines {
  return !makesRoom && keeps > 0 ? [roomText(String(keeps))] : [];
}

export class ControlWriter {
  constructor(
    private readonly scope: RegionScope,
    private readonly builder: NodeBuilder,
    /** The texts of a list of statements in a separate scope. */
    private readonly block: (statements: readonly IrStatement[]) => Piece,
  ) {}

  branch({ test, yes, no, location }: StatementOf<'if'>): Piece {
    const { scope } = this;
    const node = this.builder.test(test);
    const forward: Lines = [locationText(scope, location)];
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

  /** The value of a test or bound after the statement: recomputed if nothing changed it, otherwise kept. */
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

  loop({ variable, from, to, until, body, location }: StatementOf<'for'>): Piece {
    const { scope, builder } = this;
    scope.enterLoop(variable, from, to);
    const bounds = [from, to].map((end) => builder.build(end));
    const forward: Lines = [locationText(scope, location)];
    const sweep = new Forward(scope, new Step(), forward);
    // Bounds are evaluated when the loop begins, even if its body assigns to what they name.
    const [low, high] = bounds.map((end) =>
      this.isStable(end) ? sweep.value(end) : sweep.snapshot(end),
    );
    // What the body changes may have another value in the next iteration.
    scope.advanceAll(body);
    scope.depth++;
    const inside = this.block(body);
    scope.depth--;
    scope.advanceAll(body);
    const i = variableName(variable);
    if (until) return this.endedLoop({ i, low, high, until, inside, forward });
    const turns = scope.temporary();
    const count = low === '1' ? high : `${high} - ${low} + 1`;
    const spend = scope.depth > 0 ? spendText(turns) : `host.spend(${turns});`;
    forward.push(`const ${turns} = Math.max(0, ${count});`, spend);
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

  /** A loop that a flag may end: both ends are kept, and each iteration makes its own room. */
  private endedLoop({ i, low, high, until, inside, forward }: EndedLoop): Piece {
    const { scope } = this;
    const last = scope.temporary();
    forward.push(
      `let ${last} = ${low} - 1;`,
      `for (let ${i} = ${low}; ${i} <= ${high} && ${variableName(until)} === 0; ${i}++) {`,
      [spendText('1'), `${last} = ${i};`, ...roomOfTurn(inside), ...inside.forward],
      '}',
      roomText('2'),
      `K[sp] = ${low};`,
      `K[sp + 1] = ${last};`,
      'sp += 2;',
    );
    const first = scope.temporary();
    const reverse: Lines = [
      'sp -= 2;',
      `const ${first} = K[sp];`,
      `for (let ${i} = K[sp + 1]; ${i} >= ${first}; ${i}--) {`,
      inside.reverse,
      '}',
    ];
    return { forward, reverse, keeps: 0, makesRoom: true };
  }

  whileLoop({ test, body, location }: StatementOf<'while'>): Piece {
    const { scope } = this;
    scope.advanceAll(body);
    const condition: Lines = [];
    const text = new Forward(scope, new Step(), condition).test(this.builder.test(test));
    scope.depth++;
    const inside = this.block(body);
    scope.depth--;
    scope.advanceAll(body);
    const turns = scope.temporary();
    const forward: Lines = [
      locationText(scope, location),
      `let ${turns} = 0;`,
      'for (;;) {',
      [
        ...condition,
        `if (!(${text})) break;`,
        spendText('1'),
        `${turns}++;`,
        ...roomOfTurn(inside),
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
}
