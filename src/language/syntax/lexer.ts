/** Text to tokens: never fails; a character that Stan does not use becomes an `unknown` token and a diagnostic. */
import type { Diagnostic } from '../diagnostics.ts';
import * as problems from './syntax-problems.ts';
import type { Comment, Token, TokenKind } from './token.ts';

export interface LexResult {
  /** Without the `end` token. */
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Longest first, so that the first match is the longest. */
const symbols =
  '%/% .*= ./= || && == != <= >= += -= *= /= .* ./ .^ ' +
  "{ } ( ) [ ] < > , ; : | ~ = ? . + - * / % \\ ^ ! '";
const symbolsByFirst = new Map<string, string[]>();
for (const symbol of symbols.split(' ')) {
  const list = symbolsByFirst.get(symbol[0]) ?? [];
  list.push(symbol);
  symbolsByFirst.set(symbol[0], list);
}

/** Ints have 32 bits, as in Stan. */
const largestInt = 2 ** 31 - 1;

const namePattern = /[A-Za-z_][A-Za-z0-9_]*/y;
const numberPattern =
  /(?:(\d[\d_]*)(\.(?:\d[\d_]*)?)?|(\.\d[\d_]*))(?:[eE][+-]?\d[\d_]*)?i?(?![A-Za-z0-9_])|\d[\d_]*/y;
const includePattern = /#include[ \t]+(?:"([^"\r\n]*)"|<([^>\r\n]*)>|([^\s"<>]+))/y;

/** Reads one file. `file` is its index in the list of files. */
export function lex(text: string, file: number): LexResult {
  return new Lexer(text, file).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly comments: Comment[] = [];
  private readonly diagnostics: Diagnostic[] = [];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly file: number,
  ) {}

  run(): LexResult {
    const { text } = this;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (code === 32 || (code >= 9 && code <= 13) || code === 0xfeff) this.at++;
      else if (isNameStart(code)) this.readName();
      else if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(this.at + 1))))
        this.readNumber();
      else if (code === 34) this.readString();
      else if (code === 47 && text.charCodeAt(this.at + 1) === 47) this.readLineComment('line');
      else if (code === 47 && text.charCodeAt(this.at + 1) === 42) this.readBlockComment();
      else if (code === 35) this.readHash();
      else this.readSymbol();
    }
    return { tokens: this.tokens, comments: this.comments, diagnostics: this.diagnostics };
  }

  private push(kind: TokenKind, end: number, text = this.text.slice(this.at, end)): void {
    this.tokens.push({ kind, text, file: this.file, start: this.at, end });
    this.at = end;
  }

  private spanTo(end: number): { file: number; start: number; end: number } {
    return { file: this.file, start: this.at, end };
  }

  private readName(): void {
    namePattern.lastIndex = this.at;
    namePattern.test(this.text);
    this.push('name', namePattern.lastIndex);
  }

  private readNumber(): void {
    numberPattern.lastIndex = this.at;
    const found = numberPattern.exec(this.text);
    const text = found?.[0] ?? this.text[this.at];
    const end = this.at + text.length;
    const badUnderscore = /_(?!\d)/.test(text);
    if (badUnderscore) this.diagnostics.push(problems.numberUnderscore(this.spanTo(end)));
    if (/^[\d_]+$/.test(text) && Number(text.replaceAll('_', '')) > largestInt) {
      this.diagnostics.push(problems.intTooLarge(this.spanTo(end)));
    }
    if (text.endsWith('i')) this.push('imaginary', end);
    else this.push(/[.eE]/.test(text) ? 'real' : 'int', end);
  }

  private readString(): void {
    let end = this.at + 1;
    while (end < this.text.length && !'"\n\r'.includes(this.text[end])) end++;
    const closed = this.text[end] === '"';
    if (!closed) this.diagnostics.push(problems.unclosedString(this.spanTo(end)));
    this.push('string', closed ? end + 1 : end, this.text.slice(this.at + 1, end));
  }

  private readLineComment(style: 'line' | 'hash'): void {
    let end = this.at;
    while (end < this.text.length && this.text[end] !== '\n' && this.text[end] !== '\r') end++;
    this.comments.push({ style, ...this.spanTo(end) });
    this.at = end;
  }

  private readBlockComment(): void {
    const close = this.text.indexOf('*/', this.at + 2);
    const end = close < 0 ? this.text.length : close + 2;
    if (close < 0) this.diagnostics.push(problems.unclosedComment(this.spanTo(this.at + 2)));
    this.comments.push({ style: 'block', ...this.spanTo(end) });
    this.at = end;
  }

  /** `#include path`, or an old-style comment. */
  private readHash(): void {
    includePattern.lastIndex = this.at;
    const found = includePattern.exec(this.text);
    if (found) {
      this.push('include', includePattern.lastIndex, found[1] ?? found[2] ?? found[3]);
      return;
    }
    this.diagnostics.push(problems.hashComment(this.spanTo(this.at + 1)));
    this.readLineComment('hash');
  }

  private readSymbol(): void {
    for (const symbol of symbolsByFirst.get(this.text[this.at]) ?? []) {
      if (!this.text.startsWith(symbol, this.at)) continue;
      this.push('symbol', this.at + symbol.length);
      return;
    }
    this.readUnknown();
  }

  /** One code point, or a run of letters not allowed in names. */
  private readUnknown(): void {
    const pattern = /[\p{L}\p{M}][\p{L}\p{M}\p{N}_]*|./suy;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    const end = this.at + (found?.[0].length ?? 1);
    this.diagnostics.push(problems.strayCharacter(this.spanTo(end), this.text.slice(this.at, end)));
    this.push('unknown', end);
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNameStart(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}
