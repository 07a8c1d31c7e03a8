/** Whether arguments fit a signature of the table, and what comes out. */
import { assertNever } from '../../../shared/assert-never.ts';
import {
  arrayOf,
  commonType,
  countPromotions,
  errorType,
  isComplex,
  isSameType,
  isScalar,
  promoteToComplex,
  promoteToReal,
  type StanType,
  voidType,
} from '../stan-type.ts';
import type { SignaturePattern, Term } from './notation.ts';

export interface Match {
  /** Types after promotion, as the implementation receives them. */
  readonly arguments: readonly StanType[];
  readonly result: StanType;
  /** How many promotions the arguments needed; the fewest wins. */
  readonly promotions: number;
}

/** What earlier arguments of the same signature have settled. */
interface Bindings {
  each: StanType | null;
  /** An int array where the container should be a vector or matrix. */
  eachInt: StanType | null;
  generic: StanType | null;
  lifted: boolean;
}

/** Null when the arguments do not fit. A callable argument is given as `void`; its shape is checked elsewhere. */
export function matchSignature(
  pattern: SignaturePattern,
  types: readonly StanType[],
): Match | null {
  const bindings: Bindings = { each: null, eachInt: null, generic: null, lifted: false };
  const { arguments: args } = pattern;
  const open = args.at(-1)?.term.kind === 'rest';
  const numFixed = open ? args.length - 1 : args.length;
  if (open ? types.length < numFixed : types.length !== numFixed) return null;
  const found: StanType[] = [];
  let promotions = 0;
  for (let i = 0; i < types.length; i++) {
    const type = i < numFixed ? matchTerm(args[i].term, types[i], bindings) : types[i];
    if (!type) return null;
    promotions += countPromotions(types[i], type);
    found.push(type);
  }
  if (!areContainersAlike(bindings)) return null;
  settleGenerics(args, found, bindings);
  return { arguments: found, result: resultOf(pattern.result, bindings), promotions };
}

/** The type that the argument gets, or null when it does not fit. */
function matchTerm(term: Term, type: StanType, bindings: Bindings): StanType | null {
  switch (term.kind) {
    case 'type': {
      const fitting =
        term.types.find((member) => isSameType(member, type)) ??
        term.types.find((member) => isSameType(member, promoteToReal(type))) ??
        term.types.find((member) => isSameType(member, promoteToComplex(type)));
      if (!fitting) return null;
      // A container among the arguments of a random number function makes its result an array.
      if (fitting.arrayDepth > 0 || (term.types.length > 2 && !isScalarOrSingle(term, fitting))) {
        bindings.lifted = true;
      }
      return fitting;
    }
    case 'each':
      return matchEach(term.int, type, bindings);
    case 'generic':
      return matchGeneric(term.arrayDepth, type, bindings);
    case 'callable':
      return type.base === 'void' ? voidType : null;
    case 'rest':
    case 'lifted':
      return null;
    default:
      return assertNever(term, 'term');
  }
}

/** In `reals` a vector is a container of draws; in `vectors` it is one draw. */
function isScalarOrSingle(term: Term & { kind: 'type' }, type: StanType): boolean {
  if (isScalar(type)) return true;
  return !term.types.some(isScalar) && type.arrayDepth === 0;
}

function matchEach(int: boolean, type: StanType, bindings: Bindings): StanType | null {
  if (type.base === 'void' || type.base === 'tuple' || isComplex(type)) return null;
  if (int) {
    if (type.base !== 'int') return null;
    if (type.arrayDepth > 0) {
      if (bindings.eachInt && !isSameType(bindings.eachInt, type)) return null;
      bindings.eachInt = type;
    }
    return type;
  }
  const real = promoteToReal(type);
  if (!isScalar(real)) {
    if (bindings.each && !isSameType(bindings.each, real)) return null;
    bindings.each = real;
  }
  return real;
}

/** An int array next to a real container has as many dimensions as that in total. */
function areContainersAlike({ each, eachInt }: Bindings): boolean {
  if (!each || !eachInt) return true;
  const inner = each.base === 'matrix' ? 2 : each.base === 'real' ? 0 : 1;
  return each.arrayDepth + inner === eachInt.arrayDepth;
}

function matchGeneric(arrayDepth: number, type: StanType, bindings: Bindings): StanType | null {
  // As in Stan, functions of any array do not accept arrays of tuples.
  if (type.base === 'void' || type.base === 'tuple' || type.arrayDepth < arrayDepth) return null;
  const element: StanType = { base: type.base, arrayDepth: type.arrayDepth - arrayDepth };
  const bound = bindings.generic;
  if (!bound) {
    bindings.generic = element;
    return type;
  }
  const common = commonType(bound, element);
  if (!common) return null;
  bindings.generic = common;
  return arrayOf(common, arrayDepth);
}

/** Promotes earlier arguments when a later one has a type that they promote to. */
function settleGenerics(
  args: SignaturePattern['arguments'],
  found: StanType[],
  { generic }: Bindings,
): void {
  if (!generic) return;
  args.forEach(({ term }, i) => {
    if (term.kind === 'generic' && i < found.length) found[i] = arrayOf(generic, term.arrayDepth);
  });
}

function resultOf(term: Term, bindings: Bindings): StanType {
  switch (term.kind) {
    case 'type':
      return term.types[0];
    case 'each':
      if (!term.int) return bindings.each ?? realOfInts(bindings.eachInt);
      return bindings.eachInt ?? { base: 'int', arrayDepth: 0 };
    case 'generic':
      return bindings.generic ? arrayOf(bindings.generic, term.arrayDepth) : errorType;
    case 'lifted':
      return bindings.lifted ? arrayOf(term.type) : term.type;
    case 'callable':
    case 'rest':
      return errorType;
    default:
      return assertNever(term, 'term');
  }
}

function realOfInts(type: StanType | null): StanType {
  return type ? promoteToReal(type) : { base: 'real', arrayDepth: 0 };
}
