/** Tokens around an offset, and the block it is in, from the text alone: works in programs that do not parse. */
import type { BlockName } from '../syntax/ast.ts';
import { lex } from '../syntax/lexer.ts';
import type { Comment, Token } from '../syntax/token.ts';

export interface TokenContext {
  readonly tokens: readonly Token[];
  /** Index of the first token that ends at or after the offset; may be the number of tokens. */
  readonly index: number;
  /** The name or number the offset touches, if any. */
  readonly touched: Token | null;
  readonly comment: Comment | null;
  /** The block around the offset; null between blocks. */
  readonly block: BlockName | null;
  /** Braces open inside that block, including its own. */
  readonly depth: number;
}

export function tokenContext(text: string, offset: number, file = 0): TokenContext {
  const { tokens, comments } = lex(text, file);
  let index = tokens.findIndex((token) => token.end >= offset);
  if (index < 0) index = tokens.length;
  // Between two tokens that meet, the word wins: `x|+` and `+|x` both touch x.
  const here = tokens[index];
  const next = tokens[index + 1];
  const touches = (token?: Token): token is Token =>
    token !== undefined && token.start <= offset && offset <= token.end;
  const touched =
    touches(here) && here.kind !== 'symbol'
      ? here
      : touches(next) && next.kind !== 'symbol'
        ? next
        : null;
  const comment = comments.find(({ start, end }) => start < offset && offset <= end) ?? null;
  return { tokens, index, touched, comment, ...blockAround(tokens, offset) };
}

function blockAround(
  tokens: readonly Token[],
  offset: number,
): { readonly block: BlockName | null; readonly depth: number } {
  let block: BlockName | null = null;
  let depth = 0;
  for (let i = 0; i < tokens.length && tokens[i].start < offset; i++) {
    const header = headerAt(tokens, i);
    if (header) {
      const open = i + header.split(' ').length;
      block = tokens[open].start < offset ? header : null;
      depth = block ? 1 : 0;
      i = open;
      continue;
    }
    const { kind, text, end } = tokens[i];
    if (kind !== 'symbol') continue;
    if (text === '{') depth++;
    if (text === '}' && end <= offset && depth > 0 && --depth === 0) block = null;
  }
  return { block, depth };
}

/** The block whose header starts at this token. */
function headerAt(tokens: readonly Token[], i: number): BlockName | null {
  const texts = [tokens[i]?.text, tokens[i + 1]?.text, tokens[i + 2]?.text];
  if (tokens[i].kind !== 'name') return null;
  switch (texts[0]) {
    case 'functions':
    case 'data':
    case 'parameters':
    case 'model':
      return texts[1] === '{' ? texts[0] : null;
    case 'transformed':
      if (texts[2] !== '{') return null;
      if (texts[1] === 'data') return 'transformed data';
      return texts[1] === 'parameters' ? 'transformed parameters' : null;
    case 'generated':
      return texts[1] === 'quantities' && texts[2] === '{' ? 'generated quantities' : null;
    default:
      return null;
  }
}
