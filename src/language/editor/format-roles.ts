/** What each token is to the formatter, where the text alone does not say: which `{`, `<`, `:` and `-` it is. */
import { type Token, typeWords } from '../syntax/token.ts';

export type Role =
  | 'plain'
  | 'block-open'
  | 'block-close'
  | 'array-open'
  | 'array-close'
  | 'constraint-open'
  | 'constraint-close'
  | 'constraint-assign'
  | 'prefix'
  | 'slice-colon'
  | 'header-end' // what a statement without braces follows: `if (…)`, `for (…)`, `else`
  | 'statement-end';

interface Bracket {
  readonly text: string;
  readonly isBlock: boolean;
  readonly isHeader: boolean;
  /** `?` whose `:` is still to come. */
  openConditions: number;
}

const headerWords: ReadonlySet<string> = new Set(['if', 'while', 'for']);
const valueWords: ReadonlySet<string> = new Set(['return', 'in', 'else']);

/** One role a token. */
export function findRoles(tokens: readonly Token[]): Role[] {
  const open: Bracket[] = [];
  return tokens.map((token, i) => {
    const previous = tokens[i - 1];
    if (token.kind === 'name') {
      const next = tokens[i + 1]?.text;
      return token.text === 'else' && next !== '{' && next !== 'if' ? 'header-end' : 'plain';
    }
    if (token.kind !== 'symbol') return 'plain';
    return roleOfSymbol(token.text, previous, open, tokens[i - 2]);
  });
}

function roleOfSymbol(
  text: string,
  previous: Token | undefined,
  open: Bracket[],
  beforePrevious: Token | undefined,
): Role {
  const top = open.at(-1);
  const push = (isBlock: boolean, isHeader = false): void => {
    open.push({ text, isBlock, isHeader, openConditions: 0 });
  };
  switch (text) {
    case '{': {
      const isBlock = opensBlock(previous, top);
      push(isBlock);
      return isBlock ? 'block-open' : 'array-open';
    }
    case '}':
      return open.pop()?.isBlock === false ? 'array-close' : 'block-close';
    case '(':
      push(false, previous?.kind === 'name' && headerWords.has(previous.text));
      return 'plain';
    case '[':
      push(false);
      return 'plain';
    case ')':
      return open.pop()?.isHeader ? 'header-end' : 'plain';
    case ']':
      open.pop();
      return 'plain';
    case '<':
      if (previous?.kind !== 'name' || !typeWords.has(previous.text)) return 'plain';
      push(false);
      return 'constraint-open';
    case '>':
      if (top?.text !== '<') return 'plain';
      open.pop();
      return 'constraint-close';
    case '=':
      return top?.text === '<' ? 'constraint-assign' : 'plain';
    case '?':
      if (top) top.openConditions++;
      return 'plain';
    case ':':
      if (!top || top.openConditions === 0) return 'slice-colon';
      top.openConditions--;
      return 'plain';
    case ';':
      return !top || top.isBlock ? 'statement-end' : 'plain';
    case '+':
    case '-':
    case '!':
      return isPrefixPlace(previous, beforePrevious) ? 'prefix' : 'plain';
    default:
      return 'plain';
  }
}

/** A `{` opens statements behind a header or another statement, and an array where a value is wanted. */
function opensBlock(previous: Token | undefined, top: Bracket | undefined): boolean {
  if (!previous) return true;
  if (previous.kind === 'name') return !valueWords.has(previous.text) || previous.text === 'else';
  if (previous.kind !== 'symbol') return false;
  if (previous.text === ')' || previous.text === ';' || previous.text === '}') {
    return top === undefined || top.isBlock;
  }
  return previous.text === '{' && top?.isBlock === true;
}

function isPrefixPlace(previous: Token | undefined, beforePrevious: Token | undefined): boolean {
  if (!previous) return true;
  if (previous.kind === 'name') return valueWords.has(previous.text);
  if (previous.kind !== 'symbol') return false;
  if (previous.text === ')' && beforePrevious?.text === '(') return false;
  return !`)]}'`.includes(previous.text);
}

/** Whether a blank stands between two tokens on one line. */
export function needsSpace(
  before: { readonly token: Token; readonly role: Role },
  after: { readonly token: Token; readonly role: Role },
): boolean {
  const [left, right] = [before.token, after.token];
  const adjacent = left.file === right.file && left.end === right.start;
  if (left.kind === 'unknown' || right.kind === 'unknown') return !adjacent;
  if (isMember(right) && mayHaveMembers(left)) return false;
  if (isMember(right) && left.kind !== 'symbol') return !adjacent;
  if (right.kind === 'symbol' && [',', ';', ')', ']', "'"].includes(right.text)) return false;
  if (left.kind === 'symbol' && ['(', '['].includes(left.text)) return false;
  if (before.role === 'array-open' || after.role === 'array-close') return false;
  if (before.role === 'prefix') return false;
  if (after.role === 'constraint-open' || before.role === 'constraint-open') return false;
  if (after.role === 'constraint-close') return false;
  if (before.role === 'constraint-close') return right.text !== '[';
  if (before.role === 'constraint-assign' || after.role === 'constraint-assign') return false;
  if (before.role === 'slice-colon' || after.role === 'slice-colon') return false;
  if (left.text === '^' || right.text === '^') return false;
  if (right.kind === 'symbol' && right.text === '(') return !isCallee(left, false);
  if (right.kind === 'symbol' && right.text === '[') return !isCallee(left, true);
  return true;
}

/** `.1` behind a value is a member of a tuple; elsewhere it is a number. */
function isMember({ kind, text }: Token): boolean {
  return kind === 'real' && text.startsWith('.');
}

function mayHaveMembers(token: Token): boolean {
  if (token.kind === 'name') return !valueWords.has(token.text);
  return isMember(token) || (token.kind === 'symbol' && `)]}'`.includes(token.text));
}

/** Whether `(` or `[` belongs to what stands before it. */
function isCallee(token: Token, indexed: boolean): boolean {
  if (isMember(token)) return indexed;
  if (token.kind === 'name') return !headerWords.has(token.text) && !valueWords.has(token.text);
  return token.kind === 'symbol' && (indexed ? `)]'}` : `)]`).includes(token.text);
}
