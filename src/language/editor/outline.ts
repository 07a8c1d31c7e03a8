/** Definitions and the outline of a program. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { BlockName, Declaration, FunctionDefinition } from '../syntax/ast.ts';
import { blockNames } from '../syntax/parse.ts';
import { printDeclaredType } from '../syntax/parse-declarations.ts';
import { describeUserFunction } from '../types/describe-signature.ts';
import { symbolAt, userFunctionOf } from './symbol-at.ts';
import { statementsOfBlock } from './visible-names.ts';

/** Where the name under the cursor is declared; null for library functions and words. */
export function definition(result: CheckResult, offset: number, file = 0): Span | null {
  const symbol = symbolAt(result, offset, file);
  if (!symbol) return null;
  if (symbol.kind === 'variable') return symbol.declaration.name.span;
  return userFunctionOf(symbol)?.name.span ?? null;
}

export interface OutlineItem {
  readonly name: string;
  readonly kind: 'block' | 'function' | 'variable';
  /** The type of a variable, the signature of a function; empty for a block. */
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineItem[];
}

/** Blocks that are present, in order, with their functions or block variables. */
export function outline(result: CheckResult): readonly OutlineItem[] {
  const { program } = result;
  return blockNames.flatMap((name): OutlineItem[] => {
    const span = program.blocks[name];
    if (!span) return [];
    const nameSpan = { ...span, end: Math.min(span.end, span.start + name.length) };
    return [{ name, kind: 'block', detail: '', span, nameSpan, children: itemsOf(result, name) }];
  });
}

function itemsOf({ program }: CheckResult, block: BlockName): OutlineItem[] {
  if (block === 'functions')
    return program.functions.map((item) => itemOf(item, 'function', describeUserFunction(item)));
  return statementsOfBlock(program, block)
    .filter((statement) => statement.kind === 'declaration')
    .map((item) => itemOf(item, 'variable', printDeclaredType(item)));
}

function itemOf(
  { name, span }: Declaration | FunctionDefinition,
  kind: OutlineItem['kind'],
  detail: string,
): OutlineItem {
  return { name: name.name, kind, detail, span, nameSpan: name.span, children: [] };
}
