/** What may be written at a place: keywords by context, names in scope, functions, distributions after `~`. */
import type { CheckResult } from '../check.ts';
import type { Span } from '../source/span.ts';
import type { BlockName } from '../syntax/ast.ts';
import { blockNames } from '../syntax/parse.ts';
import { constrainedTypes, plainTypes, typeWords } from '../syntax/token.ts';
import {
  deprecatedFunctions,
  libraryDistributions,
  libraryNames,
} from '../types/signatures/signature-table.ts';
import { distributionForm, libraryForms, printForm, userForm } from './call-forms.ts';
import { describeMeaning, distributionDocOf, wordDoc } from './docs-table.ts';
import { describeFunction, describeLibrary, describeVariable } from './hover.ts';
import { type TokenContext, tokenContext } from './token-at.ts';
import { isInTupleType, membersBefore } from './tuple-members.ts';
import { visibleNames } from './visible-names.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'keyword' | 'type' | 'variable' | 'function' | 'distribution' | 'block';
  /** Type, signature or arguments, in one line. */
  readonly detail: string;
  readonly meaning: string;
  /** What to insert in place of {@link Completions.span}; `$0` marks where the cursor goes. */
  readonly insert: string;
}

export interface Completions {
  /** The part of a name that is already there. */
  readonly span: Span;
  readonly items: readonly Completion[];
}

export function complete(result: CheckResult, offset: number, file = 0): Completions {
  const text = result.files[file]?.text ?? '';
  const context = tokenContext(text, offset, file);
  const { touched } = context;
  const members = membersBefore(result, context, { file, start: offset, end: offset });
  if (members) return members;
  const start = touched?.kind === 'name' ? touched.start : offset;
  const span = { file, start, end: offset };
  if (context.comment || (touched && touched.kind !== 'name')) return { span, items: [] };
  return { span, items: itemsAt(result, context, span) };
}

function itemsAt(result: CheckResult, context: TokenContext, span: Span): readonly Completion[] {
  const { tokens, block, depth } = context;
  if (!block) return missingBlocks(result);
  const before = tokens.filter((token) => token.end <= span.start);
  const last = before.at(-1)?.text ?? '';
  const secondLast = before.at(-2)?.text ?? '';
  if (last === '~') return distributions(result);
  if (typeWords.has(secondLast) && last === '<')
    return keywords(['lower', 'upper', 'offset', 'multiplier'], '=');
  if (isNamePlace(last)) return [];
  if (isInTupleType(before)) return typeItems();
  const startsStatement = ['{', '}', ';', ')', 'else'].includes(last);
  const types = startsStatement ? typeItems() : [];
  if (block === 'functions' && depth === 1) return [...types, ...keywords(['void', 'array'], ' ')];
  if (block === 'data' || block === 'parameters') {
    if (startsStatement) return types;
  }
  return [
    ...(startsStatement ? statementWords(block) : []),
    ...types,
    ...variables(result, span, block),
    ...functions(result, block),
  ];
}

/** A type is followed by a new name. */
function isNamePlace(last: string): boolean {
  return last !== 'array' && last !== 'void' && typeWords.has(last);
}

function missingBlocks({ program }: CheckResult): Completion[] {
  return blockNames
    .filter((name) => !program.blocks[name])
    .map((name) => wordOf('block', name, `${name} {\n  $0\n}`));
}

function wordOf(kind: 'block' | 'keyword' | 'type', word: string, insert: string): Completion {
  const detail = kind === 'keyword' ? '' : kind;
  return { label: word, kind, detail, meaning: wordDoc(word) ?? '', insert };
}

function keywords(list: readonly string[], suffix: string): Completion[] {
  return list.map((word) => wordOf('keyword', word, `${word}${suffix}`));
}

const statementForms: Readonly<Record<string, string>> = {
  for: 'for ($0) {\n}',
  while: 'while ($0) {\n}',
  if: 'if ($0) {\n}',
  else: 'else ',
  print: 'print($0);',
  reject: 'reject($0);',
  fatal_error: 'fatal_error($0);',
  profile: 'profile("$0") {\n}',
};

function statementWords(block: BlockName): Completion[] {
  const items = Object.entries(statementForms).map(([word, insert]) =>
    wordOf('keyword', word, insert),
  );
  if (block === 'functions') items.push(...keywords(['return', 'break', 'continue'], ''));
  if (block !== 'model' && block !== 'functions') return items;
  const meaning = wordDoc('target') ?? '';
  return [
    { label: 'target +=', kind: 'keyword', detail: '', meaning, insert: 'target += $0;' },
    ...items,
  ];
}

function typeItems(): Completion[] {
  return ['array', 'tuple', ...plainTypes, ...Object.keys(constrainedTypes)].map((word) =>
    wordOf('type', word, word),
  );
}

function variables(result: CheckResult, place: Span, block: BlockName): Completion[] {
  const seen = new Set<string>();
  return visibleNames(result.program, place, block)
    .reverse()
    .filter(({ name }) => !seen.has(name.name) && seen.add(name.name))
    .map((declaration) => {
      const { code, text } = describeVariable(declaration);
      const label = declaration.name.name;
      return { label, kind: 'variable', detail: code, meaning: text, insert: label };
    });
}

/** Operators have names too, but not ones to call. */
const operatorOnly: ReadonlySet<string> = new Set(['modulus', 'plus']);

function functions(result: CheckResult, block: BlockName): Completion[] {
  const random =
    block === 'transformed data' || block === 'generated quantities' || block === 'functions';
  const users = result.program.functions.map((definition): Completion => {
    const { code, text } = describeFunction(result, definition);
    return call(definition.name.name, code, text);
  });
  const library = libraryFunctions().filter(({ label: name }) => {
    if (name.endsWith('_rng')) return random;
    return block === 'model' || block === 'functions' || !/_lup[dm]f$/.test(name);
  });
  return [...users, ...library];
}

let callable: readonly Completion[] | null = null;

/** They are the same at every keystroke. */
function libraryFunctions(): readonly Completion[] {
  callable ??= libraryNames()
    .filter((name) => !name.startsWith('logical_') && !operatorOnly.has(name))
    .filter((name) => !deprecatedFunctions[name])
    .map((name) => {
      const described = describeLibrary(name, null);
      return call(name, described?.code ?? name, described?.text ?? '');
    });
  return callable;
}

function call(name: string, detail: string, meaning: string): Completion {
  return { label: name, kind: 'function', detail, meaning, insert: `${name}($0)` };
}

function distributions(result: CheckResult): Completion[] {
  const users = result.program.functions.flatMap((definition): Completion[] => {
    const found = /^(.*)_lp[dm]f$/.exec(definition.name.name);
    if (!found) return [];
    const { text } = describeFunction(result, definition);
    const { text: detail } = printForm(distributionForm(userForm(definition)));
    return [distribution(found[1], detail, text)];
  });
  return [...users, ...libraryDensities()];
}

let densities: readonly Completion[] | null = null;

function libraryDensities(): readonly Completion[] {
  densities ??= libraryDistributions().map(({ name, suffix }) => {
    const { text: detail } = printForm(distributionForm(libraryForms(`${name}_${suffix}`)[0]));
    const doc = distributionDocOf(name);
    return distribution(name, detail, doc ? describeMeaning(doc) : '');
  });
  return densities;
}

function distribution(name: string, detail: string, meaning: string): Completion {
  return { label: name, kind: 'distribution', detail, meaning, insert: `${name}($0);` };
}
