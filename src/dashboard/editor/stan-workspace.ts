/** The Stan files of one model and the language service's results for them; runs in the worker, without the editor. */
import { type CheckResult, checkProgram } from '../../language/check.ts';
import { hasErrors, sortDiagnostics } from '../../language/diagnostics.ts';
import { complete } from '../../language/editor/complete.ts';
import { hover } from '../../language/editor/hover.ts';
import { occurrencesAt } from '../../language/editor/occurrences.ts';
import { definition, outline } from '../../language/editor/outline.ts';
import { rename, renamePlace } from '../../language/editor/rename.ts';
import { signatureHelp } from '../../language/editor/signature-help.ts';
import { fixesAt, fixRemoved } from '../../language/fixes/find-fixes.ts';
import { removedCodes } from '../../language/fixes/removed-syntax.ts';
import { formatProgram } from '../../language/format/format-program.ts';
import { pedanticWarnings } from '../../language/pedantic/pedantic-warnings.ts';
import { findRemedies, withRemedy } from '../../language/remedies/find-remedies.ts';
import { findPriorOnly } from '../../language/remedies/prior-only.ts';
import type { TextEdit } from '../../language/remedies/remedy.ts';
import { findReplicatedData } from '../../language/remedies/replicated-data.ts';
import { positionAt } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import { unmappableVariables, wantedVariables } from '../../mapping/wanted.ts';
import { itemAt } from '../../shared/items.ts';
import { checkData } from './data-check.ts';
import type {
  FileChanges,
  FileEdit,
  FileRange,
  OfferedFix,
  OfferedRemedy,
  Problem,
  Problems,
  StanQuestions,
} from './stan-protocol.ts';

/** Requests about the files in their current state. */
type Asked = Exclude<keyof StanQuestions, 'files'>;

interface Located {
  readonly result: CheckResult;
  /** Index of the file in the result. */
  readonly file: number;
}

export class StanWorkspace {
  private readonly texts = new Map<string, string>();
  private entrance: string | null = null;
  private isStrict = false;
  /** Results for the current state, by the file that was checked. */
  private readonly checked = new Map<string, CheckResult>();

  setFiles({ changed, removed, entrance }: FileChanges): void {
    for (const path of removed) this.texts.delete(path);
    for (const [path, text] of Object.entries(changed)) this.texts.set(path, text);
    this.entrance = entrance;
    this.checked.clear();
  }

  answer<N extends Asked>(name: N, ask: StanQuestions[N]['ask']): StanQuestions[N]['answer'] {
    const answers: { [K in Asked]: (ask: StanQuestions[K]['ask']) => StanQuestions[K]['answer'] } =
      {
        hover: ({ path, offset }) => this.hover(path, offset),
        complete: ({ path, offset }) => this.complete(path, offset),
        definition: ({ path, offset }) => this.definition(path, offset),
        signature: ({ path, offset }) => {
          const { result, file } = this.locate(path);
          return signatureHelp(result, offset, file);
        },
        occurrences: ({ path, offset }) => {
          const { result, file } = this.locate(path);
          const places = occurrencesAt(result, offset, file)?.places ?? [];
          return places.map(({ span, isWrite }) => ({ ...rangeOf(result, span), isWrite }));
        },
        renamePlace: ({ path, offset }) => {
          const { result, file } = this.locate(path);
          const found = renamePlace(result, offset, file);
          if ('refusal' in found) return found;
          return { ...rangeOf(result, found.span), name: found.name };
        },
        rename: ({ path, offset, name }) => {
          const { result, file } = this.locate(path);
          const answer = rename(result, { offset, file, name });
          return 'refusal' in answer ? answer : { edits: fileEdits(result, answer.edits) };
        },
        fixes: (range) => this.fixes(range),
        fixRemoved: ({ path }) => this.fixRemoved(path),
        outline: ({ path }) => outline(this.check(path)),
        format: ({ path }) => formatProgram(this.texts.get(path) ?? ''),
        strict: ({ isOn }) => {
          this.isStrict = isOn;
          return this.problems();
        },
        remedies: () => this.remedies(),
        problems: () => this.problems(),
        data: ({ text, fmt }) => checkData(this.program(), text, fmt),
        wanted: () => {
          const program = this.program();
          if (program === null || hasErrors(program.diagnostics)) return null;
          const { data } = program.program;
          return { variables: wantedVariables(data), tuples: unmappableVariables(data) };
        },
      };
    return answers[name](ask);
  }

  private program(): CheckResult | null {
    return this.entrance === null ? null : this.check(this.entrance);
  }

  private check(path: string): CheckResult {
    let result = this.checked.get(path);
    if (result === undefined) {
      const include = (name: string) => this.texts.get(name) ?? null;
      result = checkProgram({ name: path, text: this.texts.get(path) ?? '' }, { include });
      this.checked.set(path, result);
    }
    return result;
  }

  /** The program that a file is part of: the entrance's if that includes it, otherwise the file alone. */
  private locate(path: string): Located {
    const result = this.program() ?? this.check(path);
    const file = result.files.findIndex(({ name }) => name === path);
    return file > 0 ? { result, file } : { result: this.check(path), file: 0 };
  }

  /** Of the entrance and what it includes; any other file is checked alone if it is a program. */
  problems(): Problems {
    const start = performance.now();
    const known = new Set<string>();
    const problems: Problem[] = [];
    const add = (result: CheckResult): void => {
      const diagnostics = sortDiagnostics([
        ...result.diagnostics,
        ...pedanticWarnings(result, this.isStrict),
      ]);
      for (const [index, { name }] of result.files.entries()) {
        if (known.has(name)) continue;
        known.add(name);
        problems.push(...problemsOf({ ...result, diagnostics }, index));
      }
    };
    const program = this.program();
    if (program !== null) add(program);
    for (const [path, text] of this.texts)
      if (!known.has(path) && isProgram(path, text)) add(this.check(path));
    return { problems, milliseconds: performance.now() - start };
  }

  private remedies(): OfferedRemedy[] {
    const result = this.program();
    if (result === null) return [];
    const found = [
      ...findRemedies(result),
      ...findPriorOnly(result),
      ...findReplicatedData(result),
    ];
    return found.map((remedy) => {
      const { edits: _edits, ...offered } = remedy;
      const files = withRemedy(result, remedy).flatMap(({ name, text }, index) => {
        const before = itemAt(result.files, index).text;
        return text === before ? [] : [{ path: name, before, after: text }];
      });
      return { ...offered, files };
    });
  }

  private fixes({ path, start, end }: FileRange): OfferedFix[] {
    const { result, file } = this.locate(path);
    return fixesAt(result, { file, start, end }).map(({ title, edits, diagnostic }) => ({
      title,
      problem: { ...rangeOf(result, diagnostic.span), message: diagnostic.message },
      isRemovedSyntax: removedCodes.has(diagnostic.code),
      edits: fileEdits(result, edits),
    }));
  }

  private fixRemoved(path: string): StanQuestions['fixRemoved']['answer'] {
    const { result } = this.locate(path);
    const { files, count } = fixRemoved(result);
    const edits = files.flatMap(({ name, text }, index): FileEdit[] => {
      const before = itemAt(result.files, index).text;
      return text === before ? [] : [{ path: name, ...changeBetween(before, text) }];
    });
    return { edits, count };
  }

  private hover(path: string, offset: number): StanQuestions['hover']['answer'] {
    const { result, file } = this.locate(path);
    const found = hover(result, offset, file);
    if (found === null) return null;
    return { ...rangeOf(result, found.span), code: found.code, text: found.text };
  }

  private complete(path: string, offset: number): StanQuestions['complete']['answer'] {
    const { result, file } = this.locate(path);
    const { span, items } = complete(result, offset, file);
    return { start: span.start, end: span.end, items };
  }

  private definition(path: string, offset: number): FileRange | null {
    const { result, file } = this.locate(path);
    const span = definition(result, offset, file);
    return span === null ? null : rangeOf(result, span);
  }
}

/** Files that are only included have statements without a block around them. */
function isProgram(path: string, text: string): boolean {
  return (
    path.endsWith('.stan') &&
    /(?:^|\n)\s*(?:model|parameters|generated\s+quantities)\s*\{/.test(text)
  );
}

function fileEdits(result: CheckResult, edits: readonly TextEdit[]): FileEdit[] {
  return edits.map(({ span, text }) => ({ ...rangeOf(result, span), text }));
}

/** The single edit that turns one text into another, without their common prefix and suffix. */
export function changeBetween(before: string, after: string): Omit<FileEdit, 'path'> {
  let start = 0;
  while (before[start] === after[start]) start++;
  const most = Math.min(before.length, after.length) - start;
  let tail = 0;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function rangeOf(result: CheckResult, span: Span): FileRange {
  return { path: itemAt(result.files, span.file).name, start: span.start, end: span.end };
}

/** The problems in one of the files, by position: the only conversion of a diagnostic on its way. */
function problemsOf(result: CheckResult, file: number): Problem[] {
  const source = itemAt(result.files, file);
  return result.diagnostics
    .filter(({ span }) => span.file === file)
    .map(({ span, related, ...diagnostic }) => ({
      ...diagnostic,
      ...rangeOf(result, span),
      ...positionAt(source, span.start),
      related: related.map((note) => ({ ...rangeOf(result, note.span), message: note.message })),
    }));
}
