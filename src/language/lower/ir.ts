/**
 * The intermediate representation: a program with every name resolved to its variable, every operator to the library
 * function it means, and every statement to one of few forms. Each expression has its type but not its activity, since
 * the same code is emitted once with active parameters and once with data only.
 */
import type { ConstraintKind } from '../syntax/ast.ts';
import type { StanType } from '../types/stan-type.ts';
import type { ComplexPart, MemberStep } from './leaves.ts';

export type VariablePlace =
  | 'data'
  | 'transformed data'
  | 'parameters'
  | 'transformed parameters'
  | 'generated quantities'
  | 'local'
  | 'argument'
  | 'loop';

export interface IrVariable {
  readonly id: number;
  /** Its name in messages; for a leaf see `leafName`. */
  readonly name: string;
  readonly type: StanType;
  readonly place: VariablePlace;
  /** For a leaf of a tuple or of a complex value: the variable as declared, and the path from it. */
  readonly tuple?: {
    readonly name: string;
    readonly steps: readonly MemberStep[];
    readonly part?: ComplexPart;
  };
  /**
   * The deepest container level that an element assignment writes to: −1 none, 0 the outermost (`x[i] = …`), 1 the
   * elements of an array (`x[i, j] = …` where `x` is an array of vectors).
   */
  writtenLevel: number;
}

export type IrExpression = { readonly type: StanType } & IrExpressionForm;

export type ExpressionOf<Op extends IrExpression['op']> = Extract<IrExpression, { op: Op }>;
export type CallExpression = ExpressionOf<'call'>;
export type DensityExpression = ExpressionOf<'density'>;
export type IndexExpression = ExpressionOf<'index'>;

/** The arguments are those of the likelihood, the block size, those of the covariance function, and options. */
export interface LaplaceParts {
  /** Null: built in. */
  readonly likelihood: IrFunction | null;
  readonly numLikelihood: number;
  readonly numCovariance: number;
}

type IrExpressionForm =
  | { readonly op: 'int'; readonly value: number }
  | { readonly op: 'real'; readonly value: number }
  | { readonly op: 'variable'; readonly variable: IrVariable }
  /** A library function with exact keys. */
  | { readonly op: 'call'; readonly name: string; readonly arguments: readonly IrExpression[] }
  /** An operand-wise library function; `propto` marks those that may drop constants. */
  | {
      readonly op: 'density';
      readonly name: string;
      readonly arguments: readonly IrExpression[];
      readonly propto: boolean;
    }
  | { readonly op: 'random'; readonly name: string; readonly arguments: readonly IrExpression[] }
  | {
      readonly op: 'user';
      readonly function: IrFunction;
      readonly arguments: readonly IrExpression[];
      readonly propto: boolean;
    }
  /**
   * A library function with data and active arguments in any mix (`signatures/mixed.ts`), like constraining transforms;
   * for `<kind>_jacobian`, the first argument says whether the log Jacobian is added.
   */
  | {
      readonly op: 'mixed';
      readonly name: string;
      readonly arguments: readonly IrExpression[];
    }
  /** A library function whose first argument is a user function (`signatures/higher-order.ts`). */
  | {
      readonly op: 'higher-order';
      readonly name: string;
      /** For a Laplace approximation, the covariance function. */
      readonly function: IrFunction;
      readonly laplace?: LaplaceParts;
      readonly arguments: readonly IrExpression[];
    }
  | {
      readonly op: 'conditional';
      readonly test: IrExpression;
      readonly yes: IrExpression;
      readonly no: IrExpression;
    }
  | { readonly op: 'and' | 'or'; readonly left: IrExpression; readonly right: IrExpression }
  | { readonly op: 'not'; readonly operand: IrExpression }
  | {
      readonly op: 'compare';
      readonly operator: Comparison;
      readonly left: IrExpression;
      readonly right: IrExpression;
    }
  | {
      readonly op: 'index';
      readonly base: IrExpression;
      readonly entries: readonly IrIndex[];
      /** The name of the base in messages. */
      readonly label: string;
    }
  | { readonly op: 'list'; readonly elements: readonly IrExpression[] }
  /** A tuple as its leaves: what a function returns, or `print` shows. */
  | { readonly op: 'pack'; readonly elements: readonly IrExpression[] }
  /** A leaf, from 0, of a call that returns a tuple. */
  | { readonly op: 'member'; readonly tuple: IrExpression; readonly at: number }
  /** The number of elements along a dimension, or in total; or zeros in the shape of the operand. */
  | {
      readonly op: 'measure';
      readonly what: 'length' | 'rows' | 'cols' | 'elements' | 'dims' | 'zeros';
      readonly operand: IrExpression;
    }
  | { readonly op: 'target' };

export type Comparison = '===' | '!==' | '<' | '<=' | '>' | '>=';

export type IrIndex =
  | { readonly kind: 'single'; readonly at: IrExpression }
  | { readonly kind: 'multiple'; readonly at: IrExpression }
  | {
      readonly kind: 'range';
      readonly from: IrExpression | null;
      readonly to: IrExpression | null;
      /** Made from a number of elements (`head(x, n)`), which must not be negative. */
      readonly isCounted?: true;
    }
  | { readonly kind: 'all' };

export type IrConstraint =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'bounds';
      readonly lower: IrExpression | null;
      readonly upper: IrExpression | null;
    }
  | {
      readonly kind: 'offset-multiplier';
      readonly offset: IrExpression | null;
      readonly multiplier: IrExpression | null;
    }
  | { readonly kind: Exclude<ConstraintKind, 'bounds' | 'offset-multiplier'> };

export interface IrDeclaration {
  readonly op: 'declare';
  readonly variable: IrVariable;
  readonly arraySizes: readonly IrExpression[];
  /** One for vectors, two for matrices, none for scalars: the sizes of the value. */
  readonly baseSizes: readonly IrExpression[];
  readonly constraint: IrConstraint;
  readonly initial: IrExpression | null;
  readonly location: number;
  /** The sizes are those of the initial value: nothing to check. */
  readonly isFitting?: true;
}

export type IrStatement =
  | IrDeclaration
  | (IrLocatedForm & { readonly location: number })
  | {
      readonly op: 'block';
      readonly body: readonly IrStatement[];
      /** The name under which its time is taken. */
      readonly profile?: string;
    }
  | { readonly op: 'break' }
  | { readonly op: 'continue' };

export type StatementOf<Op extends IrStatement['op']> = Extract<IrStatement, { op: Op }>;

type IrLocatedForm =
  | { readonly op: 'assign'; readonly variable: IrVariable; readonly value: IrExpression }
  /**
   * Our own variables that hold a value, or the leaves of a call that returns a tuple; with a guard, only when it
   * holds.
   */
  | {
      readonly op: 'bind';
      readonly variables: readonly IrVariable[];
      readonly value: IrExpression;
      readonly guard: IrExpression | null;
    }
  | {
      readonly op: 'store';
      readonly variable: IrVariable;
      readonly entries: readonly IrIndex[];
      readonly value: IrExpression;
    }
  | {
      readonly op: 'increment';
      readonly value: IrExpression;
      /** −1 for the normalising term of a truncation. */
      readonly sign: 1 | -1;
    }
  /** A declared variable has its value: throws unless that is as declared. */
  | { readonly op: 'check'; readonly declaration: IrDeclaration }
  /** Makes the log density −∞ unless `condition` holds. */
  | { readonly op: 'support'; readonly condition: IrExpression }
  | { readonly op: 'evaluate'; readonly call: IrExpression }
  | {
      readonly op: 'if';
      readonly test: IrExpression;
      readonly yes: readonly IrStatement[];
      readonly no: readonly IrStatement[];
    }
  | { readonly op: 'while'; readonly test: IrExpression; readonly body: readonly IrStatement[] }
  | {
      readonly op: 'for';
      readonly variable: IrVariable;
      readonly from: IrExpression;
      readonly to: IrExpression;
      /** A flag that ends the loop when it is not 0: replaces a `break` (adjoint/without-jumps.ts). */
      readonly until?: IrVariable;
      readonly body: readonly IrStatement[];
    }
  | {
      readonly op: 'for-each';
      readonly variable: IrVariable;
      readonly over: IrExpression;
      readonly body: readonly IrStatement[];
    }
  | { readonly op: 'print'; readonly parts: readonly IrPrintPart[] }
  | { readonly op: 'reject'; readonly fatal: boolean; readonly parts: readonly IrPrintPart[] }
  | { readonly op: 'return'; readonly value: IrExpression | null };

/** Text as it is, or a value to be shown. */
export type IrPrintPart = string | IrExpression;

export interface IrFunction {
  readonly id: number;
  readonly name: string;
  readonly returnType: StanType;
  readonly arguments: readonly IrVariable[];
  /** What the suffix of the name allows: `_lp` and `_jacobian` the target, `_rng` random numbers, `_lpdf` dropping constants. */
  readonly role: 'plain' | 'target' | 'random' | 'density';
  /** Filled after all functions have been made, since they may call each other. */
  body: readonly IrStatement[];
}

export interface IrProgram {
  /** An int, 1 while the log Jacobian is part of the density; null if unused. */
  readonly jacobian: IrVariable | null;
  readonly functions: readonly IrFunction[];
  readonly data: readonly IrDeclaration[];
  readonly transformedData: readonly IrStatement[];
  readonly parameters: readonly IrDeclaration[];
  readonly transformedParameters: readonly IrStatement[];
  readonly model: readonly IrStatement[];
  readonly generatedQuantities: readonly IrStatement[];
  /** What messages say of a statement's `location`: "model, line 12". */
  readonly locations: readonly string[];
}
