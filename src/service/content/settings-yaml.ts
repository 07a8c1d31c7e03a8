/** Reads settings as YAML, in linear time and within bounds that are checked before parsing. */
import { isScalar, parseDocument, visit } from 'yaml';
import { limits } from '../../contract/limits.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** Depth of nested brackets or dashes: settings of a run have three levels. */
const MOST_DEPTH = 32;
const MOST_ANCHORS = 20;
/** Number of marks that takes only a few milliseconds to read. */
const FEW_MARKS = 300;

/** Characters that begin or end a value; those inside text count too, so the bound is far above normal use. */
const marks = /[,:[{?\n]|- /g;

/** Whether reading it takes so long that it would hold up other requests. */
export function isLongYaml(text: string): boolean {
  return text.length > 4096 || (text.match(marks)?.length ?? 0) > FEW_MARKS;
}

/** The value of the text. The message of an error continues a sentence that begins "The settings". */
export function readSettingsYaml(text: string): Result<unknown, string> {
  const excess = excessOf(text);
  if (excess !== null) return err(excess);
  try {
    // the library's own check for duplicate keys takes quadratic time
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
    const [fault] = document.errors;
    if (fault !== undefined) return err(`are not valid YAML: ${faultOf(fault)}`);
    const twice = findDouble(document);
    if (twice !== null) return err(`are not valid YAML: ${twice}`);
    const value: unknown = document.toJS({ maxAliasCount: MOST_ANCHORS });
    // They are stored as JSON, which cannot represent a YAML value that contains itself.
    JSON.stringify(value);
    return ok(value);
  } catch (error) {
    return err(`are not valid YAML: ${faultOf(error as Error)}`);
  }
}

/** What there is too much of; null: nothing. */
function excessOf(text: string): string | null {
  const size = Buffer.byteLength(text);
  if (size > limits.settings_bytes)
    return `have ${size} bytes, more than settings_bytes allows (${limits.settings_bytes}).`;
  if (depthOf(text) > MOST_DEPTH)
    return `are not valid YAML: nested too deeply, more than ${MOST_DEPTH} levels.`;
  if ((text.match(marks)?.length ?? 0) > limits.settings_values)
    return `hold more values than settings_values allows (${limits.settings_values}); put starting values into a data object and name its id in sampling.inits.`;
  if ((text.match(/&/g)?.length ?? 0) > MOST_ANCHORS)
    return `hold more than ${MOST_ANCHORS} anchors (&).`;
  if ((text.match(/<</g)?.length ?? 0) > MOST_ANCHORS)
    return `hold more than ${MOST_ANCHORS} merges (<<).`;
  return null;
}

/** Depth of brackets, of dashes on one line, and of indentation. */
function depthOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  for (const [mark] of text.matchAll(/[[{]|[\]}]/g)) {
    depth = mark === '[' || mark === '{' ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  for (const [dashes] of text.matchAll(/(?<=^[ ]*)(?:[-?] +){2,}/gm))
    deepest = Math.max(deepest, dashes.replace(/ /g, '').length);
  return Math.max(deepest, deepestIndent(text));
}

/** Number of indentation levels that are open at the same time. */
function deepestIndent(text: string): number {
  const open: number[] = [];
  let deepest = 0;
  for (const [, blanks = ''] of text.matchAll(/^( *)[^ \n]/gm)) {
    while ((open.at(-1) ?? -1) >= blanks.length) open.pop();
    open.push(blanks.length);
    deepest = Math.max(deepest, open.length);
  }
  return deepest;
}

/** Names a duplicate key of a mapping; null: there is none. */
function findDouble(document: Parameters<typeof visit>[0]): string | null {
  let found: string | null = null;
  visit(document, {
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) found = `the key ${String(key.value).slice(0, 60)} occurs twice.`;
        keys.add(key.value);
      }
      return found === null ? undefined : visit.BREAK;
    },
  });
  return found;
}

/** The first line of the parser's message, which ends with the place. */
function faultOf(error: Error): string {
  const [message = ''] = error.message.split('\n');
  if (/circular structure|Excessive alias count/.test(message))
    return 'an alias refers to the anchor it is part of, or there are too many aliases.';
  return message
    .replace('Maximum call stack size exceeded', 'nested too deeply')
    .replace(/:$/, '.');
}
