/**
 * The statements of a function as a list of scalars, each computed once from those before it: what a function without
 * loops does to its arguments. Branches become choices between the values that they assign.
 */
import type { Activity } from '../lower/activity.ts';
import type { IrExpression, IrStatement, IrVariable, StatementOf } from '../lower/ir.ts';
import { isScalar, realType } from '../lower/kinds.ts';
import { isElementwise, sameElements } from './build-term.ts';
import { withChildren } from './inline-calls.ts';
import { NotReversible, rankOf } from './region-scope.ts';

/** An element of an active argument, or all of a scalar one. */
export interface Input {
  readonly variable: IrVariable;
  readonly argument: IrVariable;
  /** 1-based; null for a scalar. */
  readonly element: number | null;
}

export interface Line {
  readonly variable: IrVariable;
  readonly value: IrExpression;
}

export interface StraightLine {
  readonly inputs: readonly Input[];
  readonly lines: readonly Line[];
  /** Elements of the vector that the function returns. */
  readonly outputs: readonly IrExpression[];
}

/** The number of elements of an argument, if the call shows it. */
export interface KnownSize {
  readonly argument: IrVariable;
  readonly size: number;
}

/** Numbers for our own variables, beyond those of any program and of expanded calls. */
const firstId = 2_000_000;

/** The most scalars: beyond this, a text for each derivative costs more than it saves. */
const mostLines = 200;

type Value = IrExpression | readonly IrExpression[];
type Names = Map<IrVariable, Value>;

const unassigned: IrExpression = { op: 'real', value: Number.NaN, type: realType };

/**
 * `statements` and the vector returned after them. Throws `NotReversible` for anything but a straight line; marks
 * the scalars that depend on `active` arguments.
 */
export function straightLineOf(
  statements: readonly IrStatement[],
  result: IrExpression | null,
  active: ReadonlySet<IrVariable>,
  activity: Activity,
  known: KnownSize | null = null,
): StraightLine {
  return new Tracer(active, activity, known).trace(statements, result);
}

class Tracer {
  private readonly inputs = new Map<string, Input>();
  private readonly lines: Line[] = [];
  private names: Names = new Map();
  private numVariables = 0;

  constructor(
    private readonly active: ReadonlySet<IrVariable>,
    private readonly activity: Activity,
    private readonly known: KnownSize | null,
  ) {}

  trace(statements: readonly IrStatement[], result: IrExpression | null): StraightLine {
    if (result === null || rankOf(result) !== 1) throw new NotReversible('what is not a vector');
    this.run(statements);
    const outputs = this.elements(result);
    return { inputs: [...this.inputs.values()], lines: this.lines, outputs };
  }

  private run(statements: readonly IrStatement[]): void {
    for (const statement of statements) this.statement(statement);
  }

  private statement(statement: IrStatement): void {
    switch (statement.op) {
      case 'declare':
        return this.declare(statement);
      case 'assign':
        return this.assign(statement.variable, statement.value);
      case 'store':
        return this.store(statement);
      case 'block':
        if (statement.profile !== undefined) throw new NotReversible('`profile`');
        return this.run(statement.body);
      case 'if':
        return this.branch(statement);
      default:
        throw new NotReversible(`\`${statement.op}\``);
    }
  }

  private declare(statement: StatementOf<'declare'>): void {
    const { variable, arraySizes, baseSizes, initial } = statement;
    if (initial) return this.assign(variable, initial);
    if (isScalar(variable.type)) {
      this.names.set(variable, unassigned);
      return;
    }
    const [size, ...others] = [...arraySizes, ...baseSizes];
    if (size.op !== 'int' || others.length > 0 || size.value > mostLines) {
      throw new NotReversible('a container of unknown size');
    }
    const elements = Array.from({ length: Math.max(0, size.value) }, () => unassigned);
    this.names.set(variable, elements);
  }

  private assign(variable: IrVariable, value: IrExpression): void {
    if (!isScalar(variable.type)) {
      const elements = this.elements(value).map((e) => this.line(variable.name, e));
      const before = this.names.get(variable);
      if (Array.isArray(before) && before.length !== elements.length) {
        throw new NotReversible('a vector of another size');
      }
      this.names.set(variable, elements);
      return;
    }
    this.names.set(variable, this.line(variable.name, this.scalar(value)));
  }

  private store({ variable, entries, value }: StatementOf<'store'>): void {
    const before = this.names.get(variable);
    const k = entries.length === 1 ? constantIndex(entries[0]) : null;
    if (!Array.isArray(before) || k === null || k > before.length) {
      throw new NotReversible('an assignment to elements');
    }
    const elements: IrExpression[] = [...(before as readonly IrExpression[])];
    elements[k - 1] = this.line(variable.name, this.scalar(value));
    this.names.set(variable, elements);
  }

  /** What both branches assign, by the test. */
  private branch({ test, yes, no }: StatementOf<'if'>): void {
    const condition = this.scalar(test);
    const before = this.names;
    const [first, second] = [yes, no].map((body) => {
      this.names = new Map(before);
      this.run(body);
      return this.names;
    });
    this.names = new Map(before);
    for (const [variable, value] of before) {
      const [a, b] = [first.get(variable), second.get(variable)];
      if (a === value && b === value) continue;
      this.names.set(variable, this.choose(variable, condition, a as Value, b as Value));
    }
  }

  private choose(variable: IrVariable, test: IrExpression, a: Value, b: Value): Value {
    if (variable.type.base === 'int') throw new NotReversible('an int assigned in a branch');
    const one = (yes: IrExpression, no: IrExpression): IrExpression => {
      if (yes === no) return yes;
      return this.line(variable.name, { op: 'conditional', test, yes, no, type: realType });
    };
    if (!Array.isArray(a)) return one(a as IrExpression, b as IrExpression);
    const [first, second] = [a, b] as (readonly IrExpression[])[];
    return first.map((e, i) => one(e, second[i]));
  }

  /** A separate scalar, if it depends on parameters; data is written where it is read. */
  private line(name: string, value: IrExpression): IrExpression {
    if (!this.activity.isActive(value) || value.op === 'variable') return value;
    const variable = this.variable(name);
    this.lines.push({ variable, value });
    if (this.lines.length > mostLines) throw new NotReversible('a long function');
    return { op: 'variable', variable, type: realType };
  }

  private variable(name: string): IrVariable {
    const id = firstId + this.numVariables++;
    const variable: IrVariable = { id, name, type: realType, place: 'local', writtenLevel: -1 };
    this.activity.mark(variable);
    return variable;
  }

  // ---------------------------------------------------------------- expressions

  /** The elements of a vector. */
  private elements(e: IrExpression): readonly IrExpression[] {
    if (e.op === 'list') return e.elements.map((element) => this.scalar(element));
    if (e.op === 'variable') {
      const value = this.names.get(e.variable);
      if (Array.isArray(value)) return value as readonly IrExpression[];
    }
    const argument = e.op === 'variable' ? e.variable : null;
    if (argument !== null && argument === this.known?.argument) {
      return Array.from({ length: this.known.size }, (_, i) => this.input(argument, i + 1));
    }
    const isSame = e.op === 'call' && e.arguments.length === 1 && sameElements.has(e.name);
    if (isSame) return this.elements(e.arguments[0]);
    if (isElementwise(e) && e.op === 'call') return this.elementwise(e.name, e.arguments);
    throw new NotReversible('a vector');
  }

  /** The function of each element; scalars are computed once. */
  private elementwise(name: string, args: readonly IrExpression[]): readonly IrExpression[] {
    const operands = args.map((argument) =>
      isScalar(argument.type) ? this.line(name, this.scalar(argument)) : this.elements(argument),
    );
    const sizes = new Set(operands.flatMap((operand) => ('op' in operand ? [] : [operand.length])));
    if (sizes.size !== 1) throw new NotReversible('vectors of different sizes');
    const [size] = sizes;
    return Array.from({ length: size }, (_, i): IrExpression => {
      const parts = operands.map((operand) => ('op' in operand ? operand : operand[i]));
      const scalarName = name === 'elt_pow' ? 'pow' : name.replace(/^elt_/, '');
      return { op: 'call', name: scalarName, arguments: parts, type: realType };
    });
  }

  private scalar(e: IrExpression): IrExpression {
    if (e.op === 'variable') {
      if (this.active.has(e.variable)) return this.input(e.variable, null);
      const value = this.names.get(e.variable);
      if (value === undefined) return e;
      if (Array.isArray(value)) throw new NotReversible('a whole vector');
      return value as IrExpression;
    }
    if (e.op === 'index' && e.base.op === 'variable') {
      const { variable } = e.base;
      const value = this.names.get(variable);
      if (this.active.has(variable) || Array.isArray(value)) {
        const k = e.entries.length === 1 ? constantIndex(e.entries[0]) : null;
        if (k === null) throw new NotReversible('an index that is not a number');
        if (!Array.isArray(value)) return this.input(variable, k);
        if (k > value.length) throw new NotReversible('an index out of range');
        return (value as readonly IrExpression[])[k - 1];
      }
    }
    if (e.op === 'conditional' && e.type.base !== 'int') {
      // like the branches of a statement: anything costly there has its own name
      const [yes, no] = [e.yes, e.no].map((choice) => this.line('choice', this.scalar(choice)));
      return { ...e, test: this.scalar(e.test), yes, no };
    }
    if (e.op === 'user' || e.op === 'random' || e.op === 'mixed' || e.op === 'higher-order') {
      throw new NotReversible('a user function');
    }
    return withChildren(e, (child) => this.scalar(child));
  }

  private input(argument: IrVariable, element: number | null): IrExpression {
    const isElement = element !== null;
    if (isScalar(argument.type) === isElement || rankOf(argument) > 1) {
      throw new NotReversible('a container of several dimensions');
    }
    const key = `${argument.id} ${element}`;
    let input = this.inputs.get(key);
    if (!input) {
      input = { variable: this.variable(argument.name), argument, element };
      this.inputs.set(key, input);
    }
    return { op: 'variable', variable: input.variable, type: realType };
  }
}

function constantIndex(entry: { kind: string; at?: IrExpression }): number | null {
  const isConstant = entry.kind === 'single' && entry.at?.op === 'int' && entry.at.value >= 1;
  return isConstant && entry.at?.op === 'int' ? entry.at.value : null;
}
