/** Where a text stops being JSON: its line and column, the same in every browser. */

export interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** "a value was expected", "the text ends too early". */
  readonly message: string;
}

class Fault extends Error {
  readonly place: number;
  constructor(place: number, message: string) {
    super(message);
    this.place = place;
  }
}

/** The first fault, or null when the text is JSON (RFC 8259). */
export function findJsonFault(text: string): JsonFault | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    // Engines name the position in different ways, or not at all: it is located here.
  }
  try {
    const end = readValue(text, skipSpace(text, 0), 0);
    const rest = skipSpace(text, end);
    if (rest < text.length) throw new Fault(rest, 'the value ended before this');
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.place).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: error.message,
    };
  }
}

/** "Line 3, column 5: a comma or } was expected." */
export function faultText({ line, column, message }: JsonFault): string {
  return `Line ${line}, column ${column}: ${message}.`;
}

const deepest = 512;

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}

function expected(text: string, at: number, message: string): Fault {
  return new Fault(at, at >= text.length ? 'the text ends too early' : message);
}

/** Sticky patterns of values without parts. */
const literal = /true|false|null/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// control characters are what a string must not contain
// oxlint-disable-next-line no-control-regex -- control characters are what a string must not hold
const goodString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
// as above
// oxlint-disable-next-line no-control-regex -- as above
const stringStart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function readString(text: string, at: number): number {
  const end = match(goodString, text, at);
  if (end !== -1) return end;
  const bad = match(stringStart, text, at);
  const message =
    text[bad] === '\\' ? 'this \\ does not begin an escape' : 'the quote is not closed';
  throw expected(text, bad, message);
}

/** The end of the value that begins at `at`. */
function readValue(text: string, at: number, depth: number): number {
  if (depth > deepest) throw new Fault(at, `more than ${deepest} levels`);
  const first = text[at];
  if (first === '"') return readString(text, at);
  if (first === '{' || first === '[') return readParts(text, at, depth);
  for (const pattern of [literal, number]) {
    const end = match(pattern, text, at);
    if (end !== -1) return end;
  }
  throw expected(text, at, 'a value was expected');
}

/** An array or an object. */
function readParts(text: string, start: number, depth: number): number {
  const isObject = text[start] === '{';
  const close = isObject ? '}' : ']';
  let at = skipSpace(text, start + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    if (isObject) {
      if (text[at] !== '"') throw expected(text, at, 'a name in double quotes was expected');
      at = skipSpace(text, readString(text, at));
      if (text[at] !== ':') throw expected(text, at, 'a colon was expected');
      at = skipSpace(text, at + 1);
    }
    at = skipSpace(text, readValue(text, at, depth + 1));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') throw expected(text, at, `a comma or ${close} was expected`);
    at = skipSpace(text, at + 1);
  }
}
