/**
 * The syntax tree of a Stan program. The parser builds it, the checker fills in `type` and `callee` of expressions and
 * `resolved` of declarations in place; later phases only read. Parsing never fails: what could not be understood is
 * an `error` expression or is left out, and the diagnostics say so.
 */
import type { Span } from '../source/span.ts';
import type { StanType } from '../types/stan-type.ts';

export type BlockName =
  | 'functions'
  | 'data'
  | 'transformed data'
  | 'parameters'
  | 'transformed parameters'
  | 'model'
  | 'generated quantities';

export interface Program {
  /** User functions in source order (declarations without body included). */
  readonly functions: FunctionDefinition[];
  readonly data: Declaration[];
  readonly transformedData: Statement[];
  readonly parameters: Declaration[];
  readonly transformedParameters: Statement[];
  readonly model: Statement[];
  readonly generatedQuantities: Statement[];
  /** Where each block present is. */
  readonly blocks: Partial<Record<BlockName, Span>>;
  readonly span: Span;
}

export interface Identifier {
  readonly name: string;
  readonly span: Span;
}

export interface FunctionDefinition {
  readonly kind: 'function';
  readonly name: Identifier;
  readonly returnType: StanType;
  readonly arguments: readonly FunctionArgument[];
  /** Null for a forward declaration. */
  readonly body: BlockStatement | null;
  readonly span: Span;
}

export interface FunctionArgument {
  readonly name: Identifier;
  readonly type: StanType;
  /** `data` qualifier: only data may be passed. */
  readonly dataOnly: boolean;
}

// ---------------------------------------------------------------- expressions

export type Expression =
  | IntLiteral
  | RealLiteral
  | ImaginaryLiteral
  | StringLiteral
  | Variable
  | Unary
  | Postfix
  | Binary
  | Conditional
  | Call
  | Index
  | ArrayLiteral
  | RowVectorLiteral
  | TupleLiteral
  | Member
  | TargetExpression
  | ErrorExpression;

interface ExpressionBase {
  readonly span: Span;
  /** Set by the checker; base `error` if checking failed (already reported). */
  type?: StanType;
}

export interface IntLiteral extends ExpressionBase {
  readonly kind: 'int';
  readonly value: number;
}
export interface RealLiteral extends ExpressionBase {
  readonly kind: 'real';
  readonly value: number;
}
/** `2.5i`: the imaginary part. */
export interface ImaginaryLiteral extends ExpressionBase {
  readonly kind: 'imaginary';
  readonly value: number;
}
/** Only in print, reject, fatal_error. */
export interface StringLiteral extends ExpressionBase {
  readonly kind: 'string';
  readonly value: string;
}
/** What the name of a variable can refer to. */
export type Named = Declaration | LoopVariable | FunctionArgument;

export interface Variable extends ExpressionBase {
  readonly kind: 'variable';
  readonly name: string;
  /** Set by the checker: what the name refers to. */
  declaration?: Named;
  /** Set by the checker instead, with type `void`, if a solver is given the name of a user function. */
  callable?: FunctionDefinition;
}
export interface Unary extends ExpressionBase {
  readonly kind: 'unary';
  readonly operator: '-' | '+' | '!';
  readonly operand: Expression;
}
/** Transpose. */
export interface Postfix extends ExpressionBase {
  readonly kind: 'postfix';
  readonly operator: "'";
  readonly operand: Expression;
}
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '%/%'
  | '\\'
  | '^'
  | '.*'
  | './'
  | '.^'
  | '||'
  | '&&'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>=';
export interface Binary extends ExpressionBase {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
/** `condition ? then : otherwise`. */
export interface Conditional extends ExpressionBase {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}
export interface Call extends ExpressionBase {
  readonly kind: 'call';
  readonly name: Identifier;
  /** All arguments; with `bar`, the first is before the `|`. */
  readonly arguments: readonly Expression[];
  /** Written `f(y | …)`. */
  readonly bar: boolean;
  /** Set by the checker: the user function called, or the library signature chosen. */
  callee?: { readonly user: FunctionDefinition } | { readonly library: LibrarySignature };
}
export interface Index extends ExpressionBase {
  readonly kind: 'index';
  readonly base: Expression;
  readonly indexes: readonly IndexItem[];
}
/** One entry of `x[…]`. A single int drops a dimension, the others keep it. `slice` may lack either end; `[]` is all. */
export type IndexItem =
  | { readonly kind: 'single'; readonly expression: Expression }
  | { readonly kind: 'multi'; readonly expression: Expression }
  | {
      readonly kind: 'slice';
      readonly from: Expression | null;
      readonly to: Expression | null;
      readonly span: Span;
    };
/** `{a, b, c}`. */
export interface ArrayLiteral extends ExpressionBase {
  readonly kind: 'array';
  readonly elements: readonly Expression[];
}
/** `[a, b, c]`: a row vector, or a matrix when the elements are row vectors. */
export interface RowVectorLiteral extends ExpressionBase {
  readonly kind: 'row-vector';
  readonly elements: readonly Expression[];
}
/** `(a, b)`, or with one element `(a,)`. */
export interface TupleLiteral extends ExpressionBase {
  readonly kind: 'tuple';
  readonly elements: readonly Expression[];
}
/** `x.2`: a member of a tuple, counted from 1. */
export interface Member extends ExpressionBase {
  readonly kind: 'member';
  readonly base: Expression;
  readonly position: number;
}
/** `target()`. */
export interface TargetExpression extends ExpressionBase {
  readonly kind: 'target';
}
export interface ErrorExpression extends ExpressionBase {
  readonly kind: 'error';
}

/** One overload of a library function, as the checker resolved it. */
export interface LibrarySignature {
  readonly name: string;
  readonly arguments: readonly StanType[];
  readonly result: StanType;
}

// ---------------------------------------------------------------- statements

export type Statement =
  | Declaration
  | Assignment
  | Tilde
  | TargetIncrement
  | CallStatement
  | If
  | While
  | For
  | ForEach
  | BlockStatement
  | Profile
  | Print
  | Reject
  | Return
  | Break
  | Continue
  | Skip;

interface StatementBase {
  readonly span: Span;
}

export type ConstraintKind =
  | 'bounds' // lower and/or upper
  | 'offset-multiplier'
  | 'ordered'
  | 'positive_ordered'
  | 'simplex'
  | 'unit_vector'
  | 'sum_to_zero_vector'
  | 'sum_to_zero_matrix'
  | 'cholesky_factor_cov'
  | 'cholesky_factor_corr'
  | 'cov_matrix'
  | 'corr_matrix'
  | 'column_stochastic_matrix'
  | 'row_stochastic_matrix';

/** What a declaration says in addition to its type. `lower` and `upper` may both be absent (then no constraint). */
export type Constraint =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'bounds';
      readonly lower: Expression | null;
      readonly upper: Expression | null;
    }
  | {
      readonly kind: 'offset-multiplier';
      readonly offset: Expression | null;
      readonly multiplier: Expression | null;
    }
  | { readonly kind: Exclude<ConstraintKind, 'bounds' | 'offset-multiplier'> };

/** A type with its sizes and constraints, as in a declaration. */
export interface SizedType {
  readonly type: StanType;
  readonly constraint: Constraint;
  /** Sizes of the array dimensions, outermost first. */
  readonly arraySizes: readonly Expression[];
  /** Sizes of the base: vector [n], matrix [rows, cols], simplex [n], cov_matrix [n], cholesky_factor_cov [m] or [m, n]. */
  readonly baseSizes: readonly Expression[];
  /** For a tuple: its members, which have their own sizes and constraints. */
  readonly members?: readonly SizedType[];
}

/** A declaration anywhere: block variables, locals. Several names in one declaration become several of these. */
export interface Declaration extends StatementBase, SizedType {
  readonly kind: 'declaration';
  readonly name: Identifier;
  /** `real x = …;` */
  readonly initialiser: Expression | null;
  /** Set by the checker: the block that declares it, or `local` (function bodies, nested blocks, model block). */
  origin?: BlockName | 'local';
}
export interface Assignment extends StatementBase {
  readonly kind: 'assignment';
  /** A variable, part of one, or a tuple of these, which is unpacked. */
  readonly target: Variable | Index | Member | TupleLiteral;
  readonly operator: '=' | '+=' | '-=' | '*=' | '/=' | '.*=' | './=';
  readonly value: Expression;
}
export interface Tilde extends StatementBase {
  readonly kind: 'tilde';
  readonly variate: Expression;
  readonly distribution: Identifier;
  readonly arguments: readonly Expression[];
  readonly truncation: {
    readonly lower: Expression | null;
    readonly upper: Expression | null;
    readonly span: Span;
  } | null;
  /** Set by the checker: the density (name with its suffix `_lpdf` or `_lpmf`). */
  density?: { readonly user: FunctionDefinition } | { readonly library: LibrarySignature };
  /** Set by the checker: the functions of the program among those that truncation calls. */
  tails?: { lccdf?: FunctionDefinition; lcdf?: FunctionDefinition };
}
/** `target += e;`, or `jacobian += e;`, which adds only while the log Jacobian is part of the density. */
export interface TargetIncrement extends StatementBase {
  readonly kind: 'target-increment';
  readonly isJacobian: boolean;
  readonly value: Expression;
}
/** A call of a void function. */
export interface CallStatement extends StatementBase {
  readonly kind: 'call-statement';
  readonly call: Call;
}
export interface If extends StatementBase {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly then: Statement;
  readonly otherwise: Statement | null;
}
export interface While extends StatementBase {
  readonly kind: 'while';
  readonly condition: Expression;
  readonly body: Statement;
}
/** `for (i in from:to)`. */
export interface For extends StatementBase {
  readonly kind: 'for';
  readonly variable: LoopVariable;
  readonly from: Expression;
  readonly to: Expression;
  readonly body: Statement;
}
/** `for (x in xs)` over the elements of an array, vector or matrix. */
export interface ForEach extends StatementBase {
  readonly kind: 'for-each';
  readonly variable: LoopVariable;
  readonly over: Expression;
  readonly body: Statement;
}
export interface LoopVariable {
  readonly kind: 'loop-variable';
  readonly name: Identifier;
  type?: StanType;
}
export interface BlockStatement extends StatementBase {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}
export interface Profile extends StatementBase {
  readonly kind: 'profile';
  readonly name: string;
  readonly statements: readonly Statement[];
}
export interface Print extends StatementBase {
  readonly kind: 'print';
  readonly arguments: readonly Expression[];
}
/** `reject(…)`, or with `fatal` `fatal_error(…)`. */
export interface Reject extends StatementBase {
  readonly kind: 'reject';
  readonly fatal: boolean;
  readonly arguments: readonly Expression[];
}
export interface Return extends StatementBase {
  readonly kind: 'return';
  readonly value: Expression | null;
}
export interface Break extends StatementBase {
  readonly kind: 'break';
}
export interface Continue extends StatementBase {
  readonly kind: 'continue';
}
export interface Skip extends StatementBase {
  readonly kind: 'skip';
}
