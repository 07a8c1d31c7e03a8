/** Variables that may be read before they have a value, and those that are never read. */
import { assertNever } from '../../shared/assert-never.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Declaration, Expression, Named, Program, Statement } from '../syntax/ast.ts';
import {
  conditionsOf,
  indexExpressions,
  rootOf,
  walkExpression,
  walkProgram,
} from '../syntax/walk.ts';
import { assigned } from './dependencies.ts';
import * as problems from './pedantic-problems.ts';

export function checkAssignments(program: Program): Diagnostic[] {
  const reader = new Reader();
  for (const { body } of program.functions) if (body) reader.run([body], new Set());
  // Parts of a variable are assigned one by one: any of them counts as all.
  const made = reader.run(program.transformedData, new Set());
  const transformed = reader.run(program.transformedParameters, made);
  reader.run(program.model, transformed);
  reader.run(program.generatedQuantities, transformed);
  return [...reader.found, ...unusedVariables(program)];
}

/** Walks in the order of execution; a set holds the variables that have a value. */
class Reader {
  readonly found: Diagnostic[] = [];
  private readonly unset = new Set<Named>();
  private readonly reported = new Set<Named>();

  run(statements: readonly Statement[], before: ReadonlySet<Named>): Set<Named> {
    let known = new Set(before);
    for (const statement of statements) known = this.step(statement, known);
    return known;
  }

  private read(expressions: readonly (Expression | null)[], known: ReadonlySet<Named>): void {
    for (const expression of expressions) {
      if (!expression) continue;
      walkExpression(expression, {
        expression: (node) => {
          const { declaration } = node.kind === 'variable' ? node : {};
          if (!declaration || !this.unset.has(declaration) || known.has(declaration)) return;
          if (this.reported.has(declaration)) return;
          this.reported.add(declaration);
          this.found.push(problems.mayBeUnassigned(node.span, declaration.name.name));
        },
      });
    }
  }

  private step(statement: Statement, known: Set<Named>): Set<Named> {
    this.read(conditionsOf(statement), known);
    switch (statement.kind) {
      case 'declaration':
        this.read([statement.initialiser], known);
        if (statement.initialiser || isEmpty(statement)) known.add(statement);
        else this.unset.add(statement);
        return known;
      case 'assignment': {
        this.read([statement.value, ...indexesOf(statement.target)], known);
        if (statement.operator !== '=') this.read([statement.target], known);
        for (const name of assigned(statement.target)) known.add(name);
        return known;
      }
      case 'if': {
        const then = this.run([statement.then], known);
        const other = statement.otherwise ? this.run([statement.otherwise], known) : known;
        if (leaves(statement.then)) return new Set(other);
        if (statement.otherwise && leaves(statement.otherwise)) return then;
        return new Set([...then].filter((name) => other.has(name)));
      }
      case 'while':
      case 'for':
      case 'for-each':
        // A loop is assumed to run at least once.
        return this.run([statement.body], known);
      case 'block':
      case 'profile':
        return this.run(statement.statements, known);
      case 'tilde': {
        const { truncation } = statement;
        const bounds = [truncation?.lower ?? null, truncation?.upper ?? null];
        this.read([statement.variate, ...statement.arguments, ...bounds], known);
        return known;
      }
      case 'target-increment':
      case 'return':
        this.read([statement.value], known);
        return known;
      case 'call-statement':
        this.read([statement.call], known);
        return known;
      case 'print':
      case 'reject':
        this.read(statement.arguments, known);
        return known;
      case 'break':
      case 'continue':
      case 'skip':
        return known;
      default:
        return assertNever(statement, 'statement');
    }
  }
}

/** Whether it prevents what follows from being reached. */
function leaves(statement: Statement): boolean {
  if (statement.kind === 'block') return statement.statements.some(leaves);
  return ['return', 'reject', 'break', 'continue'].includes(statement.kind);
}

/** Nothing remains to be assigned if a size is 0. */
function isEmpty({ arraySizes, baseSizes }: Declaration): boolean {
  return [...arraySizes, ...baseSizes].some((size) => size.kind === 'int' && size.value === 0);
}

function indexesOf(target: Expression): Expression[] {
  if (target.kind === 'tuple') return target.elements.flatMap(indexesOf);
  if (target.kind === 'member') return indexesOf(target.base);
  if (target.kind !== 'index') return [];
  return [...indexesOf(target.base), ...target.indexes.flatMap(indexExpressions)];
}

/** Local variables and transformed data: everything declared elsewhere is output. */
function unusedVariables(program: Program): Diagnostic[] {
  const declared = new Set<Declaration>();
  const read = new Set<Named>();
  const targets = new Set<Expression>();
  walkProgram(program, {
    statement: (statement) => {
      if (statement.kind === 'assignment') targets.add(rootOf(statement.target));
      const { origin } = statement.kind === 'declaration' ? statement : {};
      if (statement.kind === 'declaration' && (origin === 'local' || origin === 'transformed data'))
        declared.add(statement);
    },
    expression: (node) => {
      if (node.kind === 'variable' && node.declaration && !targets.has(node))
        read.add(node.declaration);
    },
  });
  return [...declared]
    .filter((declaration) => !read.has(declaration))
    .map(({ name }) => problems.unusedVariable(name.span, name.name));
}
