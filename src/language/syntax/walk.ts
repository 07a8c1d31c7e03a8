/** Walks over the syntax tree: the direct parts of a node, and everything within a program. */
import { assertNever } from '../../shared/assert-never.ts';
import type {
  Declaration,
  Expression,
  FunctionDefinition,
  IndexItem,
  LoopVariable,
  Named,
  Program,
  SizedType,
  Statement,
} from './ast.ts';

/** The expressions directly within one, in source order. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'int':
    case 'real':
    case 'imaginary':
    case 'string':
    case 'variable':
    case 'target':
    case 'error':
      return [];
    case 'unary':
    case 'postfix':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise];
    case 'call':
      return expression.arguments;
    case 'index':
      return [expression.base, ...expression.indexes.flatMap(indexExpressions)];
    case 'array':
    case 'row-vector':
    case 'tuple':
      return expression.elements;
    case 'member':
      return [expression.base];
    default:
      return assertNever(expression, 'expression');
  }
}

export function indexExpressions(item: IndexItem): readonly Expression[] {
  if (item.kind !== 'slice') return [item.expression];
  return present([item.from, item.to]);
}

function present(expressions: readonly (Expression | null | undefined)[]): Expression[] {
  return expressions.filter((expression) => expression !== null && expression !== undefined);
}

/** Whether `test` holds for the expression and everything within it. */
export function everyNode(expression: Expression, test: (node: Expression) => boolean): boolean {
  return test(expression) && childrenOf(expression).every((child) => everyNode(child, test));
}

/** The expressions directly within a statement. */
function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'declaration':
      return declarationExpressions(statement);
    case 'assignment':
      return [statement.target, statement.value];
    case 'tilde': {
      const { variate, arguments: args, truncation } = statement;
      return present([variate, ...args, truncation?.lower, truncation?.upper]);
    }
    case 'target-increment':
      return [statement.value];
    case 'call-statement':
      return [statement.call];
    case 'if':
    case 'while':
    case 'for':
    case 'for-each':
      return conditionsOf(statement);
    case 'print':
    case 'reject':
      return statement.arguments;
    case 'return':
      return present([statement.value]);
    case 'block':
    case 'profile':
    case 'break':
    case 'continue':
    case 'skip':
      return [];
    default:
      return assertNever(statement, 'statement');
  }
}

/** What decides how often a statement's parts run. */
export function conditionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'if':
    case 'while':
      return [statement.condition];
    case 'for':
      return [statement.from, statement.to];
    case 'for-each':
      return [statement.over];
    default:
      return [];
  }
}

function declarationExpressions(declaration: Declaration): readonly Expression[] {
  return present([...typeExpressions(declaration), declaration.initialiser]);
}

/** Sizes and bounds of a declared type. */
function typeExpressions(declared: SizedType): readonly Expression[] {
  const { constraint, arraySizes, baseSizes, members = [] } = declared;
  const bounds =
    constraint.kind === 'bounds'
      ? [constraint.lower, constraint.upper]
      : constraint.kind === 'offset-multiplier'
        ? [constraint.offset, constraint.multiplier]
        : [];
  return present([...arraySizes, ...bounds, ...baseSizes, ...members.flatMap(typeExpressions)]);
}

/** The statements directly within a statement. */
export function statementsOf(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'if':
      return statement.otherwise ? [statement.then, statement.otherwise] : [statement.then];
    case 'while':
    case 'for':
    case 'for-each':
      return [statement.body];
    case 'block':
    case 'profile':
      return statement.statements;
    default:
      return [];
  }
}

/** The variable that a statement introduces, if any. */
export function declaredBy(statement: Statement): Declaration | LoopVariable | null {
  if (statement.kind === 'declaration') return statement;
  return statement.kind === 'for' || statement.kind === 'for-each' ? statement.variable : null;
}

/** `x` of `x[i].1[j]`. */
export function rootOf(place: Expression): Expression {
  let root = place;
  while (root.kind === 'index' || root.kind === 'member') root = root.base;
  return root;
}

/** What a walk calls, each before the nodes inside. */
export interface Visitor {
  readonly function?: (definition: FunctionDefinition) => void;
  readonly statement?: (statement: Statement) => void;
  readonly expression?: (expression: Expression) => void;
}

export function walkProgram(program: Program, visitor: Visitor): void {
  for (const definition of program.functions) {
    visitor.function?.(definition);
    if (definition.body) walkStatement(definition.body, visitor);
  }
  for (const statement of blockStatements(program)) walkStatement(statement, visitor);
}

/** The statements of all blocks but `functions`, in order. */
function blockStatements(program: Program): readonly Statement[] {
  return [
    ...program.data,
    ...program.transformedData,
    ...program.parameters,
    ...program.transformedParameters,
    ...program.model,
    ...program.generatedQuantities,
  ];
}

export function walkStatement(statement: Statement, visitor: Visitor): void {
  visitor.statement?.(statement);
  for (const expression of expressionsOf(statement)) walkExpression(expression, visitor);
  for (const inner of statementsOf(statement)) walkStatement(inner, visitor);
}

export function walkExpression(expression: Expression, visitor: Visitor): void {
  visitor.expression?.(expression);
  for (const child of childrenOf(expression)) walkExpression(child, visitor);
}

/** What the names within expressions refer to, each once. */
export function namesIn(...expressions: readonly Expression[]): Named[] {
  const found = new Set<Named>();
  const expression = (node: Expression) => {
    if (node.kind === 'variable' && node.declaration) found.add(node.declaration);
  };
  for (const one of expressions) walkExpression(one, { expression });
  return [...found];
}
