/** Reads a request body as JSON, whatever its content type says. */
import { limits } from '../../contract/limits.ts';
import { type Bound, type JsonBounds, scanJson } from './json-scan.ts';
import { invalidField } from './service-error.ts';

const boundOf = (limit: keyof typeof limits): Bound => ({ limit, allowed: limits[limit] });

const ordinaryBounds: JsonBounds = { values: boundOf('body_values') };
/** A message of draws has hundreds of thousands of names and millions of numbers. */
const drawsBounds: JsonBounds = {
  values: boundOf('message_values'),
  numbers: boundOf('message_numbers'),
};

/**
 * The value of a body; an empty body is an empty object. Bare NaN and Infinity (Python's JSON writes them) are
 * accepted only in messages from runners. Counts before parsing: throws TOO_LARGE naming the limit.
 */
export function parseJsonBody(bytes: Uint8Array, bounds = ordinaryBounds): unknown {
  const hasBareNumbers = scanJson(bytes, bounds);
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return {};
  return tidy(hasBareNumbers ? parseRunnerMessage(text) : parseText(text));
}

/** Reads a large body. One that claims to be a message of draws gets the larger limits, but must then be one. */
export function parseLargeBody(bytes: Uint8Array): unknown {
  const { buffer, byteOffset, length } = bytes;
  if (!Buffer.from(buffer, byteOffset, length).includes(drawsMessage)) return parseJsonBody(bytes);
  const value = parseJsonBody(bytes, drawsBounds);
  // other bodies may mention the type too, within their own limits
  if (messageType(value) !== drawsMessage) scanJson(bytes, ordinaryBounds);
  return value;
}

/** A form (`a=1&b=2`) as an object of strings; text that looks like JSON is read as JSON. */
export function parseFormBody(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes).trim();
  if (text === '' || text.startsWith('{')) return parseJsonBody(bytes);
  return tidy(Object.fromEntries(new URLSearchParams(text)));
}

const drawsMessage = 'experiment.protobuf_message';

function messageType(value: unknown): unknown {
  const payload = (value as { payload?: { object_type?: unknown } | null } | null)?.payload;
  return payload?.object_type;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidField('body', 'is not UTF-8 text.');
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error instanceof SyntaxError ? error.message.slice(0, 200) : '');
  }
}

const notJson = (reason: string) => invalidField('body', `is not JSON: ${reason}`);

/** Represents NaN, which JSON lacks; no real draw has exactly this value. */
const nanStandIn = -6.02214076231415e-291;

/** A message containing bare NaN or Infinity, which only runners may send. Parsed once. */
function parseRunnerMessage(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(replaceBareNumbers(text));
  } catch {
    throw notJson('it is not valid JSON with numbers in place of NaN and Infinity either.');
  }
  const type = messageType(value);
  if (typeof type === 'string' && type.startsWith('experiment.')) return value;
  throw notJson('only messages of runners may contain NaN and Infinity.');
}

/** Outside strings, replaces NaN with its stand-in, and Infinity with a number so large that it parses as Infinity. */
function replaceBareNumbers(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const bare = text.slice(at, quote < 0 ? text.length : quote);
    parts.push(bare.replaceAll('NaN', String(nanStandIn)).replaceAll('Infinity', '1e999'));
    if (quote < 0) break;
    at = endOfString(text, quote);
    parts.push(text.slice(quote, at));
  }
  return parts.join('');
}

/** The position after the string that begins at `quote`; the end of the text if it is not closed. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}

/** Replaces unpaired surrogates, which no database stores. Without recursion. */
function tidy(root: unknown): unknown {
  if (typeof root !== 'object' || root === null) return root;
  let level: object[] = [root];
  while (level.length > 0) {
    const next: object[] = [];
    for (const parent of level) {
      if (Array.isArray(parent)) tidyItems(parent, next);
      else tidyMembers(parent as Record<string, unknown>, next);
    }
    level = next;
  }
  return root;
}

/** Arrays separately: a runner's message contains millions of numbers. */
function tidyItems(items: unknown[], next: object[]): void {
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === 'number') {
      if (item === nanStandIn) items[i] = Number.NaN;
    } else if (typeof item === 'string') {
      if (!isWellFormed(item)) items[i] = toWellFormed(item);
    } else if (typeof item === 'object' && item !== null) next.push(item);
  }
}

function tidyMembers(parent: Record<string, unknown>, next: object[]): void {
  for (const key of Object.keys(parent)) {
    const value = parent[key];
    if (typeof value === 'string') {
      if (!isWellFormed(value)) parent[key] = toWellFormed(value);
    } else if (value === nanStandIn) parent[key] = Number.NaN;
    else if (typeof value === 'object' && value !== null) next.push(value);
    if (key === '__proto__') delete parent[key];
    else if (!isWellFormed(key)) {
      const member = parent[key];
      delete parent[key];
      parent[toWellFormed(key)] = member;
    }
  }
}

const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;
const isWellFormed = (text: string) => !loneSurrogate.test(text);
const toWellFormed = (text: string) => text.replace(loneSurrogates, '\uFFFD');
