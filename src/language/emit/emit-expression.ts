/** Expressions of the intermediate representation to JavaScript text, in the form their activity asks for. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  CallExpression,
  DensityExpression,
  ExpressionOf,
  IrExpression,
  IrPrintPart,
  IrVariable,
} from '../lower/ir.ts';
import { dataKind, isActiveKind, isScalar, type Kind, kindOf } from '../lower/kinds.ts';
import { callings } from '../types/signatures/higher-order.ts';
import { isComplex, type StanType } from '../types/stan-type.ts';
import { isBorrowingDensity, isBorrowingFunction } from './borrowing.ts';
import { emitIndex } from './emit-index.ts';
import { emitLaplace, emitTaylor } from './emit-laplace.ts';
import { type Frame, isWritten, kindOfVariable } from './frame.ts';
import { fuse } from './fuse.ts';
import { isWorthCaching } from './invariant.ts';
import { fuseLinearPredictor, settledRegression } from './linear-predictor.ts';
import { numberLiteral, quote } from './printer.ts';
import { hasSettledOutcomes } from './settled-outcomes.ts';
import { MissingFunctionError, ownershipName, variableName } from './unit.ts';

/** JavaScript text of a value and how it is stored. */
export interface Code {
  readonly text: string;
  readonly kind: Kind;
}

export function emitExpression(frame: Frame, e: IrExpression): Code {
  const active = frame.activity.isActive(e);
  if (!active && frame.caches && isWorthCaching(e)) {
    const code = emitForm({ ...frame, caches: false }, e, false);
    return { ...code, text: frame.unit.cached(code.text) };
  }
  return emitForm(frame, e, active);
}

/** Like {@link emitExpression} for a reader that does not store the container: the variable still owns it. */
export function emitBorrowed(frame: Frame, e: IrExpression): Code {
  if (e.op === 'variable') {
    return { text: variableName(e.variable), kind: kindOfVariable(frame, e.variable) };
  }
  if (e.op === 'index' && frame.activity.isActive(e)) {
    return emitIndex(frame, e, { kind: kindOf(e.type, true), borrowed: true });
  }
  return emitExpression(frame, e);
}

/** The expression promoted to `kind`. */
export function emitAs(frame: Frame, e: IrExpression, kind: Kind): string {
  return promote(frame, emitExpression(frame, e), kind);
}

/** The value of the expression as data, even if it is active. */
export function emitValue(frame: Frame, e: IrExpression): Code {
  const code = emitExpression(frame, e);
  if (!isActiveKind(code.kind)) return code;
  if (code.kind !== 'v') {
    const text = `${frame.unit.use('$deactivate')}(tape, ${code.text})`;
    return { text, kind: dataKind(code.kind) };
  }
  // Recording a row may replace `tape.value`, so it must happen before that is read.
  const isName = /^[\w$]+$/.test(code.text);
  const text = isName
    ? `tape.value[${code.text}]`
    : `${frame.unit.use('$value')}(tape, ${code.text})`;
  return { text, kind: 'r' };
}

/** A JavaScript condition, always in brackets, so that `if` and `while` need not add any. */
export function emitTest(frame: Frame, e: IrExpression): string {
  switch (e.op) {
    case 'compare': {
      const left = emitValue(frame, e.left).text;
      return `(${left} ${e.operator} ${emitValue(frame, e.right).text})`;
    }
    case 'and':
      return `(${emitTest(frame, e.left)} && ${emitTest(frame, e.right)})`;
    case 'or':
      return `(${emitTest(frame, e.left)} || ${emitTest(frame, e.right)})`;
    case 'not':
      return `(!${emitTest(frame, e.operand)})`;
    default:
      return `(${emitValue(frame, e).text} !== 0)`;
  }
}

export function promote(frame: Frame, { text, kind }: Code, to: Kind): string {
  if (kind === to) return text;
  if (to === 'r') return text;
  if (to === 'v') return `tape.constant(${text})`;
  if (isActiveKind(to)) return `${frame.unit.use('$activate')}(tape, ${text})`;
  return `${frame.unit.use('$toReals')}(${text})`;
}

function emitForm(frame: Frame, e: IrExpression, active: boolean): Code {
  const kind = kindOf(e.type, active);
  switch (e.op) {
    case 'int':
    case 'real':
      return { text: numberLiteral(e.value), kind };
    case 'variable':
      return { text: readWhole(frame, e.variable), kind: kindOfVariable(frame, e.variable) };
    case 'call':
      if (frame.isTaylor && active) return emitTaylor(frame, e, kind, emitCall);
      return fuse(frame, e, kind) ?? emitCall(frame, e, kind);
    case 'density':
      if (frame.isTaylor && active) return emitTaylor(frame, e, kind, emitDensity);
      return (
        emitSettledRegression(frame, e, kind) ??
        emitSettledOutcomes(frame, e, kind) ??
        fuse(frame, e, kind) ??
        emitDensity(frame, fuseLinearPredictor(frame, e), kind)
      );
    case 'random': {
      const args = e.arguments.map((argument) => emitValue(frame, argument));
      const texts = ['rng', kindsOf(args), ...textsOf(args)];
      return { text: `${frame.unit.use(e.name)}(${texts.join(', ')})`, kind };
    }
    case 'user':
      return emitUserCall(frame, e);
    case 'mixed':
      if (frame.isTaylor && active) return emitTaylor(frame, e, kind, emitMixed);
      return emitMixed(frame, e, kind);
    case 'higher-order':
      return e.laplace ? emitLaplace(frame, e, kind) : emitHigherOrder(frame, e, kind);
    case 'conditional': {
      const [yes, no] = [emitAs(frame, e.yes, kind), emitAs(frame, e.no, kind)];
      return { text: `(${emitTest(frame, e.test)} ? ${yes} : ${no})`, kind };
    }
    case 'and':
    case 'or':
    case 'not':
    case 'compare':
      return { text: `(${emitTest(frame, e)} ? 1 : 0)`, kind };
    case 'index':
      return emitIndex(frame, e, { kind, borrowed: false });
    case 'list':
      return { text: emitList(frame, e, kind), kind };
    case 'measure':
      return { text: emitMeasure(frame, e), kind };
    case 'member': {
      const { text, kind: tuple } = emitExpression(frame, e.tuple);
      return { text: `${text}[${e.at}]`, kind: kindOf(e.type, isActiveKind(tuple)) };
    }
    case 'pack':
      return { text: emitPack(frame, e, null), kind };
    case 'target':
      return frame.hasTape
        ? { text: 'target.total()', kind: 'v' }
        : { text: 'target.value()', kind: 'r' };
    default:
      return assertNever(e, 'expression');
  }
}

/** A complete variable: from now on others may refer to its container. */
function readWhole(frame: Frame, variable: IrVariable): string {
  const name = variableName(variable);
  return isWritten(frame, variable) ? `(${ownershipName(variable)} = false, ${name})` : name;
}

/** Operators on numbers that JavaScript has. */
const inlineOperators: Readonly<Record<string, string>> = {
  'add rr': '+',
  'subtract rr': '-',
  'multiply rr': '*',
  'divide rr': '/',
  'elt_multiply rr': '*',
  'elt_divide rr': '/',
  'add ii': '+',
  'subtract ii': '-',
};

const textsOf = (args: readonly Code[]): string[] => args.map(({ text }) => text);
/** The argument that names the kinds of others. */
const kindsOf = (args: readonly Code[]): string => quote(args.map(({ kind }) => kind).join(''));

function emitCall(frame: Frame, e: CallExpression, kind: Kind): Code {
  const { unit } = frame;
  // Int results depend on values only.
  const read = isBorrowingFunction(e.name) ? emitBorrowed : emitExpression;
  const emit = e.type.base === 'int' ? emitValue : read;
  const args = e.arguments.map((argument) => emit(frame, argument));
  const resolved = resolve(frame, e.name, args);
  if (resolved === null) {
    if (kind.startsWith('[') && !wholeArray.has(e.name)) return emitElementwise(frame, e, kind);
    throw new MissingFunctionError(e.name.replace('$', ''), unit.location);
  }
  const operator = inlineOperators[`${e.name} ${resolved.kinds.join('')}`];
  if (operator) return { text: `(${args[0].text} ${operator} ${args[1].text})`, kind };
  return { text: resolved.text(), kind };
}

/** The library function that takes these arguments, and its call with each promoted to what it takes. */
function resolve(frame: Frame, name: string, args: readonly Code[]) {
  const { unit } = frame;
  const found = unit.library.resolve(
    name,
    args.map(({ kind }) => kind),
  );
  if (found === null) return null;
  const { key, kinds } = found;
  const text = () => {
    const texts = args.map((code, i) => promote(frame, code, kinds[i]));
    if (kinds.some(isActiveKind)) texts.unshift('tape');
    return `${unit.use(key)}(${texts.join(', ')})`;
  };
  return { kinds, text };
}

/** Functions of a complete array: these do not apply to its elements. */
const wholeArray = new Set(['append_array', 'head', 'rep_array', 'reverse', 'segment', 'tail']);

/** Functions of scalars and vectors apply to the elements of arrays of containers. */
function emitElementwise(frame: Frame, e: CallExpression, kind: Kind): Code {
  const emit = e.type.base === 'int' ? emitValue : emitExpression;
  const args = e.arguments.map((argument) => emit(frame, argument));
  return { text: emitMapped(frame, e.name, args), kind };
}

/** Removes one array level at a time from the operands until the library has the function. */
function emitMapped(frame: Frame, name: string, args: readonly Code[]): string {
  const { unit } = frame;
  const resolved = resolve(frame, name, args);
  if (resolved !== null) return resolved.text();
  const nested = args.map(({ kind }) => kind.startsWith('['));
  if (!nested.includes(true)) {
    throw new MissingFunctionError(name.replace('$', ''), unit.location);
  }
  const inner = args.map(({ kind }, i) => ({
    text: unit.temporary(),
    kind: nested[i] ? kind.slice(1) : kind,
  }));
  const each = `(${textsOf(inner).join(', ')}) => ${emitMapped(frame, name, inner)}`;
  return `${unit.use('$map')}(${each}, [${nested.join(', ')}], [${textsOf(args).join(', ')}])`;
}

function emitDensity(frame: Frame, e: DensityExpression, kind: Kind): Code {
  const read = isBorrowingDensity(e.name) ? emitBorrowed : emitExpression;
  const args = e.arguments.map((argument) => read(frame, argument));
  const tape = isActiveKind(kind) ? 'tape' : `${frame.unit.use('$idleTape')}()`;
  const propto = e.propto ? frame.propto : 'false';
  const texts = [tape, propto, kindsOf(args), ...textsOf(args)];
  return { text: `${frame.unit.use(e.name)}(${texts.join(', ')})`, kind };
}

/** A regression of data, whose outcomes and predictors are processed only once. */
function emitSettledRegression(frame: Frame, e: DensityExpression, kind: Kind): Code | null {
  const regression = settledRegression(frame, e);
  if (regression === null) return null;
  const [y, x, ...rest] = regression.density.arguments;
  const make = regression.isByColumns ? '$regression_on_columns' : '$settled_regression';
  const held = `${emitUncached(frame, y)}, ${emitUncached(frame, x)}`;
  const { propto } = regression.density;
  return emitSettled(
    frame,
    { make, held, propto, rest, name: '$settled_regression_density' },
    kind,
  );
}

/** A multivariate normal density of data, which are processed only once. */
function emitSettledOutcomes(frame: Frame, e: DensityExpression, kind: Kind): Code | null {
  if (!hasSettledOutcomes(frame, e)) return null;
  const [y, ...rest] = e.arguments;
  const held = `${emitUncached(frame, y)}, ${quote(e.name)}`;
  const { propto } = e;
  const make = '$settled_outcomes';
  return emitSettled(frame, { make, held, propto, rest, name: '$settled_outcomes_density' }, kind);
}

const emitUncached = (frame: Frame, e: IrExpression): string =>
  emitExpression({ ...frame, caches: false }, e).text;

interface Settled {
  /** What processes the data, and its arguments. */
  readonly make: string;
  readonly held: string;
  /** The density of what it returns and the other arguments. */
  readonly name: string;
  readonly rest: readonly IrExpression[];
  readonly propto: boolean;
}

function emitSettled(frame: Frame, { make, held, name, rest, propto }: Settled, kind: Kind): Code {
  const { unit } = frame;
  const data = unit.cached(`${unit.use(make)}(${held})`);
  const args = rest.map((argument) => emitExpression(frame, argument));
  const texts = ['tape', propto ? frame.propto : 'false', kindsOf(args), data, ...textsOf(args)];
  return { text: `${unit.use(name)}(${texts.join(', ')})`, kind };
}

function emitUserCall(frame: Frame, e: ExpressionOf<'user'>): Code {
  const { unit, activity } = frame;
  const f = e.function;
  const kinds = f.arguments.map((parameter, i) =>
    kindOf(parameter.type, activity.isActive(e.arguments[i])),
  );
  const instance = unit.instance(f, kinds, frame.hasTape, frame.isTaylor);
  const texts = e.arguments.map((argument, i) => emitAs(frame, argument, kinds[i]));
  if (f.role === 'density') texts.unshift(e.propto ? frame.propto : 'false');
  if (f.role === 'random') texts.unshift('rng');
  if (f.role === 'target') texts.unshift('target', frame.propto);
  if (instance.active) texts.unshift('tape');
  return { text: `${instance.name}(${texts.join(', ')})`, kind: instance.resultKind };
}

/** `name(tape | null, jacobian | null, kinds, …arguments)`, see math/library/machinery/implementation.ts. */
function emitMixed(
  frame: Frame,
  { name, arguments: args }: ExpressionOf<'mixed'>,
  kind: Kind,
): Code {
  const isAdding = name.endsWith('_jacobian');
  const given = args.slice(isAdding ? 1 : 0).map((argument) => emitExpression(frame, argument));
  const kinds = `[${given.map((code) => quote(code.kind)).join(', ')}]`;
  const isActive = isActiveKind(kind);
  const sink = isAdding && isActive ? `${emitTest(frame, args[0])} ? target : null` : 'null';
  const texts = [isActive ? 'tape' : 'null', sink, kinds, ...given.map((code) => code.text)];
  const key = name.replace(/_jacobian$/, '_constrain');
  return { text: `${frame.unit.use(key)}(${texts.join(', ')})`, kind };
}

/**
 * A function that calls `f(leading…, handed…)` gets the user's function twice: on data, and with what carries derivatives
 * active, for use with a tape. See math/library/machinery/implementation.ts.
 */
function emitHigherOrder(frame: Frame, e: ExpressionOf<'higher-order'>, kind: Kind): Code {
  const { unit, activity } = frame;
  const f = e.function;
  const { own, leading, active: activeLeading } = callings[e.name];
  const args = e.arguments.map((argument) => emitExpression(frame, argument));
  const isHandedActive = (i: number) => activity.isActive(e.arguments[own + i - leading]);
  const kinds = f.arguments.map(({ type }, i) =>
    kindOf(type, i < leading ? activeLeading.includes(i) : isHandedActive(i)),
  );
  const plain = unit.instance(f, kinds.map(dataKind), false);
  const active = unit.instance(f, kinds, false);
  const handed = kinds.slice(leading).map(quote).join(', ');
  const isOde = leading === 2 && activeLeading.length > 0;
  const isLinearised = isOde && isActiveKind(kind);
  const linear = isLinearised ? unit.linearise(unit, f, kinds, e.arguments[0]) : null;
  const system = `{ data: ${plain.name}, active: ${active.name}, linear: ${linear}, handed: [${handed}] }`;
  const tape = isActiveKind(kind) ? 'tape' : 'null';
  const texts = [tape, kindsOf(args), system, ...textsOf(args)];
  return { text: `${unit.use(e.name)}(${texts.join(', ')})`, kind };
}

function emitList(frame: Frame, e: ExpressionOf<'list'>, kind: Kind): string {
  const { unit } = frame;
  const isMatrix = e.type.base === 'matrix' && e.type.arrayDepth === 0;
  const elementKind = isMatrix
    ? kind === 'W'
      ? 'V'
      : 'R'
    : ({ I: 'i', R: 'r', V: 'v' }[kind] ?? kind.slice(1));
  const elements = e.elements.map((element) => emitAs(frame, element, elementKind)).join(', ');
  if (isMatrix) return `${unit.use('$matrix_of_rows')}([${elements}])`;
  if (kind === 'I') return `Int32Array.of(${elements})`;
  if (kind === 'R') return `Float64Array.of(${elements})`;
  if (kind === 'V') return `${unit.use('$slots_of')}([${elements}])`;
  return `[${elements}]`;
}

/** A tuple as a list of its leaves, each with its kind in `kinds`, or as it is. */
export function emitPack(
  frame: Frame,
  { elements }: ExpressionOf<'pack'>,
  kinds: readonly Kind[] | null,
): string {
  const texts = elements.map((element, k) =>
    kinds ? emitAs(frame, element, kinds[k]) : emitExpression(frame, element).text,
  );
  return `[${texts.join(', ')}]`;
}

/** Sizes need no copy and do not share the container. */
function emitMeasure(frame: Frame, e: ExpressionOf<'measure'>): string {
  const { operand, what } = e;
  const { text, kind } =
    operand.op === 'variable'
      ? { text: variableName(operand.variable), kind: kindOfVariable(frame, operand.variable) }
      : emitExpression(frame, operand);
  if (isScalar(operand.type)) return '1';
  switch (what) {
    case 'zeros':
      return `${frame.unit.use('$zeros')}(${text})`;
    case 'dims':
      return `${frame.unit.use('$dims')}(${text})`;
    case 'elements':
      return `${frame.unit.use('$num_elements')}(${text})`;
    case 'length':
      return kind === 'V' ? `${text}.n` : `${text}.length`;
    default:
      return `${text}.${what}`;
  }
}

/** What `print` and `reject` show, as one string expression. */
export function emitText(frame: Frame, parts: readonly IrPrintPart[]): string {
  const show = frame.unit.use('$show');
  const texts = parts.map((part) =>
    typeof part === 'string'
      ? quote(part)
      : part.op === 'pack'
        ? emitShownTuple(frame, part)
        : `${show}(${emitValue(frame, part).text})`,
  );
  return texts.length === 0 ? '""' : texts.join(' + ');
}

function emitShownTuple(frame: Frame, e: ExpressionOf<'pack'>): string {
  const leaves = e.elements.map((element) => emitValue(frame, element).text).join(', ');
  return `${frame.unit.use('$show_tuple')}(${shapeText(e.type)}, [${leaves}])`;
}

/** The array dimensions of a tuple, then the same for each member; 1 for complex values, 0 for anything else. */
function shapeText(type: StanType): string {
  const { members, arrayDepth } = type;
  if (!members) return isComplex(type) ? '1' : '0';
  return `[${[arrayDepth, ...members.map(shapeText)].join(', ')}]`;
}
