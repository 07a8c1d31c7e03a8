/** The statements that give parameters their densities, with the loops around each. */
import type { CheckResult } from '../check.ts';
import { positionAt } from '../source/source-file.ts';
import type { Declaration, Expression, For, Named, Program, Statement } from '../syntax/ast.ts';
import { printExpression } from '../syntax/printer.ts';
import { statementsOf } from '../syntax/walk.ts';

/** `theta ~ normal(mu, tau)`, or the same by `target +=`. */
export interface Prior {
  /** Without suffix: `normal`. */
  readonly distribution: string;
  readonly variate: Expression;
  readonly arguments: readonly Expression[];
  readonly isTruncated: boolean;
  /** A separate statement, or one of several terms that a statement adds. */
  readonly form: 'tilde' | 'target' | 'term';
  /** Outermost first. */
  readonly loops: readonly For[];
  /** Inside `if`, `while` or a loop over elements: it may be evaluated more than once or not at all. */
  readonly isConditional: boolean;
  readonly span: Statement['span'];
}

/** All densities of library distributions in the model block. */
export function densitiesOf(program: Program): Prior[] {
  const found: Prior[] = [];
  for (const statement of program.model)
    collect(statement, { loops: [], isConditional: false }, found);
  return found;
}

/** The density of a parameter if it has exactly one. */
export function onlyDensityOf(parameter: Declaration, densities: readonly Prior[]): Prior | null {
  const [density, ...others] = densities.filter(
    ({ variate }) => parameterOf(variate) === parameter,
  );
  return density === undefined || others.length > 0 ? null : density;
}

export function printPrior({ variate, distribution, arguments: given }: Prior): string {
  return `${printExpression(variate)} ~ ${distribution}(${given.map(printExpression).join(', ')})`;
}

/** `line 12` after `lead`; empty if the file is unknown. */
export function lineOf({ files }: CheckResult, { span }: Prior, lead: string): string {
  const file = files[span.file];
  return file === undefined ? '' : `${lead}line ${positionAt(file, span.start).line}`;
}

interface Around {
  readonly loops: readonly For[];
  readonly isConditional: boolean;
}

function collect(statement: Statement, around: Around, out: Prior[]): void {
  if (statement.kind === 'tilde' && statement.density && 'library' in statement.density)
    out.push({
      ...around,
      distribution: statement.distribution.name,
      variate: statement.variate,
      arguments: statement.arguments,
      isTruncated: statement.truncation !== null,
      form: 'tilde',
      span: statement.span,
    });
  if (statement.kind === 'target-increment') {
    for (const term of termsOf(statement.value)) collectCall(term, statement, around, out);
  }
  const inner: Around =
    statement.kind === 'for'
      ? { ...around, loops: [...around.loops, statement] }
      : ['if', 'while', 'for-each'].includes(statement.kind)
        ? { ...around, isConditional: true }
        : around;
  for (const child of statementsOf(statement)) collect(child, inner, out);
}

function collectCall(
  term: Expression,
  statement: Extract<Statement, { kind: 'target-increment' }>,
  around: Around,
  out: Prior[],
): void {
  if (term.kind !== 'call' || !term.callee || !('library' in term.callee)) return;
  const [, distribution] = /^(\w+?)_l(?:u?pdf|u?pmf)$/.exec(term.name.name) ?? [];
  const [variate, ...rest] = term.arguments;
  if (distribution === undefined || variate === undefined) return;
  out.push({
    ...around,
    distribution,
    variate,
    arguments: rest,
    isTruncated: false,
    form: statement.value === term ? 'target' : 'term',
    span: statement.span,
  });
}

/** The terms of a sum. */
function termsOf(expression: Expression): Expression[] {
  return expression.kind === 'binary' && expression.operator === '+'
    ? [...termsOf(expression.left), ...termsOf(expression.right)]
    : [expression];
}

/** The parameter that an expression names, whole or by index; null if none. */
export function parameterOf(expression: Expression): Declaration | null {
  if (expression.kind === 'index') return parameterOf(expression.base);
  const isReshaped =
    expression.kind === 'call' && ['to_vector', 'to_array_1d'].includes(expression.name.name);
  const [only] = isReshaped ? expression.arguments : [];
  if (only !== undefined) return only.kind === 'variable' ? parameterOf(only) : null;
  if (expression.kind !== 'variable') return null;
  const { declaration } = expression;
  const found = declaration === undefined ? null : declarationOf(declaration);
  return found?.origin === 'parameters' ? found : null;
}

/**
 * The loops whose variables index the parameter, one per dimension; empty if it is whole. Null if some elements may
 * be left out, or occur twice.
 */
export function coveringLoops(
  expression: Expression,
  loops: readonly For[],
  declaration: Declaration,
): readonly For[] | null {
  if (expression.kind !== 'index') return [];
  const sizes = [...declaration.arraySizes, ...declaration.baseSizes];
  const found: For[] = [];
  for (const [place, item] of expression.indexes.entries()) {
    if (item.kind !== 'single' || item.expression.kind !== 'variable') return null;
    const { declaration: variable } = item.expression;
    const loop = loops.find((one) => one.variable === variable);
    const size = sizes[place];
    if (loop === undefined || size === undefined || found.includes(loop)) return null;
    if (loop.from.kind !== 'int' || loop.from.value !== 1 || !covers(loop.to, size, declaration))
      return null;
    found.push(loop);
  }
  return found;
}

function covers(to: Expression, size: Expression, declaration: Declaration): boolean {
  if (printExpression(to) === printExpression(size)) return true;
  const [only] = to.kind === 'call' ? to.arguments : [];
  return (
    to.kind === 'call' &&
    ['size', 'num_elements'].includes(to.name.name) &&
    declaration.arraySizes.length + declaration.baseSizes.length === 1 &&
    only?.kind === 'variable' &&
    only.declaration === declaration
  );
}

/** Null for loop variables and function arguments. */
export function declarationOf(name: Named): Declaration | null {
  return 'constraint' in name ? name : null;
}

export function isOfData(declaration: Declaration | null): boolean {
  return declaration?.origin === 'data' || declaration?.origin === 'transformed data';
}
