/**
 * What the statements of a program depend on: names that are read, the values assigned to these, and the conditions
 * and loops around all of them. The order of assignments does not count: a name depends on all of its assignments.
 */
import type { Expression, Named, Statement } from '../syntax/ast.ts';
import { conditionsOf, namesIn, rootOf, statementsOf } from '../syntax/walk.ts';

/** A statement that is not a list of others, with the names that decide whether it runs. */
export interface Place {
  readonly statement: Statement;
  readonly around: ReadonlySet<Named>;
}

export class Dependencies {
  readonly places: Place[] = [];
  private readonly direct = new Map<Named, Set<Named>>();

  constructor(statements: readonly Statement[]) {
    for (const statement of statements) this.visit(statement, new Set());
  }

  /** The names themselves and everything that these depend on. */
  closure(names: Iterable<Named>): Set<Named> {
    const found = new Set(names);
    // A growing set is iterated to its end.
    for (const name of found) for (const next of this.direct.get(name) ?? []) found.add(next);
    return found;
  }

  private assign(name: Named, from: Iterable<Named>): void {
    const known = this.direct.get(name) ?? new Set();
    for (const one of from) known.add(one);
    this.direct.set(name, known);
  }

  private visit(statement: Statement, around: ReadonlySet<Named>): void {
    this.places.push({ statement, around });
    const conditions = conditionsOf(statement);
    const inner =
      conditions.length === 0 ? around : new Set([...around, ...namesIn(...conditions)]);
    if (statement.kind === 'declaration' && statement.initialiser) {
      this.assign(statement, [...around, ...namesIn(statement.initialiser)]);
    }
    if (statement.kind === 'assignment') {
      const read = namesIn(statement.target, statement.value);
      for (const name of assigned(statement.target)) this.assign(name, [...around, ...read]);
    }
    if (statement.kind === 'for' || statement.kind === 'for-each') {
      this.assign(statement.variable, inner);
    }
    for (const child of statementsOf(statement)) this.visit(child, inner);
  }
}

/** The variables that an assignment changes. */
export function assigned(target: Expression): Named[] {
  if (target.kind === 'tuple') return target.elements.flatMap(assigned);
  const root = rootOf(target);
  return root.kind === 'variable' && root.declaration ? [root.declaration] : [];
}
