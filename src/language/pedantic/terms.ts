/** Densities that a program adds to its target, wherever they are. */

import type { Span } from '../source/span.ts';
import type { Expression, Program, Statement } from '../syntax/ast.ts';
import { walkStatement } from '../syntax/walk.ts';

export interface DensityTerm {
  /** Without suffix. */
  readonly distribution: string;
  readonly isLibrary: boolean;
  /** The variate first. */
  readonly operands: readonly Expression[];
  readonly span: Span;
}

const densityName = /^(\w+?)_l(?:u?pdf|u?pmf)$/;

function densityOf(expression: Expression): DensityTerm | null {
  if (expression.kind !== 'call') return null;
  const [, distribution] = densityName.exec(expression.name.name) ?? [];
  if (distribution === undefined || expression.arguments.length === 0) return null;
  const isLibrary = expression.callee !== undefined && 'library' in expression.callee;
  return { distribution, isLibrary, operands: expression.arguments, span: expression.span };
}

/** What a statement adds in total: `y ~ d(…)` or `target += d_lpdf(y | …)`. */
export function wholeTerm(statement: Statement): DensityTerm | null {
  if (statement.kind === 'target-increment') {
    const term = densityOf(statement.value);
    return term && { ...term, span: statement.span };
  }
  if (statement.kind !== 'tilde') return null;
  const { density, distribution, variate, arguments: args, span } = statement;
  const isLibrary = density !== undefined && 'library' in density;
  return { distribution: distribution.name, isLibrary, operands: [variate, ...args], span };
}

/** The statements that make up the density. */
export function densityStatements(program: Program): readonly Statement[] {
  return [...program.transformedParameters, ...program.model];
}

/** All uses of library densities in the model and in functions. */
export function libraryDensities(program: Program): DensityTerm[] {
  const found: DensityTerm[] = [];
  const bodies = program.functions.flatMap(({ body }) => (body ? [body] : []));
  for (const statement of [...densityStatements(program), ...bodies]) {
    walkStatement(statement, {
      statement: (inner) => {
        const term = inner.kind === 'tilde' ? wholeTerm(inner) : null;
        if (term?.isLibrary) found.push(term);
      },
      expression: (inner) => {
        const term = densityOf(inner);
        if (term?.isLibrary) found.push(term);
      },
    });
  }
  return found;
}

/** The terms of a sum or difference. */
export function summands(expression: Expression): Expression[] {
  return expression.kind === 'binary' &&
    (expression.operator === '+' || expression.operator === '-')
    ? [...summands(expression.left), ...summands(expression.right)]
    : [expression];
}
