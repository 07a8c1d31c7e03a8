/**
 * Calls of user functions with active arguments, expanded in place: their statements become part of the
 * region. Arguments that are variables keep their container, since a function cannot write into its arguments. Jumps are
 * written as branches and flags.
 */
import type { Activity } from '../lower/activity.ts';
import type {
  CallExpression,
  ExpressionOf,
  IrDeclaration,
  IrExpression,
  IrFunction,
  IrIndex,
  IrStatement,
  IrVariable,
  StatementOf,
} from '../lower/ir.ts';
import { intType, isScalar } from '../lower/kinds.ts';
import { childrenOf, expressionsOf, visitStatements } from '../lower/walk-ir.ts';
import type { StanType } from '../types/stan-type.ts';
import { reductions } from './build-node.ts';
import { isElementwise, isOfElements } from './build-term.ts';
import { sizesOf } from './container-sizes.ts';
import { densityForms } from './density-forms.ts';
import { keyOf, readsElsewhere } from './references.ts';
import { rankOf } from './region-scope.ts';
import { sliceOf } from './slices.ts';
import { isWholeOperation } from './whole-containers.ts';
import { endsInJump, holdsReturn, type JumpContext, withoutJumps } from './without-jumps.ts';

type UserCall = ExpressionOf<'user'>;
type Assignment = StatementOf<'assign' | 'store'>;

/** Functions whose calls are nested deeper stay calls. */
const deepest = 4;

/** Numbers for our own variables, beyond those of any program. */
const firstId = 1_000_000;

export class CallInliner {
  private numVariables = 0;

  /** Variables of expanded functions are marked in `activity` if they depend on parameters. */
  constructor(private readonly activity: Activity) {}

  /** A statement of the program as the statements that a region is written from. */
  written(statement: IrStatement): IrStatement[] {
    return this.statements(withoutJumps([statement], this.jumps(null)));
  }

  private jumps(output: IrVariable | null): JumpContext {
    return {
      give(value, location) {
        if (output === null) throw new Error('a value returned outside of a function');
        return { op: 'assign', variable: output, value, location };
      },
      flag: (name) => this.local(name, intType),
      isPlain: (statement) => this.isPlain(statement),
    };
  }

  private isPlain(statement: IrStatement): boolean {
    let holds = true;
    visitStatements([statement], (inner) => {
      if (inner.op === 'increment' || inner.op === 'support') holds = false;
      if ('variable' in inner && this.activity.has(inner.variable)) holds = false;
      if (expressionsOf(inner).some((e) => this.activity.isActive(e))) holds = false;
    });
    return holds;
  }

  private statements(statements: readonly IrStatement[], depth = 0): IrStatement[] {
    return statements.flatMap((statement) => this.statement(statement, depth));
  }

  private statement(statement: IrStatement, depth: number): IrStatement[] {
    switch (statement.op) {
      case 'declare': {
        if (statement.initial === null) return [statement];
        const { before, e } = this.expression(statement.initial, depth, statement.location);
        return [...before, { ...statement, initial: e }];
      }
      case 'assign':
      case 'store': {
        const { before, e } = this.expression(statement.value, depth, statement.location);
        const value = this.apart(e, statement, before);
        return [...before, { ...statement, value }];
      }
      case 'increment': {
        const { before, e } = this.expression(statement.value, depth, statement.location);
        return [...before, { ...statement, value: e }];
      }
      case 'evaluate': {
        const { call, location } = statement;
        const before: IrStatement[] = [];
        const isWritten =
          call.op === 'user' && this.call(call, before, { depth, location }) !== null;
        return isWritten ? before : [statement];
      }
      case 'bind':
        return this.binding(statement, depth) ?? [statement];
      case 'if':
        return [
          {
            ...statement,
            yes: this.statements(statement.yes, depth),
            no: this.statements(statement.no, depth),
          },
        ];
      case 'for':
      case 'while':
      case 'block':
        return [{ ...statement, body: this.statements(statement.body, depth) }];
      default:
        return [statement];
    }
  }

  /** The expression with results in place of calls, and the statements that compute these. */
  private expression(
    e: IrExpression,
    depth: number,
    location: number,
  ): { before: IrStatement[]; e: IrExpression } {
    const before: IrStatement[] = [];
    const isActive = (part: IrExpression) => this.activity.isActive(part);
    const declared = (value: IrExpression): IrExpression => {
      const variable = this.local('part', value.type);
      const declaration = declareContainer(variable, value, location);
      before.push(declaration);
      this.activity.propagate([declaration]);
      return { op: 'variable', variable, type: value.type };
    };
    // Functions of entire containers find computed ones in a variable.
    const container = (part: IrExpression): IrExpression => {
      const isLiteral = part.op === 'list' && part.elements.every(({ type }) => isScalar(type));
      const isOfCalls = part.op === 'call' && (isElementwise(part) || isOfElements(part));
      if (!(isLiteral || isOfCalls) || !isActive(part)) return part;
      return declared(part);
    };
    /** An operand of an operation on matrices, which takes a transposed one as it is. */
    const operand = (part: IrExpression): IrExpression => {
      const isTransposed = part.op === 'call' && part.name === 'transpose';
      if (isTransposed) return { ...part, arguments: [operand(part.arguments[0])] };
      return container(replace(part));
    };
    /** An operation on entire containers within other arithmetic is computed before it. */
    const moved = (part: CallExpression): IrExpression => {
      const [first, ...others] = part.arguments;
      // the sign of the matrix is that of the product
      if (part.name === 'multiply' && first.op === 'call' && first.name === 'minus') {
        const positive = { ...part, arguments: [first.arguments[0], ...others] };
        return { ...first, arguments: [moved(positive)], type: part.type };
      }
      const value = { ...part, arguments: part.arguments.map(operand) };
      // all of the statement's value
      return part === e ? value : declared(value);
    };
    const replace = (part: IrExpression): IrExpression => {
      if (!this.activity.isActive(part)) return part;
      const slice = sliceOf(part);
      if (slice !== null) return replace(slice);
      if (part.op === 'call' && isWholeOperation(part, isActive)) return moved(part);
      // Parts that may not be evaluated stay.
      if (part.op === 'conditional' || part.op === 'and' || part.op === 'or') return part;
      if (part.op === 'call' && reductions.has(part.name)) {
        const given = part.arguments.map((argument) => replace(sliceOf(argument) ?? argument));
        return { ...part, arguments: given.map(container) };
      }
      if (part.op === 'density' && !Object.hasOwn(densityForms, part.name)) {
        return {
          ...part,
          arguments: part.arguments.map((argument) => container(replace(argument))),
        };
      }
      if (part.op !== 'user') return withChildren(part, replace);
      const call = { ...part, arguments: part.arguments.map(replace) };
      return this.call(call, before, { depth, location }) ?? call;
    };
    return { before, e: replace(e) };
  }

  /** The value of an assignment, computed beforehand if it is read from other parts of the variable. */
  private apart(e: IrExpression, target: Assignment, before: IrStatement[]): IrExpression {
    const isWhole = isWholeOperation(e, (part) => this.activity.isActive(part));
    const isCopied = isWhole || e.op === 'index' || isElementwise(e) || isOfElements(e);
    // a repeated number is read before it is written
    const isRepeated = e.op === 'call' && e.arguments.every(({ type }) => isScalar(type));
    if (isScalar(e.type) || !isCopied || isRepeated || !this.activity.isActive(e)) return e;
    const entries = !isWhole && target.op === 'store' ? target.entries : [];
    if (!readsElsewhere(e, target.variable, isWhole ? null : keyOf(entries))) return e;
    const variable = this.local(target.variable.name, e.type);
    const declaration = declareContainer(variable, e, target.location);
    before.push(declaration);
    this.activity.propagate([declaration]);
    return { op: 'variable', variable, type: e.type };
  }

  private call(
    call: UserCall,
    before: IrStatement[],
    { depth, location }: { readonly depth: number; readonly location: number },
  ): IrExpression | null {
    const f = call.function;
    const result = resultKindOf(f);
    if (depth >= deepest || result === null) return null;
    const given = this.given(call, location);
    if (given === null) return null;
    const drops = f.role === 'target' || (call.propto && f.role === 'density');
    const clone = new Cloner(given.names, drops, (variable) => this.copyOf(variable));
    const output = this.local(f.name, f.returnType);
    if (result === 'vector') {
      // The size of the result is known where the function ends, so its variables stay next to the caller's.
      const last = f.body.at(-1) as StatementOf<'return'>;
      const body = clone.statements(f.body.slice(0, -1));
      const value = clone.expression(last.value as IrExpression);
      const isVariable = value.op === 'variable';
      if (!isVariable && (rankOf(output) > 1 || !isElementwise(value))) return null;
      const end = isVariable ? [] : [declareContainer(output, value, last.location)];
      this.append(before, [...given.statements, ...body, ...end], depth);
      return isVariable ? value : { op: 'variable', variable: output, type: f.returnType };
    }
    const copied = clone.statements(f.body);
    this.activity.propagate([...given.statements, ...copied]);
    const body = withoutJumps(copied, this.jumps(output));
    // The function's variables end with its block; the result is assigned inside it.
    const start = result === 'void' ? [] : [declareScalar(output, null, location)];
    this.append(before, [...given.statements, ...start, { op: 'block', body }], depth);
    return { op: 'variable', variable: output, type: f.returnType };
  }

  /** Variables that hold a value or the members of a tuple that a function returns, as separate declarations. */
  private binding(
    { variables, value, guard, location }: StatementOf<'bind'>,
    depth: number,
  ): IrStatement[] | null {
    if (guard !== null) return null;
    if (value.type.base !== 'tuple') {
      const declared = declareLeaf(variables[0], value, location);
      return declared && this.statement(declared, depth);
    }
    const last = value.op === 'user' ? value.function.body.at(-1) : undefined;
    const packed = last?.op === 'return' ? last.value : null;
    if (value.op !== 'user' || packed?.op !== 'pack' || depth >= deepest) return null;
    const f = value.function;
    const rest = f.body.slice(0, -1);
    const given =
      f.role === 'random' || rest.some(holdsReturn) ? null : this.given(value, location);
    if (given === null) return null;
    const clone = new Cloner(given.names, f.role === 'target', (v) => this.copyOf(v));
    const body = clone.statements(rest);
    const leaves = packed.elements.map((element, k) =>
      declareLeaf(variables[k], clone.expression(element), location),
    );
    if (leaves.includes(null)) return null;
    const written: IrStatement[] = [];
    const declared = leaves.filter((leaf) => leaf !== null);
    this.append(written, [...given.statements, ...body, ...declared], depth);
    return written;
  }

  /** Adds statements of a function, in which calls are expanded as well. */
  private append(before: IrStatement[], statements: readonly IrStatement[], depth: number): void {
    this.activity.propagate(statements);
    const inner = this.statements(statements, depth + 1);
    this.activity.propagate(inner);
    before.push(...inner);
  }

  /** The arguments of a call by parameter, and the statements that compute them; null where one cannot be copied. */
  private given(
    call: UserCall,
    location: number,
  ): { names: Map<IrVariable, IrExpression>; statements: IrStatement[] } | null {
    const names = new Map<IrVariable, IrExpression>();
    const statements: IrStatement[] = [];
    for (const [k, parameter] of call.function.arguments.entries()) {
      const given = call.arguments[k];
      if (!isScalar(parameter.type)) {
        if (given.op === 'variable') {
          names.set(parameter, given);
          continue;
        }
        // A part of a container is copied, as for a variable of the caller.
        const isPart =
          given.op === 'index' && given.type.base !== 'matrix' && rankOf(parameter) === 1;
        if (!isPart && !(given.op === 'call' && isElementwise(given))) return null;
        const variable = this.copyOf(parameter);
        statements.push(declareContainer(variable, given, location));
        names.set(parameter, { op: 'variable', variable, type: variable.type });
        continue;
      }
      const variable = this.copyOf(parameter);
      statements.push(declareScalar(variable, given, location));
      names.set(parameter, { op: 'variable', variable, type: variable.type });
    }
    return { names, statements };
  }

  private local(name: string, type: StanType): IrVariable {
    const id = firstId + this.numVariables++;
    return { id, name, type, place: 'local', writtenLevel: -1 };
  }

  private copyOf(variable: IrVariable): IrVariable {
    const id = firstId + this.numVariables++;
    return { ...variable, id, place: variable.place === 'loop' ? 'loop' : 'local' };
  }
}

function declareScalar(
  variable: IrVariable,
  initial: IrExpression | null,
  location: number,
): IrDeclaration {
  return {
    op: 'declare',
    variable,
    arraySizes: [],
    baseSizes: [],
    constraint: { kind: 'none' },
    initial,
    location,
  };
}

function declareContainer(
  variable: IrVariable,
  initial: IrExpression,
  location: number,
): IrStatement {
  const sizes = sizesOf(initial);
  const isArray = variable.type.arrayDepth > 0;
  const [arraySizes, baseSizes] = isArray ? [sizes, []] : [[], sizes];
  const declaration = declareScalar(variable, initial, location);
  return { ...declaration, arraySizes, baseSizes, isFitting: true };
}

/** Null for anything but a scalar or a vector that can be computed element by element. */
function declareLeaf(
  variable: IrVariable,
  value: IrExpression,
  location: number,
): IrStatement | null {
  if (isScalar(variable.type)) return declareScalar(variable, value, location);
  const isVector = rankOf(variable) === 1;
  const isKnown = value.op === 'variable' || (value.op === 'call' && isElementwise(value));
  return isVector && isKnown ? declareContainer(variable, value, location) : null;
}

/** What a function returns; null if its statements cannot replace the call. */
function resultKindOf(f: IrFunction): 'scalar' | 'vector' | 'void' | null {
  if (f.role === 'random') return null;
  if (f.returnType.base === 'void') return f.role === 'target' ? 'void' : null;
  if (!endsInJump(f.body)) return null;
  if (isScalar(f.returnType)) return 'scalar';
  const last = f.body.at(-1);
  if (last?.op !== 'return' || f.body.slice(0, -1).some(holdsReturn)) return null;
  return 'vector';
}

/** A copy of a function's statements with new variables. */
class Cloner {
  constructor(
    private readonly names: Map<IrVariable, IrExpression>,
    private readonly propto: boolean,
    private readonly copyOf: (variable: IrVariable) => IrVariable,
  ) {}

  statements(statements: readonly IrStatement[]): IrStatement[] {
    return statements.map((statement) => this.statement(statement));
  }

  private statement(s: IrStatement): IrStatement {
    const each = (e: IrExpression) => this.expression(e);
    switch (s.op) {
      case 'declare': {
        const [arraySizes, baseSizes] = [s.arraySizes.map(each), s.baseSizes.map(each)];
        const initial = s.initial && each(s.initial);
        return { ...s, variable: this.declare(s.variable), arraySizes, baseSizes, initial };
      }
      case 'assign':
        return { ...s, variable: this.variable(s.variable), value: each(s.value) };
      case 'bind': {
        const [value, guard] = [each(s.value), s.guard && each(s.guard)];
        return { ...s, variables: s.variables.map((v) => this.declare(v)), value, guard };
      }
      case 'store': {
        const entries = s.entries.map((entry) => this.entry(entry));
        return { ...s, variable: this.variable(s.variable), entries, value: each(s.value) };
      }
      case 'increment':
        return { ...s, value: each(s.value) };
      case 'support':
        return { ...s, condition: each(s.condition) };
      case 'evaluate':
        return { ...s, call: each(s.call) };
      case 'if':
        return { ...s, test: each(s.test), yes: this.statements(s.yes), no: this.statements(s.no) };
      case 'while':
        return { ...s, test: each(s.test), body: this.statements(s.body) };
      case 'for': {
        const [from, to] = [each(s.from), each(s.to)];
        return {
          ...s,
          variable: this.declare(s.variable),
          from,
          to,
          body: this.statements(s.body),
        };
      }
      case 'for-each': {
        const over = each(s.over);
        return { ...s, variable: this.declare(s.variable), over, body: this.statements(s.body) };
      }
      case 'block':
        return { ...s, body: this.statements(s.body) };
      case 'print':
      case 'reject':
        return {
          ...s,
          parts: s.parts.map((part) => (typeof part === 'string' ? part : each(part))),
        };
      case 'return':
        return { ...s, value: s.value && each(s.value) };
      default:
        return s;
    }
  }

  expression(e: IrExpression): IrExpression {
    if (e.op === 'variable') return this.names.get(e.variable) ?? e;
    const copy = withChildren(e, (child) => this.expression(child));
    if (copy.op === 'density' || copy.op === 'user')
      return { ...copy, propto: copy.propto && this.propto };
    return copy;
  }

  private entry(entry: IrIndex): IrIndex {
    return withIndex(entry, (e) => this.expression(e));
  }

  private declare(variable: IrVariable): IrVariable {
    const copy = this.copyOf(variable);
    this.names.set(variable, { op: 'variable', variable: copy, type: copy.type });
    return copy;
  }

  private variable(variable: IrVariable): IrVariable {
    const known = this.names.get(variable);
    return known?.op === 'variable' ? known.variable : variable;
  }
}

function withIndex(entry: IrIndex, replace: (e: IrExpression) => IrExpression): IrIndex {
  if (entry.kind === 'all') return entry;
  if (entry.kind !== 'range') return { ...entry, at: replace(entry.at) };
  return { ...entry, from: entry.from && replace(entry.from), to: entry.to && replace(entry.to) };
}

/** The same operation on replaced operands. */
export function withChildren(
  e: IrExpression,
  replace: (e: IrExpression) => IrExpression,
): IrExpression {
  if (childrenOf(e).length === 0) return e;
  switch (e.op) {
    case 'call':
    case 'density':
    case 'random':
    case 'user':
    case 'mixed':
    case 'higher-order':
      return { ...e, arguments: e.arguments.map(replace) };
    case 'conditional':
      return { ...e, test: replace(e.test), yes: replace(e.yes), no: replace(e.no) };
    case 'and':
    case 'or':
    case 'compare':
      return { ...e, left: replace(e.left), right: replace(e.right) };
    case 'not':
    case 'measure':
      return { ...e, operand: replace(e.operand) };
    case 'index':
      return {
        ...e,
        base: replace(e.base),
        entries: e.entries.map((entry) => withIndex(entry, replace)),
      };
    case 'list':
    case 'pack':
      return { ...e, elements: e.elements.map(replace) };
    case 'member':
      return { ...e, tuple: replace(e.tuple) };
    default:
      return e;
  }
}
