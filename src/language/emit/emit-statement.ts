/** Statements of the intermediate representation to JavaScript statements. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  IrDeclaration,
  IrExpression,
  IrStatement,
  IrVariable,
  StatementOf,
} from '../lower/ir.ts';
import { isActiveKind, isContainerKind, type Kind, kindOf } from '../lower/kinds.ts';
import { diagonalAddition } from './diagonal.ts';
import { emitChecks } from './emit-checks.ts';
import {
  emitAs,
  emitExpression,
  emitPack,
  emitTest,
  emitText,
  promote,
} from './emit-expression.ts';
import { emitStore } from './emit-index.ts';
import { emitLocation, type Frame, isWritten, kindOfVariable } from './frame.ts';
import type { Writer } from './printer.ts';
import { quote } from './printer.ts';
import { storedKind } from './stored-kind.ts';
import { ownershipName, variableName } from './unit.ts';

export function emitStatements(
  frame: Frame,
  out: Writer,
  statements: readonly IrStatement[],
): void {
  const each = (statement: IrStatement) => emitOneStatement(frame, out, statement);
  if (frame.adjoint === null) statements.forEach(each);
  else frame.adjoint.emit(frame, out, statements, each);
}

export function emitOneStatement(frame: Frame, out: Writer, statement: IrStatement): void {
  if ('location' in statement) emitLocation(frame, out, statement.location);
  switch (statement.op) {
    case 'declare':
      return emitDeclaration(frame, out, statement);
    case 'assign':
      return emitAssignment(frame, out, statement.variable, statement.value);
    case 'store':
      out.block('', () => {
        const { variable, entries, value } = statement;
        const kind = storedKind(variable.type, entries, frame.activity.has(variable));
        const lines = emitStore(frame, variable, entries, { expression: value, kind });
        for (const line of lines) out.line(line);
      });
      return;
    case 'increment':
      return emitIncrement(frame, out, statement);
    case 'check':
      return emitChecks(frame, out, statement.declaration);
    case 'support':
      return out.line(`if (!${emitTest(frame, statement.condition)}) target.addNumber(-Infinity);`);
    case 'evaluate':
      return out.line(`${emitExpression(frame, statement.call).text};`);
    case 'print':
      return out.line(`host.print(${emitText(frame, statement.parts)});`);
    case 'reject': {
      const fail = frame.unit.use(statement.fatal ? '$fatal' : '$reject');
      out.line(`${fail}(${emitText(frame, statement.parts)});`);
      return;
    }
    case 'return':
      return out.line(
        statement.value ? `return ${emitResult(frame, statement.value)};` : 'return;',
      );
    case 'bind':
      return emitBinding(frame, out, statement);
    case 'break':
    case 'continue':
      return out.line(`${statement.op};`);
    case 'block':
      return emitBlock(frame, out, statement);
    case 'if':
    case 'while':
    case 'for':
    case 'for-each':
      return emitControl(frame, out, statement);
    default:
      assertNever(statement, 'statement');
  }
}

/** A profile ends however its statements are left, so that a rejected point leaves no clock running. */
function emitBlock(frame: Frame, out: Writer, { body, profile }: StatementOf<'block'>): void {
  const statements = () => emitStatements(frame, out, body);
  if (profile === undefined) {
    out.block('', statements);
    return;
  }
  // a Taylor tape is swept more than once, and not for sampling
  const tape = frame.hasTape && frame.isTaylor !== true ? 'tape' : 'null';
  out.line(`host.beginProfile(${quote(profile)}, ${tape});`);
  out.block('try', statements, ` finally { host.endProfile(${quote(profile)}, ${tape}); }`);
}

function emitResult(frame: Frame, value: IrExpression): string {
  if (value.op === 'pack') return emitPack(frame, value, frame.resultLeaves ?? null);
  return emitAs(frame, value, frame.resultKind);
}

/** Constants that hold a value or the leaves of a tuple; without a value if the guard is false. */
function emitBinding(
  frame: Frame,
  out: Writer,
  { variables, value, guard }: StatementOf<'bind'>,
): void {
  const { text, kind } = emitExpression(frame, value);
  const isTuple = value.type.base === 'tuple';
  const held = frame.unit.temporary();
  const whole = guard ? `${emitTest(frame, guard)} ? ${text} : undefined` : text;
  out.line(`const ${held} = ${whole};`);
  variables.forEach((variable, k) => {
    const leaf = isTuple
      ? { text: `${held}[${k}]`, kind: kindOf(variable.type, isActiveKind(kind)) }
      : { text: held, kind };
    const promoted = promote(frame, leaf, kindOfVariable(frame, variable));
    const value = guard ? `${held} === undefined ? undefined : ${promoted}` : promoted;
    out.line(`const ${variableName(variable)} = ${value};`);
  });
}

type Control = StatementOf<'if' | 'while' | 'for' | 'for-each'>;

function emitControl(frame: Frame, out: Writer, statement: Control): void {
  const body = (statements: readonly IrStatement[]) => () => emitStatements(frame, out, statements);
  // A region costs some work for each of its inputs, so a loop becomes one as a unit or not at all.
  const turn: Frame = { ...frame, adjoint: null };
  const loop = (statements: readonly IrStatement[]) => () => {
    out.line('host.tick();');
    emitStatements(turn, out, statements);
  };
  switch (statement.op) {
    case 'if':
      out.block(`if ${emitTest(frame, statement.test)}`, body(statement.yes));
      if (statement.no.length > 0) out.block('else', body(statement.no));
      return;
    case 'while':
      return out.block(`while ${emitTest(frame, statement.test)}`, loop(statement.body));
    case 'for': {
      if (emitDiagonal(frame, out, statement)) return;
      const i = variableName(statement.variable);
      const end = frame.unit.temporary();
      const from = emitExpression(frame, statement.from).text;
      const to = emitExpression(frame, statement.to).text;
      const until = statement.until ? ` && ${variableName(statement.until)} === 0` : '';
      out.block(
        `for (let ${i} = ${from}, ${end} = ${to}; ${i} <= ${end}${until}; ${i}++)`,
        loop(statement.body),
      );
      return;
    }
    default:
      emitForEach(frame, out, statement);
  }
}

/** A loop that adds the same to each element of a diagonal, as one operation: the matrix stays in order on the tape. */
function emitDiagonal(frame: Frame, out: Writer, statement: StatementOf<'for'>): boolean {
  const addition = diagonalAddition(statement);
  if (frame.adjoint === null || !addition) return false;
  const { matrix, added } = addition;
  if (kindOfVariable(frame, matrix) !== 'W') return false;
  const name = variableName(matrix);
  const { text, kind } = emitExpression(frame, added);
  const count = emitExpression(frame, statement.to).text;
  const texts = ['tape', name, text, `${kind === 'v'}`, count, quote(matrix.name)];
  out.line(`${name} = ${frame.unit.use('$add_to_diagonal')}(${texts.join(', ')});`);
  out.line(`${ownershipName(matrix)} = false;`);
  return true;
}

/** Elements in memory order: of a matrix column by column. */
function emitForEach(
  frame: Frame,
  out: Writer,
  { variable, over, body }: StatementOf<'for-each'>,
): void {
  const { unit } = frame;
  const container = emitExpression(frame, over);
  const x = unit.temporary();
  const k = unit.temporary();
  const [count, element, kind] = {
    V: [`${x}.n`, `${unit.use('$slot')}(${x}, ${k})`, 'v'],
    W: [`${x}.rows * ${x}.cols`, `${unit.use('$slot')}(${x}, ${k})`, 'v'],
    M: [`${x}.data.length`, `${x}.data[${k}]`, 'r'],
    R: [`${x}.length`, `${x}[${k}]`, 'r'],
    I: [`${x}.length`, `${x}[${k}]`, 'i'],
  }[container.kind] ?? [`${x}.length`, `${x}[${k}]`, container.kind.slice(1)];
  out.block('', () => {
    out.line(`const ${x} = ${container.text};`);
    out.block(`for (let ${k} = 0; ${k} < ${count}; ${k}++)`, () => {
      out.line('host.tick();');
      const value = promote(frame, { text: element, kind }, kindOfVariable(frame, variable));
      out.line(`const ${variableName(variable)} = ${value};`);
      emitStatements({ ...frame, adjoint: null }, out, body);
    });
  });
}

// ---------------------------------------------------------------- variables

function emitDeclaration(frame: Frame, out: Writer, declaration: IrDeclaration): void {
  const { variable, initial } = declaration;
  const name = variableName(variable);
  const kind = kindOfVariable(frame, variable);
  if (!isContainerKind(kind)) {
    const value = initial ? emitAs(frame, initial, kind) : unassigned[kind];
    out.line(`let ${name} = ${value};`);
    return;
  }
  const sizes = emitSizes(frame, declaration);
  if (initial) {
    const value = emitAs(frame, initial, kind);
    const label = quote(variable.name);
    out.line(
      `let ${name} = ${frame.unit.use('$sized')}(${value}, [${sizes.join(', ')}], ${label});`,
    );
  } else {
    out.line(`let ${name} = ${emitFresh(frame, declaration, kind)};`);
  }
  if (isWritten(frame, variable)) {
    out.line(`let ${ownershipName(variable)} = ${initial ? 'false' : 'true'};`);
  }
}

/** Slot 0 of a tape is NaN. */
const unassigned: Readonly<Record<Kind, string>> = { i: '-2147483648', r: 'NaN', v: '0' };

export function emitSizes(frame: Frame, { arraySizes, baseSizes }: IrDeclaration): string[] {
  return [...arraySizes, ...baseSizes].map((size) => emitExpression(frame, size).text);
}

/** A container of the declared sizes, unassigned. */
function emitFresh(frame: Frame, declaration: IrDeclaration, kind: Kind): string {
  const { unit } = frame;
  const leaf = kind.replaceAll('[', '');
  const sizes = emitSizes(frame, declaration);
  const leafSizes = leaf === 'M' || leaf === 'W' ? 2 : 1;
  const inner = `${unit.use(`$new_${leaf}`)}(${sizes.slice(-leafSizes).join(', ')})`;
  const outer = sizes.slice(0, -leafSizes);
  if (outer.length === 0) return inner;
  return `${unit.use('$nest')}([${outer.join(', ')}], () => ${inner})`;
}

function emitAssignment(
  frame: Frame,
  out: Writer,
  variable: IrVariable,
  value: IrExpression,
): void {
  const name = variableName(variable);
  const kind = kindOfVariable(frame, variable);
  const text = emitAs(frame, value, kind);
  if (!isContainerKind(kind)) {
    out.line(`${name} = ${text};`);
    return;
  }
  out.line(`${name} = ${frame.unit.use('$fitting')}(${text}, ${name}, ${quote(variable.name)});`);
  if (isWritten(frame, variable)) out.line(`${ownershipName(variable)} = false;`);
}

// ---------------------------------------------------------------- the target

function emitIncrement(frame: Frame, out: Writer, { value, sign }: StatementOf<'increment'>): void {
  const signed: IrExpression =
    sign > 0 ? value : { op: 'call', name: 'minus', arguments: [value], type: value.type };
  const { text, kind } = emitExpression(frame, signed);
  const add = `target.${adders[kind.at(-1) ?? 'r']}(${text});`;
  const droppable = value.op === 'density' && value.propto && !isActiveKind(kind);
  if (droppable && frame.propto !== 'false') out.line(`if (!${frame.propto}) ${add}`);
  else out.line(add);
}

const adders: Readonly<Record<string, string>> = {
  v: 'add',
  V: 'addActive',
  W: 'addActive',
  r: 'addNumber',
  i: 'addNumber',
  R: 'addNumbers',
  M: 'addNumbers',
  I: 'addNumbers',
};
