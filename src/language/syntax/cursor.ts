/** Moves over tokens for the parser: looking ahead, expecting, failing and finding the next safe place. */
import type { Diagnostic } from '../diagnostics.ts';
import { joinSpans, type SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Identifier } from './ast.ts';
import * as problems from './syntax-problems.ts';
import {
  blockWords,
  reservedWords,
  spanOf,
  statementWords,
  type Token,
  typeWords,
} from './token.ts';

/** Leaves a statement that cannot be understood; caught where the parser can continue. Never leaves `syntax/`. */
class ParseFailure extends Error {
  override readonly name = 'ParseFailure';
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

/** Low enough for recursive walks of a tree this high on a default stack. */
const deepestNesting = 200;
export const highestExpression = 500;

export class Cursor {
  private index = 0;
  private depth = 0;
  /** Height of the expression tree parsed last; limits the depth of recursive walks. */
  height = 0;
  readonly diagnostics: Diagnostic[] = [];

  /** `tokens` ends with an `end` token; `files` is what they point into. */
  constructor(
    private readonly tokens: readonly Token[],
    private readonly files: readonly SourceFile[],
  ) {}

  textAt(span: Span): string {
    return this.files[span.file].text.slice(span.start, span.end);
  }

  /** How many tokens have been taken. */
  get taken(): number {
    return this.index;
  }

  peek(ahead = 0): Token {
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)];
  }

  /** The token taken last. */
  get previous(): Token {
    return this.tokens[Math.max(0, this.index - 1)];
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.index++;
    return token;
  }

  get atEnd(): boolean {
    return this.peek().kind === 'end';
  }

  /** Whether the token `ahead` is this symbol or keyword. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'symbol' || token.kind === 'name');
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  /** Takes `text` or fails, naming what was expected. */
  expect(text: string, what = `\`${text}\``): Token {
    if (this.is(text)) return this.next();
    return this.failExpecting(what);
  }

  /** Takes the bracket that closes `opened`, or fails pointing at both. */
  expectClosing(text: string, opened: Token): Token {
    if (this.is(text)) return this.next();
    throw new ParseFailure(
      problems.unclosedBracket(this.peek(), text, this.describe(), spanOf(opened)),
    );
  }

  /** Takes `;`; if it was merely forgotten, reports that and continues. */
  expectSemicolon(): void {
    if (this.accept(';')) return;
    const token = this.peek();
    const last = this.previous;
    const forgotten =
      this.is('}') || token.kind === 'end' || this.startsStatement() || this.startsLine();
    if (!forgotten) this.failExpecting('`;`');
    this.diagnostics.push(
      problems.missingSemicolon({ file: last.file, start: last.end, end: last.end }),
    );
  }

  private startsLine(): boolean {
    const token = this.peek();
    if (token.kind !== 'name') return false;
    const gap = { file: token.file, start: this.previous.end, end: token.start };
    return this.previous.file !== token.file || this.textAt(gap).includes('\n');
  }

  /** Whether the current token can only begin a statement. */
  startsStatement(): boolean {
    const { kind, text } = this.peek();
    if (kind !== 'name') return false;
    if (text === 'in' || text === 'target' || text === 'void') return false;
    return statementWords.has(text) || typeWords.has(text);
  }

  /** Whether a block header is here: these words occur nowhere else. */
  startsBlock(): boolean {
    const { kind, text } = this.peek();
    if (kind !== 'name' || !blockWords.has(text)) return false;
    if (text === 'transformed') return this.is('data', 1) || this.is('parameters', 1);
    if (text === 'generated') return this.is('quantities', 1);
    return this.is('{', 1);
  }

  identifier(what: string): Identifier {
    const token = this.peek();
    if (token.kind !== 'name') return this.failExpecting(what);
    this.next();
    if (reservedWords.has(token.text)) {
      this.diagnostics.push(problems.reservedName(token, token.text));
    }
    return { name: token.text, span: spanOf(token) };
  }

  fail(diagnostic: Diagnostic): never {
    throw new ParseFailure(diagnostic);
  }

  failExpecting(what: string): never {
    throw new ParseFailure(problems.expected(this.peek(), what, this.describe()));
  }

  /** The current token, as a message names it. */
  describe(): string {
    const { kind, text } = this.peek();
    if (kind === 'end') return 'the end of the program';
    if (kind === 'string') return 'a string';
    if (kind === 'include') return 'an `#include`';
    return `\`${text}\``;
  }

  /** From `start` to the token taken last. */
  spanFrom(start: Span): Span {
    return joinSpans(start, this.previous);
  }

  /** Runs `parse` one level deeper, failing when that is too deep. */
  nested<T>(parse: () => T): T {
    if (this.depth >= deepestNesting) this.fail(problems.tooDeep(this.peek()));
    this.depth++;
    try {
      return parse();
    } finally {
      this.depth--;
    }
  }

  /** Notes a failure (anything else is rethrown) and skips past the next `;` or to a `}` or a new statement. */
  recover(failure: unknown): void {
    if (!(failure instanceof ParseFailure)) throw failure;
    const { diagnostic } = failure;
    // An unknown character was reported by the lexer already.
    if (this.peek().kind !== 'unknown') this.diagnostics.push(diagnostic);
    let open = 0;
    while (!this.atEnd) {
      if (this.startsBlock() || (open === 0 && this.startsStatement())) return;
      if (open === 0 && this.is('}')) return;
      const { text, kind } = this.next();
      if (kind !== 'symbol') continue;
      if (text === ';' && open === 0) return;
      if (text === '{') open++;
      if (text === '}' && --open === 0) {
        this.accept(';');
        return;
      }
    }
  }
}
