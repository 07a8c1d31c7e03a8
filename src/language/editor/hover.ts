/** What is shown for the name or keyword under the pointer. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { FunctionDefinition, LibrarySignature } from '../syntax/ast.ts';
import { printDeclaredType } from '../syntax/parse-declarations.ts';
import { printType } from '../syntax/printer.ts';
import { blockWords, spanOf } from '../syntax/token.ts';
import { describeUserFunction } from '../types/describe-signature.ts';
import { docOf, wordDoc } from './docs-table.ts';
import { type SymbolAt, symbolAt, userFunctionOf } from './symbol-at.ts';
import { tokenContext } from './token-at.ts';
import { memberAt } from './tuple-members.ts';
import type { Named } from './visible-names.ts';

export interface Hover {
  readonly span: Span;
  /** A line of Stan: a declaration or a signature. */
  readonly code: string;
  /** A sentence, or empty. */
  readonly text: string;
}

export function hover(result: CheckResult, offset: number, file = 0): Hover | null {
  const symbol = symbolAt(result, offset, file);
  if (symbol) return hoverSymbol(symbol);
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

function hoverSymbol(symbol: SymbolAt): Hover | null {
  const { span } = symbol;
  if (symbol.kind === 'variable') return { span, ...describeVariable(symbol.declaration) };
  const user = userFunctionOf(symbol);
  if (user) return { span, code: describeFunction(user), text: 'A function of this program.' };
  if (symbol.kind === 'distribution') {
    const { distribution, density } = symbol.statement;
    const doc = docOf(distribution.name);
    const code = density && 'library' in density ? describeLibrary(density.library) : doc?.call;
    return code ? { span, code, text: doc?.meaning ?? '' } : null;
  }
  if (symbol.kind !== 'call') return null;
  const { name, callee } = symbol.call;
  const doc = docOf(name.name);
  const code = callee && 'library' in callee ? describeLibrary(callee.library) : doc?.call;
  return code ? { span, code, text: doc?.meaning ?? '' } : null;
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

export function describeFunction(definition: FunctionDefinition): string {
  return `${definition.name.name}${describeUserFunction(definition)}`;
}

/** With the names of the arguments where the table knows them all: `normal_lpdf(vector y | real mu, real sigma) => real`. */
function describeLibrary({ name, arguments: args, result }: LibrarySignature): string {
  const types = args.map((type) => (type.base === 'void' ? 'function' : printType(type)));
  const inside = /\((.*)\)$/.exec(docOf(name)?.call ?? '')?.[1] ?? '';
  const names = inside.split(/ \| |, /);
  const isKnown = names.length === types.length && names.every((word) => /^\w+$/.test(word));
  const described = types.map((type, i) => (isKnown ? `${type} ${names[i]}` : type));
  const hasBar = isKnown && inside.includes(' | ') && described.length > 1;
  const [first, ...others] = described;
  const shown = hasBar ? `${first} | ${others.join(', ')}` : described.join(', ');
  return `${name}(${shown}) => ${printType(result)}`;
}
