/** Parse, then check: the front end as one call. Never throws, whatever the text. */
import { type Diagnostic, sortDiagnostics } from './diagnostics.ts';
import type { SourceFile } from './source/source-file.ts';
import type { Program } from './syntax/ast.ts';
import type { IncludeResolver } from './syntax/include.ts';
import { parse } from './syntax/parse.ts';
import type { Comment } from './syntax/token.ts';
import { checkTypes } from './types/check-program.ts';

export interface CheckOptions {
  /** Finds included files; without it, none are found. */
  readonly include?: IncludeResolver;
}

export interface CheckResult {
  /** Types, callees and origins are filled in if checking succeeded. */
  readonly program: Program;
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
  /** What spans point into: the program first, then the files it includes. */
  readonly files: readonly SourceFile[];
  readonly comments: readonly Comment[];
}

/** Checks a program given as text (then called `main.stan`) or as a named file. */
export function checkProgram(source: string | SourceFile, options: CheckOptions = {}): CheckResult {
  const main = typeof source === 'string' ? { name: 'main.stan', text: source } : source;
  const { program, files, comments, diagnostics } = parse(main, options.include);
  const found = [...diagnostics, ...checkTypes(program)];
  return { program, files, comments, diagnostics: sortDiagnostics(withoutRepeats(found)) };
}

/** Names declared together share their sizes and bounds, and the errors in those. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.filter(({ code, message, span }) => {
    const key = `${code} ${span.file} ${span.start} ${span.end} ${message}`;
    return !seen.has(key) && seen.add(key);
  });
}
