/** Source to syntax tree: never fails; what was not understood is left out and reported. */
import { type Diagnostic, hasErrors } from '../diagnostics.ts';
import { closestName } from '../source/closest-name.ts';
import { joinSpans, type SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { BlockName, Declaration, FunctionDefinition, Program, Statement } from './ast.ts';
import { Cursor } from './cursor.ts';
import { type IncludeResolver, readTokens } from './include.ts';
import { parseFunctions } from './parse-functions.ts';
import { parseStatements } from './parse-statements.ts';
import * as problems from './syntax-problems.ts';
import { type Comment, spanOf, type Token } from './token.ts';

export interface ParseResult {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
  /** What spans point into: the program, then the files it includes. */
  readonly files: readonly SourceFile[];
  readonly comments: readonly Comment[];
}

/** In the order a program must keep. */
export const blockNames: readonly BlockName[] = [
  'functions',
  'data',
  'transformed data',
  'parameters',
  'transformed parameters',
  'model',
  'generated quantities',
];

/** Parses a program and the files it includes. Without `include`, every `#include` is reported as not found. */
export function parse(main: SourceFile, include: IncludeResolver = () => null): ParseResult {
  const { tokens, files, comments, diagnostics } = readTokens(main, include);
  const cursor = new Cursor(tokens, files);
  const parser = new ProgramParser(cursor);
  parser.run();
  const program: Program = {
    ...parser.parts,
    blocks: parser.blocks,
    span: { file: 0, start: 0, end: main.text.length },
  };
  return { program, files, comments, diagnostics: [...diagnostics, ...cursor.diagnostics] };
}

export interface ParsedPart {
  readonly statements: readonly (Statement | FunctionDefinition)[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A file that is not a program itself but included in one: functions, or statements. Null: neither. */
export function parsePart(main: SourceFile): ParsedPart | null {
  const { tokens, files, diagnostics } = readTokens(main, () => '');
  for (const read of [parseFunctions, parseStatements]) {
    const cursor = new Cursor(tokens, files);
    const statements = read(cursor);
    const found = [...diagnostics, ...cursor.diagnostics];
    if (cursor.atEnd && !hasErrors(found)) return { statements, diagnostics: found };
  }
  return null;
}

class ProgramParser {
  readonly blocks: Partial<Record<BlockName, Span>> = {};
  readonly parts = {
    functions: [] as FunctionDefinition[],
    data: [] as Declaration[],
    transformedData: [] as Statement[],
    parameters: [] as Declaration[],
    transformedParameters: [] as Statement[],
    model: [] as Statement[],
    generatedQuantities: [] as Statement[],
  };
  private latest: BlockName | null = null;

  constructor(private readonly cursor: Cursor) {}

  run(): void {
    while (!this.cursor.atEnd) {
      const before = this.cursor.taken;
      try {
        if (this.cursor.startsBlock() || this.isHeaderWithoutBrace()) this.parseBlock();
        else this.skipOutside();
      } catch (failure) {
        this.cursor.recover(failure);
        if (this.cursor.taken === before) this.cursor.next();
      }
    }
  }

  private isHeaderWithoutBrace(): boolean {
    const { kind, text } = this.cursor.peek();
    return kind === 'name' && (blockNames as readonly string[]).includes(text);
  }

  private parseBlock(): void {
    const { cursor } = this;
    const start = cursor.next();
    const second = start.text === 'transformed' || start.text === 'generated';
    const name = (second ? `${start.text} ${cursor.next().text}` : start.text) as BlockName;
    const header = cursor.spanFrom(start);
    this.checkPlace(name, header);
    const open = cursor.expect('{');
    this.parseContent(name);
    if (!cursor.accept('}')) {
      cursor.diagnostics.push(problems.unclosedBrace(open, `the \`${name}\` block`));
    }
    const span = cursor.spanFrom(start);
    this.blocks[name] = this.blocks[name] ? joinSpans(this.blocks[name], span) : span;
  }

  private checkPlace(name: BlockName, header: Span): void {
    const { diagnostics } = this.cursor;
    const first = this.blocks[name];
    if (first) {
      diagnostics.push(problems.blockTwice(header, name, first));
    } else if (this.latest && blockNames.indexOf(name) < blockNames.indexOf(this.latest)) {
      diagnostics.push(problems.blockOrder(header, name, this.latest));
      return;
    }
    this.latest = name;
  }

  private parseContent(name: BlockName): void {
    const { cursor, parts } = this;
    switch (name) {
      case 'functions':
        parts.functions.push(...parseFunctions(cursor));
        return;
      case 'data':
      case 'parameters':
        parts[name].push(...this.declarationsOnly(parseStatements(cursor), name));
        return;
      case 'transformed data':
        parts.transformedData.push(...parseStatements(cursor));
        return;
      case 'transformed parameters':
        parts.transformedParameters.push(...parseStatements(cursor));
        return;
      case 'model':
        parts.model.push(...parseStatements(cursor));
        return;
      default:
        parts.generatedQuantities.push(...parseStatements(cursor));
    }
  }

  private declarationsOnly(statements: readonly Statement[], block: BlockName): Declaration[] {
    const { diagnostics } = this.cursor;
    return statements.flatMap((statement) => {
      if (statement.kind === 'skip') return [];
      if (statement.kind !== 'declaration') {
        diagnostics.push(problems.statementInDeclarationBlock(statement.span, block));
        return [];
      }
      if (statement.initialiser) {
        const { span } = statement.initialiser;
        diagnostics.push(problems.initialiserNotAllowed(span, statement.name.name, block));
      }
      return [statement];
    });
  }

  /** Reports text between blocks, once for each run of it. */
  private skipOutside(): void {
    const { cursor } = this;
    const start = cursor.peek();
    this.reportOutside(start);
    cursor.next();
    let open = cursor.previous.text === '{' ? 1 : 0;
    while (!cursor.atEnd) {
      if (cursor.startsBlock() || (open === 0 && this.isHeaderWithoutBrace())) return;
      const { text, kind } = cursor.next();
      if (kind !== 'symbol') continue;
      if (text === '{') open++;
      if (text === '}' && --open <= 0) return;
      if (text === ';' && open <= 0) return;
    }
  }

  private reportOutside(start: Token): void {
    const { cursor } = this;
    if (start.kind === 'unknown') return;
    const header = headerLike(cursor);
    if (!header) {
      cursor.diagnostics.push(problems.outsideBlock(start));
      return;
    }
    const suggestion = closestName(header.text, blockNames);
    cursor.diagnostics.push(problems.unknownBlock(header.span, header.text, suggestion));
  }
}

/** One or two words before a `{` outside of blocks: a misspelt header. */
function headerLike(cursor: Cursor): { text: string; span: Span } | null {
  const [first, second] = [cursor.peek(), cursor.peek(1)];
  if (first.kind !== 'name') return null;
  if (cursor.is('{', 1)) return { text: first.text, span: spanOf(first) };
  if (second.kind !== 'name' || !cursor.is('{', 2)) return null;
  return { text: `${first.text} ${second.text}`, span: joinSpans(first, second) };
}
