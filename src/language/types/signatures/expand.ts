/** All concrete argument lists a pattern of the table stands for. */
import { arrayOf, type BaseType, type StanType, voidType } from '../stan-type.ts';
import type { SignaturePattern, Term } from './notation.ts';

const complexBases: readonly BaseType[] = [
  'complex',
  'complex_vector',
  'complex_row_vector',
  'complex_matrix',
];
const realBases: readonly BaseType[] = ['real', 'vector', 'row_vector', 'matrix'];

/** Argument lists in the order of the table; some may not match when containers must be alike. */
export function* expandSignature(
  pattern: SignaturePattern,
  maxArrayDepth: number,
): Generator<readonly StanType[]> {
  const choices = pattern.arguments
    .filter(({ term }) => term.kind !== 'rest')
    .map(({ term }) => membersOf(term, maxArrayDepth));
  yield* product(choices, 0, []);
}

function* product(
  choices: readonly (readonly StanType[])[],
  at: number,
  chosen: readonly StanType[],
): Generator<readonly StanType[]> {
  if (at === choices.length) {
    yield chosen;
    return;
  }
  for (const type of choices[at]) yield* product(choices, at + 1, [...chosen, type]);
}

function membersOf(term: Term, maxArrayDepth: number): readonly StanType[] {
  switch (term.kind) {
    case 'type':
      return term.types;
    case 'each':
      return withArrays(term.int ? ['int'] : realBases, 0, maxArrayDepth + (term.int ? 2 : 0));
    case 'generic':
      return withArrays(['int', ...realBases, ...complexBases], term.arrayDepth, maxArrayDepth);
    case 'callable':
      return [voidType];
    default:
      return [];
  }
}

function withArrays(bases: readonly BaseType[], from: number, to: number): StanType[] {
  const types: StanType[] = [];
  for (let depth = from; depth <= Math.max(from, to); depth++) {
    for (const base of bases) types.push(arrayOf({ base, arrayDepth: 0 }, depth));
  }
  return types;
}
