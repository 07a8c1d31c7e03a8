/** Splices the tokens of included files into one stream. */
import type { Diagnostic } from '../diagnostics.ts';
import type { SourceFile } from '../source/source-file.ts';
import { lex } from './lexer.ts';
import * as problems from './syntax-problems.ts';
import type { Comment, Token } from './token.ts';

/** The text of an included file, or null when there is none. `from` is the name of the file that includes it. */
export type IncludeResolver = (name: string, from: string) => string | null;

export interface TokenStream {
  /** Ends with an `end` token. */
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  /** The program first, then every included file once, in order of first use. */
  readonly files: readonly SourceFile[];
  readonly diagnostics: Diagnostic[];
}

/** Limits the work for files that include each other many times over. */
const mostTokens = 500_000;
const mostIncludes = 1000;

export function readTokens(main: SourceFile, include: IncludeResolver): TokenStream {
  const files: SourceFile[] = [main];
  const lexed: ReturnType<typeof lex>[] = [lex(main.text, 0)];
  const tokens: Token[] = [];
  const diagnostics: Diagnostic[] = [];
  let numIncludes = 0;
  let cutAt: Token | null = null;

  const indexOf = (name: string, from: string): number => {
    const known = files.findIndex((file) => file.name === name);
    if (known >= 0) return known;
    const text = include(name, from);
    if (text === null) return -1;
    files.push({ name, text });
    lexed.push(lex(text, files.length - 1));
    return files.length - 1;
  };

  const splice = (index: number, open: readonly number[]): void => {
    for (const token of lexed[index].tokens) {
      if (tokens.length >= mostTokens) {
        cutAt ??= token;
        return;
      }
      if (token.kind !== 'include') {
        tokens.push(token);
        continue;
      }
      const included = indexOf(token.text, files[index].name);
      if (included < 0) diagnostics.push(problems.includeNotFound(token, token.text));
      else if (open.includes(included)) diagnostics.push(problems.includeCycle(token, token.text));
      else if (++numIncludes > mostIncludes) diagnostics.push(problems.includesTooDeep(token));
      else splice(included, [...open, included]);
      if (numIncludes > mostIncludes) return;
    }
  };
  splice(0, [0]);
  if (cutAt !== null) diagnostics.push(problems.programTooLong(cutAt, mostTokens));
  const end = main.text.length;
  tokens.push({ kind: 'end', text: '', file: 0, start: end, end });
  return {
    tokens,
    files,
    comments: lexed.flatMap((result) => result.comments),
    diagnostics: [...lexed.flatMap((result) => result.diagnostics), ...diagnostics],
  };
}
