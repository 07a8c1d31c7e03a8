/** Counts the values in a JSON text in one pass over its bytes, so that too large a body is refused before parsing. */
import { invalidField, ServiceError, tooLarge } from './service-error.ts';

/** A limit of `/sys/config`. */
export interface Bound {
  readonly limit: string;
  readonly allowed: number;
}

export interface JsonBounds {
  /** Strings, names, lists, objects, true, false and null; numbers too, unless they have a separate bound. */
  readonly values: Bound;
  readonly numbers?: Bound;
}

/** Twice the depth of a model tree (a folder is an object in an array) and room for the payload around it. */
const maxDepth = 128;

// The kind of a byte outside strings. Plain numbers in a table, because this reads every byte of every body.
const OTHER = 0;
const OPEN = 1;
const CLOSE = 2;
const QUOTE = 3;
const NUMBER = 4;
const BARE = 5;
const WORD = 6;

const kinds = tableOf([
  ['[{', OPEN],
  [']}', CLOSE],
  ['"', QUOTE],
  ['-0123456789', NUMBER],
  ['NI', BARE],
  ['tfn', WORD],
]);
const endsWord = tableOf([[' \t\r\n,:[]{}"', 1]]);
const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const lastOfInfinity = 'y'.charCodeAt(0);

function tableOf(rows: readonly (readonly [string, number])[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const [characters, kind] of rows)
    for (const character of characters) table[character.charCodeAt(0)] = kind;
  return table;
}

/**
 * Whether it may contain a bare NaN or Infinity. Throws TOO_LARGE naming the limit, and INVALID_PARAMETER for deep
 * nesting. Text that is not JSON is counted as if it were.
 */
export function scanJson(bytes: Uint8Array, { values, numbers }: JsonBounds): boolean {
  let numValues = 0;
  let numNumbers = 0;
  let depth = 0;
  let hasBareNumbers = false;
  for (let at = 0; at < bytes.length; ) {
    const kind = kinds[bytes[at] ?? 0] ?? OTHER;
    if (kind === QUOTE) at = endOfText(bytes, at);
    else if (kind >= NUMBER) at = endOfWord(bytes, at);
    else at += 1;
    if (kind === OTHER) continue;
    if (kind === CLOSE) {
      depth -= 1;
      continue;
    }
    if (kind === OPEN) {
      depth += 1;
      if (depth > maxDepth) throw tooDeep();
    }
    const isNumber = kind === NUMBER || kind === BARE;
    if (isNumber && (kind === BARE || bytes[at - 1] === lastOfInfinity)) hasBareNumbers = true;
    if (isNumber && numbers !== undefined) numNumbers += 1;
    else numValues += 1;
    if (numValues > values.allowed) throw tooMany(values);
    if (numbers !== undefined && numNumbers > numbers.allowed) throw tooMany(numbers);
  }
  return hasBareNumbers;
}

/** The position after the string that begins at `at`. */
function endOfText(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < bytes.length) {
    const byte = bytes[next];
    if (byte === quote) return next + 1;
    next += byte === backslash ? 2 : 1;
  }
  return next;
}

/** The position after a number or word: at the next space, comma, colon, bracket or quote. */
function endOfWord(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < bytes.length && endsWord[bytes[next] ?? 0] === 0) next += 1;
  return next;
}

const tooDeep = () => invalidField('body', `is nested deeper than ${maxDepth} levels.`);

function tooMany({ limit, allowed }: Bound): ServiceError {
  const message = `body holds more values than ${limit} allows (${allowed}); send them in several requests, or as the text of a data object.`;
  return tooLarge(message, { field: 'body', limit, allowed });
}
