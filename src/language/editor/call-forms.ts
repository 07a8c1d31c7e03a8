/** How functions are called, with types and names of their arguments: the one source of hovers, completions and hints. */
import type { FunctionDefinition } from '../syntax/ast.ts';
import { printType } from '../syntax/printer.ts';
import { describeTerm } from '../types/describe-signature.ts';
import type { SignaturePattern } from '../types/signatures/notation.ts';
import { signaturesOf } from '../types/signatures/signature-table.ts';
import { docOf, hasBarForm } from './docs-table.ts';

export interface CallForm {
  readonly name: string;
  /** Null when it is not shown: after `~`. */
  readonly result: string | null;
  /** `real mu`; the last may be `…`. */
  readonly parameters: readonly string[];
  /** A bar follows the first argument when there are more. */
  readonly hasBar: boolean;
}

export interface PrintedForm {
  /** `real normal_lpdf(reals y | reals mu, reals sigma)`. */
  readonly text: string;
  /** The position of each parameter in the text. */
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

export function printForm({ name, result, parameters, hasBar }: CallForm): PrintedForm {
  let text = `${result === null ? '' : `${result} `}${name}(`;
  const places = parameters.map((parameter, i) => {
    if (i > 0) text += hasBar && i === 1 ? ' | ' : ', ';
    const start = text.length;
    text += parameter;
    return { start, end: text.length };
  });
  return { text: `${text})`, places };
}

/** One form for each line of the table with that name, in the same order. */
export function libraryForms(name: string): readonly CallForm[] {
  return signaturesOf(name).map(libraryForm);
}

export function libraryForm(pattern: SignaturePattern): CallForm {
  const { name } = pattern;
  const names = parameterNames(pattern);
  const parameters = pattern.arguments.map(({ text }, i) => {
    const type = describeTerm(text);
    return type === '…' || names === null ? type : `${type} ${names[i]}`;
  });
  return { name, result: describeTerm(pattern.resultText), parameters, hasBar: hasBarForm(name) };
}

/** Names of the arguments of a line of the table; null when none are documented for that number. */
export function parameterNames(pattern: SignaturePattern): readonly string[] | null {
  const count = pattern.arguments.length;
  return docOf(pattern.name)?.parameters.find((names) => names.length === count) ?? null;
}

export function userForm(definition: FunctionDefinition): CallForm {
  const { name } = definition.name;
  const parameters = definition.arguments.map(
    (argument) =>
      `${argument.dataOnly ? 'data ' : ''}${printType(argument.type)} ${argument.name.name}`,
  );
  return { name, result: printType(definition.returnType), parameters, hasBar: hasBarForm(name) };
}

/** As written after `~`: without the result, the suffix and the first argument. */
export function distributionForm(density: CallForm): CallForm {
  const name = density.name.replace(/_lp[dm]f$/, '');
  return { name, result: null, parameters: density.parameters.slice(1), hasBar: false };
}
