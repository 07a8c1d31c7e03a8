/**
 * `break`, `continue` and early `return` written as branches and flags, since a reverse sweep cannot jump. What follows
 * a branch that ends in a jump becomes the other branch; if both may continue, a flag says whether the rest is reached.
 * A loop that may be left checks a flag before each iteration.
 */
import type { IrExpression, IrStatement, IrVariable, StatementOf } from '../lower/ir.ts';
import { intType } from '../lower/kinds.ts';
import { bodiesOf } from '../lower/walk-ir.ts';

/** What a jump does: it raises flags, so that what it skips is not reached. */
interface Exits {
  readonly onBreak: readonly IrVariable[];
  readonly onContinue: readonly IrVariable[];
  readonly onReturn: readonly IrVariable[];
}

const none: Exits = { onBreak: [], onContinue: [], onReturn: [] };

/** What produces the value of `return`, and new variables. */
export interface JumpContext {
  /** An assignment of the value that a function returns to its result. */
  readonly give: (value: IrExpression, location: number) => IrStatement;
  readonly flag: (name: string) => IrVariable;
  /** Whether the statement computes with data only: its own jumps remain. */
  readonly isPlain: (statement: IrStatement) => boolean;
}

/** Whether a jump leaves the statement: `return`, or `break` and `continue` of a loop around it. */
function jumpsOut(statement: IrStatement): boolean {
  switch (statement.op) {
    case 'break':
    case 'continue':
    case 'return':
      return true;
    case 'for':
    case 'for-each':
    case 'while':
      return holdsReturn(statement);
    default:
      return bodiesOf(statement).some((body) => body.some(jumpsOut));
  }
}

export function holdsReturn(statement: IrStatement): boolean {
  return statement.op === 'return' || bodiesOf(statement).some((body) => body.some(holdsReturn));
}

/** Whether it contains a jump of any kind. */
function holdsJump(statement: IrStatement): boolean {
  const { op } = statement;
  if (op === 'break' || op === 'continue' || op === 'return') return true;
  return bodiesOf(statement).some((body) => body.some(holdsJump));
}

/** Whether anything after the statements is never reached. */
export function endsInJump(statements: readonly IrStatement[]): boolean {
  return statements.some((statement) => {
    switch (statement.op) {
      case 'break':
      case 'continue':
      case 'return':
      case 'reject':
        return true;
      case 'block':
        return endsInJump(statement.body);
      case 'if':
        return endsInJump(statement.yes) && endsInJump(statement.no);
      default:
        return false;
    }
  });
}

const variableOf = (variable: IrVariable): IrExpression => ({
  op: 'variable',
  variable,
  type: variable.type,
});

const number = (value: number): IrExpression => ({ op: 'int', value, type: intType });

function isLowered(flag: IrVariable): IrExpression {
  const [left, right] = [variableOf(flag), number(0)];
  return { op: 'compare', operator: '===', left, right, type: intType };
}

const declaration = (variable: IrVariable): IrStatement => ({
  op: 'declare',
  variable,
  arraySizes: [],
  baseSizes: [],
  constraint: { kind: 'none' },
  initial: number(0),
  location: 0,
});

const raise = (variable: IrVariable): IrStatement => ({
  op: 'assign',
  variable,
  value: number(1),
  location: 0,
});

function unless(flag: IrVariable, body: readonly IrStatement[]): IrStatement[] {
  if (body.length === 0) return [];
  return [{ op: 'if', test: isLowered(flag), yes: body, no: [], location: 0 }];
}

/** The same statements without jumps; those that leave the list raise the flags of `exits`. */
export function withoutJumps(
  statements: readonly IrStatement[],
  context: JumpContext,
  exits: Exits = none,
): IrStatement[] {
  const out: IrStatement[] = [];
  for (const [k, statement] of statements.entries()) {
    const rest = statements.slice(k + 1);
    if (!holdsJump(statement) || (!jumpsOut(statement) && context.isPlain(statement))) {
      out.push(statement);
      continue;
    }
    if (statement.op === 'for' || statement.op === 'while') {
      const { loop, left } = ofLoop(statement, context, exits);
      out.push(...loop);
      if (left === null) continue;
      return [...out, ...unless(left, withoutJumps(rest, context, exits))];
    }
    return [...out, ...ofJump(statement, rest, context, exits)];
  }
  return out;
}

/** A statement that jumps, with everything after it. */
function ofJump(
  statement: IrStatement,
  rest: readonly IrStatement[],
  context: JumpContext,
  exits: Exits,
): IrStatement[] {
  switch (statement.op) {
    case 'break':
      return exits.onBreak.map(raise);
    case 'continue':
      return exits.onContinue.map(raise);
    case 'return': {
      const { value, location } = statement;
      return [...(value ? [context.give(value, location)] : []), ...exits.onReturn.map(raise)];
    }
    case 'block': {
      const isLast = rest.length === 0 || endsInJump(statement.body);
      const body = isLast ? statement.body : [...statement.body, ...rest];
      return [{ ...statement, body: withoutJumps(body, context, exits) }];
    }
    case 'if':
      return ofBranch(statement, rest, context, exits);
    default:
      // `for (x in container)` stays on the tape, with its jumps.
      return [statement, ...rest];
  }
}

function ofBranch(
  statement: StatementOf<'if'>,
  rest: readonly IrStatement[],
  context: JumpContext,
  exits: Exits,
): IrStatement[] {
  const list = (part: readonly IrStatement[], to = exits) => withoutJumps(part, context, to);
  const { yes, no } = statement;
  const goesOn = [!endsInJump(yes), !endsInJump(no)];
  const hasJumps = [yes.some(jumpsOut), no.some(jumpsOut)];
  const isSimple = rest.length === 0 || !(goesOn[0] && goesOn[1]);
  if (isSimple) {
    const after = (goes: boolean) => (goes ? rest : []);
    const branches = { yes: [...yes, ...after(goesOn[0])], no: [...no, ...after(goesOn[1])] };
    return [{ ...statement, yes: list(branches.yes), no: list(branches.no) }];
  }
  if (!hasJumps[0] && !hasJumps[1]) {
    return [{ ...statement, yes: list(yes), no: list(no) }, ...list(rest)];
  }
  const left = context.flag('left');
  const raising: Exits = {
    onBreak: [...exits.onBreak, left],
    onContinue: [...exits.onContinue, left],
    onReturn: [...exits.onReturn, left],
  };
  const branch: IrStatement = { ...statement, yes: list(yes, raising), no: list(no, raising) };
  return [declaration(left), branch, ...unless(left, list(rest))];
}

/** A loop whose body has no jumps, and the flag that says whether the function was left in it. */
function ofLoop(
  statement: StatementOf<'for' | 'while'>,
  context: JumpContext,
  exits: Exits,
): { readonly loop: IrStatement[]; readonly left: IrVariable | null } {
  const left = holdsReturn(statement) ? context.flag('left') : null;
  const isBroken = left !== null || statement.body.some(breaks);
  const broken = isBroken ? context.flag('broken') : null;
  const inner: Exits = {
    onBreak: broken ? [broken] : [],
    onContinue: [],
    onReturn: [...exits.onReturn, ...(broken ? [broken] : []), ...(left ? [left] : [])],
  };
  const body = withoutJumps(statement.body, context, inner);
  const flags = [broken, left].flatMap((flag) => (flag === null ? [] : [declaration(flag)]));
  if (broken === null) return { loop: [{ ...statement, body }], left };
  if (statement.op === 'for') {
    return { loop: [...flags, { ...statement, until: broken, body }], left };
  }
  const test: IrExpression = {
    op: 'and',
    left: isLowered(broken),
    right: statement.test,
    type: intType,
  };
  return { loop: [...flags, { ...statement, test, body }], left };
}

/** Whether the loop around the statement is left. */
function breaks(statement: IrStatement): boolean {
  if (statement.op === 'break') return true;
  if (statement.op === 'for' || statement.op === 'for-each' || statement.op === 'while') {
    return false;
  }
  return bodiesOf(statement).some((body) => body.some(breaks));
}
