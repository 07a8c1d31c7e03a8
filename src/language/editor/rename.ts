/** Renaming of variables and functions: all their places, or why it cannot be done. */
import type { CheckResult } from '../check.ts';
import { type Diagnostic, hasErrors } from '../diagnostics.ts';
import { checkEdited } from '../remedies/apply-edits.ts';
import type { TextEdit } from '../remedies/remedy.ts';
import { positionAt } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Identifier } from '../syntax/ast.ts';
import { lex } from '../syntax/lexer.ts';
import { reservedWords } from '../syntax/token.ts';
import { declaredBy, walkProgram } from '../syntax/walk.ts';
import { isLibraryFunction } from '../types/signatures/signature-table.ts';
import { type Occurrences, occurrencesAt } from './occurrences.ts';
import { tokenContext } from './token-at.ts';

export interface Refusal {
  /** A sentence. */
  readonly refusal: string;
}

/** What is renamed at an offset, or why nothing is. */
export function renamePlace(
  result: CheckResult,
  offset: number,
  file = 0,
): { readonly span: Span; readonly name: string } | Refusal {
  const found = occurrencesAt(result, offset, file);
  if (found === null) return { refusal: whyNothing(result, offset, file) };
  if (found.declared === null) {
    return { refusal: `\`${found.name}\` is built into Stan and cannot be renamed.` };
  }
  const place = found.places.find(({ span }) => contains(span, offset, file)) ?? found.places[0];
  return { span: place.span, name: found.name };
}

/** The suffix of a density is not part of what is renamed, but the cursor may be there too. */
function contains({ file, start, end }: Span, offset: number, wanted: number): boolean {
  return file === wanted && start <= offset && offset <= end + '_lupdf'.length;
}

function whyNothing(result: CheckResult, offset: number, file: number): string {
  const { touched, comment } = tokenContext(result.files[file]?.text ?? '', offset, file);
  if (comment === null && touched?.kind === 'name') {
    return reservedWords.has(touched.text) || isLibraryFunction(touched.text)
      ? `\`${touched.text}\` is built into Stan and cannot be renamed.`
      : `Nothing called \`${touched.text}\` is declared here.`;
  }
  return 'Only variables and functions of the program can be renamed.';
}

/** Edits of all places. The renamed program has been checked: every name still refers to the same thing. */
export function rename(
  result: CheckResult,
  {
    offset,
    file = 0,
    name,
  }: { readonly offset: number; readonly file?: number; readonly name: string },
): { readonly edits: readonly TextEdit[] } | Refusal {
  const place = renamePlace(result, offset, file);
  const found = occurrencesAt(result, offset, file);
  if ('refusal' in place) return place;
  if (found === null) return { refusal: whyNothing(result, offset, file) };
  const written = withoutSuffix(name.trim(), found);
  if (written === found.name) return { edits: [] };
  const refusal = whyNotCalled(written, found);
  if (refusal !== null) return { refusal };
  const blocked = whyBlocked(result, found, written);
  if (blocked !== null) return { refusal: blocked };
  const edits = found.places.map(({ span }) => ({ span, text: written }));
  const trouble = troubleOf(result, edits, written);
  return trouble === null ? { edits } : { refusal: trouble };
}

/** The complete name of a density is accepted too. */
function withoutSuffix(name: string, { suffixes }: Occurrences): string {
  const suffix = suffixes.find((own) => own !== '' && name.endsWith(own));
  return suffix === undefined ? name : name.slice(0, -suffix.length);
}

const meaningfulSuffix = /_(?:lu?pdf|lu?pmf|lcdf|lccdf|cdf|rng|lp|jacobian)$/;

function whyNotCalled(name: string, { declared, suffixes }: Occurrences): string | null {
  if (!/^[A-Za-z]\w*$/.test(name)) {
    return `\`${name}\` is not a valid name. A name begins with a letter and contains only the letters a to z and A to Z, digits and \`_\`.`;
  }
  if (reservedWords.has(name)) return `\`${name}\` is a reserved word of Stan.`;
  if (name.endsWith('__')) return `\`${name}\` ends in \`__\`, which is reserved by Stan.`;
  if (declared !== 'function') return null;
  const suffix = meaningfulSuffix.exec(name)?.[0];
  if (suffix !== undefined) {
    return `The suffix \`${suffix}\` would change what the function is for. Choose a name without it.`;
  }
  const taken = suffixes.map((own) => name + own).find(isLibraryFunction);
  return taken === undefined ? null : `Stan already has a function \`${taken}\`.`;
}

/** What the checker does not see: a function and an argument with one name, and places that were not understood. */
function whyBlocked(result: CheckResult, found: Occurrences, name: string): string | null {
  const { files } = result;
  const declared = identifiersOf(result);
  const taken = found.suffixes.map((suffix) => name + suffix);
  const others = declared.filter(
    ({ isFunction }) => isFunction !== (found.declared === 'function'),
  );
  const other = others.find((known) => known.isDeclared && taken.includes(known.name));
  if (other !== undefined) {
    const { line } = positionAt(files[other.span.file], other.span.start);
    return `\`${other.name}\` is already declared on line ${line}. Choose another name.`;
  }
  if (!hasErrors(result.diagnostics)) return null;
  const known = new Set(declared.map(({ span }) => `${span.file}:${span.start}`));
  const written = found.suffixes.map((suffix) => found.name + suffix);
  for (const [file, { text }] of files.entries()) {
    const lost = lex(text, file).tokens.find(
      ({ kind, text: word, start }) =>
        kind === 'name' && written.includes(word) && !known.has(`${file}:${start}`),
    );
    if (lost === undefined) continue;
    const { line } = positionAt(files[file], lost.start);
    return `\`${lost.text}\` also appears on line ${line}, which has an error. Correct that first.`;
  }
  return null;
}

interface KnownName extends Identifier {
  readonly isFunction: boolean;
  readonly isDeclared: boolean;
}

function identifiersOf({ program }: CheckResult): readonly KnownName[] {
  const found: KnownName[] = [];
  const add = (name: Identifier, isFunction: boolean, isDeclared: boolean): void => {
    found.push({ ...name, isFunction, isDeclared });
  };
  walkProgram(program, {
    function: (node) => {
      add(node.name, true, true);
      for (const argument of node.arguments) add(argument.name, false, true);
    },
    statement: (node) => {
      const declared = declaredBy(node);
      if (declared !== null) add(declared.name, false, true);
      if (node.kind === 'tilde') add(node.distribution, true, false);
    },
    expression: (node) => {
      if (node.kind === 'variable') add(node, node.callable !== undefined, false);
      if (node.kind === 'call') add(node.name, true, false);
    },
  });
  return found;
}

/** What goes wrong when the edits are made, as a sentence; null if nothing. */
function troubleOf(result: CheckResult, edits: readonly TextEdit[], name: string): string | null {
  const renamed = checkEdited(result, edits);
  const error = newError(result, renamed);
  if (error !== null) {
    const [earlier] = error.related;
    const source = earlier && renamed.files[earlier.span.file];
    const line = source ? ` Line ${positionAt(source, earlier.span.start).line} has it.` : '';
    return `${error.message}${line}`;
  }
  const isSame = bindings(result).join() === bindings(renamed).join();
  return isSame ? null : `\`${name}\` already stands for something else where this is used.`;
}

function newError(before: CheckResult, after: CheckResult): Diagnostic | null {
  const errors = ({ diagnostics }: CheckResult) =>
    diagnostics.filter(({ severity }) => severity === 'error');
  const known = errors(before);
  const found = errors(after);
  if (found.length <= known.length) return null;
  const codes = known.map(({ code }) => code);
  const fresh = found.find(({ code }) => {
    const at = codes.indexOf(code);
    if (at >= 0) codes.splice(at, 1);
    return at < 0;
  });
  return fresh ?? found[0];
}

/** What each name of the program refers to, as numbers in the order of the text. */
function bindings({ program }: CheckResult): readonly (number | string)[] {
  const numbers = new Map<object, number>();
  const numberOf = (node: object | undefined): number => {
    if (node === undefined) return -1;
    const known = numbers.get(node);
    if (known !== undefined) return known;
    numbers.set(node, numbers.size);
    return numbers.size - 1;
  };
  const found: (number | string)[] = [];
  const called = (
    callee: { readonly user: object } | { readonly library: { readonly name: string } } | undefined,
  ) => (callee && 'library' in callee ? callee.library.name : numberOf(callee?.user));
  walkProgram(program, {
    function: (node) => {
      found.push(numberOf(node));
      for (const argument of node.arguments) found.push(numberOf(argument));
    },
    statement: (node) => {
      const declared = declaredBy(node);
      if (declared !== null) found.push(numberOf(declared));
      if (node.kind === 'tilde') found.push(called(node.density));
    },
    expression: (node) => {
      if (node.kind === 'variable') found.push(numberOf(node.declaration ?? node.callable));
      if (node.kind === 'call') found.push(called(node.callee));
    },
  });
  return found;
}
