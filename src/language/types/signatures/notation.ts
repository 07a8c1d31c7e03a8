/**
 * The compact notation of the signature table, read lazily.
 *
 * A line is `names(arguments) -> result`. Types are written `real`, `vector`, `int[]`, `real[,]`,
 * and in results `tuple(matrix, vector)`; in addition there are
 *
 * - `reals`: real, vector, row_vector, real[]; `ints`: int, int[]; `vectors`: vector, row_vector, and arrays of them
 * - `each`, `each_int`: a scalar or any container; all of a signature's containers must have the same type
 * - `T`: any type, the same in every place; `T[]` an array of it
 * - `A|B`: either of two types
 * - `f:name`: the name of a user function of the shape `name` (see `check-callables.ts`)
 * - `data X`: X of data only; `…`: any further arguments
 *
 * In a result, `real*`, `int*`, `vector*` is that type, or an array of it when an argument is a container.
 */
import { arrayOf, type BaseType, type StanType, tupleOf } from '../stan-type.ts';

export type Term =
  | { readonly kind: 'type'; readonly types: readonly StanType[] }
  | { readonly kind: 'each'; readonly int: boolean }
  | { readonly kind: 'generic'; readonly arrayDepth: number }
  | { readonly kind: 'lifted'; readonly type: StanType }
  | { readonly kind: 'callable'; readonly shape: string }
  | { readonly kind: 'rest' };

export interface ArgumentPattern {
  readonly term: Term;
  readonly dataOnly: boolean;
  /** As written, for display. */
  readonly text: string;
}

export interface SignaturePattern {
  readonly name: string;
  readonly arguments: readonly ArgumentPattern[];
  readonly result: Term;
  readonly resultText: string;
}

/** One line of the table, not parsed yet. */
export interface SignatureLine {
  readonly names: readonly string[];
  readonly arguments: string;
  readonly result: string;
}

const of = (base: BaseType, arrayDepth = 0): StanType => ({ base, arrayDepth });

const classes: Readonly<Record<string, readonly StanType[]>> = {
  reals: [of('real'), of('vector'), of('row_vector'), of('real', 1)],
  ints: [of('int'), of('int', 1)],
  vectors: [of('vector'), of('row_vector'), of('vector', 1), of('row_vector', 1)],
};

/** Splits a table into its lines; names separated by blanks share arguments and result. */
export function readTable(table: string): SignatureLine[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const open = line.indexOf('(');
      const close = line.indexOf(') -> ');
      return {
        names: line.slice(0, open).trim().split(/\s+/),
        arguments: line.slice(open + 1, close),
        result: line.slice(close + 5).trim(),
      };
    });
}

/** Excludes the commas inside `tuple(…)`. */
const betweenArguments = /,\s+(?![^(]*\))/;

export function readSignature(name: string, line: SignatureLine): SignaturePattern {
  const texts = line.arguments === '' ? [] : line.arguments.split(betweenArguments);
  return {
    name,
    arguments: texts.map(readArgument),
    result: readTerm(line.result),
    resultText: line.result,
  };
}

function readArgument(text: string): ArgumentPattern {
  const dataOnly = text.startsWith('data ');
  return { term: readTerm(dataOnly ? text.slice(5) : text), dataOnly, text };
}

function readTerm(text: string): Term {
  if (text === '…') return { kind: 'rest' };
  if (text === 'each' || text === 'each_int') return { kind: 'each', int: text === 'each_int' };
  if (text.startsWith('f:')) return { kind: 'callable', shape: text.slice(2) };
  if (text.endsWith('*')) return { kind: 'lifted', type: readType(text.slice(0, -1)) };
  if (/^T(?:\[,*\])?$/.test(text))
    return { kind: 'generic', arrayDepth: Math.max(0, text.length - 2) };
  return {
    kind: 'type',
    types: text.split('|').flatMap((part) => classes[part] ?? [readType(part)]),
  };
}

/** `real[,]` is an array of two dimensions; `tuple(real, int[])` contains such types. */
function readType(text: string): StanType {
  if (text.startsWith('tuple(')) return tupleOf(text.slice(6, -1).split(', ').map(readType));
  const bracket = text.indexOf('[');
  if (bracket < 0) return of(text as BaseType);
  return arrayOf(of(text.slice(0, bracket) as BaseType), text.length - bracket - 1);
}
