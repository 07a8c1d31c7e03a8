/** What a call being written accepts: its signatures, the one that fits so far, and the current argument. */
import type { CheckResult } from '../check.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';
import type { Token } from '../syntax/token.ts';
import { callings } from '../types/signatures/higher-order.ts';
import { matchSignature } from '../types/signatures/match.ts';
import type { SignaturePattern, Term } from '../types/signatures/notation.ts';
import { signaturesOf } from '../types/signatures/signature-table.ts';
import {
  countPromotions,
  errorType,
  isAssignable,
  isError,
  realType,
  type StanType,
  voidType,
} from '../types/stan-type.ts';
import { typesOfArguments } from './argument-types.ts';
import {
  type CallForm,
  distributionForm,
  libraryForm,
  type PrintedForm,
  printForm,
  userForm,
} from './call-forms.ts';
import { docCommentOf } from './doc-comments.ts';
import { describeMeaning, docOf } from './docs-table.ts';
import { type OpenCall, openCall } from './open-call.ts';
import { tokenContext } from './token-at.ts';

export interface SignatureHelp {
  readonly signatures: readonly (PrintedForm & { readonly meaning: string })[];
  /** Which of them fits the arguments so far. */
  readonly active: number;
  /** Which argument is being written; past the last if there are too many. */
  readonly parameter: number;
}

interface Candidate {
  readonly form: CallForm;
  readonly meaning: string;
  /** Promotions that the arguments so far need; null when they do not fit. */
  readonly cost: number | null;
}

export function signatureHelp(result: CheckResult, offset: number, file = 0): SignatureHelp | null {
  const text = result.files[file]?.text ?? '';
  const { tokens, comment, block, depth } = tokenContext(text, offset, file);
  if (block === null || comment) return null;
  const before = tokens.filter((token) => token.start < offset && token.kind !== 'end');
  if (before.some((token) => token.kind === 'string' && isWithin(token, offset, text))) return null;
  const call = openCall(before);
  if (call === null || (block === 'functions' && depth === 1)) return null;
  const hasVariate = call.variate !== null;
  const written = call.arguments.slice(0, -1);
  const last = call.arguments.at(-1) ?? [];
  // The argument being written counts as soon as it exists, but does not yet rule out a signature.
  const operands = [...(call.variate === null ? [] : [call.variate]), ...written];
  const types = typesOfArguments(result, { file, offset, block }, [...operands, last]);
  const candidates = candidatesOf(result, call, {
    types: types.slice(0, operands.length),
    next: types[operands.length] ?? errorType,
  });
  if (candidates.length === 0) return null;
  const parameter = call.arguments.length - 1;
  const shown = candidates.map(({ form, meaning }) => ({
    ...printForm(hasVariate ? distributionForm(form) : form),
    meaning,
  }));
  return { signatures: shown, active: bestOf(candidates), parameter };
}

/** A string that is not closed extends to the end of its line. */
function isWithin({ start, end }: Token, offset: number, text: string): boolean {
  const isClosed = end - start > 1 && text[end - 1] === '"';
  return start < offset && (offset < end || (offset === end && !isClosed));
}

function bestOf(candidates: readonly Candidate[]): number {
  let best = 0;
  candidates.forEach(({ cost }, i) => {
    const least = candidates[best].cost;
    if (cost !== null && (least === null || cost < least)) best = i;
  });
  return best;
}

interface Operands {
  readonly types: readonly StanType[];
  /** The type of the argument being written: breaks ties. */
  readonly next: StanType;
}

function candidatesOf(result: CheckResult, call: OpenCall, operands: Operands): Candidate[] {
  const { name, variate } = call;
  const names =
    variate === null
      ? [name.text.replace(/_lup([dm])f$/, '_lp$1f')]
      : [`${name.text}_lpdf`, `${name.text}_lpmf`];
  const users = result.program.functions.filter(
    (definition) => names.includes(definition.name.name) && !isRepeated(result, definition),
  );
  const own = users.map((definition): Candidate => {
    const meaning = docCommentOf(result, definition);
    return { form: userForm(definition), meaning, cost: costOfUser(definition, operands) };
  });
  const libraryNames = variate === null ? [name.text] : names;
  const library = libraryNames.flatMap(signaturesOf).map((pattern): Candidate => {
    const doc = docOf(pattern.name);
    const meaning = doc === null ? '' : describeMeaning(doc);
    const form = withHandedArguments(result, call, libraryForm(pattern));
    return { form, meaning, cost: costOfPattern(pattern, operands) };
  });
  return [...own, ...distinct(library)];
}

/** A forward declaration whose definition follows. */
function isRepeated({ program }: CheckResult, definition: FunctionDefinition): boolean {
  if (definition.body !== null) return false;
  const { text } = printForm(userForm(definition));
  return program.functions.some(
    (other) => other.body !== null && printForm(userForm(other)).text === text,
  );
}

/** Lines of the table that print alike are merged; the better fit represents both. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const byText = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { text } = printForm(candidate.form);
    const known = byText.get(text);
    if (known === undefined || known.cost === null || (candidate.cost ?? Infinity) < known.cost) {
      byText.set(text, candidate);
    }
  }
  return [...byText.values()];
}

function costOfUser(
  { arguments: wanted }: FunctionDefinition,
  { types, next }: Operands,
): number | null {
  if (types.length + 1 > Math.max(wanted.length, 1)) return null;
  let cost = 0;
  for (const [i, type] of types.entries()) {
    if (!isAssignable(type, wanted[i].type)) return null;
    cost += isError(type) ? 0 : countPromotions(type, wanted[i].type);
  }
  const place = wanted[types.length];
  return place && !isAssignable(next, place.type) ? cost + unlikely : cost;
}

/** The argument being written may still change: a signature that it does not fit is only less likely. */
const unlikely = 0.5;

function costOfPattern(pattern: SignaturePattern, { types, next }: Operands): number | null {
  const args = pattern.arguments;
  const isOpen = args.at(-1)?.term.kind === 'rest';
  if (types.length + 1 > Math.max(args.length, 1) && !isOpen) return null;
  const costOf = (given: readonly StanType[]): number | null => {
    const known = given.map((type, i) => (isError(type) ? stand(args[i]?.term) : type));
    // After its own arguments, an open signature accepts anything.
    const own = args.slice(0, given.length).filter(({ term }) => term.kind !== 'rest');
    return (
      matchSignature({ ...pattern, arguments: own }, known.slice(0, own.length))?.promotions ?? null
    );
  };
  const cost = costOf(types);
  if (cost === null || isError(next)) return cost;
  return costOf([...types, next]) ?? cost + unlikely;
}

/** A type that fits, in place of an unknown one. */
function stand(term: Term | undefined): StanType {
  switch (term?.kind) {
    case 'type':
      return term.types[0];
    case 'generic':
      return { base: 'real', arrayDepth: term.arrayDepth };
    case 'callable':
      return voidType;
    default:
      return realType;
  }
}

/** Replaces `…` with the parameters of the function that is passed. */
function withHandedArguments({ program }: CheckResult, call: OpenCall, form: CallForm): CallForm {
  const calling = callings[form.name];
  const handed = call.arguments[0]?.[0]?.text;
  if (calling === undefined || form.parameters.at(-1) !== '…') return form;
  const definition = program.functions.find(({ name }) => name.name === handed);
  if (definition === undefined || call.arguments[0].length !== 1) return form;
  const own = form.parameters.slice(0, -1);
  return {
    ...form,
    parameters: [...own, ...userForm(definition).parameters.slice(calling.leading)],
  };
}
