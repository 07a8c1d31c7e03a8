/** What lowering knows of names and places: variables and functions by their declarations, locations by their text. */
import { positionAt, type SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type {
  Declaration,
  FunctionArgument,
  FunctionDefinition,
  LoopVariable,
} from '../syntax/ast.ts';
import type { StanType } from '../types/stan-type.ts';
import type { IrExpression, IrFunction, IrStatement, IrVariable, VariablePlace } from './ir.ts';
import { intType } from './kinds.ts';
import { type Leaf, leafName, leavesOf } from './leaves.ts';

/** Lowering found a tree that the checker should have rejected: our bug. */
export class InternalCompilerError extends Error {
  override readonly name = 'InternalCompilerError';
  constructor(
    message: string,
    readonly span: Span | null = null,
  ) {
    super(`the compiler met code that the checker should have refused: ${message}`);
  }
}

interface Gathered<T> {
  readonly before: readonly IrStatement[];
  readonly value: T;
}

type Declares = Declaration | LoopVariable | FunctionArgument;

export class LoweringScope {
  /** What the statements being lowered belong to: a block's name or "function `f`". */
  section = '';
  /** While lowering a function that is not the program's, whose lines nobody sees. */
  isOwn = false;
  /** The first argument of a function whose name ends in `_jacobian`; null outside of one. */
  ownFlag: IrVariable | null = null;
  private programFlag: IrVariable | null = null;
  readonly locations: string[] = [];
  private readonly leaves = new Map<Declares, readonly IrVariable[]>();
  private readonly functions = new Map<FunctionDefinition, IrFunction>();
  private readonly locationIndex = new Map<string, number>();
  private numVariables = 0;

  constructor(private readonly files: readonly SourceFile[]) {}

  /** The variable of a declaration that is not a tuple. */
  declare(declaration: Declares, type: StanType, place: VariablePlace): IrVariable {
    return this.declareLeaves(declaration, type, place)[0];
  }

  /** The variables of a declaration: one for each leaf of its type. */
  declareLeaves(
    declaration: Declares,
    type: StanType,
    place: VariablePlace,
  ): readonly IrVariable[] {
    const { name } = declaration.name;
    const variables = leavesOf(type).map((leaf) => this.make({ name, place }, leaf));
    this.leaves.set(declaration, variables);
    return variables;
  }

  /** One of our own variables. */
  local(name: string, type: StanType, place: 'local' | 'loop' = 'local'): IrVariable {
    return this.make({ name, place }, { type, steps: [] });
  }

  private make(
    { name, place }: { readonly name: string; readonly place: VariablePlace },
    leaf: Leaf,
  ): IrVariable {
    const id = ++this.numVariables;
    const { type, steps, part } = leaf;
    const plain = { id, name: leafName(name, leaf), type, place, writtenLevel: -1 };
    if (steps.length === 0 && !part) return plain;
    return { ...plain, tuple: part ? { name, steps, part } : { name, steps } };
  }

  variable(declaration: Declares | undefined, name: string): IrVariable {
    return this.variables(declaration, name)[0];
  }

  variables(declaration: Declares | undefined, name: string): readonly IrVariable[] {
    const variables = declaration && this.leaves.get(declaration);
    if (!variables) throw new InternalCompilerError(`\`${name}\` has no declaration`);
    return variables;
  }

  // ---------------------------------------------------------------- values computed before a statement

  /**
   * Statements to insert before the one that is being lowered; null in declarations of data and parameters, where
   * there is no such place.
   */
  private before: IrStatement[] | null = null;
  /** The condition for the expression being lowered to be evaluated. */
  private guard: IrExpression | null = null;

  /** Lowers something with its own list of statements before it. */
  gather<T>(lower: () => T): Gathered<T> {
    const before: IrStatement[] = [];
    return { before, value: this.apart(before, lower) };
  }

  /** Lowers something that cannot have statements before it. */
  alone<T>(lower: () => T): Gathered<T> {
    return { before: [], value: this.apart(null, lower) };
  }

  private apart<T>(before: IrStatement[] | null, lower: () => T): T {
    const [outer, guard] = [this.before, this.guard];
    this.before = before;
    this.guard = null;
    const value = lower();
    this.before = outer;
    this.guard = guard;
    return value;
  }

  /** Lowers something that is evaluated only if `test` holds. */
  guarded<T>(test: IrExpression, lower: () => T): T {
    const outer = this.guard;
    this.guard = outer === null ? test : { op: 'and', left: outer, right: test, type: intType };
    const value = lower();
    this.guard = outer;
    return value;
  }

  /**
   * A variable that holds the value of `e`, computed before the statement, possibly promoted to `type`; null if that
   * is impossible.
   */
  bind(e: IrExpression, span: Span, type = e.type): IrExpression | null {
    const variable = this.hold(e, [{ type, steps: [] }], span)?.[0];
    return variable ? { op: 'variable', variable, type } : null;
  }

  /** Variables for the leaves of a call that returns a tuple. */
  unpack(call: IrExpression, leaves: readonly Leaf[], span: Span): readonly IrVariable[] | null {
    return this.hold(call, leaves, span);
  }

  private hold(
    value: IrExpression,
    leaves: readonly Leaf[],
    span: Span,
  ): readonly IrVariable[] | null {
    if (this.before === null) return null;
    const { guard } = this;
    const variables = leaves.map((leaf) => this.local(leafName('value', leaf), leaf.type));
    this.before.push({ op: 'bind', variables, value, guard, location: this.locate(span) });
    return variables;
  }

  /** An int that is 1 while the log Jacobian is part of the density. */
  makeFlag(place: 'local' | 'argument'): IrVariable {
    return this.make({ name: 'jacobian', place }, { type: intType, steps: [] });
  }

  /** The flag as read here. */
  flag(): IrExpression {
    const variable = this.ownFlag ?? (this.programFlag ??= this.makeFlag('local'));
    return { op: 'variable', variable, type: variable.type };
  }

  /** The program's flag; null if unused. */
  get flagOfProgram(): IrVariable | null {
    return this.programFlag;
  }

  /** The return type of the function being lowered; null outside functions. */
  returnType: StanType | null = null;
  /** Lowers a definition that is not part of the program. */
  lowerDefinition: (definition: FunctionDefinition) => IrFunction = () => {
    throw new InternalCompilerError('a function outside of a program');
  };

  addFunction(definition: FunctionDefinition, lowered: IrFunction): void {
    this.functions.set(definition, lowered);
  }

  /** What a definition was lowered to; calls name definitions, never forward declarations. */
  function(definition: FunctionDefinition): IrFunction {
    const known = this.functions.get(definition);
    if (known) return known;
    if (definition.body) return this.lowerDefinition(definition);
    throw new InternalCompilerError(`\`${definition.name.name}\` has no body`, definition.span);
  }

  /** The index of "block, line n" in `locations`. */
  locate(span: Span): number {
    const file = this.files[span.file];
    const line = file ? positionAt(file, span.start).line : 0;
    const inFile = span.file > 0 && file ? ` of ${file.name}` : '';
    const text = this.isOwn ? this.section : `${this.section}, line ${line}${inFile}`;
    const known = this.locationIndex.get(text);
    if (known !== undefined) return known;
    this.locations.push(text);
    this.locationIndex.set(text, this.locations.length - 1);
    return this.locations.length - 1;
  }
}
