/** What is shown for the name or keyword under the pointer. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { FunctionDefinition, LibrarySignature, Named } from '../syntax/ast.ts';
import { printDeclaredType } from '../syntax/parse-declarations.ts';
import { printType } from '../syntax/printer.ts';
import { blockWords, spanOf } from '../syntax/token.ts';
import { isLibraryFunction, resolveLibrary } from '../types/signatures/signature-table.ts';
import { libraryForm, libraryForms, printForm, userForm } from './call-forms.ts';
import { docCommentOf } from './doc-comments.ts';
import { describeMeaning, docOf, wordDoc } from './docs-table.ts';
import { type SymbolAt, symbolAt, userFunctionOf } from './symbol-at.ts';
import { tokenContext } from './token-at.ts';
import { memberAt } from './tuple-members.ts';

export interface Hover {
  readonly span: Span;
  /** A line of Stan: a declaration or a signature. */
  readonly code: string;
  /** Sentences, or empty. */
  readonly text: string;
}

export function hover(result: CheckResult, offset: number, file = 0): Hover | null {
  const symbol = symbolAt(result, offset, file);
  if (symbol) return hoverSymbol(result, symbol);
  const member = memberAt(result, offset, file);
  if (member) return member;
  const text = result.files[file]?.text ?? '';
  const { touched, comment, tokens } = tokenContext(text, offset, file);
  if (!touched || comment || touched.kind !== 'name') return null;
  const i = tokens.indexOf(touched);
  const pair = [
    `${touched.text} ${tokens[i + 1]?.text}`,
    `${tokens[i - 1]?.text} ${touched.text}`,
  ].find((name) => blockWords.has(touched.text) && wordDoc(name));
  const code = pair ?? touched.text;
  const meaning = wordDoc(code);
  return meaning ? { span: spanOf(touched), code, text: meaning } : null;
}

function hoverSymbol(result: CheckResult, symbol: SymbolAt): Hover | null {
  const { span } = symbol;
  if (symbol.kind === 'variable') return { span, ...describeVariable(symbol.declaration) };
  const user = userFunctionOf(symbol);
  if (user) return { span, ...describeFunction(result, user) };
  const described = describeBuiltIn(symbol);
  return described && { span, ...described };
}

function describeBuiltIn(symbol: SymbolAt): { code: string; text: string } | null {
  if (symbol.kind === 'distribution') {
    const { distribution, density } = symbol.statement;
    const chosen = density && 'library' in density ? density.library : null;
    const { name } = distribution;
    const full = [`${name}_lpdf`, `${name}_lpmf`].find(isLibraryFunction);
    return full || chosen ? describeLibrary(chosen?.name ?? full ?? name, chosen) : null;
  }
  if (symbol.kind !== 'call') return null;
  const { name, callee } = symbol.call;
  return describeLibrary(name.name, callee && 'library' in callee ? callee.library : null);
}

/** `array[N] vector<lower=0>[J] x` and where it comes from. */
export function describeVariable(declaration: Named): { code: string; text: string } {
  const { name } = declaration.name;
  if (!('kind' in declaration)) {
    const qualifier = declaration.dataOnly ? 'data ' : '';
    return {
      code: `${qualifier}${printType(declaration.type)} ${name}`,
      text: 'Argument of the function.',
    };
  }
  if (declaration.kind === 'loop-variable') {
    const type = declaration.type ? printType(declaration.type) : 'int';
    return { code: `${type} ${name}`, text: 'Loop variable.' };
  }
  const { origin } = declaration;
  const text = !origin || origin === 'local' ? 'Local variable.' : originTexts[origin];
  return { code: `${printDeclaredType(declaration)} ${name}`, text };
}

const originTexts = {
  functions: 'Local variable.',
  data: 'Data.',
  'transformed data': 'Transformed data.',
  parameters: 'Parameter.',
  'transformed parameters': 'Transformed parameter.',
  model: 'Local variable.',
  'generated quantities': 'Generated quantity.',
} as const;

/** The signature of a user function, and what the comment above it says. */
export function describeFunction(
  result: CheckResult,
  definition: FunctionDefinition,
): { code: string; text: string } {
  const text = docCommentOf(result, definition) || 'A function of this program.';
  return { code: printForm(userForm(definition)).text, text };
}

/** The signature that a call was matched to or, if in doubt, the first. */
export function describeLibrary(
  name: string,
  chosen: LibrarySignature | null,
): { code: string; text: string } | null {
  const matched = chosen && resolveLibrary(chosen.name, chosen.arguments)?.pattern;
  const form = matched ? libraryForm(matched) : libraryForms(name)[0];
  if (!form) return null;
  const doc = docOf(name);
  return { code: printForm(form).text, text: doc ? describeMeaning(doc) : '' };
}
