/** All places where the symbol at an offset is named: for highlights, references and renaming. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { Expression, FunctionDefinition, Identifier, Named } from '../syntax/ast.ts';
import { declaredBy, rootOf, walkProgram } from '../syntax/walk.ts';
import { type SymbolAt, symbolAt, userFunctionOf } from './symbol-at.ts';

export interface Occurrence {
  readonly span: Span;
  readonly isWrite: boolean;
}

export interface Occurrences {
  /** What the spans cover; for a function, without the suffix that says what it is for. */
  readonly name: string;
  /** Null: it is built into Stan. */
  readonly declared: 'variable' | 'function' | null;
  /** Suffixes of the functions that share the name, the empty one for plain functions. */
  readonly suffixes: readonly string[];
  readonly places: readonly Occurrence[];
}

/** Forms of one distribution share their name; other suffixes belong to one function each. */
const familySuffix = /_(?:lu?pdf|lu?pmf|lcdf|lccdf|cdf|rng)$/;
const ownSuffix = /_(?:lp|jacobian)$/;

export function occurrencesAt(result: CheckResult, offset: number, file = 0): Occurrences | null {
  const symbol = symbolAt(result, offset, file);
  if (symbol === null) return null;
  if (symbol.kind === 'variable') return variableOccurrences(result, symbol.declaration);
  const user = userFunctionOf(symbol) ?? namedFunction(result, symbol);
  return user ? functionOccurrences(result, user) : builtInOccurrences(result, symbol);
}

/** For a call whose arguments do not fit, the function that it names. */
function namedFunction({ program }: CheckResult, symbol: SymbolAt): FunctionDefinition | null {
  if (symbol.kind !== 'call' || symbol.call.callee) return null;
  const name = withoutUnnormalised(symbol.call.name.name);
  return program.functions.find((definition) => definition.name.name === name) ?? null;
}

function withoutUnnormalised(name: string): string {
  return name.replace(/_lup([dm])f$/, '_lp$1f');
}

function variableOccurrences({ program }: CheckResult, declaration: Named): Occurrences {
  const places = new Places();
  const assigned = new Set<Expression>();
  walkProgram(program, {
    function: (definition) => {
      for (const argument of definition.arguments) {
        if (argument === declaration) places.add(argument.name.span, true);
      }
    },
    statement: (statement) => {
      const named = declaredBy(statement);
      if (named === declaration) places.add(named.name.span, true);
      if (statement.kind !== 'assignment') return;
      const { target } = statement;
      for (const place of target.kind === 'tuple' ? target.elements : [target]) {
        assigned.add(rootOf(place));
      }
    },
    expression: (node) => {
      if (node.kind !== 'variable' || node.declaration !== declaration) return;
      places.add(node.span, assigned.has(node));
    },
  });
  const { name } = declaration.name;
  return { name, declared: 'variable', suffixes: [''], places: places.list() };
}

function functionOccurrences(
  { program }: CheckResult,
  definition: FunctionDefinition,
): Occurrences {
  const { base, isFamily } = baseOf(definition.name.name);
  const group = program.functions.filter(({ name }) =>
    isFamily
      ? baseOf(name.name).isFamily && baseOf(name.name).base === base
      : name.name === definition.name.name,
  );
  const members = new Set(group);
  const names = new Set(group.map(({ name }) => name.name));
  const places = new Places();
  const add = ({ span }: Identifier, isWrite = false): void => {
    places.add({ ...span, end: span.start + base.length }, isWrite);
  };
  walkProgram(program, {
    function: (node) => {
      if (members.has(node)) add(node.name, true);
    },
    statement: (node) => {
      if (node.kind !== 'tilde') return;
      const { density, distribution } = node;
      const isOurs = density
        ? 'user' in density && members.has(density.user)
        : isFamily && distribution.name === base;
      if (isOurs) add(distribution);
    },
    expression: (node) => {
      if (node.kind === 'variable' && node.callable && members.has(node.callable))
        places.add({ ...node.span, end: node.span.start + base.length }, false);
      if (node.kind !== 'call') return;
      const { callee, name } = node;
      const isOurs = callee
        ? 'user' in callee && members.has(callee.user)
        : names.has(withoutUnnormalised(name.name));
      if (isOurs) add(name);
    },
  });
  const suffixes = [...names].map((name) => name.slice(base.length));
  return { name: base, declared: 'function', suffixes, places: places.list() };
}

function baseOf(name: string): { readonly base: string; readonly isFamily: boolean } {
  const isFamily = familySuffix.test(name);
  return { base: name.replace(isFamily ? familySuffix : ownSuffix, ''), isFamily };
}

function builtInOccurrences({ program }: CheckResult, symbol: SymbolAt): Occurrences | null {
  const name =
    symbol.kind === 'call'
      ? symbol.call.name.name
      : symbol.kind === 'distribution'
        ? symbol.statement.distribution.name
        : null;
  if (name === null) return null;
  const places = new Places();
  walkProgram(program, {
    statement: (node) => {
      if (node.kind === 'tilde' && node.distribution.name === name)
        places.add(node.distribution.span, false);
    },
    expression: (node) => {
      if (node.kind === 'call' && node.name.name === name) places.add(node.name.span, false);
    },
  });
  return { name, declared: null, suffixes: [''], places: places.list() };
}

/** Names declared together share the expressions of their sizes: each place counts once. */
class Places {
  private readonly byPlace = new Map<string, Occurrence>();

  add(span: Span, isWrite: boolean): void {
    const key = `${span.file}:${span.start}`;
    if (!this.byPlace.has(key)) this.byPlace.set(key, { span, isWrite });
  }

  list(): readonly Occurrence[] {
    return [...this.byPlace.values()].sort(
      (a, b) => a.span.file - b.span.file || a.span.start - b.span.start,
    );
  }
}
