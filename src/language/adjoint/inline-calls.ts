/**
 * Calls of user functions with active arguments, written out where they stand: their statements become part of the
 * region. Arguments that are variables keep their container, since a function cannot write into its arguments.
 */
import type { Activity } from '../lower/activity.ts';
import type {
  IrDeclaration,
  IrExpression,
  IrFunction,
  IrIndex,
  IrStatement,
  IrVariable,
} from '../lower/ir.ts';
import { intType, isScalar } from '../lower/kinds.ts';
import { bodiesOf, childrenOf } from './references.ts';
import { rankOf } from './region-scope.ts';

type UserCall = Extract<IrExpression, { op: 'user' }>;

/** Functions that call each other deeper stay calls. */
const deepest = 4;

/** Numbers of variables of ours, beyond those of any program. */
const firstId = 1_000_000;

export class CallInliner {
  private numVariables = 0;

  /** Variables of written out functions are marked in `activity` where they depend on parameters. */
  constructor(private readonly activity: Activity) {}

  statements(statements: readonly IrStatement[], depth = 0): IrStatement[] {
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
      case 'store':
      case 'increment': {
        const { before, e } = this.expression(statement.value, depth, statement.location);
        return [...before, { ...statement, value: e }];
      }
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

  /** The expression with results in the place of calls, and the statements that compute these. */
  private expression(
    e: IrExpression,
    depth: number,
    location: number,
  ): { before: IrStatement[]; e: IrExpression } {
    const before: IrStatement[] = [];
    const replace = (part: IrExpression): IrExpression => {
      if (!this.activity.isActive(part)) return part;
      // What may not be evaluated stays where it is.
      if (part.op === 'conditional' || part.op === 'and' || part.op === 'or') return part;
      if (part.op !== 'user') return withChildren(part, replace);
      const call = { ...part, arguments: part.arguments.map(replace) };
      return this.call(call, before, { depth, location }) ?? call;
    };
    return { before, e: replace(e) };
  }

  private call(
    call: UserCall,
    before: IrStatement[],
    { depth, location }: { readonly depth: number; readonly location: number },
  ): IrExpression | null {
    const f = call.function;
    const result = resultOf(f);
    if (depth >= deepest || result === null || !isScalar(f.returnType)) return null;
    const names = new Map<IrVariable, IrExpression>();
    const statements: IrStatement[] = [];
    for (const [k, parameter] of f.arguments.entries()) {
      const given = call.arguments[k];
      if (!isScalar(parameter.type)) {
        if (given.op === 'variable') {
          names.set(parameter, given);
          continue;
        }
        // A part of a container is copied, as for a variable of the caller.
        const isPart =
          given.op === 'index' && given.type.base !== 'matrix' && rankOf(parameter) === 1;
        if (!isPart) return null;
        const variable = this.copyOf(parameter);
        statements.push(declareVector(variable, given, location));
        names.set(parameter, { op: 'variable', variable, type: variable.type });
        continue;
      }
      const variable = this.copyOf(parameter);
      statements.push(declareScalar(variable, given, location));
      names.set(parameter, { op: 'variable', variable, type: variable.type });
    }
    const drops = call.propto && f.role === 'density';
    const clone = new Cloner(names, drops, (variable) => this.copyOf(variable));
    const body = clone.statements(f.body.slice(0, -1));
    const output = this.copyOf({
      ...f.arguments[0],
      name: f.name,
      type: f.returnType,
      writtenLevel: -1,
    });
    const value = clone.expression(result.value);
    before.push(...statements);
    // The function's variables end with its block; the result is assigned in there.
    before.push({ ...declareScalar(output, null, location) });
    const assignment: IrStatement = {
      op: 'assign',
      variable: output,
      value,
      location: result.location,
    };
    before.push({ op: 'block', body: [...body, assignment] });
    this.activity.propagate(before);
    const inner = this.statements(before.splice(before.length - 1, 1), depth + 1);
    this.activity.propagate(inner);
    before.push(...inner);
    return { op: 'variable', variable: output, type: f.returnType };
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

function declareVector(variable: IrVariable, initial: IrExpression, location: number): IrStatement {
  const size: IrExpression = { op: 'measure', what: 'length', operand: initial, type: intType };
  const isArray = variable.type.arrayDepth > 0;
  const [arraySizes, baseSizes] = isArray ? [[size], []] : [[], [size]];
  return { ...declareScalar(variable, initial, location), arraySizes, baseSizes };
}

/** What a function returns, when its last statement says so and no other. */
function resultOf(f: IrFunction): { value: IrExpression; location: number } | null {
  const last = f.body.at(-1);
  const isPlain = f.role === 'plain' || f.role === 'density';
  if (!isPlain || f.arguments.length === 0 || last?.op !== 'return' || last.value === null)
    return null;
  if (f.body.slice(0, -1).some(holdsReturn)) return null;
  return { value: last.value, location: last.location };
}

function holdsReturn(statement: IrStatement): boolean {
  return statement.op === 'return' || bodiesOf(statement).some((body) => body.some(holdsReturn));
}

/** A copy of a function's statements with variables of its own. */
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
function withChildren(e: IrExpression, replace: (e: IrExpression) => IrExpression): IrExpression {
  if (childrenOf(e).length === 0) return e;
  switch (e.op) {
    case 'call':
    case 'density':
    case 'random':
    case 'user':
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
      return { ...e, elements: e.elements.map(replace) };
    default:
      return e;
  }
}
