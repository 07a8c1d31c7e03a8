/** Takes the tokens of a program one by one and writes them with the comments between them. */
import type { LexResult } from '../syntax/lexer.ts';
import type { Comment, Token } from '../syntax/token.ts';
import { type BoxKind, BoxLayout } from './box-layout.ts';

/** What is between tokens: a comment, an `#include`, or a mark after a token that separates comments. */
interface Between {
  readonly kind: 'line' | 'block' | 'include' | 'separator';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The layout of the text cannot be preserved; the message gives the reason. Caught in `format-program.ts`. */
export class CannotFormat extends Error {
  override readonly name = 'CannotFormat';
}

/** Comments before these belong to what precedes, those after to what follows. */
const separators: ReadonlySet<string> = new Set(
  '< > , | else ? - + ^ * / % %/% \\ .* .^ ./ || && == != <= >='.split(' '),
);

export class Writer {
  private readonly layout: BoxLayout;
  private readonly tokens: readonly Token[];
  private readonly between: readonly Between[];
  private nextToken = 0;
  private nextBetween = 0;
  /** Comments in places where none is written; they go after the statement. */
  private postponed: Between[] = [];
  private readonly lineStarts: readonly number[];

  constructor(
    private readonly source: string,
    { tokens, comments }: LexResult,
    readonly lineLength: number,
  ) {
    this.layout = new BoxLayout(lineLength);
    this.tokens = tokens.filter(({ kind }) => kind !== 'include');
    this.between = this.findBetween(tokens, comments);
    this.lineStarts = [0, ...[...source.matchAll(/\r\n|\r|\n/g)].map((m) => m.index + m[0].length)];
  }

  private findBetween(tokens: readonly Token[], comments: readonly Comment[]): Between[] {
    const found: Between[] = [];
    for (const { kind, text, start, end } of tokens) {
      if (kind === 'include') {
        const path = /\s/.test(text) ? `"${text}"` : text;
        found.push({ kind: 'include', text: `#include ${path}`, start, end });
      } else if (kind !== 'string' && separators.has(text)) {
        found.push({ kind: 'separator', text: '', start: end, end });
      }
    }
    for (const { style, start, end } of comments) {
      const kind = style === 'block' ? 'block' : 'line';
      found.push({ kind, text: this.source.slice(start, end), start, end });
    }
    return found.sort((a, b) => a.start - b.start);
  }

  // ------------------------------------------------------------------ boxes

  text(text: string): void {
    this.layout.text(text);
  }

  /** Writes what `content` writes in a separate box. */
  box(kind: BoxKind, content: () => void, indent = 0): void {
    this.layout.open(kind, indent);
    content();
    this.layout.close();
  }

  /** Two columns further right. */
  indented(content: () => void): void {
    this.box('never', () => {
      this.text('  ');
      this.box('structure', content);
    });
  }

  /** A blank, or the end of the line. */
  space(): void {
    this.layout.break(1);
  }

  /** Nothing, or the end of the line. */
  cut(): void {
    this.layout.break(0);
  }

  finish(): string {
    return this.layout.finish();
  }

  // ----------------------------------------------------------------- tokens

  /** The next token to be written; after the last one, an empty one. */
  peek(ahead = 0): Token {
    const end = this.source.length;
    return (
      this.tokens[this.nextToken + ahead] ?? { kind: 'end', text: '', file: 0, start: end, end }
    );
  }

  /** Where the token taken last ends. */
  get previousEnd(): number {
    return this.tokens[this.nextToken - 1]?.end ?? 0;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'symbol' || token.kind === 'name');
  }

  /** Takes the next token without writing it. */
  skip(text?: string): Token {
    const token = this.peek();
    if (text !== undefined && !this.is(text)) {
      throw new CannotFormat(`\`${token.text}\` was found where \`${text}\` was expected`);
    }
    this.nextToken++;
    return token;
  }

  /** Takes the next token, which must be `text` if given, and writes it. */
  take(text?: string): void {
    const token = this.skip(text);
    this.text(this.source.slice(token.start, token.end));
  }

  /** The next token between two blanks. */
  spaced(text?: string): void {
    this.text(' ');
    this.take(text);
    this.text(' ');
  }

  // --------------------------------------------------------------- comments

  private takeComments(before: number, stopsAtSeparator: boolean): Between[] {
    const found: Between[] = [];
    for (;;) {
      const next = this.between[this.nextBetween];
      if (!next || next.start >= before + (next.kind === 'separator' ? 1 : 0)) return found;
      if (next.kind !== 'separator') found.push(next);
      else if (stopsAtSeparator) return found;
      this.nextBetween++;
    }
  }

  /** Leaves comments before `before` for the end of the statement. */
  postponeComments(before: number): void {
    const found = this.takeComments(before, false);
    if (found.some(({ kind }) => kind === 'include')) {
      throw new CannotFormat('an `#include` is inside a statement');
    }
    this.postponed.push(...found);
  }

  /**
   * Writes the comments before `before` within an expression or a list. `lead` is written before the first of
   * them; without it a blank follows the last. Returns whether there were any.
   */
  commentsWithin(
    before: number,
    { upToSeparator = false, lead }: { upToSeparator?: boolean; lead?: () => void } = {},
  ): boolean {
    const comments = this.takeComments(before, upToSeparator);
    if (comments.length === 0) return false;
    lead?.();
    for (const comment of comments) {
      this.writeComment(comment);
      if (comment.kind !== 'block') this.layout.newline();
    }
    if (!lead && comments.at(-1)?.kind === 'block') this.space();
    return true;
  }

  /**
   * Writes what separates two statements or the parts of one: line breaks, one blank line if there were any, and
   * the comments before `before`. `from` and `to` are the offsets around it, null at the edge of a
   * block. `newline`: whether `to` begins a line anyway. `headLines`: how many lines after `from` are not blank.
   */
  separate(
    [from, to]: readonly [number | null, number | null],
    before: number,
    { newline = true, upToSeparator = false, headLines = 0 } = {},
  ): void {
    const comments = this.takeComments(before, upToSeparator);
    const breaks = newline || ['line', 'include'].includes(comments.at(-1)?.kind ?? '');
    let place = from;
    let lines = headLines;
    for (const comment of comments) {
      if (place !== null) this.gap(this.lineOf(comment.start) - this.lineOf(place) - lines, false);
      lines = 0;
      this.writeComment(comment);
      place = comment.end;
      if (comment === comments[0]) this.writePostponed();
    }
    if (comments.length === 0) this.writePostponed();
    if (place !== null && to !== null) {
      this.gap(this.lineOf(to) - this.lineOf(place) - lines, breaks);
    }
  }

  private writePostponed(): void {
    let previous: Between | null = null;
    for (const comment of this.postponed) {
      this.gap(previous ? this.lineOf(comment.start) - this.lineOf(previous.end) : 2, false);
      this.writeComment(comment);
      previous = comment;
    }
    this.postponed = [];
  }

  private gap(numLines: number, newline: boolean): void {
    if (numLines > 1) this.cut();
    if (newline || numLines > 0) this.cut();
    else this.text(' ');
  }

  private writeComment({ kind, text, start }: Between): void {
    if (kind !== 'block') {
      this.text(text);
      return;
    }
    const lines = text.split(/\r\n|\r|\n/);
    const column = start - (this.lineStarts[this.lineOf(start)] ?? 0);
    const margin = lines.slice(1).reduce((least, line) => {
      const found = line.search(/[^ ]/);
      return found < 0 ? least : Math.min(least, found);
    }, column);
    this.text('/*');
    const content = (): void => {
      lines.forEach((line, i) => {
        if (i > 0) this.cut();
        const inner = i === 0 ? line.slice(2) : line.slice(margin);
        this.text(i === lines.length - 1 ? inner.slice(0, -2) : inner);
      });
    };
    this.layout.open('always', -2, true);
    content();
    this.layout.close();
    this.text('*/');
  }

  /** The line of an offset, counted from 0. */
  private lineOf(offset: number): number {
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}
