/** Writes large JSON responses piece by piece: writing 45 MB in one go would block all other requests. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** Characters of JSON that are written before other requests get a turn. */
const PIECE = 2 ** 18;
/** The cost of a value in addition to its text: more than most are long, since each must be visited. */
const VALUE = 16;

/** JSON text, known to be valid, that is sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The same text as `JSON.stringify` gives, or a stream of it if it is long. */
export function writeJson(value: unknown): string | Readable {
  return weigh(value, PIECE) >= 0 ? JSON.stringify(value) : Readable.from(pieces(value));
}

/** What remains of `budget` after the value; negative if it is longer. Stops looking at that point. */
function weigh(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - VALUE - value.length;
  if (typeof value !== 'object' || value === null) return budget - VALUE;
  // must never be written as an ordinary object
  if (value instanceof JsonText) return -1;
  let left = budget - VALUE;
  if (Array.isArray(value))
    for (let i = 0; i < value.length && left >= 0; i++) left = weigh(value[i], left);
  else
    for (const key in value) {
      if (left < 0) break;
      left = weigh((value as Record<string, unknown>)[key], left - key.length);
    }
  return left;
}

async function* pieces(value: unknown): AsyncGenerator<Buffer> {
  let text = '';
  for (const part of parts(value)) {
    text += part;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
    await setImmediate();
  }
  yield Buffer.from(text);
}

/** None is much longer than a piece. */
function* parts(value: unknown): Generator<string> {
  if (value instanceof JsonText) yield* slices(value.text, (slice) => slice);
  else if (weigh(value, PIECE) >= 0) yield JSON.stringify(value);
  else if (typeof value === 'string') {
    yield '"';
    yield* slices(value, (slice) => JSON.stringify(slice).slice(1, -1));
    yield '"';
  } else if (Array.isArray(value)) {
    yield '[';
    for (let i = 0; i < value.length; i++) {
      if (i > 0) yield ',';
      yield* parts(value[i] === undefined ? null : value[i]);
    }
    yield ']';
  } else yield* members(value as object);
}

function* members(value: object): Generator<string> {
  let sign = '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${sign}${JSON.stringify(key)}:`;
    yield* parts(member);
    sign = ',';
  }
  yield sign === '{' ? '{}' : '}';
}

/** Never between the halves of a surrogate pair, which would be written separately as escapes. */
function* slices(text: string, write: (slice: string) => string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    yield write(text.slice(from, to));
    from = to;
  }
}
