/** Signatures as messages, hovers and completions show them. */
import type { FunctionDefinition } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import type { SignaturePattern } from './signatures/notation.ts';

/** `(reals, reals) => real`, the classes as the table writes them. */
export function describeSignature(pattern: SignaturePattern): string {
  return `(${pattern.arguments.map(({ text }) => describeTerm(text)).join(', ')}) => ${describeTerm(pattern.resultText)}`;
}

/** A term of the table as messages write it: `each` is `T`, `real[,]` is `array[,] real`. */
export function describeTerm(text: string): string {
  const data = text.startsWith('data ') ? 'data ' : '';
  const term = text.slice(data.length);
  if (term === '…') return '…';
  if (term.startsWith('f:')) return 'function';
  if (term === 'each') return 'T';
  if (term === 'each_int') return 'ints';
  return (
    data +
    term
      .split('|')
      .map((part) => part.replace(/\*$/, 's').replace(/\b(\w+)\[(,*)\]/g, 'array[$2] $1'))
      .join(' or ')
  );
}

/** `(real t, vector y) => vector`. */
export function describeUserFunction(definition: FunctionDefinition): string {
  const args = definition.arguments.map(
    ({ dataOnly, type, name }) => `${dataOnly ? 'data ' : ''}${printType(type)} ${name.name}`,
  );
  return `(${args.join(', ')}) => ${printType(definition.returnType)}`;
}
