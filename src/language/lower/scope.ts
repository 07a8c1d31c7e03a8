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
import type { IrExpression, IrFunction, IrVariable, VariablePlace } from './ir.ts';

/** Lowering met a tree that the checker should have refused: a bug of ours. */
export class InternalCompilerError extends Error {
  override readonly name = 'InternalCompilerError';
  constructor(
    message: string,
    readonly span: Span | null = null,
  ) {
    super(`the compiler met what the checker should have refused: ${message}`);
  }
}

type Declares = Declaration | LoopVariable | FunctionArgument;

export class LoweringScope {
  /** What the statements being lowered belong to: a block's name or "function `f`". */
  section = '';
  /** What a function whose name ends in `_jacobian` is given first; null outside of one. */
  ownFlag: IrVariable | null = null;
  private programFlag: IrVariable | null = null;
  readonly locations: string[] = [];
  private readonly variables = new Map<Declares, IrVariable>();
  private readonly functions = new Map<FunctionDefinition, IrFunction>();
  private readonly locationIndex = new Map<string, number>();
  private numVariables = 0;

  constructor(private readonly files: readonly SourceFile[]) {}

  declare(declaration: Declares, type: StanType, place: VariablePlace): IrVariable {
    const variable: IrVariable = {
      id: ++this.numVariables,
      name: declaration.name.name,
      type,
      place,
      writtenLevel: -1,
    };
    this.variables.set(declaration, variable);
    return variable;
  }

  variable(declaration: Declares | undefined, name: string): IrVariable {
    const variable = declaration && this.variables.get(declaration);
    if (!variable) throw new InternalCompilerError(`\`${name}\` has no declaration`);
    return variable;
  }

  /** An int that is 1 while the log Jacobian is part of the density. */
  makeFlag(place: VariablePlace): IrVariable {
    const type = { base: 'int', arrayDepth: 0 } as const;
    return { id: ++this.numVariables, name: 'jacobian', type, place, writtenLevel: -1 };
  }

  /** The flag as it is read here. */
  flag(): IrExpression {
    const variable = this.ownFlag ?? (this.programFlag ??= this.makeFlag('local'));
    return { op: 'variable', variable, type: variable.type };
  }

  /** That of the program; null: nothing reads it. */
  get flagOfProgram(): IrVariable | null {
    return this.programFlag;
  }

  addFunction(definition: FunctionDefinition, lowered: IrFunction): void {
    this.functions.set(definition, lowered);
  }

  /** The function that `definition`, maybe a declaration without body, stands for. */
  function(definition: FunctionDefinition): IrFunction {
    const known = this.functions.get(definition);
    if (known) return known;
    for (const [other, lowered] of this.functions) {
      if (sameSignature(other, definition)) return lowered;
    }
    throw new InternalCompilerError(`\`${definition.name.name}\` has no body`, definition.span);
  }

  /** A user function by name and number of arguments, for the companions of a density. */
  findFunction(name: string, numArguments: number): IrFunction | null {
    for (const [definition, lowered] of this.functions) {
      if (definition.name.name === name && definition.arguments.length === numArguments) {
        return lowered;
      }
    }
    return null;
  }

  /** The index of "block, line n" in `locations`. */
  locate(span: Span): number {
    const file = this.files[span.file];
    const line = file ? positionAt(file, span.start).line : 0;
    const inFile = span.file > 0 && file ? ` of ${file.name}` : '';
    const text = `${this.section}, line ${line}${inFile}`;
    const known = this.locationIndex.get(text);
    if (known !== undefined) return known;
    this.locations.push(text);
    this.locationIndex.set(text, this.locations.length - 1);
    return this.locations.length - 1;
  }
}

function sameSignature(a: FunctionDefinition, b: FunctionDefinition): boolean {
  return (
    a.name.name === b.name.name &&
    a.arguments.length === b.arguments.length &&
    a.arguments.every((argument, i) => {
      const other = b.arguments[i].type;
      return argument.type.base === other.base && argument.type.arrayDepth === other.arrayDepth;
    })
  );
}
