/** Problems as data: made by constructors, rendered in one place, never thrown. */
import { renderCodeFrame } from './source/code-frame.ts';
import { positionAt, type SourceFile } from './source/source-file.ts';
import type { Span } from './source/span.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
  /** Stable, kebab-case, under `stan/`: `stan/unknown-name`. */
  readonly code: string;
  readonly severity: Severity;
  /** One or two plain sentences; names in backticks. */
  readonly message: string;
  readonly span: Span;
  readonly related: readonly { readonly message: string; readonly span: Span }[];
  /** A replacement of `span` that would fix it, when there is one obvious ("Change to theta_tilde"). */
  readonly fix?: DiagnosticFix;
}

export interface DiagnosticFix {
  readonly title: string;
  readonly replacement: string;
  /** What is replaced, if not what is underlined. */
  readonly span?: Span;
}

/** What a problem says: its message, or also where else to look and what would fix it. */
export type ProblemText =
  | string
  | {
      readonly message: string;
      readonly related?: Diagnostic['related'];
      readonly fix?: Diagnostic['fix'];
    };

/** Makes a constructor of diagnostics: their span, then what their text names. */
type CatalogueEntry = <Names extends unknown[] = []>(
  code: string,
  text: ProblemText | ((...names: Names) => ProblemText),
) => (span: Span, ...names: Names) => Diagnostic;

const entryOf =
  (severity: Severity): CatalogueEntry =>
  (code, text) =>
  (span, ...names) => {
    const given = typeof text === 'function' ? text(...names) : text;
    const { message, related = [], fix } = typeof given === 'string' ? { message: given } : given;
    return {
      code: `stan/${code}`,
      severity,
      message,
      span: { file: span.file, start: span.start, end: span.end },
      related,
      ...(fix ? { fix } : {}),
    };
  };

/** Entries of the catalogues `…-problems.ts`. */
export const error = entryOf('error');
export const warning = entryOf('warning');
export const info = entryOf('info');

export const quote = (name: string): string => `\`${name}\``;

/** The fix that replaces what is underlined, if there is a replacement. */
export const changeTo = (replacement: string | null): Pick<Diagnostic, 'fix'> =>
  replacement ? { fix: { title: `Change to ${replacement}`, replacement } } : {};

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** By file, then by place; equal places keep their order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => a.span.file - b.span.file || a.span.start - b.span.start || a.span.end - b.span.end,
  );
}

/**
 * A diagnostic as shown on a terminal: place, severity and message, code frame, related places, remedy.
 * `files` is the list the program was parsed from; `span.file` points into it.
 */
export function render(diagnostic: Diagnostic, files: readonly SourceFile[]): string {
  const { severity, code, message, span, related, fix } = diagnostic;
  const parts = [`${placeOf(span, files)}: ${severity}: ${message} [${code}]`];
  const file = files[span.file];
  if (file) parts.push(renderCodeFrame(file, span));
  for (const note of related) parts.push(`  ${placeOf(note.span, files)}: ${note.message}`);
  if (fix) parts.push(`  Fix: ${fix.title}.`);
  return parts.join('\n');
}

function placeOf(span: Span, files: readonly SourceFile[]): string {
  const file = files[span.file];
  if (!file) return '<unknown>';
  const { line, column } = positionAt(file, span.start);
  return `${file.name}:${line}:${column}`;
}
