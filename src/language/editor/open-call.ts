/** The call being written around an offset, from the tokens alone: works in programs that do not parse. */
import type { Token } from '../syntax/token.ts';
import { reservedWords } from '../syntax/token.ts';

export interface OpenCall {
  readonly name: Token;
  /** Tokens of each argument; the last is the one being written. */
  readonly arguments: readonly (readonly Token[])[];
  /** For a distribution statement: the tokens before `~`, as far as they are one expression. */
  readonly variate: readonly Token[] | null;
}

const closers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The innermost call whose bracket is open at the end of the tokens; null when there is none. */
export function openCall(before: readonly Token[]): OpenCall | null {
  const waiting: string[] = [];
  let separators: number[] = [];
  for (let i = before.length - 1; i >= 0; i--) {
    const { text, kind } = before[i];
    if (kind !== 'symbol') continue;
    if (text === ';') return null;
    const opener = closers[text];
    if (opener !== undefined) {
      waiting.push(opener);
    } else if (text === '(' || text === '[' || text === '{') {
      if (waiting.length > 0) {
        if (waiting.pop() !== text) return null;
        continue;
      }
      if (text === '{' && !opensArray(before[i - 1])) return null;
      const name = before[i - 1];
      if (text === '(' && isCallee(name)) return callAt(before, i, separators);
      if (text === '(' && name?.kind === 'name') return null;
      separators = [];
    } else if ((text === ',' || text === '|') && waiting.length === 0) {
      separators.unshift(i);
    }
  }
  return null;
}

/** `{` after an operator or another bracket contains the elements of an array, elsewhere statements. */
function opensArray(before: Token | undefined): boolean {
  return before?.kind === 'symbol' && ![')', '}', ';', '{'].includes(before.text);
}

function isCallee(token: Token | undefined): token is Token {
  return token?.kind === 'name' && !reservedWords.has(token.text);
}

function callAt(before: readonly Token[], open: number, separators: readonly number[]): OpenCall {
  const starts = [open, ...separators];
  const args = starts.map((start, k) => before.slice(start + 1, starts[k + 1] ?? before.length));
  const isTilde = before[open - 2]?.text === '~';
  return {
    name: before[open - 1],
    arguments: args,
    variate: isTilde ? variateBefore(before.slice(0, open - 2)) : null,
  };
}

/** `y[i]`, `to_vector(y)` or `{a, b}` at the end of the tokens. */
function variateBefore(tokens: readonly Token[]): readonly Token[] {
  let i = tokens.length - 1;
  for (; i >= 0; i--) {
    const opener = closers[tokens[i].text];
    if (opener === undefined) break;
    let depth = 0;
    for (; i >= 0; i--) {
      if (closers[tokens[i].text] !== undefined) depth++;
      if ('([{'.includes(tokens[i].text) && --depth === 0) break;
    }
    if (opener === '{') return tokens.slice(Math.max(i, 0));
  }
  return i >= 0 && tokens[i].kind === 'name' ? tokens.slice(i) : [];
}
