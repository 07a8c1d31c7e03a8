/** Data of a program: JSON with the extensions that other tools use. */
import { err, ok, type Result } from '../shared/result.ts';

export interface DataJsonProblem {
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/** An integer that a double cannot represent: it was rounded. */
export interface RoundedInteger {
  readonly text: string;
  readonly line: number;
}

export interface ParsedData {
  readonly value: unknown;
  readonly rounded: readonly RoundedInteger[];
}

const DEEPEST = 200;

/**
 * Parses JSON, with bare `NaN`, `Infinity`, `-Infinity` (and `Inf`) allowed as numbers. Integers beyond 2^53 that lose
 * digits are reported, not refused. Ordinary files go through the engine's own parser.
 */
export function parseDataJson(text: string): Result<ParsedData, DataJsonProblem> {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (!/[NI]|\d{16}/.test(source)) {
    try {
      return ok({ value: JSON.parse(source) as unknown, rounded: [] });
    } catch {
      // Parsed again below, to locate the error.
    }
  }
  return parseTolerant(source);
}

class Fault extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

function parseTolerant(text: string): Result<ParsedData, DataJsonProblem> {
  const rounded: RoundedInteger[] = [];
  try {
    return ok({ value: createParser(text, rounded)(), rounded });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const before = text.slice(0, error.at).split('\n');
    const column = before[before.length - 1].length + 1;
    return err({ message: error.message, line: before.length, column });
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /[+-]?(?:NaN|Infinity|Inf)\b|true\b|false\b|null\b/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4}|\u007f|[\u0080-\u009f])*"/uy;
const literals = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['Inf', Infinity],
  ['-Infinity', -Infinity],
  ['-Inf', -Infinity],
  ['+Infinity', Infinity],
  ['+Inf', Infinity],
  ['+NaN', NaN],
  ['-NaN', NaN],
]);

function createParser(text: string, rounded: RoundedInteger[]): () => unknown {
  let at = 0;
  const lineAt = lineCounter(text);
  const skipBlanks = () => {
    while (' \t\n\r'.includes(text[at])) at++;
  };
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const expected = (what: string) => {
    const found = at < text.length ? JSON.stringify(text.slice(at, at + 12)) : 'the end';
    return new Fault(`expected ${what}, found ${found}`, at);
  };
  const take = (sign: string): boolean => {
    skipBlanks();
    if (text[at] !== sign) return false;
    at++;
    return true;
  };
  const string = (): string => {
    skipBlanks();
    const found = match(STRING);
    if (found === null) throw expected('a name in double quotes');
    return JSON.parse(found) as string;
  };
  const list = (depth: number): unknown[] => {
    const items: unknown[] = [];
    if (take(']')) return items;
    do items.push(value(depth + 1));
    while (take(','));
    if (!take(']')) throw expected('"," or "]"');
    return items;
  };
  const object = (depth: number): Record<string, unknown> => {
    const members: Record<string, unknown> = {};
    if (take('}')) return members;
    do {
      const name = string();
      if (!take(':')) throw expected('":"');
      // Defined, not assigned: "__proto__" must become a member like any other.
      Object.defineProperty(members, name, {
        value: value(depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } while (take(','));
    if (!take('}')) throw expected('"," or "}"');
    return members;
  };
  const value = (depth: number): unknown => {
    if (depth > DEEPEST) throw new Fault(`nested deeper than ${DEEPEST} levels`, at);
    if (take('[')) return list(depth);
    if (take('{')) return object(depth);
    if (text[at] === '"') return string();
    const literal = match(LITERAL);
    if (literal !== null) return literals.get(literal);
    const number = match(NUMBER);
    if (number === null) throw expected('a value');
    if (isRounded(number)) rounded.push({ text: number, line: lineAt(at) });
    return Number(number);
  };
  return () => {
    const result = value(0);
    skipBlanks();
    if (at < text.length) throw expected('the end');
    return result;
  };
}

function isRounded(number: string): boolean {
  if (!/^-?\d{16,}$/.test(number)) return false;
  const double = Number(number);
  return !Number.isFinite(double) || BigInt(number) !== BigInt(double);
}

/** Counts lines from the previous position: starting over for each number would be quadratic. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  };
}
