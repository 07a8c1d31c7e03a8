/**
 * The formatter: indentation, spacing and statement breaks on the token stream. Line breaks inside a statement stay
 * where they were; comments stay where they were; formatting a formatted text changes nothing.
 */
import { lex } from '../syntax/lexer.ts';
import type { Token } from '../syntax/token.ts';
import { findRoles, needsSpace, type Role } from './format-roles.ts';

interface Piece {
  readonly token: Token;
  readonly role: Role;
  readonly comment: 'line' | 'block' | null;
}

const indentWidth = 2;

/** The formatted text; the text itself where its strings or comments do not end. */
export function format(text: string): string {
  const { tokens, comments, diagnostics } = lex(text, 0);
  if (
    diagnostics.some(
      ({ code }) => code === 'stan/unclosed-string' || code === 'stan/unclosed-comment',
    )
  ) {
    return text;
  }
  const roles = findRoles(tokens);
  const pieces: Piece[] = tokens.map((token, i) => ({ token, role: roles[i], comment: null }));
  for (const { style, ...span } of comments) {
    const comment = style === 'block' ? 'block' : 'line';
    const token: Token = { ...span, kind: 'symbol', text: text.slice(span.start, span.end) };
    pieces.push({ token, role: 'plain', comment });
  }
  pieces.sort((a, b) => a.token.start - b.token.start);
  const formatted = new Formatter(text, pieces).run();
  return isSameProgram(tokens, formatted) ? formatted : text;
}

/** A last guard: blanks left out must never join two tokens into another. */
function isSameProgram(tokens: readonly Token[], formatted: string): boolean {
  const after = lex(formatted, 0).tokens;
  return (
    after.length === tokens.length &&
    after.every((token, i) => token.kind === tokens[i].kind && token.text === tokens[i].text)
  );
}

interface OpenBlock {
  readonly indent: number;
  readonly extra: number;
}

class Formatter {
  private out = '';
  private readonly blocks: OpenBlock[] = [];
  /** Levels added by headers without braces that were broken behind. */
  private extra = 0;
  private startsStatement = true;
  /** Role of the token written last, comments aside. */
  private lastRole: Role = 'plain';
  /** Whether a line was broken behind that token, a header, already. */
  private headerBroken = false;

  constructor(
    private readonly text: string,
    private readonly pieces: readonly Piece[],
  ) {}

  run(): string {
    this.pieces.forEach((piece, i) => {
      const previous = this.pieces[i - 1];
      if (piece.role === 'block-close') this.closeBlock();
      this.separate(previous, piece);
      this.out += this.text.slice(piece.token.start, piece.token.end).trimEnd();
      this.advance(piece, this.nextToken(i));
    });
    return this.out === '' ? '' : `${this.out}\n`;
  }

  private get indent(): number {
    return this.blocks.at(-1)?.indent ?? 0;
  }

  private nextToken(i: number): Token | undefined {
    let at = i + 1;
    while (this.pieces[at]?.comment) at++;
    return this.pieces[at]?.token;
  }

  /** Writes the blank or line break before a piece. */
  private separate(previous: Piece | undefined, piece: Piece): void {
    if (!previous) return;
    const gap = this.text.slice(previous.token.end, piece.token.start);
    const numBreaks = gap.replaceAll('\r\n', '\n').split(/[\r\n]/).length - 1;
    if (!this.breaksBetween(previous, piece, numBreaks)) {
      const spaced = previous.comment || piece.comment || needsSpace(previous, piece);
      if (spaced) this.out += ' ';
      return;
    }
    const mayBeBlank = this.startsStatement || piece.comment !== null;
    const atEdge = previous.role === 'block-open' || piece.role === 'block-close';
    this.out += numBreaks > 1 && mayBeBlank && !atEdge ? '\n\n' : '\n';
    this.out += ' '.repeat(indentWidth * this.lineIndent(piece));
  }

  private breaksBetween(previous: Piece, piece: Piece, numBreaks: number): boolean {
    if (previous.comment === 'line') return true;
    if (piece.comment) return numBreaks > 0;
    if (piece.token.kind === 'include' || previous.token.kind === 'include') return true;
    if (piece.role === 'block-close' || previous.role === 'block-open') return true;
    if (previous.role === 'statement-end') return true;
    const { text, kind } = piece.token;
    if (previous.role === 'block-close') return text !== 'else' || previous.comment !== null;
    if (piece.role === 'block-open' && !this.startsStatement)
      return previous.comment !== null && numBreaks > 0;
    if (kind === 'symbol' && [',', ';', ')', ']'].includes(text)) {
      return previous.comment !== null && numBreaks > 0;
    }
    return numBreaks > 0;
  }

  private lineIndent(piece: Piece): number {
    if (this.startsStatement || piece.role === 'block-close') return this.indent + this.extra;
    if (piece.role === 'block-open') return this.indent + this.extra;
    if (this.lastRole === 'header-end') {
      if (!this.headerBroken) this.extra++;
      this.headerBroken = true;
      return this.indent + this.extra;
    }
    return this.indent + this.extra + 2;
  }

  private closeBlock(): void {
    this.extra = this.blocks.pop()?.extra ?? 0;
    this.startsStatement = true;
  }

  /** Notes what a piece that was written means for the next. */
  private advance(piece: Piece, next: Token | undefined): void {
    if (piece.comment) return;
    this.lastRole = piece.role;
    this.headerBroken = false;
    switch (piece.role) {
      case 'block-open':
        this.blocks.push({ indent: this.indent + this.extra + 1, extra: this.extra });
        this.extra = 0;
        this.startsStatement = true;
        return;
      case 'block-close':
        if (next?.text !== 'else') this.extra = 0;
        this.startsStatement = next?.text !== 'else';
        return;
      case 'statement-end':
        this.extra = 0;
        this.startsStatement = true;
        return;
      default:
        this.startsStatement = piece.token.kind === 'include';
    }
  }
}
