/** What a name at an offset refers to. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type {
  Call,
  Expression,
  FunctionDefinition,
  Named,
  Statement,
  Tilde,
} from '../syntax/ast.ts';
import { declaredBy, walkProgram } from '../syntax/walk.ts';

export type SymbolAt =
  | { readonly kind: 'variable'; readonly span: Span; readonly declaration: Named }
  | { readonly kind: 'function'; readonly span: Span; readonly definition: FunctionDefinition }
  | { readonly kind: 'call'; readonly span: Span; readonly call: Call }
  | { readonly kind: 'distribution'; readonly span: Span; readonly statement: Tilde };

/** The innermost symbol whose name touches the offset, or null. */
export function symbolAt(result: CheckResult, offset: number, file = 0): SymbolAt | null {
  const touches = (span: Span): boolean =>
    span.file === file && span.start <= offset && offset <= span.end;
  let found: SymbolAt | null = null;
  const name = (declaration: Named): void => {
    const { span } = declaration.name;
    if (touches(span)) found = { kind: 'variable', span, declaration };
  };
  const statement = (node: Statement): void => {
    const declared = declaredBy(node);
    if (declared !== null) name(declared);
    if (node.kind !== 'tilde' || !touches(node.distribution.span)) return;
    found = { kind: 'distribution', span: node.distribution.span, statement: node };
  };
  const expression = (node: Expression): void => {
    if (node.kind === 'call' && touches(node.name.span)) {
      found = { kind: 'call', span: node.name.span, call: node };
    }
    if (node.kind !== 'variable' || !touches(node.span)) return;
    if (node.declaration) {
      found = { kind: 'variable', span: node.span, declaration: node.declaration };
    } else if (node.callable) {
      found = { kind: 'function', span: node.span, definition: node.callable };
    }
  };
  walkProgram(result.program, {
    statement,
    expression,
    function: (definition) => {
      for (const argument of definition.arguments) name(argument);
      const { span } = definition.name;
      if (touches(span)) found = { kind: 'function', span, definition };
    },
  });
  return found;
}

/** The user function that a symbol refers to, if any. */
export function userFunctionOf(symbol: SymbolAt): FunctionDefinition | null {
  if (symbol.kind === 'function') return symbol.definition;
  const target =
    symbol.kind === 'call'
      ? symbol.call.callee
      : symbol.kind === 'distribution'
        ? symbol.statement.density
        : undefined;
  return target && 'user' in target ? target.user : null;
}
