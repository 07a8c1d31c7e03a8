/** Reads a request body as JSON, whatever its content type says. */
import { ServiceError } from './service-error.ts';

/** Twice the depth of a model tree (a folder is an object in an array) and room for the payload around it. */
const maxDepth = 128;

/**
 * The value of a body; an empty one is an empty object. Bare NaN and Infinity (Python's JSON writes them) are
 * accepted in messages of runners only.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return {};
  return tidy(parseText(text));
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ServiceError('INVALID_PARAMETER', 'body is not UTF-8 text.', {
      details: { field: 'body' },
    });
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const tolerant = parseRunnerMessage(text);
    if (tolerant !== undefined) return tolerant;
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : '';
    throw new ServiceError('INVALID_PARAMETER', `body is not JSON: ${reason}`, {
      details: { field: 'body' },
    });
  }
}

const marker = '\u0000number:';
const bareNumbers = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** A runner's message with bare NaN or Infinity in it, or undefined when the text is something else. */
function parseRunnerMessage(text: string): unknown {
  if (!/NaN|Infinity/.test(text) || !text.includes('experiment.')) return undefined;
  const quoted = text.replace(bareNumbers, (token) =>
    token.startsWith('"') ? token : JSON.stringify(marker + token),
  );
  try {
    const value: unknown = JSON.parse(quoted, (_, item: unknown) =>
      typeof item === 'string' && item.startsWith(marker)
        ? Number(item.slice(marker.length))
        : item,
    );
    const type = (value as { payload?: { object_type?: unknown } } | null)?.payload?.object_type;
    return typeof type === 'string' && type.startsWith('experiment.') ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Bounds the depth, and replaces halves of surrogate pairs, which no database stores. Without recursion. */
function tidy(root: unknown): unknown {
  if (typeof root !== 'object' || root === null) return root;
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) {
      throw new ServiceError(
        'INVALID_PARAMETER',
        `body is nested deeper than ${maxDepth} levels.`,
        {
          details: { field: 'body' },
        },
      );
    }
    const next: object[] = [];
    for (const parent of level) tidyMembers(parent as Record<string, unknown>, next);
    level = next;
  }
  return root;
}

function tidyMembers(parent: Record<string, unknown>, next: object[]): void {
  for (const key of Object.keys(parent)) {
    const value = parent[key];
    if (typeof value === 'string') {
      if (!isWellFormed(value)) parent[key] = toWellFormed(value);
    } else if (typeof value === 'object' && value !== null) next.push(value);
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
