/** Names in scope and the position of the checker: scopes, block, function, loop. */
import type { Diagnostic } from '../diagnostics.ts';
import { NameSuggestions } from '../source/closest-name.ts';
import type { BlockName, FunctionDefinition, Identifier, Named } from '../syntax/ast.ts';
import type { StanType } from './stan-type.ts';
import * as problems from './type-problems.ts';

export interface Binding {
  readonly declaration: Named;
  readonly type: StanType;
  /** The block it belongs to, or how it was introduced. */
  readonly origin: BlockName | 'local' | 'loop' | 'argument';
  /** Does not depend on parameters (ints never do). */
  readonly dataOnly: boolean;
}

/** The position of a statement. */
export interface Place {
  readonly block: BlockName;
  readonly function: FunctionDefinition | null;
  readonly loopDepth: number;
  /** Directly in a block whose declarations are block variables. */
  readonly topLevel: boolean;
}

export class CheckContext {
  readonly diagnostics: Diagnostic[] = [];
  /** User functions by name; overloads in source order, definitions in place of their forward declarations. */
  readonly functions = new Map<string, FunctionDefinition[]>();
  readonly suggestions = new NameSuggestions();
  private readonly bindings = new Map<Named, Binding>();
  private scopes: Map<string, Binding>[] = [new Map()];
  place: Place = { block: 'functions', function: null, loopDepth: 0, topLevel: false };

  report(diagnostic: Diagnostic): void {
    this.diagnostics.push(diagnostic);
  }

  /** Runs `check` in a new scope. */
  inScope(check: () => void): void {
    this.scopes.push(new Map());
    check();
    this.scopes.pop();
  }

  /** Runs `check` with parts of the place changed. */
  inPlace(change: Partial<Place>, check: () => void): void {
    const before = this.place;
    this.place = { ...before, ...change };
    check();
    this.place = before;
  }

  find(name: string): Binding | null {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const binding = this.scopes[i].get(name);
      if (binding) return binding;
    }
    return null;
  }

  bindingOf(declaration: Named): Binding | null {
    return this.bindings.get(declaration) ?? null;
  }

  /** Adds a name to the innermost scope; nothing may shadow variables, and only arguments may shadow user functions. */
  declare(name: Identifier, binding: Binding): void {
    const earlier = this.find(name.name);
    const definition = this.functions.get(name.name)?.[0];
    if (earlier) this.report(problems.nameTaken(name, earlier.declaration.name.span));
    else if (definition && binding.origin !== 'argument') {
      this.report(problems.nameTaken(name, definition.name.span));
    }
    this.checkNameForm(name);
    this.bindings.set(binding.declaration, binding);
    this.scopes[this.scopes.length - 1].set(name.name, binding);
  }

  checkNameForm(name: Identifier): void {
    if (name.name.endsWith('__')) this.report(problems.nameEndsWithUnderscores(name));
    if (/_lup[dm]f$/.test(name.name)) this.report(problems.nameIsUnnormalised(name));
    if (name.name.startsWith('_')) this.report(problems.nameStartsWithUnderscore(name));
  }

  /** Variable names in scope, innermost first. */
  *names(): Generator<string> {
    for (let i = this.scopes.length - 1; i >= 0; i--) yield* this.scopes[i].keys();
  }
}

/** Overloads under a name; `foo_lupdf` is the unnormalised use of `foo_lpdf`. */
export function userFunctions(context: CheckContext, name: string): readonly FunctionDefinition[] {
  const found = context.functions.get(name);
  if (found) return found;
  const plain = name.replace(/_lup([dm])f$/, '_lp$1f');
  return plain === name ? [] : (context.functions.get(plain) ?? []);
}
