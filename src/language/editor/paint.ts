/** A program in colours outside the editor: from its tokens alone, so that neither library nor types are loaded. */
import { lex } from '../syntax/lexer.ts';
import { blockWords, boundWords, statementWords, type Token, typeWords } from '../syntax/token.ts';

/** The names of the rules of the editor's theme. */
export type PaintRole =
  | 'keyword'
  | 'type'
  | 'function'
  | 'number'
  | 'string'
  | 'comment'
  | 'operator';

export interface Stretch {
  readonly text: string;
  /** Null: names, spaces and characters that Stan does not use. */
  readonly role: PaintRole | null;
}

/** Splits any text into stretches that join to the text again. Never throws. */
export function paintProgram(text: string): Stretch[] {
  const { tokens, comments } = lex(text, 0);
  const painted = [
    ...tokens.map((token, i) => ({ ...token, role: roleOf(token, tokens[i + 1]) })),
    ...comments.map((comment) => ({ ...comment, role: 'comment' as const })),
  ].sort((a, b) => a.start - b.start);
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { start, end, role } of painted) {
    if (role === null) continue;
    if (start > at) stretches.push({ text: text.slice(at, start), role: null });
    stretches.push({ text: text.slice(start, end), role });
    at = end;
  }
  if (at < text.length) stretches.push({ text: text.slice(at), role: null });
  return stretches;
}

function roleOf({ kind, text }: Token, next: Token | undefined): PaintRole | null {
  switch (kind) {
    case 'name':
      return roleOfName(text, next);
    case 'int':
    case 'real':
    case 'imaginary':
      return 'number';
    case 'string':
      return 'string';
    case 'include':
      return 'keyword';
    case 'symbol':
      return '{}()[]'.includes(text) ? null : 'operator';
    default:
      return null;
  }
}

function roleOfName(name: string, next: Token | undefined): PaintRole | null {
  if (typeWords.has(name)) return 'type';
  if (blockWords.has(name) || statementWords.has(name) || boundWords.has(name)) return 'keyword';
  return next?.kind === 'symbol' && next.text === '(' ? 'function' : null;
}
