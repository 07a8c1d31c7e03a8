/** Rewrites of what Stan has removed or deprecated, if the new form means the same. */
import type { CheckResult } from '../check.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { occurrencesAt } from '../editor/occurrences.ts';
import type { TextEdit } from '../remedies/remedy.ts';
import type { Span } from '../source/span.ts';
import { deprecatedFunctions, isLibraryFunction } from '../types/signatures/signature-table.ts';
import { callAt, callSpanning, partsOf } from './call-parts.ts';
import type { Fix } from './fix.ts';

/** How all removed syntax is reported. */
export const removedCodes: ReadonlySet<string> = new Set([
  'stan/old-comment',
  'stan/old-assignment',
  'stan/old-increment-log-prob',
  'stan/old-get-lp',
  'stan/old-array-syntax',
  'stan/old-density-suffix',
  'stan/removed-function',
  'stan/deprecated',
  'stan/bar-missing',
]);

/** Null if the diagnostic is about something else, or no rewrite is certain. */
export function rewriteOf(result: CheckResult, diagnostic: Diagnostic): Fix | null {
  const edits = editsOf(result, diagnostic);
  if (edits === null || edits.length === 0) return null;
  return { title: titleOf(result, diagnostic), edits, diagnostic };
}

function editsOf(result: CheckResult, diagnostic: Diagnostic): readonly TextEdit[] | null {
  const { span, code, fix } = diagnostic;
  switch (code) {
    case 'stan/old-density-suffix':
      return fix ? withBar(result, span, fix.replacement) : densityRenamed(result, diagnostic);
    case 'stan/removed-function':
      return removed(result, span);
    case 'stan/deprecated':
      return modernised(result, span);
    case 'stan/bar-missing':
      return withBar(result, callSpanning(result, span)?.name.span ?? span, null);
    default:
      return null;
  }
}

function titleOf(result: CheckResult, { span, code, fix }: Diagnostic): string {
  const name = textOf(result, span);
  if (code === 'stan/bar-missing') return 'Change the first comma to |';
  if (name === 'if_else') return 'Change to ? :';
  if (fix) return fix.title;
  const modern = deprecatedFunctions[name];
  return modern === undefined ? 'Rename the density' : `Change to ${modern}`;
}

function textOf({ files }: CheckResult, { file, start, end }: Span): string {
  return files[file]?.text.slice(start, end) ?? '';
}

/** `f(y, a)` becomes `g(y | a)`. */
function withBar(result: CheckResult, name: Span, modern: string | null): readonly TextEdit[] {
  const call = callAt(result, name);
  const parts = call && partsOf(result, call);
  const renaming = modern === null ? [] : [{ span: name, text: modern }];
  const [comma] = parts?.separators ?? [];
  if (comma === undefined || call?.bar) return renaming;
  return [...renaming, { span: comma, text: ' |' }];
}

/** A density of the program: its definition, its calls, which get a bar, and nothing after `~`. */
function densityRenamed(result: CheckResult, { span }: Diagnostic): readonly TextEdit[] | null {
  const name = `${textOf(result, span)}_log`;
  const definition = result.program.functions.find((one) => one.name.name === name);
  if (definition === undefined) return null;
  const suffix = definition.arguments[0]?.type.base === 'int' ? 'lpmf' : 'lpdf';
  const modern = name.replace(/log$/, suffix);
  if (isLibraryFunction(modern)) return null;
  const { file, start } = definition.name.span;
  const places = occurrencesAt(result, start, file)?.places ?? [];
  return places.flatMap((place) => withBar(result, place.span, modern));
}

function removed(result: CheckResult, name: Span): readonly TextEdit[] | null {
  const call = callAt(result, name);
  const parts = call && partsOf(result, call);
  if (!call || !parts) return null;
  const [first, second] = parts.separators;
  if (call.name.name !== 'if_else' || parts.separators.length !== 2) return null;
  // A nested conditional needs brackets before `?`.
  const isNested = call.arguments[0].kind === 'conditional';
  const opening = { span: { ...name, end: parts.open.end }, text: isNested ? '((' : '(' };
  return [opening, { span: first, text: isNested ? ') ?' : ' ?' }, { span: second, text: ' :' }];
}

/** Functions that were only renamed. */
const renamedOnly: ReadonlySet<string> = new Set([
  'fabs',
  'multiply_log',
  'binomial_coefficient_log',
  'cov_exp_quad',
]);
/** How many arguments precede the tolerances, which came last. */
const solvers: Readonly<Record<string, number>> = { algebra_solver: 5, algebra_solver_newton: 5 };

function modernised(result: CheckResult, name: Span): readonly TextEdit[] | null {
  const word = textOf(result, name);
  const modern = deprecatedFunctions[word];
  if (modern === undefined) return null;
  if (renamedOnly.has(word)) return [{ span: name, text: modern }];
  const own = solvers[word];
  const call = callAt(result, name);
  const parts = call && partsOf(result, call);
  if (own === undefined || !parts) return null;
  const { separators, texts, close } = parts;
  if (texts.length === own) return [{ span: name, text: modern }];
  // Tolerances follow the guess, and arguments passed on come last.
  const rest = [...texts.slice(own), ...texts.slice(2, own)].join(',');
  const behindGuess = { ...close, start: separators[1].end, end: close.start };
  return [
    { span: name, text: `${modern}_tol` },
    { span: behindGuess, text: rest },
  ];
}
